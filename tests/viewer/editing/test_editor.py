"""The one place through which panels and commands change a scene; what is told, and what was opened beside it."""

from __future__ import annotations

import time
from threading import Event

import numpy as np
import pytest

from octoscope.scene import Edit, History, Scene, change_nodes, editing, load, write_obj
from octoscope.scene.city import city
from octoscope.scene.editing import import_content
from octoscope.scene.formats.readers import read_file
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.document.source_files import SourceFiles
from octoscope.viewer.editing import editor as editor_module
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from tests.scene.builders import random_scene
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.scenes import box_scene
from tests.viewer.windows.window_boxes import write_boxes


@pytest.fixture
def scene() -> Scene:
    return box_scene()


@pytest.fixture
def editor(scene) -> Editor:
    return Editor(View(scene), Log())


def labels(editor: Editor) -> list[str]:
    return [entry.label for entry in editor.history.entries]


def test_what_cannot_be_done_is_told_in_a_line_and_changes_nothing(editor, scene):
    editor.select([0])
    assert not editor.run(editing.distribute, editor.selected_ids, 0)
    assert editor.log.toasts[-1].level == "error" and "Distribute" in editor.log.toasts[-1].text
    assert not editor.run(editing.reparent, [0], 0)
    assert "Reparent" in editor.log.toasts[-1].text
    assert labels(editor) == ["Select red"] and (scene.parents == -1).all()
    editor.select([1])
    assert [toast.level for toast in editor.log.toasts] == ["error"], "only the last, until an edit is done"
    assert editor.run(editing.reparent, [0], 1) and editor.log.toasts == []
    assert not editor.run(editing.distribute, editor.selected_ids, 0)
    editor.undo()
    assert [toast.level for toast in editor.log.toasts] == ["info"]


def test_a_fault_of_the_program_is_not_told_as_a_refusal(editor, scene):
    def faulty(scene: Scene) -> Edit:
        return change_nodes(scene, [int(np.arange(3)[3])])

    with pytest.raises(IndexError, match="out of bounds"):
        editor.run(faulty)
    with pytest.raises(ValueError, match="cannot be its own ancestor"):
        editor.do(change_nodes(scene, [0, 1], parent=[1, 0]))
    assert editor.log.entries == []


def test_a_node_that_was_deleted_meanwhile_is_a_refusal(editor, scene):
    assert editor.run(editing.delete, [0])
    assert not editor.run(editing.center_pivot, [0])
    assert editor.log.toasts[-1].text == "Center pivot: node 0, 'red', was deleted"


def test_the_steps_of_a_gesture_are_one_entry(editor, scene):
    live = editor.begin_live()
    for x in (1.0, 2.0, 3.0):
        assert live.extend(change_nodes(scene, [0], label="Move red", translation=(x, 0, 0)))
    live.commit()
    live.commit()
    assert not live.is_alive
    assert labels(editor) == ["Move red"]
    editor.undo()
    assert scene.translations[0].tolist() == [-2.0, 0.0, 0.0]
    editor.redo()
    assert scene.translations[0].tolist() == [3.0, 0.0, 0.0]


def test_an_edit_in_the_middle_of_a_gesture_ends_it(editor, scene):
    live = editor.begin_live()
    live.extend(change_nodes(scene, [0], label="Move red", translation=(1, 0, 0)))
    editor.rename(0, "rouge")
    assert not live.is_alive
    assert labels(editor) == ["Move red", "Rename red to rouge"]


def step_of(scene: Scene, x: float) -> Edit:
    return change_nodes(scene, [0], label="Move red", translation=(x, 0, 0))


@pytest.mark.parametrize("has_begun", [False, True], ids=["no step yet", "a step was done"])
@pytest.mark.parametrize(
    "other",
    [
        lambda editor: editor.rename(1, "vert"),
        lambda editor: editor.select([2]),
        lambda editor: editor.undo(),
        lambda editor: editor.begin_live().extend(change_nodes(editor.scene, [1], label="Move", translation=(9, 9, 9))),
    ],
    ids=["edit", "select", "undo", "live"],
)
def test_a_live_edit_ends_with_whatever_else_is_done_and_then_touches_nothing(editor, scene, other, has_begun):
    editor.rename(0, "rouge")
    live = editor.begin_live()
    assert live.is_alive
    if has_begun:
        assert live.preview(step_of(scene, 1.0)) and live.is_alive
    other(editor)
    assert not live.is_alive
    before, entries = state(scene), labels(editor)
    assert not live.preview(step_of(scene, 2.0)) and not live.extend(step_of(scene, 3.0))
    live.cancel()
    live.commit()
    assert labels(editor) == entries
    assert_same_state(state(scene), before)


