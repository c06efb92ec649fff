"""The journal of undo and redo: short lines that name what they take back, wherever that says all."""

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from scene import History, Scene, apply, change_nodes, open_project, save_project, start_journal
from scene.editing import add_primitive, delete, duplicate, group
from scene.editing.edits import COLUMNS
from scene.project.journal import is_left_as_saved, journal_path
from scene.project.recording import close_journal
from tests.scene.editing.walks import random_operation, walking_scene
from tests.scene.project.journals import killed
from tests.scene.project.projects import kinds


def many(path: Path, count: int = 20) -> tuple[Scene, History]:
    """A project of so many boxes without meshes, being edited."""
    scene = Scene()
    scene.add_nodes(
        [f"box {number}" for number in range(count)], translation=np.random.default_rng(0).random((count, 3))
    )
    save_project(scene, path)
    scene = open_project(path)
    start_journal(scene)
    return scene, History(scene)


def records(path: Path) -> list[dict[str, object]]:
    """The gestures in a project's journal."""
    lines = [json.loads(line.split(b" ", 1)[1]) for line in journal_path(path).read_bytes().splitlines()]
    return [line for line in lines if "kind" in line]


def kinds_of(path: Path) -> list[str]:
    return [record["kind"] for record in records(path)]


def values(scene: Scene) -> list[tuple]:
    """What each node has, with what those have that it hangs below; in no order: ids may be others after a save."""
    columns = [
        column.values(scene)
        for name, column in COLUMNS.items()
        if name in ("translation", "rotation", "scale", "hidden", "unselectable")
    ]
    seen: dict[int, tuple] = {-1: ()}
    for node in sorted(scene.ids.tolist(), key=lambda node: scene.path_of(node).count("/")):
        mesh, material = int(scene.mesh_ids[node]), int(scene.material_overrides[node])
        own = (
            str(scene.names[node]),
            *(column[node].tobytes() for column in columns),
            scene.meshes.batch(np.array([mesh])).positions.tobytes() if mesh >= 0 else b"",
            repr(scene.materials[material]) if material >= 0 else "",
        )
        seen[node] = (*seen[int(scene.parents[node])], own)
    del seen[-1]
    return sorted(seen.values())


def assert_replayed(path: Path, scene: Scene) -> None:
    again = open_project(path)
    assert not any("not replayed" in line or "kept" in line for line in again.report.warnings)
    assert values(again) == values(scene)


@pytest.mark.parametrize("seed", range(6))
def test_at_every_point_of_a_random_walk_what_is_replayed_is_the_scene_to_the_bit(tmp_path, seed):
    path = tmp_path / "scene.octo.json"
    rng = np.random.default_rng(seed)
    save_project(walking_scene(seed, 16), path)
    scene = open_project(path)
    scene.set_names(scene.ids, [f"{name} {node}" for node, name in zip(scene.ids, scene.names[scene.ids], strict=True)])
    save_project(scene, path)
    start_journal(scene)
    history = History(scene, memory_cap_bytes=20_000)
    short = 0
    for step in range(50):
        dice = rng.random()
        if dice < 0.3:
            history.undo()
        elif dice < 0.45:
            history.redo()
        elif dice < 0.55:
            history.go_to(int(rng.integers(len(history.entries) + 1)))
        elif dice < 0.62:
            gesture = history.begin("Drag")
            for _ in range(3):
                some = rng.permutation(scene.ids)[: rng.integers(1, 5)]
                gesture.add(change_nodes(scene, some, translation=rng.integers(0, 3, 3), name=f"dragged {step}"))
            gesture.commit() if dice < 0.6 else gesture.cancel()
        elif dice < 0.64:
            scene[str(scene.names[scene.ids[0]])].translation = (step, 0, 0)  # which no journal hears of
            save_project(scene, path)
        elif dice < 0.67:
            save_project(scene, path)
        elif dice < 0.7:
            history.select(scene.ids[:3])
        elif (edit := random_operation(scene, rng, largest=40, importing=False)) is not None:
            history.do(edit)
        assert_replayed(path, scene)
        short += kinds_of(path)[-1:] in (["undo"], ["redo"])
    assert short >= 5


def test_an_undo_of_ten_thousand_objects_is_a_short_line_and_so_is_its_redo(path):
    scene, history = many(path, 10_000)
    ids = scene.ids
    for edit in (
        change_nodes(scene, ids, rotation=np.random.default_rng(1).random((len(ids), 4)), translation=(1.5, 0, 0)),
        change_nodes(scene, ids, name=[f"new {number}" for number in range(len(ids))]),
        delete(scene, ids),
    ):
        history.do(edit)
        size = journal_path(path).stat().st_size
        history.undo()
        history.redo()
        history.undo()
        assert journal_path(path).stat().st_size - size < 3 * 100
        assert_replayed(path, scene)
    assert kinds_of(path)[1:] == ["undo", "redo", "undo", "set"] * 2 + ["undo", "redo", "undo"]
    killed(scene)
    assert kinds(open_project(path)) == {}, "all was taken back"


