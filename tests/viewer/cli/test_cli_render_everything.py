"""Every option of `octoscope render` on a scene that has all that a picture can show."""

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import write_glb
from octoscope.viewer.frame.look.shading import EDGES, MATCAPS, MODES
from octoscope.viewer.frame.look.studios import STUDIOS
from tests.viewer.needs import needs
from tests.viewer.scenes import everything

pytestmark = pytest.mark.usefixtures("in_folder")

OPTIONS = {
    "plain": (),
    "transparent": ("--transparent",),
    "two views": ("--views", 2),
    "four views, transparent": ("--views", 4, "--transparent"),
    "parallel": ("--ortho", "--view", "top"),
    "octree": ("--octree",),
    "edges": ("--edges",),
    "flat": ("--flat", "--cull-tiny"),
    "wide strokes": ("--line-width", 3, "--point-size", 9),
    "round points": ("--round-points", "--point-size", 9),
    "light of the world": ("--light", 30, 60, "--shadow", 0.5, "--occlusion", 0.5),
    "no light kept off": ("--shadow", 0, "--occlusion", 0),
    "cut": ("--section", "x<1.6", "--section", "z<2"),
    "bare": ("--no-grid", "--no-culling", "--background", "white"),
    "placed": ("--position", 0, -9, 3, "--target", 0, 0, 1, "--fov", 50),
    **{f"samples {count}": ("--samples", count) for count in (1, 4, 16)},
    **{f"mode {mode}": ("--mode", mode) for mode in (*MODES, EDGES)},
    "matcap": ("--matcap", next(iter(MATCAPS))),
    **{f"environment {name}": ("--environment", name, "--background", "environment") for name in STUDIOS},
}


@pytest.fixture
def scene_file(tmp_path):
    write_glb(everything(), tmp_path / "everything.glb")
    return "everything.glb"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs("octree_view")] * (name == "octree")) for name in OPTIONS]
)
def test_each_option_shows_everything(scene_file, run, name):
    command = ("render", scene_file, "--up", "z", "--size", "96x64", "-o")
    status, _, err = run(*command, "out.png", *OPTIONS[name])
    assert (status, err) == (0, [])
    picture = np.asarray(Image.open("out.png"))
    assert picture.shape == (64, 96, 4 if "transparent" in name else 3)
    assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 100


@pytest.mark.parametrize("ending", ["npy", "exr"])
@pytest.mark.parametrize("views", [1, 2, 4])
def test_arrays_beside_a_picture_have_every_object_in_every_view(scene_file, run, views, ending):
    if ending == "exr":
        pytest.importorskip("OpenImageIO")
    arrays = [part for name in ("depth", "ids", "normals") for part in (f"--{name}", f"{name}.{ending}")]
    options = ("--up", "z", "--views", views, "--size", "240x160", "--point-size", 5, "--line-width", 2)
    status, _, err = run("render", scene_file, *options, "-o", "out.png", *arrays)
    assert (status, err) == (0, [])
    if ending == "exr":
        return  # as in test_buffers_are_written_beside_the_picture
    depth, ids, normals = (np.load(f"{name}.npy") for name in ("depth", "ids", "normals"))
    parts = [(slice(None), slice(None))]
    if views > 1:
        rows = (slice(0, 80), slice(80, 160)) if views == 4 else (slice(None),)
        parts = [(row, column) for row in rows for column in (slice(0, 120), slice(120, 240))]
    for number, part in enumerate(parts):
        assert len(np.unique(ids[part])) == 6, f"five objects and nothing in view {number}"
        assert (np.isfinite(depth[part]) == (ids[part] >= 0)).all()
        assert np.abs(np.linalg.norm(normals[part], axis=2) - 1.0)[normals[part].any(axis=2)].max() < 1e-3


def test_a_turntable_turns_everything(scene_file, run):
    command = ("render", scene_file, "--up", "z", "--size", "96x64", "--turntable", 3, "-o", "%d.png")
    status, _, err = run(*command)
    assert (status, err) == (0, [])
