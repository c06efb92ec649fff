"""render --turntable: the camera goes once round, all of the scene stays in view, and every format is written whole."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.cli import turntable
from octoscope.viewer.frame.view import View
from tests.viewer.cli.cli_steps import PALETTE, box
from tests.viewer.scenes import box_scene

pytestmark = pytest.mark.usefixtures("in_folder")


@pytest.fixture
def colours(write):
    """A flat box whose middle is off the origin; each side has a colour."""
    write("palette.mtl", PALETTE)
    return write(
        "colours.obj", "mtllib palette.mtl\n" + box("a", (5.0, 2.0, 1.0), right="red", front="blue", top="green")
    )


def pictures(run, *options: object, size: str = "64x48") -> list[np.ndarray]:
    status, out, err = run("render", *options, "--turntable", 4, "--size", size, "-o", "frames/%02d.png", "--no-grid")
    assert (status, err) == (0, []) and "frames/%02d.png: 64x48, 4 pictures" in out
    paths = sorted(Path("frames").iterdir())
    assert [path.name for path in paths] == ["01.png", "02.png", "03.png", "04.png"]
    return [np.asarray(Image.open(path)).astype(int) for path in paths]


def test_a_quarter_turn_to_the_right_shows_the_right_side(colours, run):
    front, right, *_ = pictures(run, colours, "--view", "front", "--ortho")
    for seen, channel in ((front, 2), (right, 0)):
        middle = seen[24, 32]
        assert middle[channel] > 3 * np.delete(middle, channel).max()


def test_all_of_the_scene_stays_in_the_picture_and_its_middle_in_the_middle():
    view = View(box_scene())
    view.layout.resize((64, 48))
    view.framing.frame_nodes(None)
    bounds = view.index.bounds()
    corners = np.pad(box_corners(*bounds), ((0, 0), (0, 1)), constant_values=1.0)
    cameras = turntable.cameras_around(view, 12, is_placed=False)
    assert len({each.distance for each in cameras}) == 1
    reach = []
    for camera in cameras:
        clip = corners @ camera.clip_from_world(64 / 48).T
        reach.append(np.abs(clip[:, :2] / clip[:, 3:]).max())
        assert np.array_equal(camera.pivot, np.mean(bounds, axis=0))
    assert 0.9 < max(reach) < 1.0


def test_a_given_camera_turns_about_its_target(colours, run, picture):
    given = ("--position", 5, 2, 9, "--target", 5, 2, 8)
    first, _, back, _ = pictures(run, colours, *given)
    assert np.array_equal(first, picture("render", colours, "--no-grid", *given))
    assert np.ptp(back[24]) < 20, "it looks away from the scene"


def test_a_gif_keeps_the_colours_of_small_things(tmp_path):
    pixels = np.random.default_rng(1).integers(40, 100, (200, 300, 3), dtype=np.uint8)
    rows, colors = [100, 120, 140], [(230, 60, 50), (255, 150, 40), (80, 220, 110)]  # as lines of cells have
    pixels[rows, ::6] = np.array(colors, dtype=np.uint8)[:, None]
    turntable.write_turntable(tmp_path / "t.gif", (300, 200), lambda take: take(pixels))
    with Image.open(tmp_path / "t.gif") as image:
        seen = np.asarray(image.convert("RGB"))[rows, ::6].astype(int)
    assert np.abs(seen - np.array(colors)[:, None]).max() <= 16


def test_a_gif_plays_for_ever(colours, run):
    assert run("render", colours, "--turntable", 5, "--size", "64x48", "-o", "t.gif")[0] == 0
    with Image.open("t.gif") as image:
        assert (image.n_frames, image.size, image.info["loop"], image.info["duration"]) == (5, (64, 48), 0, 40)


@pytest.mark.skipif(find_spec("imageio_ffmpeg") is None, reason="needs imageio-ffmpeg, an extra")
def test_an_mp4_holds_all_pictures(colours, run):
    import imageio_ffmpeg

    assert run("render", colours, "--turntable", 5, "--size", "66x50", "-o", "t.mp4")[0] == 0
    frames = imageio_ffmpeg.read_frames("t.mp4")
    facts = next(frames)
    assert facts["size"] == (66, 50) and sum(1 for _ in frames) == 5


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("-o", "t.png"), "t.png: name a .gif, an .mp4, or pictures with a place for their number: frames/%03d.png"),
        (("-o", "100%.png"), "100%.png: name a .gif"),
        (("-o", "%d.nonsense"), "unknown picture format"),
        (("-o", "missing/t.gif"), "missing/t.gif"),
        (("-o", "t.gif", "--views", 2), "leave out --views"),
        (("-o", "t.gif", "--depth", "d.npy"), "--depth is of one picture"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_read(refused, options, says):
    assert says in refused("render", "not there.obj", "--turntable", 4, *options)
    assert not any(Path().iterdir())


@pytest.mark.parametrize("count", ("1", "3601", "x", "2.5", "-3"))
def test_a_number_of_pictures_that_is_none_is_refused(refused, count):
    line = refused("render", "a.obj", f"--turntable={count}", "-o", "t.gif")
    assert "is not a number of pictures, 2 to 3,600" in line


def test_an_mp4_says_what_it_needs(refused, monkeypatch):
    monkeypatch.setattr(turntable, "find_spec", lambda name: None)
    line = refused("render", "a.obj", "--turntable", 4, "-o", "t.mp4")
    assert "pip install 'octoscope[video]'" in line and "end the name in .gif" in line
    monkeypatch.setattr(turntable, "find_spec", lambda name: object())
    assert "even" in refused("render", "a.obj", "--turntable", 4, "-o", "t.mp4", "--size", "65x50")
