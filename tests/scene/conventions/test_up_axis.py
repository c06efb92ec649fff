"""A scene with Z up: what falls, what files say of up, and what a project keeps, as in the same scene with Y up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import (
    Bookmark,
    History,
    Recorder,
    Scene,
    apply,
    inverse,
    load,
    open_project,
    save_project,
    write_glb,
)
from octoscope.scene.city import city
from octoscope.scene.conventions.upright import turn_between, turned_rotations
from octoscope.scene.editing import add_primitive, drop, drop_to_ground
from octoscope.scene.editing.chosen import topmost
from octoscope.scene.editing.edits import change_scene
from octoscope.scene.project.scene_values import JSON_VALUES
from octoscope.scene.system.report import Problems
from tests.oracles import local_matrix, random_quaternion
from tests.scene.builders import ball, box, quad, random_scene
from tests.scene.project.journals import killed

SEEDS = st.integers(0, 2**32 - 1)


def laid_down(scene: Scene) -> Scene:
    """Return the scene turned by a quarter about X, with Z up."""
    turned = scene.copy()
    top = np.flatnonzero(turned.parents < 0)
    turned.set_translations(top, scene.translations[top] @ turn_between("y", "z").T)
    turned.set_rotations(top, turned_rotations(scene.rotations[top], "y", "z"))
    turned.up_axis = "z"
    turned.update_world()
    return turned


def corners(scene: Scene) -> np.ndarray:
    """Return (k, 2, 3): the world's box of each mesh, of all nodes that have one."""
    scene.update_world()
    boxes = []
    for node in np.flatnonzero(scene.mesh_ids >= 0).tolist():
        matrix = scene.world_from_local[node]
        positions = scene.meshes.batch(scene.mesh_ids[[node]]).positions @ matrix[:3, :3].T + matrix[:3, 3]
        boxes.append((positions.min(axis=0), positions.max(axis=0)))
    return np.array(boxes)


@pytest.mark.parametrize("point", [(1.0, 2.0, 3.0), (0.0, 1.0, 0.0)])
def test_the_turn_leaves_what_is_right_and_raises_y_to_z(point):
    x, y, z = point
    assert (turn_between("y", "z") @ point).tolist() == [x, -z, y]
    assert (turn_between("z", "y") @ turn_between("y", "z") @ point).tolist() == [x, y, z]
    rng = np.random.default_rng(1)
    for rotation in random_quaternion(rng, 20):
        turned = turned_rotations(rotation[None], "y", "z")[0]
        expected = turn_between("y", "z") @ local_matrix((0, 0, 0), rotation, (1, 1, 1))[:3, :3]
        np.testing.assert_allclose(local_matrix((0, 0, 0), turned, (1, 1, 1))[:3, :3], expected, atol=1e-12)


@given(seed=SEEDS)
def test_everything_falls_along_z_as_it_falls_along_y(seed):
    rng = np.random.default_rng(seed)
    standing = random_scene(seed, 24, zeros=0.0)
    lying = laid_down(standing)
    ids = topmost(standing, rng.choice(24, 4, replace=False))
    for operation in (drop, drop_to_ground):
        fallen, also = standing.copy(), lying.copy()
        fallen.update_world(), also.update_world()
        apply(fallen, operation(fallen, ids, height=-2.0))
        apply(also, operation(also, ids, height=-2.0))
        np.testing.assert_allclose(also.translations, laid_down(fallen).translations, rtol=1e-6, atol=1e-6)


def test_what_stands_on_a_table_stays_and_what_hangs_above_falls_onto_it():
    scene = Scene(up_axis="z")
    mesh = scene.meshes.add(box())
    scene.add_nodes(
        ["table", "lamp", "beside"], mesh=mesh, translation=[(0, 0, 1), (0, 0, 9), (0, 9, 5)], scale=[(2, 2, 1)] * 3
    )
    scene.update_world()
    apply(scene, drop(scene, [1, 2]))
    assert scene.translations.tolist() == [[0, 0, 1], [0, 0, pytest.approx(3)], [0, 9, pytest.approx(1)]]


def test_an_axis_that_is_none_is_refused():
    with pytest.raises(ValueError, match="the up axis is 'y' or 'z', not 'Z'"):
        Scene().up_axis = "Z"
    with pytest.raises(ValueError, match="the up axis is"):
        change_scene(Scene(), up_axis="x")


def test_the_up_axis_is_an_edit_that_can_be_undone_and_lives_through_a_crash(tmp_path):
    path = tmp_path / "house.octo.json"
    scene = Scene()
    scene.add_node("house")
    save_project(scene, path)
    scene = open_project(path)
    history = History(scene, Recorder(scene))
    version = scene.version
    history.do(change_scene(scene, up_axis="z", label="Z is up"))
    assert (scene.up_axis, history.undo_label, history.is_dirty) == ("z", "Z is up", True)
    assert scene.version != version, "or nobody draws it again"
    killed(history.recorder)
    again = open_project(path)
    assert again.up_axis == "z"
    history = History(again, Recorder(again))
    history.do(change_scene(again, up_axis="y"))
    history.do(change_scene(again, up_axis="z"))
    history.undo()
    assert again.up_axis == "y"
    killed(history.recorder)
    assert open_project(path).up_axis == "y"


