"""Measurements: what they come to; that they stay on their nodes, are undone, and come back from a project."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import History, Recorder, Scene, apply, change_nodes, inverse, open_project, save_project
from octoscope.scene.editing.edits import change_scene
from octoscope.scene.measuring import Anchor, Lengths, Measurement, angle_rad, distance
from octoscope.scene.measuring.measurements import figure_of, figure_rows, figure_text, shown_measurements, world_points
from tests.oracles import random_quaternion
from tests.scene.builders import box
from tests.scene.project.projects import change_document, kinds, saved

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_node("a", mesh=mesh)
    scene.add_node("b", mesh=mesh, translation=(10, 0, 0), scale=(1, 2, 1))
    scene.update_world()
    return scene


def between(scene: Scene) -> list[Measurement]:
    corner = (1.0, 1.0, 1.0)
    return [
        Measurement("distance", (Anchor(0, corner), Anchor(1, corner))),
        Measurement("angle", (Anchor(0, (0.5, 0.1, 1 / 3)), Anchor(-1, (1e6, -2.5, 0.0)), Anchor(1, corner))),
    ]


def figures(scene: Scene) -> list[float]:
    return [figure_of(each.kind, world_points(scene, each.anchors)) for each in scene.measurements]


# Figures.


@given(seed=SEEDS, far=st.sampled_from((0.0, 1e3, 1e6)))
def test_turning_and_moving_changes_no_distance_and_no_angle(seed, far):
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=(3, 3))
    x, y, z, w = random_quaternion(rng, 1)[0]
    turn = np.array(
        [
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        ]
    )
    away = far * rng.normal(size=3)
    moved = [turn @ point + away for point in (a, b, c)]
    assert distance(*moved[:2]) == pytest.approx(distance(a, b), abs=1e-14 * (1 + 10 * far))
    legs = min(distance(a, b), distance(c, b))
    assert angle_rad(*moved) == pytest.approx(angle_rad(a, b, c), abs=1e-13 * (1 + 10 * far) / legs)


@pytest.mark.parametrize("angle", (0.0, 1e-9, 1e-3, 1.0, math.pi / 2, 3.0, math.pi - 1e-9, math.pi))
def test_angles_are_exact_near_nothing_and_near_a_half_turn_too(angle):
    b = (math.cos(angle), math.sin(angle), 0.0)
    assert angle_rad((3.0, 0.0, 0.0), (0.0, 0.0, 0.0), b) == pytest.approx(angle, rel=1e-15, abs=2e-16)


def test_an_angle_without_a_leg_is_none():
    assert math.isnan(angle_rad((1, 2, 3), (1, 2, 3), (0, 0, 0)))
    assert figure_text("angle", np.zeros((3, 3)), Lengths()) == "nan°"


def test_rows_give_the_parts_along_the_axes():
    points = np.array([(1.0, 1.0, 1.0), (2.0, -1.0, 3.0)])
    assert figure_rows("distance", points, Lengths()) == [("distance", "3"), ("delta", "1  -2  2")]
    corner = np.array([(2.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 3.0, 0.0)])
    assert figure_rows("angle", corner, Lengths()) == [("angle", "90.00°"), ("leg 1", "2"), ("leg 2", "3")]


# On their nodes.


def test_a_measurement_follows_its_nodes(scene):
    scene.measurements = between(scene)
    assert figures(scene)[0] == pytest.approx(math.hypot(10, 1, 0))
    scene.set_translations([1], (20, 0, 0))
    scene.update_world()
    assert figures(scene)[0] == pytest.approx(math.hypot(20, 1, 0))


def test_a_measurement_needs_as_many_points_as_its_kind(scene):
    with pytest.raises(ValueError, match="angle: 3 points"):
        Measurement("angle", between(scene)[0].anchors)


# Edits.


@pytest.mark.parametrize("kind", ["volume", "", None, []])
def test_a_measurement_of_a_kind_that_there_is_not_is_refused(kind):
    with pytest.raises(ValueError, match="one of distance, path"):
        Measurement(kind, ())


def test_making_and_removing_is_undone_and_done_again(scene):
    first, second = between(scene)
    edit = change_scene(scene, measurements=[first], label="Measure a distance")
    assert scene.measurements == ()
    apply(scene, edit)
    apply(scene, more := change_scene(scene, measurements=[first, second]))
    assert scene.measurements == (first, second)
    apply(scene, inverse(more))
    assert scene.measurements == (first,)
    apply(scene, inverse(edit))
    assert scene.measurements == ()
    apply(scene, edit)
    assert scene.measurements == (first,)
    assert change_scene(scene, measurements=[first]).changes == ()


# The project file.


def test_measurements_come_back_from_a_project_to_the_bit(scene, tmp_path):
    scene.measurements = between(scene)
    again = saved(scene, tmp_path / "a.octo.json")
    assert again.measurements == scene.measurements
    assert figures(again) == figures(scene)
    assert again.report.warnings == []
    assert saved(again, tmp_path / "b.octo.json").measurements == scene.measurements


def test_a_project_without_measurements_has_no_word_of_them(scene, tmp_path):
    save_project(scene, tmp_path / "a.octo.json")
    assert "measurements" not in json.loads((tmp_path / "a.octo.json").read_text())


@pytest.mark.parametrize(
    "bad",
    (
        {"kind": "area", "points": [[0, 0, 0]]},
        {"kind": ["distance"]},
        {"kind": "distance", "nodes": [0, 1], "points": [[0, 0, 0]]},
        {"kind": "distance", "nodes": [0], "points": [[0, 0, 0], [1, 1, 1]]},
        {"kind": "distance", "nodes": [0, 2], "points": [[0, 0, 0], [1, 1, 1]]},
        {"kind": "distance", "nodes": [-1, 0], "points": [[0, 0, 0], [1, 1, 1]]},
        {"kind": "distance", "nodes": [True, 0.0], "points": [[0, 0, 0], [1, 1, 1]]},
        {"kind": "distance", "nodes": "ab", "points": [[0, 0, 0], [1, 1, 1]]},
        {"kind": "distance", "points": [[0, 0, 0], [1, 1]]},
        {"kind": "distance", "points": [[0, 0, 0], [1, 1, "1"]]},
        {"kind": "distance", "points": [[0, 0, 0], [1, 1, None]]},
        {"kind": "distance", "points": [[0, 0, 0], [1, 1, 10**400]]},
        {"kind": "distance", "points": None},
        {},
    ),
)
def test_one_that_makes_no_sense_is_said_and_left_out(scene, tmp_path, bad):
    scene.measurements = between(scene)
    path = tmp_path / "a.octo.json"
    save_project(scene, path)
    change_document(path, lambda document: document["measurements"].insert(0, bad))
    again = open_project(path)
    assert again.measurements == scene.measurements
    assert kinds(again) == {"measurement": 1}
    save_project(again, path)
    assert len(json.loads(path.read_text())["measurements"]) == 2


@pytest.mark.parametrize(("bad", "said"), (({"a": 1}, 1), (7, 1), ([None, 5, "x"], 3), (None, 1), ([], 0)))
def test_a_list_that_is_none_is_said_and_nothing_else_suffers(scene, tmp_path, bad, said):
    path = tmp_path / "a.octo.json"
    save_project(scene, path)
    change_document(path, lambda document: document.update(measurements=bad))
    again = open_project(path)
    assert again.measurements == () and len(again) == 2
    assert kinds(again).get("measurement", 0) == said


def test_points_without_nodes_stay_in_the_world(scene, tmp_path):
    path = tmp_path / "a.octo.json"
    save_project(scene, path)
    written = [{"kind": "distance", "points": [[0, 0, 0], [3, 4, 0]]}]
    change_document(path, lambda document: document.update(measurements=written))
    assert figures(open_project(path)) == [5.0]


# The journal.


def test_what_was_measured_since_the_last_save_is_replayed(scene, tmp_path):
    path = tmp_path / "a.octo.json"
    save_project(scene, path)
    recorder = Recorder(scene)
    made = between(scene)
    for number in (1, 2):
        edit = change_scene(scene, measurements=made[:number], label="Measure")
        apply(scene, edit)
        recorder.record(edit)
    assert open_project(path).measurements == tuple(made)
    edit = change_scene(scene, measurements=made[1:])
    apply(scene, edit)
    recorder.record(edit)
    again = open_project(path)
    assert again.measurements == tuple(made[1:])
    assert kinds(again) == {"unsaved-changes": 3}


# Deleted nodes.


def test_a_measurement_of_a_deleted_node_is_hidden_and_comes_back_with_it(scene):
    scene.measurements = between(scene)
    apply(scene, edit := change_nodes(scene, [0], alive=False))
    assert shown_measurements(scene) == [] and len(scene.measurements) == 2
    apply(scene, inverse(edit))
    assert shown_measurements(scene) == between(scene)


def test_measurements_of_hidden_nodes_and_beside_isolated_ones_are_not_shown(scene):
    scene.measurements = between(scene)
    scene.update_world()
    edit = change_nodes(scene, [0], hidden=True)
    apply(scene, edit)
    scene.update_world()
    assert shown_measurements(scene) == [] and len(scene.measurements) == 2
    apply(scene, inverse(edit))
    scene.update_world()
    assert shown_measurements(scene) == between(scene)
    isolated = np.ones(scene.row_count, dtype=bool)
    assert shown_measurements(scene, isolated) == between(scene)
    isolated[0] = False
    assert shown_measurements(scene, isolated) == []


def test_saving_leaves_out_measurements_of_deleted_nodes_and_the_others_stay_on_theirs(scene, tmp_path):
    lone = Measurement("distance", (Anchor(1, (0.0, 0.0, 0.0)), Anchor(-1, (0.0, 0.0, 0.0))))
    scene.measurements = [*between(scene), lone]
    apply(scene, edit := change_nodes(scene, [0], alive=False))
    again = saved(scene, tmp_path / "a.octo.json")
    (kept,) = again.measurements
    assert kept.anchors[0].node == again["b"].id == 0, "ids in the file have no gaps"
    assert figures(again) == [10.0] and again.report.warnings == []
    apply(scene, inverse(edit))
    assert len(saved(scene, tmp_path / "b.octo.json").measurements) == 3


def test_the_journal_knows_nodes_by_their_places_whatever_was_deleted(scene, tmp_path):
    path = tmp_path / "a.octo.json"
    apply(scene, change_nodes(scene, [0], alive=False))
    save_project(scene, path)
    recorder = Recorder(scene)
    new = scene.add_node("new", translation=(0, 0, 3))
    scene.update_world()
    made = [Measurement("distance", (Anchor(1, (0.0, 0.0, 0.0)), Anchor(new.id, (0.0, 0.0, 0.0))))]
    apply(scene, edit := change_scene(scene, measurements=[*between(scene)[:1], *made]))
    recorder.record(edit)
    again = open_project(path)
    assert figures(again) == [pytest.approx(math.hypot(10, 3))]
    assert [anchor.node for anchor in again.measurements[0].anchors] == [again["b"].id, again["new"].id]


def test_measurements_of_nodes_that_come_back_after_a_save_without_them_are_in_the_journal(scene, tmp_path):
    path = tmp_path / "a.octo.json"
    scene.measurements = between(scene)
    save_project(scene, path)
    recorder = Recorder(scene)
    history = History(scene, recorder)
    history.do(change_nodes(scene, [0], alive=False))
    save_project(scene, path, recorder=recorder)
    history.undo()
    again = open_project(path)
    assert figures(again) == figures(scene) and len(again.measurements) == 2
    history.redo()
    assert shown_measurements(open_project(path)) == []
    history.undo()
    assert figures(open_project(path)) == figures(scene)
