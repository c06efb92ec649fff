"""Every writer reports the parts of a scene that its format cannot hold, besides meshes and materials."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Bookmark, Scene, WriteError, load, open_project, save_project, write_obj
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import DISTANCE, IN_WORLD, Anchor, Measurement
from octoscope.scene.editing import delete
from octoscope.scene.editing.edits import apply
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.measuring import Measurer
from octoscope.scene.measuring.figures import size_rows
from tests.scene.builders import box

SEEDS = st.integers(0, 2**32 - 1)
LOST = "a project to keep"


def measured(node: int) -> Measurement:
    return Measurement(DISTANCE, (Anchor(node, (0.0, 0.0, 0.0)), Anchor(IN_WORLD, (1.0, 0.0, 0.0))))


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.add_nodes(["a", "b", "c"], mesh=scene.meshes.add(box()))
    return scene


@pytest.fixture(params=WRITERS)
def ending(request) -> str:
    return request.param


@pytest.fixture
def notes(ending, tmp_path):
    """The notes of exporting a scene that speak of what a person made."""
    return lambda scene: [note for note in WRITERS[ending](scene, tmp_path / f"a{ending}") if LOST in note]


@given(seed=SEEDS)
def test_solids_that_are_mirrored_turned_and_scaled_unevenly_below_one_another_face_outward_in_every_file(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    scales = rng.uniform(0.5, 2.0, (6, 3)) * rng.choice((-1.0, 1.0), (6, 3))
    rotations = rng.normal(size=(6, 4))
    scene.add_nodes(["solid"] * 6, mesh=scene.meshes.add(box()), scale=scales, rotation=rotations)
    scene.set_translations(scene.ids, rng.normal(size=(6, 3)))
    scene.set_parents([2, 3, 4], [0, 0, 2])
    mesh = scene[0].mesh
    scene.update_world()
    expected = signed_volume(mesh.vertices[mesh.faces]) * np.abs(np.linalg.det(scene.world_from_local[:, :3, :3])).sum()
    assert expected > 0.0
    with TemporaryDirectory() as folder:
        for ending, write in WRITERS.items():
            write(scene, path := Path(folder, f"a{ending}"))
            found = 0.0
            for node in load(path).objects:
                world, mesh = node.world_from_local, node.mesh
                corners = mesh.vertices[mesh.faces] @ world[:3, :3].T + world[:3, 3]
                found += signed_volume(corners) * np.sign(np.linalg.det(world[:3, :3]))
                if mesh.normals is not None:  # they look to the side that the winding says
                    normals = mesh.normals[mesh.faces].mean(axis=1) @ np.linalg.inv(world[:3, :3])
                    faced = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
                    assert (np.einsum("ij,ij->i", normals, faced) * np.linalg.det(world[:3, :3]) > 0.0).all(), ending
            assert found == pytest.approx(expected, rel=1e-4), ending


def signed_volume(corners: np.ndarray) -> float:
    """The volume within triangles that face outward, (t, 3, 3); negative of those that face inward."""
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


def test_a_scene_of_meshes_alone_loses_nothing_that_was_made(scene, notes):
    assert notes(scene) == []


def test_measurements_and_bookmarks_are_counted(scene, notes, ending):
    scene.measurements = [measured(0)]
    if ending != ".glb":  # which keeps all of them
        assert notes(scene) == ["1 measurement is left out: save a project to keep it"]
    scene.bookmarks = {"front": Bookmark((0.0, 0.0, 5.0))}
    scene.measurements = [measured(0), measured(IN_WORLD)]
    scene.labels = [Label("a", Anchor(0, (0.0, 0.0, 0.0)))]
    what = "2 measurements, 1 label and 1 bookmark are left out: save a project to keep them"
    assert notes(scene) == ([] if ending == ".glb" else [what])


def test_a_measurement_of_what_was_deleted_is_not_counted(scene, notes):
    scene.measurements = [measured(2)]
    apply(scene, delete(scene, [2]))
    assert notes(scene) == []


def test_what_is_hidden_or_locked_is_counted(scene, notes):
    scene.set_hidden(0, True)
    assert notes(scene) == ["1 hidden or locked node is written like all others: save a project to keep that"]
    scene.set_unselectable([0, 1], True)
    assert notes(scene) == ["2 hidden or locked nodes are written like all others: save a project to keep that"]


def test_polygons_that_become_triangles_are_said(ending, tmp_path):
    (tmp_path / "in.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    notes = WRITERS[ending](load(tmp_path / "in.obj"), tmp_path / f"a{ending}")
    assert any("polygons" in note for note in notes) == (
        ending not in (".obj", ".glb")
    )  # nobody expects polygons of a GLB
    again = load(tmp_path / f"a{ending}")
    assert any("polygons" in note for note in WRITERS[ending](again, tmp_path / f"b{ending}")) is False


@pytest.mark.parametrize("scale", [1.0, 1e160, 1e300, 1e308])
@pytest.mark.parametrize("off_centre", [0.0, 1e30, 1e38])
def test_what_is_too_large_or_too_far_away_is_written_or_refused_in_one_line(tmp_path, ending, scale, off_centre):
    """Nothing that overflows gets into a file as inf or NaN, which no program reads."""
    scene = Scene()
    mesh = box()
    far = replace(mesh, positions=mesh.positions + np.array([off_centre, 0.0, 0.0]))
    scene.add_node("a", mesh=scene.meshes.add(far), scale=(scale,) * 3, translation=(-scale, 0.0, scale))
    path = tmp_path / f"a{ending}"
    try:
        WRITERS[ending](scene, path)
    except WriteError as error:
        assert len(str(error).splitlines()) == 1
    else:
        read = load(path)
        assert len(read.ids) and np.isfinite(read.translations).all() and np.isfinite(read.scales).all()
    assert isinstance(size_rows(Measurer(scene).measure(scene.ids)), list)


def test_objects_whose_files_are_gone_are_counted_and_alone_not_written_as_if_they_were_there(ending, tmp_path):
    write_obj(one_of("a", "b"), tmp_path / "gone.obj")
    scene = load(tmp_path / "gone.obj")
    save_project(scene, tmp_path / "p.octo.json")
    (tmp_path / "gone.obj").unlink()
    again = open_project(tmp_path / "p.octo.json")
    line = "2 objects have no mesh, as their files are missing"
    if ending == ".glb":
        assert line in WRITERS[ending](again, tmp_path / "out.glb")
    else:
        with pytest.raises(WriteError, match=line):
            WRITERS[ending](again, tmp_path / f"out{ending}")
    again.add_node("there", mesh=again.meshes.add(box()))
    assert line in WRITERS[ending](again, tmp_path / f"out{ending}")


def one_of(*names: str) -> Scene:
    scene = Scene()
    scene.add_nodes(names, mesh=scene.meshes.add(box()))
    return scene


@pytest.mark.parametrize("up_axis", ["y", "z"])
def test_the_axis_that_is_up_is_kept_or_it_is_said_that_the_file_does_not_tell_it(ending, tmp_path, up_axis):
    scene = Scene(up_axis=up_axis)
    scene.add_node("tall", mesh=scene.meshes.add(box()), scale=(1.0, 2.0, 7.0))
    notes = WRITERS[ending](scene, tmp_path / f"out{ending}")
    said = any("Z stays up" in note for note in notes)
    assert said == (up_axis == "z" and ending != ".glb")
    lower, upper = load(tmp_path / f"out{ending}", up_axis=up_axis).bounds()
    np.testing.assert_allclose(upper - lower, np.ptp(scene.bounds(), axis=0), rtol=1e-6)
