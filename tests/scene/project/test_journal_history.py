"""The journal is the history: edits in their order, and steps back and forth among them; replayed it is the scene."""

import json
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Edit, History, Material, Recorder, Scene, apply, change_nodes, open_project, save_project
from octoscope.scene.annotations.bookmarks import Bookmark
from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.scene.editing import add_primitive, delete, duplicate, group
from octoscope.scene.editing.edits import COLUMNS, EditError, inverse
from octoscope.scene.project.journal import journal_path
from tests.cases import quick
from tests.scene.editing.walks import random_operation, walking_scene
from tests.scene.project.journals import killed
from tests.scene.project.projects import kinds


def many(path: Path, count: int = 20) -> tuple[Scene, History]:
    """Return a project of so many boxes without meshes, being edited."""
    scene = Scene()
    scene.add_nodes(
        [f"box {number}" for number in range(count)], translation=np.random.default_rng(0).random((count, 3))
    )
    save_project(scene, path)
    scene = open_project(path)
    return scene, History(scene, Recorder(scene))


def save(history: History, path: Path) -> None:
    save_project(history.scene, path, recorder=history.recorder)


def records(path: Path) -> list[dict[str, object]]:
    """Return the steps in a project's journal."""
    lines = [json.loads(line.split(b" ", 1)[1]) for line in journal_path(path).read_bytes().splitlines()]
    return [line for line in lines if "kind" in line]


def kinds_of(path: Path) -> list[str]:
    return [record["kind"] for record in records(path)]


def values(scene: Scene) -> list[tuple]:
    """Return what each node has, with what those have that it hangs below; in no order: ids may be others."""
    columns = [
        column.values(scene)
        for name, column in COLUMNS.items()
        if name in ("translation", "rotation", "scale", "hidden", "unselectable", "file_root")
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


def assert_replayed(path: Path, scene: Scene) -> Scene:
    again = open_project(path)
    assert not any("not replayed" in line or "kept" in line for line in again.report.warnings), again.report.warnings
    assert values(again) == values(scene)
    assert list(again.bookmarks.items()) == list(scene.bookmarks.items())
    return again


@pytest.mark.parametrize("seed", quick(range(6), 1))
def test_at_every_point_of_a_random_walk_what_is_replayed_is_the_scene_to_the_bit(tmp_path, seed):
    path = tmp_path / "scene.octo.json"
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed, 16)
    scene.set_names(scene.ids, [f"{name} {node}" for node, name in zip(scene.ids, scene.names[scene.ids], strict=True)])
    save_project(scene, path)
    scene = open_project(path)
    history = History(scene, Recorder(scene), memory_cap_bytes=20_000)
    short = 0
    for step in range(60):
        dice = rng.random()
        some = rng.permutation(scene.ids)[: rng.integers(1, 5)]
        if dice < 0.52:
            with suppress(EditError):  # what a script has set is not overwritten
                if dice < 0.3:
                    history.undo()
                elif dice < 0.45:
                    history.redo()
                else:
                    history.go_to(int(rng.integers(len(history.entries) + 1)))
        elif dice < 0.6:
            gesture = history.begin("Drag")
            for number in range(3):
                gesture.add(change_nodes(scene, some, translation=rng.integers(0, 3, 3), name=f"dragged {step}"))
                if number == 1 and dice < 0.54:
                    save(history, path)
            gesture.commit() if dice < 0.58 else gesture.cancel()
        elif dice < 0.67:  # as a script does
            scene.set_translations(some, rng.integers(0, 3, 3))
            scene.set_names(some[:1], f"by a script {step}")
            if rng.random() < 0.3:
                scene.add_node(f"added by a script {step}", parent=int(some[0]))
            if rng.random() < 0.3:
                top = [node for node in some.tolist() if scene.parents[node] >= 0]
                scene.set_parents(top, -1)
        elif dice < 0.7:
            save(history, path)
        elif dice < 0.73:
            history.select(scene.ids[:3])
        elif (edit := random_operation(scene, rng, largest=40, importing=False)) is not None:
            history.do(edit)
        if 0.52 <= dice < 0.67:  # else it is in the journal with the next edit
            history.recorder.record_difference()
        assert_replayed(path, scene)
        short += kinds_of(path)[-1:] in (["undo"], ["redo"])
    assert short >= 5
    killed(history.recorder)
    scene, saved = open_project(path), values(open_project(path, replays=False))
    journal, ended = scene.project.found_journal, values(scene)
    history = History(scene, Recorder(scene))
    history.resume(journal)
    for position, expected in ((0, saved), (len(journal.edits), None), (journal.unsaved, ended), (0, saved)):
        history.go_to(position)
        assert expected is None or values(scene) == expected
        assert history.is_dirty == (position > 0)
        assert_replayed(path, scene)


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
    assert kinds_of(path) == ["edit", "undo", "redo", "undo"] * 3
    killed(history.recorder)
    assert kinds(open_project(path)) == {}, "all was taken back"


