"""Undo, redo, the list of what was done, drags, selection, and what it all costs."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import (
    Change,
    Edit,
    EditError,
    History,
    Material,
    Recorder,
    Scene,
    Selection,
    apply,
    change_nodes,
    change_scene,
    inverse,
    open_project,
    save_project,
)
from octoscope.scene.editing import Transformation, add_primitive, delete, duplicate
from octoscope.scene.editing.edits import COLUMNS, combined, merged
from tests.scene.editing.walks import assert_same_state, random_operation, state, translation_of, walking_scene
from tests.scene.project.journals import killed

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.add_nodes(["a", "b", "c"], parent=[-1, 0, 1])
    scene.update_world()
    return scene


@pytest.fixture
def history(scene) -> History:
    return History(scene)


def rename(history: History, *names: str) -> None:
    for name in names:
        history.do(change_nodes(history.scene, [0], name=name, label=f"Rename to {name}"))


def name_of(history: History) -> str:
    return str(history.scene.names[0])


def test_what_was_done_is_undone_and_done_again(history):
    rename(history, "one", "two")
    assert history.undo_label == "Rename to two" and history.redo_label is None
    assert history.undo() and name_of(history) == "one" and history.redo_label == "Rename to two"
    assert history.undo() and name_of(history) == "a" and not history.undo()
    assert history.redo() and history.redo() and name_of(history) == "two" and not history.redo()


def test_one_can_go_to_any_entry_of_the_list(history):
    rename(history, "one", "two", "three")
    assert [entry.label for entry in history.entries] == ["Rename to one", "Rename to two", "Rename to three"]
    for position, name in ((1, "one"), (3, "three"), (0, "a"), (2, "two")):
        history.go_to(position)
        assert name_of(history) == name and history.position == position
    for position in (-1, 4):
        with pytest.raises(ValueError):
            history.go_to(position)


def test_something_new_takes_the_place_of_what_was_undone(history):
    rename(history, "one", "two", "three")
    history.go_to(1)
    rename(history, "other")
    assert [entry.label for entry in history.entries] == ["Rename to one", "Rename to other"]
    assert history.nbytes == sum(entry.nbytes for entry in history.entries)


def test_what_changes_nothing_is_no_entry(history):
    rename(history, "a")
    history.select([])
    assert history.entries == []


def test_what_cannot_be_done_is_no_entry_and_changes_nothing(history):
    history.select([1])
    with pytest.raises(ValueError):
        history.do(change_nodes(history.scene, [0], name="new", parent=2))
    assert name_of(history) == "a" and len(history.entries) == 1


def test_selecting_is_undone_too_and_whoever_draws_it_is_told(scene):
    told = []
    selection = Selection(on_change=lambda: told.append(selection.ids.tolist()))
    history = History(scene, selection=selection)
    history.undoes_selections = True
    history.select([1, 0])
    history.select([2])
    history.do(delete(scene, [1]))
    assert selection.ids.tolist() == []
    history.undo()
    assert selection.ids.tolist() == [2]
    history.undo()
    assert selection.ids.tolist() == [1, 0]
    history.undo()
    history.redo()
    assert told == [[1, 0], [2], [], [2], [1, 0], [], [1, 0]]
    assert [entry.label for entry in history.entries] == ["Select 2 objects", "Select c", "Delete b"]


def test_selections_are_passed_over_where_they_are_no_steps_of_their_own(scene):
    history = History(scene)
    history.select([1])
    assert history.undo_label is None and not history.undo() and history.selection.ids.tolist() == [1]
    rename(history, "one")
    history.mark_saved()
    history.select([2])
    history.select([0])
    assert history.undo_label == "Rename to one" and history.undo() and name_of(history) == "a"
    assert history.selection.ids.tolist() == [1] and history.is_dirty
    history.select([2])  # what can be redone stays, and so does the way to what was saved
    assert history.redo_label == "Rename to one" and history.redo() and name_of(history) == "one"
    assert not history.is_dirty and not history.redo()
    assert history.undo() and history.selection.ids.tolist() == [2] and history.redo(), (
        "what was chosen before the redo"
    )
    labels = [entry.label for entry in history.entries]
    assert labels == ["Select b", "Select c", "Rename to one", "Select c", "Select one"]
    history.go_to(0)
    history.undoes_selections = True
    assert history.redo() and history.selection.ids.tolist() == [1] and history.redo_label == "Select c"


def test_copies_are_selected_and_the_originals_again_when_that_is_undone(scene):
    history = History(scene)
    history.select([1])
    history.do(duplicate(scene, [1]))
    (copy,) = history.selection.ids.tolist()
    assert scene.names[copy] == "b.001" and copy != 1
    history.undo()
    assert history.selection.ids.tolist() == [1]


def test_a_drag_is_one_entry_however_many_steps_it_had(scene, history):
    nodes = Transformation(scene, [0, 2])
    gesture = history.begin("Move")
    for x in (1.0, 0.0, 5.0, 2.0):
        gesture.set(nodes.by(translation_of(np.array((x, 0.0, 0.0)))))
        assert scene.translations[0, 0] == x
    gesture.commit()
    assert history.undo_label == "Move" and len(history.entries) == 1
    (change,) = history.entries[0].edit.changes
    assert change.before.tolist() == [[0, 0, 0]] and change.after.tolist() == [[2, 0, 0]]
    history.undo()
    assert not scene.translations.any()


def test_a_drag_that_comes_back_is_no_entry(scene, history):
    nodes = Transformation(scene, [0])
    gesture = history.begin()
    gesture.set(nodes.by(translation_of(np.ones(3))))
    gesture.set(nodes.by(np.eye(4)))
    history.commit()
    assert history.entries == [] and not scene.translations.any() and not history.is_dirty


def test_a_cancelled_gesture_leaves_nothing(scene, history):
    before = state(scene)
    gesture = history.begin()
    gesture.set(change_nodes(scene, [0, 1], translation=(1.0, 2.0, 3.0)))
    gesture.add(change_nodes(scene, [1], name="new"))
    gesture.add(duplicate(scene, [0]))
    assert len(scene) == 6 and history.is_dirty
    history.cancel()
    assert_same_state(state(scene), before)
    assert history.entries == [] and not history.is_dirty
    with pytest.raises(ValueError, match="ended"):
        gesture.commit()


def test_a_step_that_cannot_be_done_leaves_the_gesture_as_it_was(scene, history):
    gesture = history.begin()
    gesture.set(change_nodes(scene, [0], name="new"))
    before = state(scene)
    for step in (gesture.set, gesture.add):
        with pytest.raises(ValueError):
            step(change_nodes(scene, [0], translation=(1, 1, 1), parent=2))
        assert_same_state(state(scene), before)
    gesture.commit()
    history.undo()
    assert name_of(history) == "a"


def test_doing_undoing_and_beginning_commit_what_is_under_way(scene, history):
    history.begin("first").set(change_nodes(scene, [0], name="one"))
    history.begin("second").set(change_nodes(scene, [0], name="two"))
    rename(history, "three")
    history.begin("fourth").set(change_nodes(scene, [0], name="four"))
    history.undo()
    assert [entry.label for entry in history.entries] == ["first", "second", "Rename to three", "fourth"]
    assert name_of(history) == "three"


def test_steps_on_some_of_the_same_nodes_are_merged_in_their_order(scene):
    """The last sets nodes that the first set, after another step has set one of them."""
    steps = [([0, 1], 1.0), ([1, 2], 2.0), ([0], 3.0), ([0, 1], 4.0)]
    before, whole = state(scene), Edit("", ())
    for ids, height in steps:
        moved = change_nodes(scene, ids, translation=(0.0, height, 0.0))
        edit = combined(scene, "", moved, change_nodes(scene, ids, name="x"))
        apply(scene, edit)
        whole = merged(whole, edit)
    after = state(scene)
    apply(scene, inverse(whole))
    assert_same_state(state(scene), before)
    apply(scene, whole)
    assert_same_state(state(scene), after)


@given(seed=SEEDS)
def test_steps_merged_into_one_do_and_undo_what_they_did(seed):
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed, 12)
    before, whole = state(scene), Edit("", ())
    for _ in range(6):
        edit = random_operation(scene, rng)
        if edit is not None:
            apply(scene, edit)
            whole = merged(whole, edit)
    after = state(scene)
    apply(scene, inverse(whole))
    assert_same_state(state(scene), before)
    apply(scene, whole)
    assert_same_state(state(scene), after)


def test_a_thousand_small_steps_take_the_memory_of_one(scene, history):
    gesture = history.begin("Colour")
    for number in range(1000):
        gesture.add(change_nodes(scene, [0, 1], translation=(float(number + 1), 0.0, 0.0)))
        gesture.add(change_nodes(scene, [0, 1], name=f"{number}"))
    gesture.commit()
    assert len(history.entries[0].edit.changes) == 2 and history.nbytes < 400


def test_saved_and_not_saved(scene, history):
    assert not history.is_dirty
    rename(history, "one", "two")
    assert history.is_dirty
    history.mark_saved()
    history.select([1])
    assert not history.is_dirty
    history.undo()
    assert history.is_dirty
    history.redo()
    assert not history.is_dirty
    history.go_to(0)
    rename(history, "other")
    history.undo()
    assert history.is_dirty, "what was saved can no longer be reached"
    history.mark_saved()
    history.clear()
    assert not history.is_dirty and history.entries == []


def test_beyond_its_memory_the_oldest_is_forgotten_and_the_last_never(scene):
    history = History(scene, memory_cap_bytes=1000)
    names = [f"{number:0200d}" for number in range(10)]
    rename(history, *names)
    assert history.nbytes <= 1000 and len(history.entries) + history.forgotten == 10
    assert 1 <= len(history.entries) < 4 and history.is_dirty
    history.go_to(0)
    assert name_of(history) == names[history.forgotten - 1]
    history.go_to(len(history.entries))
    history.mark_saved()
    rename(history, "x" * 100_000)
    assert len(history.entries) == 1 and history.undo_label.endswith("xxx")
    history.undo()
    assert not history.is_dirty


def test_what_joined_below_something_added_goes_and_comes_with_it(scene, history):
    history.do(add_primitive(scene, "cube"))
    (cube,) = history.selection.ids.tolist()
    child = scene.add_node("child", parent=cube).id
    scene.add_node("grandchild", parent=child)
    history.undo()
    assert len(scene) == 3
    history.redo()
    assert scene.path_of(scene["grandchild"].id) == "cube/child/grandchild"
    assert history.nbytes == sum(entry.nbytes for entry in history.entries)
    history.undo()
    assert len(scene) == 3


def test_memory_is_for_what_changes_and_honest(scene):
    many = Scene()
    many.add_nodes([""] * 100_000)
    history = History(many)
    history.do(change_nodes(many, np.arange(10), translation=(1.0, 2.0, 3.0)))
    assert history.nbytes == 10 * (4 + 24 + 24)
    history.do(change_nodes(many, np.arange(100_000), translation=(0.0, 1.0, 0.0)))
    assert history.nbytes == 10 * 52 + 100_000 * 52
    history.do(delete(many, np.arange(100_000)))
    assert len(many) == 0 and history.nbytes == 10 * 52 + 100_000 * (52 + 6)
    history.go_to(0)
    assert len(many) == 100_000 and not many.translations.any()


def test_long_names_count(scene):
    change = Change("name", np.array([0], dtype=np.int32), *(np.array([text], "T") for text in ("short", "x" * 1000)))
    assert 1000 < change.nbytes < 1100


def test_what_is_undone_is_undone_after_a_crash_too(tmp_path, scene):
    path = tmp_path / "scene.octo.json"
    save_project(scene, path)
    recorder = Recorder(scene)
    history = History(scene, recorder)
    rename(history, "one")
    history.do(add_primitive(scene, "cube"))
    history.do(delete(scene, [1]))
    history.select([0])
    history.undo()
    history.undo()
    history.redo()
    gesture = history.begin("Move")
    gesture.set(change_nodes(scene, [1], translation=(1.0, 0.0, 0.0)))
    gesture.set(change_nodes(scene, [1], translation=(2.0, 0.0, 0.0)))
    gesture.commit()
    killed(recorder)
    again = open_project(path)
    assert again.report.count_by_kind() == {"unsaved-changes": 3}, again.report.warnings
    assert again.names[again.ids].tolist() == ["one", "b", "c", "cube"]
    assert again["b"].translation.tolist() == [2.0, 0.0, 0.0]
    again.update_world()
    assert again.element_count("triangle") == 12


@pytest.mark.parametrize("node", (-1, 2**31, 2**32, 10**7))
def test_what_is_no_node_cannot_be_selected(scene, history, node):
    with pytest.raises(IndexError, match="node ids must be"):
        history.select([0, node])
    assert history.selection.ids.tolist() == [] and history.undo_label is None


def test_whoever_asks_is_told_of_each_edit_that_is_applied_whoever_takes_it_back(scene, history):
    heights = []
    history.listeners.append(lambda edit: heights.append(edit.changes[0].after[0, 1]))

    def lift(height: float) -> Edit:
        return change_nodes(scene, [0], translation=(0.0, height, 0.0))

    history.do(lift(1.0))
    history.undo()
    history.redo()
    drag, steps = history.begin(), [lift(2.0), lift(3.0)]
    drag.set(steps[0])
    drag.set(steps[1])
    drag.add(lift(4.0))
    drag.cancel()
    assert heights == [1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 1.0]
    with pytest.raises(IndexError):
        history.do(Edit("", (Change("name", np.array([9]), np.array(["x"]), np.array(["y"])),)))
    assert len(heights) == 7, "what cannot be done was not applied"


def test_the_mask_of_a_selection_follows_it_and_the_number_of_nodes():
    selection = Selection()
    for ids, count in (([], 3), ([2, 0], 3), ([2, 0], 5), ([1], 5)):
        selection.ids = ids
        assert selection.mask(count).tolist() == [number in ids for number in range(count)]
        assert selection.mask(count) is selection.mask(count)


def moved_twice() -> tuple[Scene, History]:
    scene = Scene()
    scene.add_nodes(["a", "b"])
    history = History(scene)
    for name in ("a", "b"):
        history.do(change_nodes(scene, scene[name], label=f"Move {name}", translation=(1, 0, 0)))
    return scene, history


def test_a_node_that_was_deleted_without_the_history_does_not_stop_undo():
    scene, history = moved_twice()
    scene.delete(scene["b"])
    with pytest.raises(EditError, match=r"^'Move b' can no longer be undone .* whether there is 'b' "):
        history.undo()
    assert history.undo() and not history.undo()
    assert scene["a"].translation.tolist() == [0, 0, 0] and history.redo() and not history.redo()


@pytest.mark.parametrize("column", ["translation", "rotation", "scale", "name", "parent", "hidden", "material"])
def test_what_was_assigned_without_the_history_is_not_overwritten(column):
    scene, history = moved_twice()
    scene.add_material(Material("m"))
    values = {
        "translation": [(2, 0, 0), (3, 0, 0)],
        "rotation": [(0, 0, 0.3, 2), (0, 0, 1, 0)],
        "scale": [(2, 2, 2), (3, 3, 3)],
        "name": ["c", "d"],
        "parent": [0, -1],
        "hidden": [True, False],
        "material": [1, 0],
    }[column]
    setters = {"parent": Scene.set_parents, "hidden": Scene.set_hidden}
    set_values = setters.get(column, getattr(Scene, f"set_{column}s", None))
    for is_redone in (False, True):
        history.do(change_nodes(scene, [1], label="Edit", **{column: values[0]}))
        assert history.undo() and history.redo(), "an edit alone is undone and redone"
        if is_redone:
            history.undo()
        set_values(scene, [1], values[1])
        before = state(scene)
        if is_redone and np.array_equal(
            COLUMNS[column].values(scene)[1], history.entries[-1].edit.changes[0].before[0]
        ):
            continue  # it was assigned what it had
        with pytest.raises(EditError, match="without the history"):
            history.redo() if is_redone else history.undo()
        assert_same_state(state(scene), before)
    while history.position:  # each is undone, or refused once
        with suppress(EditError):
            history.undo()


def test_values_of_a_scene_are_not_overwritten_either():
    scene = Scene()
    history = History(scene)
    history.do(change_scene(scene, label="Turn", up_axis="z"))
    assert history.undo() and history.redo()
    scene.up_axis = "y"
    with pytest.raises(EditError, match="up_axis was changed without the history"):
        history.undo()
    assert scene.up_axis == "y" and not history.undo()


def test_a_saved_scene_is_dirty_once_the_way_back_to_it_is_lost():
    scene, history = moved_twice()
    history.mark_saved()
    scene["b"].translation = (7, 0, 0)
    with pytest.raises(EditError):
        history.undo()
    assert not history.is_dirty, "all that was done is saved"
    history.undo()
    history.redo()
    assert not history.is_dirty
    history.undo()
    scene["a"].translation = (7, 0, 0)
    with pytest.raises(EditError, match="redone"):
        history.redo()
    assert history.is_dirty
