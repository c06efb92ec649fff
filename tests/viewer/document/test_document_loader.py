"""Acts of a user while another file is being opened, which takes long."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from octoscope.scene import change_nodes, load
from octoscope.scene.editing import add_primitive
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.loading.file_import import FileImport
from octoscope.viewer.document.questions import Choice
from octoscope.viewer.editing.jobs import JobKind
from tests.viewer.documents import Person, opened, state
from tests.viewer.windows.window_boxes import write_boxes


@pytest.fixture
def person(tmp_path) -> Person:
    return Person(load(write_boxes(tmp_path)), tmp_path)


@pytest.fixture
def saved(person, tmp_path) -> Path:
    person.names = [tmp_path / "project.octo.json"]
    person.document.save()
    person.wait()
    return tmp_path / "project.octo.json"


@pytest.fixture
def go_on(monkeypatch) -> Event:
    """An event; until it is set, no file is ready to join a scene."""
    event, prepare = Event(), FileImport.prepare

    def wait(joining: FileImport) -> None:
        event.wait(30.0)
        prepare(joining)

    monkeypatch.setattr(FileImport, "prepare", wait)
    return event


def boxes_in(folder: Path) -> Path:
    folder.mkdir()
    return write_boxes(folder)


def turn_until(person: Person, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30.0
    while not is_so():
        assert time.monotonic() < deadline
        person.turn()
        time.sleep(0.005)


def choose(person: Person, label: str) -> None:
    """Answer, and go on at once."""
    person.document.flows.pending.answer(Choice(label))


def begin_to_open(person: Person, path: Path) -> None:
    person.document.open(path)
    turn_until(person, lambda: person.editor.jobs.is_busy(JobKind.OPEN))


def test_of_two_files_the_one_that_was_asked_for_last_is_opened(person, go_on, tmp_path):
    begin_to_open(person, boxes_in(tmp_path / "first"))
    last = boxes_in(tmp_path / "last")
    begin_to_open(person, last)
    assert person.editor.locked is not None
    go_on.set()
    turn_until(person, lambda: person.document.is_left)
    assert list(person.document.next_document.scene.sources) == [last]


def test_an_opening_that_is_stopped_at_its_end_lets_the_scene_go(person, go_on, tmp_path):
    begin_to_open(person, boxes_in(tmp_path / "other"))
    person.document._loader.cancel()
    go_on.set()
    person.wait()
    assert person.document.next_document is None and "cancelled" in person.said
    person.add()


def test_a_file_that_is_too_large_for_what_memory_there_is_lets_the_scene_go(person, monkeypatch, tmp_path):
    def fail(joining: FileImport) -> None:
        raise MemoryError

    monkeypatch.setattr(FileImport, "prepare", fail)
    person.document.open(boxes_in(tmp_path / "other"))
    person.wait()
    assert person.document.next_document is None and "memory" in person.said
    person.add()


def test_saving_meanwhile_lets_nothing_be_edited_that_would_then_be_lost(person, saved, go_on, tmp_path):
    begin_to_open(person, boxes_in(tmp_path / "other"))
    person.document.save()
    turn_until(person, lambda: not person.document.is_busy)
    assert person.document.holds_scene, "what was imported would be refused and lost"
    assert not person.editor.run(add_primitive, "cube"), "it would not be saved when the other is there"
    go_on.set()
    turn_until(person, lambda: person.document.is_left)


def test_the_scene_is_left_only_once_it_is_exported(person, go_on, monkeypatch, tmp_path):
    may_write = Event()

    def write(scene, path, **options):
        may_write.wait()
        path.write_text("written")
        return []

    begin_to_open(person, boxes_in(tmp_path / "other"))
    monkeypatch.setitem(WRITERS, ".glb", write)
    person.names = [tmp_path / "a.glb"]
    person.document.export(".glb")
    go_on.set()
    turn_until(person, lambda: not person.document._loader.busy)
    assert person.document.is_busy and not person.document.is_left
    may_write.set()
    turn_until(person, lambda: person.document.is_left)
    assert (tmp_path / "a.glb").read_text() == "written"


@pytest.mark.parametrize("has_edits", [False, True])
def test_a_project_whose_reopening_is_stopped_has_its_journal_again(person, saved, go_on, has_edits):
    if has_edits:
        person.add()
    person.document.open(saved)
    if has_edits:
        choose(person, "Don't save")
    turn_until(person, lambda: person.editor.jobs.is_busy(JobKind.OPEN))
    person.document.cancel()
    go_on.set()
    person.wait()
    assert person.document.next_document is None
    person.add("cone")
    expected = state(person.scene)
    person.die()
    assert state(opened(saved)) == expected


def test_a_project_that_cannot_be_reopened_leaves_its_journal_for_when_it_can(person, saved):
    content = saved.read_bytes()
    person.add()
    expected = state(person.scene)
    person.document.open(saved)
    saved.write_text("{")
    choose(person, "Don't save")
    person.wait()
    assert "damaged" in person.said
    saved.write_bytes(content)
    assert state(opened(saved)) == expected


def test_what_is_asked_for_during_an_export_is_all_done_after_it(person, saved, tmp_path):
    person.add()
    person.names = [tmp_path / "first.glb", tmp_path / "second.glb"]
    person.document.export(".glb")
    person.document.save()
    person.document.export(".glb")
    turn_until(person, lambda: (tmp_path / "second.glb").exists() and not person.document.is_busy)
    assert not person.document.is_unsaved


def test_a_file_that_the_scene_shows_is_not_exported_over(person, tmp_path):
    path, link = tmp_path / "a.glb", tmp_path / "b.glb"
    person.names = [path]
    person.document.export(".glb")
    person.wait()
    link.symlink_to(path)
    content = path.read_bytes()
    other = Person(load(path), tmp_path)
    other.editor.do(change_nodes(other.scene, [2], translation=[(5.0, 0.0, 0.0)], label="Move"))
    for name in (path, tmp_path / "a", link):
        other.names = [name]
        other.document.export(".glb")
        other.wait()
        assert other.document.question is None and path.read_bytes() == content
    assert other.said.count("is a file of this scene") == 3