def test_what_was_added_is_taken_back_and_done_again_by_name(tmp_path, path):
    scene, history = many(path)
    history.do(add_primitive(scene, "cube", translation=(1.0, 2.0, 3.0)))
    history.do(duplicate(scene, [20]))
    history.do(change_nodes(scene, [21], name="copy", scale=(2.0, 3.0, 4.0)))
    history.do(group(scene, [3, 21]))
    for position in (0, 4, 2, 3, 1, 4):
        history.go_to(position)
        assert_replayed(path, scene)
    assert kinds_of(path)[:4] == ["add", "add", "set", "add"] and set(kinds_of(path)[4:]) == {"undo", "redo"}
    history.go_to(1)
    history.do(change_nodes(scene, [20], name="another branch"))
    history.undo()
    history.undo()
    assert_replayed(path, scene)


def test_what_was_done_before_the_save_is_undone_with_its_values_and_done_again_and_undone_by_name(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1, 2], translation=(7.0, 8.0, 9.0)))
    save_project(scene, path)
    for step, kind in ((history.undo, "set"), (history.redo, "set"), (history.undo, "undo"), (history.redo, "redo")):
        step()
        assert kinds_of(path)[-1] == kind
        assert_replayed(path, scene)


def test_a_last_undo_that_was_cut_off_leaves_what_was_there_before_it(path):
    scene, history = many(path)
    for number in range(3):
        history.do(change_nodes(scene, [number], name=f"named {number}"))
    history.undo()
    before = values(scene)
    history.undo()
    killed(scene)
    whole = journal_path(path).read_bytes()
    begin = whole.rindex(b"\n", 0, -1) + 1
    for end in range(begin, len(whole)):
        journal_path(path).write_bytes(whole[:end])
        again = open_project(path)
        assert values(again) == before
    start_journal(again)
    history = History(again)
    history.do(change_nodes(again, [5], name="after the crash"))
    history.undo()
    assert kinds_of(path) == ["set", "set", "set", "undo", "set", "undo"]
    assert_replayed(path, again)


def test_after_values_that_a_script_set_undo_writes_values_until_the_next_save(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], translation=(1.0, 1.0, 1.0)))
    scene["box 2"].translation = (5.0, 5.0, 5.0)
    history.do(change_nodes(scene, [2], translation=(6.0, 6.0, 6.0)))
    history.undo()
    assert kinds_of(path) == ["set", "set", "set"]
    assert open_project(path).translations[2].tolist() == [5.0, 5.0, 5.0]
    save_project(scene, path)
    history.do(change_nodes(scene, [2], translation=(6.0, 6.0, 6.0)))
    history.undo()
    assert kinds_of(path) == ["set", "undo"]
    assert_replayed(path, scene)


def test_edits_that_no_history_did_are_seen(path):
    scene, history = many(path)
    apply(scene, change_nodes(scene, [2], name="applied, not recorded"))
    history.do(change_nodes(scene, [2], name="done"))
    history.undo()
    assert kinds_of(path) == ["set", "set"]
    assert open_project(path).names[2] == "applied, not recorded"


def test_an_edit_that_was_made_from_another_state_is_undone_with_its_values(path):
    scene, history = many(path)
    edit = change_nodes(scene, [1], name="twice")
    history.do(change_nodes(scene, [1], name="between"))
    history.do(edit)
    history.undo()
    assert scene.names[1] == "box 1"
    assert_replayed(path, scene)


@pytest.mark.parametrize("ending", ["commit", "cancel"])
def test_a_gesture_that_is_saved_halfway_is_undone_with_its_values(path, ending):
    scene, history = many(path)
    gesture = history.begin("Drag")
    gesture.set(change_nodes(scene, [1], translation=(1.0, 0.0, 0.0)))
    save_project(scene, path)
    if ending == "commit":
        gesture.set(change_nodes(scene, [1], translation=(2.0, 0.0, 0.0)))
    getattr(gesture, ending)()
    history.do(change_nodes(scene, [1], translation=(3.0, 0.0, 0.0)))
    history.go_to(0)
    assert "undo" not in kinds_of(path)
    assert_replayed(path, scene)


def test_a_gesture_that_sets_the_same_values_twice_comes_back_as_it_ended(path):
    scene, history = many(path)
    gesture = history.begin("Type")
    gesture.add(change_nodes(scene, [1], name="for a moment"))
    gesture.add(change_nodes(scene, [1, 2], name=["box 1", "second"]))
    gesture.commit()
    assert_replayed(path, scene)
    history.undo()
    assert_replayed(path, scene)
    assert kinds_of(path) == ["set", "undo"]


def test_nodes_that_joined_by_no_edit_are_recorded_with_an_undo(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], name="named"))
    scene.add_node("by a script")
    history.undo()
    assert kinds_of(path) == ["set", "add"]
    assert_replayed(path, scene)
    history.do(group(scene, [1]))
    scene.add_node("below the group", parent=21)
    history.undo()
    history.redo()
    assert_replayed(path, scene)


