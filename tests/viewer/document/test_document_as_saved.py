"""Undone changes are no loss when the program is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from octoscope.scene import Scene, load, save_project
from octoscope.scene.editing import add_primitive, delete
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.reload import FileReload
from octoscope.scene.project.journal import journal_path
from octoscope.viewer.document.autosaving import find_lost
from octoscope.viewer.editing.missing_meshes import MissingMeshFinder
from tests.viewer.documents import Person, opened, state
from tests.viewer.windows.window_boxes import write_boxes


@pytest.fixture
def boxes(tmp_path) -> Path:
    return write_boxes(tmp_path)


def test_a_scene_whose_every_edit_was_undone_is_not_offered_after_a_crash_and_one_done_again_is(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    for _ in range(2):  # the first is in the copy, the second in the journal
        person.add()
    person.editor.undo()
    person.editor.undo()
    assert not person.document.is_unsaved
    person.document.poll()
    person.die()
    other = Person(Scene(), tmp_path, offers_lost=True)
    assert other.document.question is None
    assert list((tmp_path / "data" / "autosave").iterdir()) == []

    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.add()
    person.editor.undo()
    person.wait()
    person.editor.redo()
    person.wait()
    person.die()
    other = Person(Scene(), tmp_path, offers_lost=True)
    assert "boxes.obj" in other.document.question.text
    other.answer("Discard")


def test_an_edit_that_is_undone_while_its_copy_is_written_is_not_offered_either(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.editor.rename(2, "renamed")
    person.turn()
    assert person.document.is_busy
    person.editor.undo()
    person.wait()
    person.die()
    assert find_lost(tmp_path / "data" / "autosave") == []


def test_undoing_all_writes_nothing_that_is_removed_at_once(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    before = state(person.scene)
    person.editor.run(delete, person.scene.ids)
    person.wait()
    (journal,) = (tmp_path / "data" / "autosave").glob("*.journal")
    size = journal.stat().st_size
    person.editor.undo()
    assert journal.stat().st_size == size and state(person.scene) == before
    assert not person.document.can_recover, "its own autosave is not left by a program that was killed"
    person.document.poll()
    assert not journal.exists()


def test_what_is_done_after_all_was_undone_and_before_the_copy_is_removed_is_found_again(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.editor.run(delete, person.scene.ids)
    person.wait()
    for act in (person.editor.undo, person.editor.redo, person.editor.undo):
        act()
    person.editor.rename(2, "renamed")
    expected = state(person.scene)
    person.die()
    (lost,) = find_lost(tmp_path / "data" / "autosave")
    assert state(opened(lost.path)) == expected
    assert Person(load(boxes), tmp_path).document.can_recover


def test_what_a_node_lacks_since_its_copy_is_being_written_is_saved_and_found_again(boxes, tmp_path):
    text = boxes.read_text()
    person = Person(load(boxes), tmp_path)
    assert person.editor.run(add_primitive, "cube")
    person.turn()
    assert person.document.is_busy, "a copy is being written"
    boxes.write_text(text[: text[: text.rindex("o ")].rindex("o ")])
    assert FileReload(person.scene, 0, read_file(boxes)).join().gone == 2
    gone = str(person.scene.names[person.scene.project.unresolved_meshes["node"][0]])
    finder = MissingMeshFinder(person.scene)
    assert len(finder.current.ids) == 2
    person.wait()
    assert len(finder.current.ids) == 2, "the scene's project is another now"
    person.names = [tmp_path / "project.octo.json"]
    person.document.save()
    person.wait()
    boxes.write_text(text)
    assert opened(tmp_path / "project.octo.json")[gone].mesh_id >= 0


def test_a_project_whose_every_change_was_undone_asks_nothing_after_a_crash(tmp_path, boxes):
    save_project(load(boxes), tmp_path / "p.octo.json")
    person = Person(opened(tmp_path / "p.octo.json"), tmp_path)
    person.add()
    person.editor.undo()
    person.die()
    again = Person(opened(tmp_path / "p.octo.json"), tmp_path)
    assert again.document.question is None and not again.document.is_unsaved
    assert not any("not saved" in line for line in again.scene.report.warnings)
    again.document.close()
    assert again.document.is_closed and not journal_path(tmp_path / "p.octo.json").exists()
