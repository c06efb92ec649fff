"""Edits that were made for another scene, or before another edit of the same values: a history refuses them."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import EditError, History, Material, Scene, apply, change_nodes, change_scene
from octoscope.scene.editing import add_primitive, delete, transform
from octoscope.scene.history.background_edit import BackgroundEdit
from tests.scene.editing.walks import assert_same_state, random_operation, state, translation_of, walking_scene

SEEDS = st.integers(0, 2**32 - 1)


def two() -> Scene:
    scene = Scene()
    scene.add_nodes(["a", "b"])
    scene.add_material(Material("m"))
    return scene


@given(seed=SEEDS)
def test_every_operation_is_for_its_scene_alone(seed):
    """A copy has the same nodes: only the edit itself can tell."""
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed, 12)
    for _ in range(8):
        edit = random_operation(scene, rng)
        if edit is None or not edit.changes:
            continue
        copy = scene.copy()
        before = state(copy)
        for refusing in (
            lambda copy=copy, edit=edit: apply(copy, edit),
            lambda copy=copy, edit=edit: History(copy).do(edit),
        ):
            with pytest.raises(EditError, match="another scene"):
                refusing()
        assert_same_state(state(copy), before)
        apply(scene, edit)


@given(seed=SEEDS)
def test_of_edits_made_from_one_state_each_is_refused_or_undone_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed, 12)
    edits = [random_operation(scene, rng) for _ in range(4)]
    history, begin = History(scene), state(scene)
    for edit in edits:
        if edit is not None:
            before = state(scene)
            with suppress(EditError, ValueError, IndexError):
                history.do(edit)
                continue
            assert_same_state(state(scene), before)
    while history.undo():
        pass
    assert_same_state(state(scene), begin)


def test_an_edit_made_before_another_of_the_same_values_is_refused_and_undo_leads_back():
    scene = two()
    history = History(scene)
    first, second = (change_nodes(scene, [0], label="Move a", translation=(x, 0, 0)) for x in (1, 2))
    history.do(second)
    with pytest.raises(EditError, match=r"^'Move a': the translation of 'a' has changed since the edit was made"):
        history.do(first)
    assert scene["a"].translation.tolist() == [2, 0, 0]
    assert history.undo() and not history.undo() and scene["a"].translation.tolist() == [0, 0, 0]


def test_an_edit_counts_once_and_again_once_it_is_undone():
    scene = two()
    history = History(scene)
    for edit in (
        transform(scene, [0], translation_of(np.ones(3))),
        add_primitive(scene, "cube"),
        delete(scene, [1]),
        change_scene(scene, up_axis="z"),
    ):
        history.do(edit)
        with pytest.raises(EditError, match="make it anew"):
            history.do(edit)
        assert history.undo() and not history.undo()
        history.do(edit)
        history.undo()
        history.clear()


def test_edits_of_other_values_or_nodes_made_from_one_state_are_all_done():
    scene = two()
    history = History(scene)
    for edit in [change_nodes(scene, [0], name="x"), change_nodes(scene, [0], hidden=True), delete(scene, [1])]:
        history.do(edit)
    assert len(history.entries) == 3


def test_an_edit_made_in_a_copy_beside_is_of_the_scene_that_takes_it():
    scene = two()
    history = History(scene)
    for operation in (lambda copy: delete(copy, [0]), lambda copy: delete(copy, [1])):
        background = BackgroundEdit(scene, operation)
        background.prepare()
        assert history.join(background).scene is scene
    assert history.undo() and history.undo() and history.redo() and scene.ids.tolist() == [1]


@pytest.mark.parametrize("what", ["parent", "mesh", "material"])
def test_a_node_of_another_scene_is_no_value_of_an_edit(what):
    with pytest.raises(ValueError, match="node of another scene"):
        change_nodes(two(), [0], **{what: two()["b"]})


def test_a_node_is_no_material():
    """Its id would be taken for that of a material."""
    scene = two()
    for refused in (
        lambda: change_nodes(scene, [1], material=scene["a"]),
        lambda: scene.set_materials([1], scene["a"]),
        lambda: scene.set_materials([0, 1], scene.nodes),
        lambda: scene.add_node("c", material=scene["a"]),
        lambda: add_primitive(scene, "cube", material=scene["a"]),
    ):
        with pytest.raises(ValueError, match=r"ids of materials are needed|material must be a whole number"):
            refused()
    assert scene.row_count == 2


def test_the_top_is_a_parent_that_an_edit_takes():
    scene = two()
    history = History(scene)
    history.do(change_nodes(scene, [1], parent=scene["a"]))
    history.do(change_nodes(scene, [1], parent=None))
    assert scene["b"].parent is None