def test_a_line_that_takes_back_what_is_not_there_is_said_and_ends_the_replaying(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], name="named"))
    history.undo()
    killed(scene)
    head, first, last, _ = journal_path(path).read_bytes().splitlines(keepends=True)
    assert json.loads(last.split(b" ", 1)[1]) == {"kind": "undo", "back": 1}
    for back in (0, -1, 2, True, None, "1", 2**70, [1]):
        text = json.dumps({"kind": "undo", "back": back}).encode()
        journal_path(path).write_bytes(head + first + b"%08x %s\n" % (zlib.crc32(text), text))
        again = open_project(path)
        assert again.names[1] == "named"
        assert any("a change that is not there" in line for line in again.report.warnings)
    text = json.dumps({"kind": "an undo of tomorrow", "back": 1}).encode()
    journal_path(path).write_bytes(head + first + b"%08x %s\n" % (zlib.crc32(text), text))
    assert sum(
        "a kind of change that this release does not know" in line for line in open_project(path).report.warnings
    )


def test_what_is_done_again_upon_what_a_script_set_is_undone_with_its_values(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], translation=(1.0, 1.0, 1.0)))
    history.undo()
    taken_back = scene.translations[1].tolist()
    scene["box 1"].translation = (5.0, 5.0, 5.0)
    save_project(scene, path)
    history.redo()
    assert_replayed(path, scene)
    history.undo()
    assert scene.translations[1].tolist() == taken_back
    assert_replayed(path, scene)


def unsaved(path: Path, scene: Scene) -> int:
    """How many changes are said to be unsaved by who opens a project meanwhile; they are there, too."""
    assert_replayed(path, scene)
    again = open_project(path)
    count = again.project.found_journal.unsaved
    assert any("not saved there yet" in line for line in again.report.warnings) == (count > 0)
    return count


def test_what_was_undone_since_the_last_save_is_no_unsaved_change_and_done_again_it_is_one(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [0], name="one", label="Rename"))
    history.do(duplicate(scene, [1]))
    assert unsaved(path, scene) == 2
    history.go_to(0)
    assert unsaved(path, scene) == 0
    history.go_to(2)
    assert unsaved(path, scene) == 2
    history.go_to(0)
    history.select([3])
    assert unsaved(path, scene) == 0
    history.do(change_nodes(scene, [0], hidden=True, label="Hide"))
    assert unsaved(path, scene) == 1


def test_undoing_what_was_done_before_the_last_save_is_an_unsaved_change_until_it_is_done_again(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [0], name="one", label="Rename"))
    history.do(duplicate(scene, [1]))
    save_project(scene, path)
    history.mark_saved()
    history.undo()
    assert unsaved(path, scene) == 1
    history.redo()
    assert unsaved(path, scene) == 0
    history.go_to(0)
    history.do(change_nodes(scene, [0], hidden=True, label="Hide"))
    history.undo()
    assert unsaved(path, scene) == 4, "the saved state cannot be reached any more"


def test_a_journal_that_ended_as_saved_goes_on_in_the_next_program_and_its_new_nodes_are_known(path):
    scene, history = many(path)
    history.do(duplicate(scene, [1]))
    history.undo()
    killed(scene)
    scene = open_project(path)
    start_journal(scene)
    assert len(records(path)) == 2
    history = History(scene)
    history.do(duplicate(scene, [2, 3]))
    history.undo()
    assert unsaved(path, scene) == 0
    history.redo()
    assert unsaved(path, scene) == 1
    history.undo()
    close_journal(scene)
    assert not journal_path(path).exists()


def test_changes_that_were_undone_are_not_kept_aside_when_the_project_became_another(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [0], name="one", label="Rename"))
    history.undo()
    killed(scene)
    path.write_bytes(path.read_bytes() + b"\n")
    again = open_project(path)
    assert again.report.warnings == []
    start_journal(again)
    assert [each.name for each in path.parent.iterdir() if "journal." in each.name] == []
    killed(again)


def test_a_journal_says_by_its_last_line_that_it_ends_as_saved(path):
    scene, history = many(path)
    assert not is_left_as_saved(journal_path(path)), "a copy of what was never saved has such a journal"
    history.do(change_nodes(scene, scene.ids, name="x" * 1000, label="Rename"))
    assert not is_left_as_saved(journal_path(path))
    history.undo()
    assert is_left_as_saved(journal_path(path))
    with open(journal_path(path), "ab") as journal:
        journal.write(b"00000000 {")
    assert not is_left_as_saved(journal_path(path))
    killed(scene)


def test_a_save_that_the_history_was_not_told_of_leaves_nothing_undone_counted_as_saved(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [0], name="one", label="Rename"))
    save_project(scene, path)
    history.undo()
    assert unsaved(path, scene) == 1
