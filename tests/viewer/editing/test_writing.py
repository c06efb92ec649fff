"""Files that are written in the background, of a scene that may change meanwhile or one that is locked."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from octoscope.scene import load
from octoscope.scene.editing import add_primitive
from octoscope.viewer.document.autosaving import find_lost
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.editing.writing import write, write_snapshot
from tests.viewer.document.test_document import Person, opened, state
from tests.viewer.windows.window_boxes import write_boxes


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(load(write_boxes(tmp_path)), tmp_path, title="boxes.obj")


def test_an_export_holds_the_scene_as_it_was_when_it_began_and_edits_go_on(person, tmp_path):
    person.names = [tmp_path / "out.glb"]
    names = person.scene.names.tolist()
    person.document.export(".glb")
    assert person.document.is_busy and not person.document.holds_scene
    person.editor.rename(2, "renamed while it was written")
    assert person.editor.run(add_primitive, "cube")
    person.editor.undo()
    person.wait()
    assert person.scene.names[2] == "renamed while it was written"
    written = set(load(tmp_path / "out.glb").names.tolist())
    assert names[2] in written and "renamed while it was written" not in written
    assert "exported" in person.said and person.document.is_unsaved


def test_saving_keeps_the_scene_as_it_is(person, tmp_path):
    person.names = [tmp_path / "out.octo.json"]
    person.editor.rename(2, "saved")
    person.document.save()
    assert person.document.holds_scene
    person.editor.rename(2, "too early")
    assert person.scene.names[2] == "saved" and "try again" in person.said
    person.wait()
    person.editor.rename(2, "later")
    assert person.scene.names[2] == "later" and person.document.is_unsaved


def test_the_first_copy_stops_nobody_and_what_is_done_meanwhile_is_in_its_journal(person, tmp_path):
    assert person.editor.run(add_primitive, "cube")
    person.turn()
    assert person.document.is_busy, "the copy has begun"
    person.editor.rename(2, "renamed meanwhile")
    person.editor.undo()
    person.editor.redo()
    assert person.editor.run(add_primitive, "sphere")
    person.editor.undo()
    assert person.editor.run(add_primitive, "plane")
    assert person.scene.names[2] == "renamed meanwhile"
    person.wait()
    person.editor.rename(3, "renamed afterwards")
    person.editor.undo()
    assert b'{"kind":"undo"}' in person.editor.history.recorder.journal.path.read_bytes().splitlines()[-1]
    expected = state(person.scene)
    person.die()
    (lost,) = find_lost(tmp_path / "data" / "autosave")
    assert state(opened(lost.path)) == expected


def test_work_with_a_snapshot_sees_nothing_of_what_is_done_meanwhile(person):
    jobs, go_on, seen, done = person.editor.jobs, Event(), [], []

    def read(scene, advance):
        go_on.wait(30.0)
        scene.update_world()
        seen.extend(scene.names.tolist())

    before = person.scene.names.tolist()
    write_snapshot(person.editor, "reading", read, done.append)
    jobs.poll()
    assert jobs.is_busy(JobKind.WRITE) and not done, "a turn does not wait for it"
    person.editor.rename(2, "renamed")
    go_on.set()
    jobs.end()
    assert seen == before and done == [None] and person.scene.names[2] == "renamed"


def test_work_that_is_stopped_says_so_and_unlocks(person):
    jobs, begun, go_on = person.editor.jobs, Event(), Event()

    def go(advance):
        advance(0.1)
        begun.set()
        go_on.wait(30.0)
        advance(0.2)
        raise AssertionError("it goes no further")

    write(person.editor, "writing", go, lambda result: None)
    assert begun.wait(30.0) and person.editor.locked is not None
    jobs.cancel(JobKind.WRITE)
    go_on.set()
    jobs.end()
    assert person.editor.locked is None and "cancelled" in person.said