def test_what_was_added_is_taken_back_and_done_again(path):
    scene, history = many(path)
    history.do(add_primitive(scene, "cube", translation=(1.0, 2.0, 3.0)))
    history.do(duplicate(scene, [20]))
    history.do(change_nodes(scene, [21], name="copy", scale=(2.0, 3.0, 4.0)))
    history.do(group(scene, [3, 21]))
    for position in (0, 4, 2, 3, 1, 4):
        history.go_to(position)
        assert_replayed(path, scene)
    assert kinds_of(path)[:4] == ["edit"] * 4 and set(kinds_of(path)[4:]) == {"undo", "redo"}
    history.go_to(1)
    history.do(change_nodes(scene, [20], name="another branch"))
    history.undo()
    history.undo()
    assert_replayed(path, scene)


def test_what_was_done_before_the_save_is_taken_back_by_an_edit_and_then_by_steps(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1, 2], translation=(7.0, 8.0, 9.0)))
    save(history, path)
    for step, kind in ((history.undo, "edit"), (history.redo, "undo"), (history.undo, "redo"), (history.redo, "undo")):
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
    killed(history.recorder)
    whole = journal_path(path).read_bytes()
    begin = whole.rindex(b"\n", 0, -1) + 1
    for end in range(begin, len(whole)):
        journal_path(path).write_bytes(whole[:end])
        again = open_project(path)
        assert values(again) == before
    history = History(again, Recorder(again))
    history.do(change_nodes(again, [5], name="after the crash"))
    history.undo()
    assert kinds_of(path) == ["edit", "edit", "edit", "undo", "edit", "undo"]
    assert_replayed(path, again)


def test_what_a_script_has_set_is_recorded_with_the_next_edit_which_then_is_no_step_to_take_back(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], translation=(1.0, 1.0, 1.0)))
    scene["box 2"].translation = (5.0, -0.0, 5.0)
    scene["box 3"].translation = (3.0, 3.0, 3.0)
    history.do(change_nodes(scene, [2], translation=(6.0, 6.0, 6.0)))
    assert_replayed(path, scene)
    history.undo()
    assert kinds_of(path) == ["edit", "edit", "edit"]
    assert_replayed(path, scene)
    history.redo()
    history.undo()
    assert kinds_of(path)[3:] == ["undo", "redo"], "of the edit that took it back"
    assert_replayed(path, scene)


def test_bookmarks_measurements_and_deletions_by_a_script_are_recorded(path):
    scene, history = many(path)
    scene.bookmarks = {"gate": Bookmark((1.0, 2.0, 3.0))}
    scene.set_parents([4], 5)
    scene.set_alive([2], False)
    new = scene.add_node("by a script", parent=7)
    scene.measurements = [Measurement("distance", (Anchor(3, (0.0, 0.0, 0.0)), Anchor(new.id, (1.0, 0.0, 0.0))))]
    history.do(change_nodes(scene, [1], name="named"))
    again = assert_replayed(path, scene)
    assert again.measurements == scene.measurements and kinds_of(path) == ["edit"]


def test_edits_that_no_history_did_are_seen(path):
    scene, history = many(path)
    apply(scene, change_nodes(scene, [2], name="applied, not recorded"))
    history.do(change_nodes(scene, [2], name="done"))
    history.undo()
    assert kinds_of(path) == ["edit", "edit"]
    assert open_project(path).names[2] == "applied, not recorded"


def test_an_edit_whose_values_before_would_hang_nodes_below_themselves_is_replayed_all_the_same(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [2], parent=1))
    scene.set_parents([2, 1], [-1, 2])
    history.do(change_nodes(scene, [1], parent=-1))
    assert_replayed(path, scene)
    history.do(change_nodes(scene, [3], name="later"))
    history.undo()
    assert_replayed(path, scene)


@pytest.mark.parametrize("ending", ["commit", "cancel"])
def test_a_gesture_that_is_saved_halfway_comes_back_whole(path, ending):
    scene, history = many(path)
    steps = [change_nodes(scene, [1], translation=(x, 0.0, 0.0)) for x in (1.0, 2.0)]
    gesture = history.begin("Drag")
    gesture.set(steps[0])
    save(history, path)
    if ending == "commit":
        gesture.set(steps[1])
    getattr(gesture, ending)()
    history.do(change_nodes(scene, [1], translation=(3.0, 0.0, 0.0)))
    assert_replayed(path, scene)
    history.go_to(0)
    assert assert_replayed(path, scene).project.found_journal.unsaved > 0, "the file has a part of the gesture"