def test_a_live_edit_that_is_cancelled_leaves_all_as_it_was(editor, scene):
    before = state(scene)
    live = editor.begin_live()
    first = step_of(scene, 1.0)
    assert live.preview(first) and live.preview(change_nodes(scene, [1], label="Move green", translation=(3, 0, 0)))
    assert scene.translations[0].tolist() == [-2.0, 0.0, 0.0], "the first step was replaced"
    live.cancel()
    assert not live.is_alive and labels(editor) == []
    assert_same_state(state(scene), before)


def test_what_is_selected_is_outlined_and_undone_with_the_rest(editor):
    editor.select([1, 2])
    assert editor.view.selected_ids.tolist() == [1, 2]
    before = editor.selected_ids
    editor.select([1, 2])
    assert editor.selected_ids is before, "the same again is no entry"
    editor.run(editing.delete, editor.selected_ids)
    assert editor.view.selected_ids.tolist() == []
    editor.undo()
    assert editor.view.selected_ids.tolist() == [1, 2]
    assert editor.view.redraw.damage == Damage.SCENE


def test_what_an_edit_could_not_keep_is_told(editor, scene):
    scene.set_rotations([0], (0.0, 0.0, 0.38268343, 0.92387953))
    scene.set_scales([1], (1.0, 3.0, 1.0))
    assert editor.run(editing.reparent, [0], 1)
    assert editor.log.toasts[-1].level == "warning" and "shear" in editor.log.toasts[-1].text


def test_a_line_told_again_is_told_once_and_all_but_errors_go_by_themselves(monkeypatch):
    log = Log()
    log.say("error", "it is broken")
    log.say("info", "it was read")
    log.say("warning", "69,242 problems")
    log.say("error", "it is broken")
    assert [toast.text for toast in log.toasts] == ["it was read", "69,242 problems", "it is broken"]
    assert not log.expire()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 7.0)
    assert log.expire() and [toast.text for toast in log.toasts] == ["69,242 problems", "it is broken"]
    monkeypatch.setattr(time, "time", lambda: now + 60.0)
    assert log.expire() and [toast.text for toast in log.toasts] == ["it is broken"]
    log.dismiss()
    assert log.toasts == [] and len(log.entries) == 4


def test_what_was_taken_back_is_said_once_and_is_no_news_for_the_log(editor):
    editor.select([1])
    editor.run(editing.delete, editor.selected_ids)
    name = editor.scene.names[1]
    editor.undo()
    assert [toast.text for toast in editor.log.toasts] == [f"Undo Delete {name}"]
    editor.undo()
    assert [toast.text for toast in editor.log.toasts] == [f"Undo Delete {name}"], "there was nothing more"
    editor.redo()
    assert [toast.text for toast in editor.log.toasts] == [f"Redo Delete {name}"]
    editor.rename(2, "x" * 1000 + "\n")
    editor.undo()
    assert len(editor.log.toasts[-1].text) < 80 and editor.log.entries == []


@pytest.mark.parametrize("frame_seconds", [60.0, -1.0])
def test_files_that_come_later_join_the_scene_one_after_another(tmp_path, monkeypatch, frame_seconds):
    """Also where a frame has no time for them."""
    monkeypatch.setattr("octoscope.viewer.document.source_files._ADDING_SECONDS", frame_seconds)
    boxes = write_boxes(tmp_path)
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"no glTF")
    scene = Scene()
    editor = Editor(View(scene), Log())
    files = SourceFiles(editor, DocumentOptions("scene", watch=False))
    files.open([boxes])
    files.open([broken, boxes])
    deadline = time.monotonic() + 60.0
    while files.reading:
        files.add()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert scene.names[scene.parents < 0].tolist() == ["boxes.obj", "boxes.obj.001"]
    assert labels(editor) == ["Import boxes.obj"] * 2, "each can be undone"
    assert len(scene.report.errors) == 1 and "broken.glb" in scene.report.errors[0]
    assert not files.nothing_came, "a window stays open whatever is dropped on it"
    files.close()


