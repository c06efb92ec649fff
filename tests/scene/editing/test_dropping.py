"""Objects on the ground, and on what lies below them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import EditError, Scene, apply, inverse
from octoscope.scene.editing import drop, drop_to_ground
from octoscope.scene.editing.chosen import topmost
from tests.scene.builders import box, random_scene
from tests.scene.editing.test_arranging import box_of
from tests.scene.editing.walks import assert_same_state, state

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS)
def test_dropped_objects_stand_on_the_ground_by_their_lowest_vertex(seed):
    scene = random_scene(seed, 20, zeros=0.0)
    ids = topmost(scene, np.random.default_rng(seed).choice(20, 5, replace=False))
    before = {node: box_of(scene, node) for node in ids.tolist()}
    apply(scene, drop_to_ground(scene, ids, height=2.0))
    for node in ids.tolist():
        after = box_of(scene, node)
        assert after[0, 1] == pytest.approx(2.0, abs=1e-7)
        np.testing.assert_allclose(after[:, [0, 2]], before[node][:, [0, 2]], rtol=1e-7, atol=1e-7)


@pytest.fixture
def scene() -> Scene:
    """A floor at height 1, a table on it with a lamp above, and a stone beside the floor below the ground."""
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(
        ["floor", "table", "lamp", "bulb", "stone"],
        parent=[-1, -1, -1, 2, -1],
        mesh=mesh,
        translation=[(0, 0, 0), (0, 4, 0), (0.5, 9, 0), (0, -3, 0), (90, -8, 0)],
        scale=[(20, 1, 20), (2, 1, 2), (1, 1, 1), (0.5, 0.5, 0.5), (1, 1, 1)],
    )
    scene.update_world()
    return scene


def heights(scene: Scene, edit) -> list[float]:
    """Return the heights of the nodes' lowest points after an edit, which is then undone to the bit."""
    before = state(scene)
    apply(scene, edit)
    found = [box_of(scene, node)[0, 1] for node in range(5)]
    apply(scene, inverse(edit))
    assert_same_state(state(scene), before)
    scene.update_world()
    return pytest.approx(found)


def test_each_falls_onto_what_lies_below_and_what_was_chosen_with_it_does_not_count(scene):
    assert heights(scene, drop(scene, [2])) == [-1.0, 3.0, 5.0, 5.0, -9.0], "the bulb lands on the table"
    assert heights(scene, drop(scene, [1, 2])) == [-1.0, 1.0, 1.0, 1.0, -9.0], "both on the floor"
    assert heights(scene, drop(scene, [1, 2], as_one=True)) == [-1.0, 1.0, 3.5, 3.5, -9.0], "as far as the table can"


def test_what_hangs_below_what_falls_comes_along_and_holds_nothing(scene):
    scene.set_parents([1], [2])  # the table hangs below the lamp, and lies below it
    scene.update_world()
    edit = drop(scene, [2, 3])
    apply(scene, edit)
    scene.update_world()
    assert {change.column for change in edit.changes} == {"translation"} and edit.changes[0].ids.tolist() == [2]
    assert box_of(scene, 2)[0, 1] == pytest.approx(1.0)


def test_the_ground_is_there_where_nothing_else_is(scene):
    assert heights(scene, drop(scene, [0])) == [0.0, 3.0, 5.5, 5.5, -9.0]
    assert heights(scene, drop(scene, [4])) == [-1.0, 3.0, 5.5, 5.5, 0.0]
    assert heights(scene, drop(scene, [0, 4], as_one=True, height=-20.0)) == [-12.0, 3.0, 5.5, 5.5, -20.0]


def test_what_lies_on_something_or_reaches_into_it_stays_and_that_is_told(scene):
    apply(scene, drop(scene, [1]))
    scene.update_world()
    assert drop(scene, [1]).changes == () and drop(scene, [1]).notes == ()
    scene.set_translations([1], (0.0, 1.5, 0.0))
    scene.update_world()
    edit = drop(scene, [1, 2])
    assert edit.notes == ("an object overlaps what lies below, and stays in place",)
    assert [change.ids.tolist() for change in edit.changes] == [[2]]
    together = drop(scene, [1, 2], as_one=True)
    assert together.changes == () and "all stay" in together.notes[0]


def test_an_object_falls_in_the_world_whatever_its_parents_do(scene):
    scene.add_node("tilted", rotation=(0.3, 0.1, 0.2, 1.0), scale=(1.0, 2.0, 3.0), translation=(-8, 30, -8))
    scene.set_parents([1], [5])
    scene.update_world()
    before = box_of(scene, 1)
    apply(scene, drop(scene, [1]))
    after = box_of(scene, 1)
    assert after[0, 1] == pytest.approx(1.0, abs=1e-5)
    np.testing.assert_allclose(after[:, [0, 2]], before[:, [0, 2]], atol=1e-9)


def test_thousands_fall_at_once_onto_a_slope():
    rng = np.random.default_rng(0)
    scene = Scene()
    mesh = scene.meshes.add(box())
    count = 3000
    places = np.column_stack([rng.uniform(-90, 90, count), rng.uniform(80, 99, count), rng.uniform(-90, 90, count)])
    scene.add_nodes([""] * count, mesh=mesh, translation=places, scale=0.1)
    angle = np.arctan(0.5)  # y = x / 2, along z
    scene.add_node("slope", mesh=mesh, rotation=(0, 0, np.sin(angle / 2), np.cos(angle / 2)), scale=(200, 1e-9, 200))
    scene.update_world()
    apply(scene, drop(scene, np.arange(count)))
    np.testing.assert_allclose(scene.translations[:count, 1], places[:, 0] / 2.0 + 0.05 + 0.1, atol=1e-6)


def test_nothing_that_is_farther_than_numbers_reach_falls():
    scene = random_scene(1, 4)
    scene.add_node("vast", scale=1e200)
    scene.add_node("far", mesh=1, parent=4, translation=(1e200, 0, 0))
    scene.update_world()
    with pytest.raises(EditError):
        drop(scene, [5])
