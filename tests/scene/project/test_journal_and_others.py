"""Two programs with one project, and projects that are saved elsewhere or over another."""

import os
import signal

import pytest

from octoscope.scene import (
    Recorder,
    SaveError,
    Scene,
    open_project,
    save_project,
)
from octoscope.scene.project import saving
from tests.scene import children
from tests.scene.project.journals import do, killed, renamed, reopened_name
from tests.scene.project.projects import change_document, files_of_at_most

pytestmark = pytest.mark.usefixtures("on_windows_too")


def test_a_project_that_is_being_edited_is_neither_edited_nor_saved_by_another(path):
    first, second = open_project(path), open_project(path)
    recorder = Recorder(first)
    for attempt in (Recorder, lambda scene: save_project(scene, path)):
        with pytest.raises(SaveError, match="open in another Octoscope"):
            attempt(second)
    with pytest.raises(SaveError, match="open in another Octoscope"):
        save_project(Scene(), path)
    do(recorder, 0, name="new")
    recorder.close()
    assert reopened_name(path) == "new"
    with pytest.raises(SaveError, match="open it again"):
        Recorder(second)
    with pytest.raises(SaveError, match="open it again"):
        save_project(second, path)
    assert reopened_name(path) == "new"


def test_what_another_program_is_doing_is_shown_and_not_said_to_be_lost(path):
    first = open_project(path)
    recorder = Recorder(first)
    assert not open_project(path).report.warnings
    do(recorder, 0, name="new")
    second = open_project(path)
    assert second.names[0] == "new"
    (line,) = second.report.warnings
    assert "not saved there yet" in line and "last time" not in line
    killed(recorder)
    (line,) = open_project(path).report.warnings
    assert "not saved last time" in line


def test_the_lock_holds_between_processes_and_ends_with_them(path):
    reading, writing = os.pipe()

    held = []

    def hold() -> None:
        held.append(Recorder(open_project(path)))
        os.write(writing, b"1")
        signal.pause()

    child = children.start(hold)
    os.close(writing)  # so that a child that fails ends the waiting
    assert os.read(reading, 1) == b"1"
    scene = open_project(path)
    with pytest.raises(SaveError, match="open in another Octoscope"):
        recorder = Recorder(scene)
    os.kill(child, signal.SIGKILL)
    assert children.exit_code(child) == -signal.SIGKILL
    recorder = Recorder(open_project(path))
    recorder.close()


def test_what_another_program_has_written_is_not_overwritten_unasked(path):
    scene = open_project(path)
    scene["b"].name = "mine"
    change_document(path, lambda document: document["nodes"][0].update(name="theirs"))
    for attempt in (Recorder, lambda scene: save_project(scene, path)):
        with pytest.raises(SaveError, match="changed by another program"):
            attempt(scene)
    save_project(scene, path.with_name("mine.octo.json"))
    assert reopened_name(path) == "theirs"
    scene = open_project(path)
    change_document(path, lambda document: document["nodes"][0].update(name="theirs again"))
    save_project(scene, path, even_if_changed=True)
    assert reopened_name(path) == "theirs"


def test_a_project_that_was_only_touched_is_saved(path):
    scene = open_project(path)
    os.utime(path, (1, 1))
    scene["a"].name = "new"
    save_project(scene, path)
    path.unlink()
    save_project(scene, path)
    assert reopened_name(path) == "new"


def test_the_journal_goes_with_a_scene_that_is_saved_elsewhere(path, journal):
    scene = open_project(path)
    recorder = Recorder(scene)
    do(recorder, 0, name="saved elsewhere")
    other = path.with_name("other.octo.json")
    save_project(scene, other, recorder=recorder)
    assert not journal.exists() and reopened_name(path) == "a"
    do(recorder, 1, name="later")
    killed(recorder)
    assert open_project(other).names.tolist() == ["saved elsewhere", "later", "c"]
    Recorder(open_project(path))


def test_changes_to_a_project_that_is_saved_over_are_kept_aside(path, journal):
    renamed(path, "new")
    left = journal.read_bytes()
    scene = Scene()
    scene.add_node("other")
    save_project(scene, path)
    aside = journal.with_name(f"{journal.name}.1")
    assert aside.read_bytes() == left and not journal.exists()
    assert any(aside.name in text for text in scene.report.warnings)
    assert open_project(path).names.tolist() == ["other"] and open_project(path).report.problems == []


def test_a_save_that_fails_leaves_project_and_journal(path, journal):
    scene = renamed(path, "new")
    before = journal.read_bytes()
    for unsaved in (open_project(path), Scene()):
        unsaved.add_nodes(["x" * 1000] * 100)
        with files_of_at_most(2000), pytest.raises(SaveError):
            save_project(unsaved, path)
        assert journal.read_bytes().startswith(before)
        assert sorted(os.listdir(path.parent)) == [path.name, journal.name]
    assert open_project(path).names.tolist() == scene.names.tolist()


def test_what_another_program_saves_after_the_first_look_is_not_overwritten(path, monkeypatch):
    save_project(Scene(), path)
    ours, theirs = open_project(path), open_project(path)
    ours.add_node("ours")
    theirs.add_node("theirs")
    looked = saving.is_changed

    def look_and_be_overtaken(scene: Scene) -> bool:
        answer = looked(scene)
        if scene is ours:
            monkeypatch.setattr(saving, "is_changed", looked)
            save_project(theirs, path)
        return answer

    monkeypatch.setattr(saving, "is_changed", look_and_be_overtaken)
    with pytest.raises(SaveError, match="changed by another program"):
        save_project(ours, path)
    assert open_project(path).names.tolist() == ["theirs"]