def test_a_large_file_is_added_beside_the_window_as_if_it_had_been_added_at_once(tmp_path):
    town = tmp_path / "city.obj"
    write_obj(city(2000), town)
    scene, other = load(write_boxes(tmp_path)), load(write_boxes(tmp_path))
    pool = scene.meshes
    editor = Editor(View(scene), Log())
    files = SourceFiles(editor, DocumentOptions("scene", watch=False))
    go_on = Event()
    editor.jobs.begin(JobKind.EDIT, "looking", lambda tell: go_on.wait(30.0), lambda found: editor.select([1]))
    files.open([town])
    deadline, waited, locked = time.monotonic() + 60.0, False, False
    while files.reading:
        files.add()
        waited |= files._load is not None and files._load._pending is not None and not go_on.is_set()
        if waited:
            go_on.set()
        locked |= editor.locked is not None
        editor.jobs.poll()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert waited and locked and editor.locked is None
    assert scene.meshes is pool, "whoever has shown its meshes need not show them anew"
    History(other).do(import_content(other, read_file(town), town))
    assert_same_state(state(scene), state(other))
    assert scene.sources == other.sources and scene.materials == other.materials
    assert np.array_equal(scene.world_spheres[scene.index.all_ids()], other.world_spheres[other.index.all_ids()])
    assert len(scene.meshes) == len(other.meshes) and editor.selected_ids.tolist() != [1]
    assert scene.report.opened[-1] == town
    count = len(other)
    editor.undo()
    assert len(scene) == len(load(write_boxes(tmp_path)))
    editor.redo()
    assert len(scene) == count and len(scene.index) == len(other.index)
    files.close()


def test_nothing_that_is_dropped_on_an_empty_window_closes_it(tmp_path):
    scene = Scene()
    files = SourceFiles(Editor(View(scene), Log()), DocumentOptions("scene", watch=False))
    files.open([tmp_path / "missing.obj"])
    deadline = time.monotonic() + 60.0
    while files.reading:
        files.add()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not files.nothing_came


@pytest.mark.parametrize(
    ("operation", "options"),
    [
        (editing.delete, {}),
        (editing.group, {}),
        (editing.move_up, {}),
        (editing.align, {"x": "min"}),
        (editing.apply_transform, {}),
        (editing.center_pivot, {}),
        (editing.merge, {}),
        (editing.duplicate, {"copy_meshes": True}),
    ],
)
def test_an_operation_on_many_beside_the_window_does_what_it_does_at_once(operation, options, monkeypatch):
    scenes = []
    for large in (10**9, 0):
        monkeypatch.setattr(editor_module, "LARGE", large)
        scene = random_scene(3, 30, zeros=0.0)
        scene.set_translations(scene.ids, scene.translations[scene.ids] + 0.5)
        editor = Editor(View(scene), Log())
        ids = np.flatnonzero(scene.mesh_ids >= 0)
        before = state(scene)
        editor.select(ids)
        editor.run_on_nodes(ids, operation, **options)
        assert editor.jobs.is_busy(JobKind.EDIT) == (large == 0)
        editor.jobs.wait(JobKind.EDIT)
        editor.poll()
        assert editor.locked is None
        done, label, selected = state(scene), editor.history.undo_label, editor.selected_ids.tolist()
        shown, spheres = scene.index.all_ids(), scene.world_spheres.copy()
        editor.undo()
        assert_same_state(state(scene), before)
        editor.redo()
        assert_same_state(state(scene), done)
        scenes.append((done, label, selected, shown, spheres))
    (done, label, selected, shown, spheres), (others, other_label, other_selected, other_shown, other_spheres) = scenes
    assert_same_state(done, others)
    assert (label, selected) == (other_label, other_selected) and label is not None
    assert np.array_equal(shown, other_shown) and np.array_equal(spheres[shown], other_spheres[shown])


def test_a_long_way_through_the_history_is_gone_in_pieces(editor, scene, monkeypatch):
    for step in range(6):
        editor.do(change_nodes(scene, [0], label=f"Move {step}", translation=(step + 1.0, 0.0, 0.0)))
    monkeypatch.setattr(editor_module, "_TRAVERSAL_SECONDS", 0.0)
    editor.go_to(1)
    assert editor.history.position == 5 and editor.is_traversing
    while editor.poll():
        pass
    assert editor.history.position == 1 and scene.translations[0, 0] == 1.0
    editor.go_to(6)
    editor.poll()
    assert editor.history.position == 3
    editor.undo()
    editor.poll()
    assert editor.history.position == 2 and not editor.is_traversing, "who does something else goes no farther"
    editor.go_to(5)
    unlock = editor.lock("it is being written")
    editor.poll()
    assert editor.history.position == 3 and not editor.is_traversing
    unlock()
    with pytest.raises(ValueError, match="0 to 6"):
        editor.go_to(7)


def test_an_edit_that_changes_nothing_is_no_entry(editor, scene):
    assert editor.do(change_nodes(scene, [0], label="Move", translation=scene.translations[0]))
    assert labels(editor) == []
    np.testing.assert_array_equal(editor.selected_ids, [])