def test_a_gesture_that_sets_the_same_values_twice_comes_back_as_it_ended(path):
    scene, history = many(path)
    gesture = history.begin("Type")
    gesture.add(change_nodes(scene, [1], name="for a moment"))
    gesture.add(change_nodes(scene, [1, 2], name=["box 1", "second"]))
    gesture.commit()
    assert_replayed(path, scene)
    history.undo()
    assert_replayed(path, scene)
    assert kinds_of(path) == ["edit", "undo"]


def test_nodes_that_joined_by_no_edit_are_recorded_with_an_undo(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], name="named"))
    scene.add_node("by a script")
    history.undo()
    assert_replayed(path, scene)
    history.do(group(scene, [1]))
    scene.add_node("below the group", parent=21)
    history.undo()
    assert_replayed(path, scene)
    history.redo()
    assert_replayed(path, scene)


def test_one_edit_that_is_recorded_back_and_forth_without_a_history(path):
    scene, history = many(path)
    edit = change_nodes(scene, [1], name="named")
    for each in (edit, inverse(edit), edit, Edit("", ())):
        apply(scene, each)
        history.recorder.record(each)
        assert_replayed(path, scene)


def test_a_line_that_takes_back_what_is_not_there_is_said_and_ends_the_replaying(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [1], name="named"))
    history.undo()
    killed(history.recorder)
    head, first, last = journal_path(path).read_bytes().splitlines(keepends=True)
    assert json.loads(last.split(b" ", 1)[1]) == {"kind": "undo"}

    def reopened(*kinds: str) -> Scene:
        texts = [json.dumps({"kind": kind}).encode() for kind in kinds]
        lines = [b"%08x %s\n" % (zlib.crc32(text), text) for text in texts]
        journal_path(path).write_bytes(b"".join((head, first, *lines)))
        return open_project(path)

    for steps in (["redo"], ["undo", "undo"], ["undo", "redo", "redo"]):
        again = reopened(*steps)
        assert again.names[1] == ("box 1" if steps == ["undo", "undo"] else "named")
        assert any("a change that is not there" in line for line in again.report.warnings)
    assert any("a kind of change that this release" in line for line in reopened("undo of tomorrow").report.warnings)


def unsaved(path: Path, scene: Scene) -> int:
    """Return how many changes are said to be unsaved by who opens a project meanwhile; they are there, too."""
    again = assert_replayed(path, scene)
    count = again.project.found_journal.unsaved
    assert any("not saved there yet" in line for line in again.report.warnings) == (count > 0)
    return count


def test_what_was_undone_since_the_last_save_is_no_unsaved_change_and_done_again_it_is_one(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [0], name="one", label="Rename"))
    history.do(duplicate(scene, [1]))
    history.do(change_nodes(scene, [0], material=scene.add_material(Material("red"))))
    assert unsaved(path, scene) == 3
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
    save(history, path)
    history.undo()
    assert unsaved(path, scene) == 1
    history.redo()
    assert unsaved(path, scene) == 0
    history.go_to(0)
    history.do(change_nodes(scene, [0], hidden=True, label="Hide"))
    history.undo()
    assert unsaved(path, scene) == 2, "the saved state cannot be reached any more"


def test_a_journal_that_ended_as_saved_goes_on_in_the_next_program_and_its_new_nodes_are_known(path):
    scene, history = many(path)
    history.do(duplicate(scene, [1]))
    history.undo()
    killed(history.recorder)
    scene = open_project(path)
    history = History(scene, Recorder(scene))
    assert len(records(path)) == 2
    history.do(duplicate(scene, [2, 3]))
    history.undo()
    assert unsaved(path, scene) == 0
    history.redo()
    assert unsaved(path, scene) == 1
    history.undo()
    history.recorder.close()
    assert not journal_path(path).exists()


def test_changes_that_were_undone_are_not_kept_aside_when_the_project_became_another(path):
    scene, history = many(path)
    history.do(change_nodes(scene, [0], name="one", label="Rename"))
    history.undo()
    killed(history.recorder)
    path.write_bytes(path.read_bytes() + b"\n")
    again = open_project(path)
    assert again.report.warnings == []
    killed(Recorder(again))
    assert [each.name for each in path.parent.iterdir() if "journal." in each.name] == []


def test_an_undo_is_recorded_once_an_autosave_was_saved_under_a_name(tmp_path):
    scene, autosave, path = Scene(), tmp_path / "autosave.octo.json", tmp_path / "named.octo.json"
    scene.add_node("a")
    save_project(scene, autosave)
    history = History(scene, Recorder(scene, is_of_autosave=True))
    save(history, path)
    history.mark_saved()
    history.do(change_nodes(scene, [0], name="b"))
    history.undo()
    assert kinds_of(path) == ["edit", "undo"]
    killed(history.recorder)
    assert open_project(path).names.tolist() == ["a"]