def test_an_edit_of_the_up_axis_and_its_inverse_lead_back():
    scene = Scene()
    edit = change_scene(scene, up_axis="z")
    apply(scene, edit)
    assert not change_scene(scene, up_axis="z").changes
    apply(scene, inverse(edit))
    assert scene.up_axis == "y"


def test_a_project_remembers_the_up_axis(tmp_path):
    scene = Scene(up_axis="z")
    scene.add_node("house")
    save_project(scene, tmp_path / "z.octo.json")
    assert open_project(tmp_path / "z.octo.json").up_axis == "z"
    assert load(tmp_path / "z.octo.json").up_axis == "z"
    assert load(tmp_path / "z.octo.json", up_axis="y").up_axis == "y", "who asks for one gets it"


@pytest.mark.parametrize("written", ["x", "Z", 2, None, ["y", "z"]])
def test_an_up_axis_that_is_none_is_said_of_a_project(tmp_path, written):
    path = tmp_path / "odd.octo.json"
    path.write_text(json.dumps({"octoscope": {"version": 1}, "up_axis": written, "nodes": []}))
    scene = open_project(path)
    assert scene.up_axis == "y"
    assert [problem.kind for problem in scene.report.problems] == ["up-axis"]


def test_an_older_journal_has_the_up_axis_in_a_list(tmp_path):
    problems = Problems(tmp_path)
    assert JSON_VALUES["up_axis"].from_json(["z"], 0, problems, tmp_path) == "z" and not problems


def test_a_gltf_file_stands_upright_in_a_scene_with_z_up(tmp_path):
    scene = Scene()
    scene.add_node("tower", mesh=scene.meshes.add(ball()), scale=(1, 9, 2), translation=(3, 9, 1))
    scene.bookmarks = {"gate": Bookmark((3.0, 1.0, 20.0))}
    scene.update_world()
    write_glb(scene, tmp_path / "tower.glb")
    lying = load(tmp_path / "tower.glb", up_axis="z")
    np.testing.assert_allclose(corners(lying), corners(laid_down(scene)), rtol=1e-6, atol=1e-6)
    gate = lying.bookmarks["gate"]
    assert gate.position == (3.0, -20.0, 1.0)
    looks = local_matrix((0, 0, 0), gate.rotation, (1, 1, 1))[:3, :3]
    np.testing.assert_allclose(looks @ (0, 0, -1), (0, 1, 0), atol=1e-12, err_msg="at the tower")
    np.testing.assert_allclose(looks @ (0, 1, 0), (0, 0, 1), atol=1e-12, err_msg="with Z above")


@given(seed=SEEDS)
def test_a_scene_with_z_up_is_written_to_a_gltf_file_with_y_up(seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    standing = random_scene(seed, 12)
    standing.update_world()
    lying = laid_down(standing)
    rotation = np.random.default_rng(seed).normal(size=(1, 4))
    standing.bookmarks = {"gate": Bookmark((1.0, 2.0, 3.0), tuple(rotation[0].tolist()))}
    turned = turned_rotations(rotation, "y", "z")[0]
    lying.bookmarks = {"gate": Bookmark((1.0, -3.0, 2.0), tuple(turned.tolist()))}
    write_glb(standing, folder / "y.glb")
    write_glb(lying, folder / "z.glb")
    expected, read = load(folder / "y.glb"), load(folder / "z.glb")
    np.testing.assert_allclose(corners(read), corners(expected), atol=1e-5 * np.abs(corners(expected)).max())
    assert read.bookmarks["gate"].position == pytest.approx((1.0, 2.0, 3.0))
    assert read.bookmarks["gate"].rotation == pytest.approx(expected.bookmarks["gate"].rotation, abs=1e-12)


def test_an_obj_file_says_nothing_of_up_and_is_left_as_it_is(tmp_path):
    path = tmp_path / "wall.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 0 3\nf 1 2 3\n")
    for up_axis in ("y", "z"):
        scene = load(path, up_axis=up_axis)
        assert scene.up_axis == up_axis
        assert corners(scene).tolist() == [[[0, 0, 0], [1, 0, 3]]]


def test_the_city_and_what_is_added_stand_upright():
    lying = city(60, up_axis="z")
    np.testing.assert_allclose(corners(lying), corners(laid_down(city(60))), atol=1e-9)
    scene = Scene(up_axis="z")
    apply(scene, add_primitive(scene, "cone", radius=1.0, height=8.0))
    ((lower, upper),) = corners(scene)
    assert upper[2] - lower[2] == pytest.approx(8.0)
    plane = Scene(up_axis="z")
    plane.meshes.add(quad())
    apply(plane, add_primitive(plane, "plane"))
    ((lower, upper),) = corners(plane)
    assert upper[2] - lower[2] == pytest.approx(0.0, abs=1e-12)
