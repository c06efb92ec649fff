"""Edits: applied and taken back they leave every bit as it was; what cannot be done leaves the scene alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Change, Edit, History, Material, Scene, apply, change_nodes, inverse
from tests.oracles import random_quaternion
from tests.scene.builders import random_scales, random_scene
from tests.scene.project.projects import bits

SEEDS = st.integers(0, 2**32 - 1)


def random_edit(scene: Scene, rng: np.random.Generator) -> Edit:
    """One to three columns of a few nodes; a node may hang below itself afterwards."""
    ids = rng.choice(len(scene), rng.integers(0, min(6, len(scene)) + 1), replace=False)
    count = len(ids)
    values = {
        "translation": rng.normal(size=(count, 3)) * rng.choice((1.0, 0.0, -0.0)),
        "rotation": random_quaternion(rng, count) * rng.uniform(0.1, 10.0),
        "scale": random_scales(rng, count),
        "name": [f"renamed {number}" for number in rng.integers(0, 1000, count)],
        "parent": rng.integers(-1, len(scene), count),
        "material": rng.integers(-1, len(scene.materials), count),
        "hidden": rng.random(count) < 0.5,
        "unselectable": rng.random(count) < 0.5,
        "order": rng.integers(-3, 3, count),
    }
    columns = rng.choice(list(values), rng.integers(1, 4), replace=False)
    return change_nodes(scene, ids, label="Change them", **{column: values[column] for column in columns})


def state(scene: Scene) -> list:
    numbers = (scene.parents, scene.material_overrides, scene.translations, scene.rotations, scene.scales)
    numbers += (scene.hidden, scene.unselectable, scene.file_roots, scene.orders)
    return [scene.names.tolist(), *(bits(column).tolist() for column in numbers)]


@given(seed=SEEDS)
def test_a_series_of_edits_is_undone_and_done_again_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 20)
    for name in ("red", "blue"):
        scene.add_material(Material(name))
    states, edits = [state(scene)], []
    for _ in range(8):
        edit = random_edit(scene, rng)
        try:
            apply(scene, edit)
        except ValueError:
            assert state(scene) == states[-1]
        else:
            edits.append(edit)
            states.append(state(scene))
    for edit, before in zip(reversed(edits), reversed(states[:-1]), strict=True):
        apply(scene, inverse(edit))
        assert state(scene) == before
    for edit, after in zip(edits, states[1:], strict=True):
        apply(scene, edit)
        assert state(scene) == after
        apply(scene, inverse(inverse(edit)))
        assert state(scene) == after


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.add_nodes(["a", "b", "c"], parent=[-1, 0, 1])
    return scene


def test_an_edit_changes_nothing_before_it_is_applied(scene):
    before = state(scene)
    revision = scene.world_revision
    edit = change_nodes(scene, [0, 2], translation=[(1, 2, 3), (4, 5, 6)], name="new")
    assert state(scene) == before
    apply(scene, edit)
    assert scene.names.tolist() == ["new", "b", "new"]
    np.testing.assert_array_equal(scene.translations[2], (4, 5, 6))
    assert set(scene.changed_since(revision).tolist()) == {0, 1, 2}


def test_an_edit_holds_what_changes_and_nothing_else(scene):
    edit = change_nodes(scene, [0, 1, 2], translation=[(0, 0, 0), (0, 0, 1), (0, -0.0, 0)], scale=(1.0, 1.0, 1.0))
    (change,) = edit.changes
    assert change.column == "translation" and change.ids.tolist() == [1, 2]
    assert change.before.shape == change.after.shape == (2, 3)
    assert change_nodes(scene, [0, 1], name=["a", "b"]).changes == ()
    assert change_nodes(scene, [], translation=(1, 1, 1)).changes == ()


def test_an_edit_does_not_change_when_the_scene_or_the_values_do(scene):
    values = np.ones((3, 3))
    edit = change_nodes(scene, [0, 1, 2], translation=values)
    values[:] = 7.0
    scene.set_translations([0, 1, 2], (5.0, 5.0, 5.0))
    assert (edit.changes[0].after == 1.0).all() and (edit.changes[0].before == 0.0).all()


@pytest.mark.parametrize(
    "bad",
    (
        {"rotation": (0.0, 0.0, 0.0, 0.0)},
        {"scale": (1.0, np.nan, 1.0)},
        {"parent": 2},
        {"parent": 99},
        {"material": 1},
    ),
)
def test_an_edit_that_cannot_be_done_is_not_half_done(scene, bad):
    before = state(scene)
    with pytest.raises(ValueError):
        apply(scene, change_nodes(scene, [0, 1], name="new", translation=(1.0, 2.0, 3.0), **bad))
    assert state(scene) == before


def test_an_edit_of_nodes_that_are_not_there_is_not_half_done(scene):
    before = state(scene)
    renamed = change_nodes(scene, [0], name="new").changes
    ids = np.array([0, 3], dtype=np.int32)
    edit = Edit("", (*renamed, Change("translation", ids, np.zeros((2, 3)), np.ones((2, 3)))))
    with pytest.raises(IndexError):
        apply(scene, edit)
    assert state(scene) == before


def test_nodes_must_be_there_and_there_once(scene):
    for ids in ([3], [-1]):
        with pytest.raises(IndexError):
            change_nodes(scene, ids, name="new")
    with pytest.raises(ValueError, match="twice"):
        change_nodes(scene, [1, 1], name="new")


def test_many_nodes_are_hung_elsewhere_at_once_even_where_one_by_one_would_be_a_circle(scene):
    apply(scene, edit := change_nodes(scene, [0, 1, 2], parent=[1, 2, -1]))
    assert scene.parents.tolist() == [1, 2, -1]
    apply(scene, inverse(edit))
    assert scene.parents.tolist() == [-1, 0, 1]


def test_a_node_with_another_material_has_changed(scene):
    red, revision = scene.add_material(Material("red")), scene.world_revision
    apply(scene, change_nodes(scene, [2], material=red))
    assert scene.material_overrides.tolist() == [-1, -1, red]
    assert scene.changed_since(revision).tolist() == [2]


def test_a_step_through_the_history_ends_a_gesture_first_and_stops_at_both_ends():
    scene = Scene()
    scene.add_nodes(["a"])
    for steps in (("undo",) * 6, ("redo",) * 3, ("redo", "undo", "undo", "redo", "redo")):
        history = History(scene)
        for x in (1.0, 2.0, 3.0, 4.0):
            history.do(change_nodes(scene, [0], translation=(x, 0.0, 0.0)))
        history.go_to(2)
        history.begin("Drag").set(change_nodes(scene, [0], translation=(9.0, 0.0, 0.0)))
        done = [getattr(history, step)() for step in steps]
        assert len(history.entries) == 3 and history.transaction is None
        expected = {6: [True] * 3 + [False] * 3, 3: [False] * 3, 5: [False, True, True, True, True]}[len(steps)]
        assert done == expected
        assert scene.translations[0, 0] == (0.0 if len(steps) == 6 else 9.0)
        history.go_to(0)


def test_a_place_in_the_history_that_a_gesture_has_taken_cannot_be_gone_to():
    scene = Scene()
    scene.add_nodes(["a"])
    history = History(scene)
    for x in (1.0, 2.0, 3.0, 4.0):
        history.do(change_nodes(scene, [0], translation=(x, 0.0, 0.0)))
    history.go_to(1)
    history.begin("Drag").set(change_nodes(scene, [0], translation=(9.0, 0.0, 0.0)))
    with pytest.raises(ValueError, match="0 to 2"):
        history.go_to(4)
    assert history.position == len(history.entries) == 2 and scene.translations[0, 0] == 9.0
    history.begin("Drag").set(change_nodes(scene, [0], translation=(8.0, 0.0, 0.0)))
    history.go_to(0)
    assert scene.translations[0, 0] == 0.0 and len(history.entries) == 3
