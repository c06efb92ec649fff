"""The scene of a window as a file: saved, left, recovered; without a window, but with the threads that write."""

from __future__ import annotations

import errno
import os
import time
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Scene, load, save_project
from octoscope.viewer.camera.controls import look_from
from octoscope.viewer.document.autosaving import autosave_name, find_lost
from octoscope.viewer.document.file_names import sample_path, title_of_files, working_folder
from octoscope.viewer.document.questions import Choice
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.canvas import Canvas
from octoscope.viewer.settings.config import FOLDER_VARIABLE, pictures_folder
from octoscope.viewer.settings.recent_files import read_recent
from tests.viewer.documents import Person, opened, saved_project, state
from tests.viewer.windows.window_boxes import write_boxes


@pytest.fixture
def boxes(tmp_path) -> Path:
    return write_boxes(tmp_path)


def test_a_scene_that_was_never_saved_is_kept_from_its_first_edit_on_and_offered_after_a_crash(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    assert not (tmp_path / "data").exists(), "nothing was done yet"
    person.editor.select([2])
    person.wait()
    assert not (tmp_path / "data").exists(), "selecting changes nothing"
    person.add()
    person.add("sphere")
    person.editor.undo()
    person.editor.redo()
    person.editor.rename(2, "renamed")
    assert person.document.is_unsaved and person.document.title == "*boxes.obj"
    expected = state(person.scene)
    assert find_lost(tmp_path / "data" / "autosave") == [], "it is not lost yet"
    person.die()

    other = Person(Scene(), tmp_path, offers_lost=True)
    assert "boxes.obj" in other.document.question.text
    other.answer("Recover")
    recovered = other.follow(tmp_path)
    assert state(recovered.scene) == expected
    assert recovered.document.is_unsaved and recovered.document.title == "*boxes.obj"
    recovered.names = [tmp_path / "kept"]
    recovered.document.save()
    recovered.wait()
    assert not recovered.document.is_unsaved and recovered.document.title == "kept.octo.json"
    assert list((tmp_path / "data" / "autosave").iterdir()) == []
    assert state(load(tmp_path / "kept.octo.json")) == expected


def test_a_project_of_several_files_is_suggested_where_the_last_one_is_and_not_in_the_folder_of_a_kit(boxes, tmp_path):
    (tmp_path / "mine").mkdir()
    person = Person(load(boxes), tmp_path)
    assert person.document._suggestion(".obj").parent == tmp_path, "the folder of its one file"
    person.save_as(tmp_path / "mine" / "first.octo.json")
    kit = tmp_path / "kit"
    kit.mkdir()
    for name in ("door.obj", "wall.obj"):
        (kit / name).write_bytes(boxes.read_bytes())
    other = Person(load([kit / "door.obj", kit / "wall.obj"]), tmp_path)
    assert other.document._suggestion(".obj").parent == tmp_path / "mine"


def test_changes_of_a_project_are_offered_after_a_crash_too_where_there_are_any(tmp_path):
    person, path = saved_project(tmp_path)
    person.die()
    assert Person(Scene(), tmp_path, offers_lost=True).document.question is None, "nothing was changed"
    person = Person(opened(path), tmp_path)
    assert Person(Scene(), tmp_path, offers_lost=True).document.question is None
    person.add()
    assert Person(Scene(), tmp_path, offers_lost=True).document.question is None, "it is not lost yet"
    person.die()
    other = Person(Scene(), tmp_path, offers_lost=True)
    assert f"project.octo.json in {tmp_path}" in other.document.question.text
    assert Choice.DISCARD not in other.document.question.choices
    other.answer("Recover")
    recovered = other.follow(tmp_path)
    assert "recovered 1 change made" in recovered.said and state(recovered.scene) == state(person.scene)
    assert recovered.editor.history.undo_label and recovered.document.is_unsaved


def test_an_autosave_is_discarded_only_when_told_so(boxes, tmp_path):
    first = Person(load(boxes), tmp_path, title="boxes.obj")
    first.add()
    first.die()
    later = Person(Scene(), tmp_path, offers_lost=True)
    later.answer("Later")
    assert len(find_lost(tmp_path / "data" / "autosave")) == 1
    later = Person(Scene(), tmp_path, offers_lost=True)
    later.answer("Discard")
    assert list((tmp_path / "data" / "autosave").iterdir()) == []
    assert later.document.question is None


def test_closing_what_is_not_saved_asks_and_cancel_keeps_it(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.document.close()
    assert person.document.is_closed, "nothing was to be saved"

    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.add()
    for leave in (person.document.close, person.document.new, lambda: person.document.open(boxes)):
        leave()
        assert "boxes.obj" in person.document.question.text
        person.answer("Cancel")
        assert not person.document.is_closed and person.document.next_document is None
    person.document.new()
    person.answer("Don't save")
    assert len(person.document.next_document.scene) == 0
    assert list((tmp_path / "data" / "autosave").iterdir()) == []


def test_save_before_leaving_saves_and_then_leaves(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.add()
    person.names = [tmp_path / "saved.octo.json"]
    person.document.close()
    person.answer("Save as project")
    assert person.document.is_closed
    assert len(load(tmp_path / "saved.octo.json")) == len(person.scene)
    assert not (tmp_path / "saved.octo.json.journal").exists()


def test_a_project_opens_where_the_camera_was_when_it_was_saved(boxes, tmp_path):
    person, path = Person(load(boxes), tmp_path), tmp_path / "saved.octo.json"
    person.editor.view.camera = camera = replace(
        look_from(person.editor.view.camera, "front"), distance=7.0, fov_y_rad=0.5, orthographic=True
    )
    person.save_as(path)
    person.editor.view.camera = look_from(camera, "top")
    person.wait()
    assert not person.document.is_unsaved, "orbiting is no change"
    for given, is_kept in ((None, True), ("top", False)):
        view, canvas = View(load(path)), Canvas(load(path), (64, 36), view=given)
        view.framing.look_first(given)
        np.testing.assert_allclose(canvas.camera.axes, view.camera.axes)
        assert (view.camera.orthographic, view.camera.fov_y_rad == 0.5) == (is_kept, is_kept)
        assert np.allclose(view.camera.position, camera.position) == is_kept
    text = path.read_text()
    path.write_text(text.replace('"camera": {', '"camera": 3, "was": {'))
    scene = load(path)
    assert scene.project.camera is None and any("camera" in str(each) for each in scene.report.problems)
    path.write_text(text.replace('"camera": {', '"camera": {"yfov": -1}, "was": {'))
    assert any("cameras with a yfov that cannot be one" in str(each) for each in load(path).report.problems)


def test_the_question_says_which_file_an_answer_writes(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.add()
    person.document.close()
    said = " ".join((person.document.question.text, *person.document.question.details))
    assert "project" in said and f"boxes.octo.json in {boxes.parent}" in said
    person.answer("Cancel")
    person.save_as(tmp_path / "mine.octo.json")
    person.add()
    person.document.close()
    question = person.document.question
    assert question.text == "Save the changes to mine.octo.json?" and "boxes" not in "".join(question.details)


def test_what_was_done_since_the_save_is_there_after_a_crash_or_the_saved_state_is(boxes, tmp_path):
    path = tmp_path / "project.octo.json"
    person = Person(load(boxes), tmp_path)
    person.save_as(path)
    saved = state(person.scene)
    person.add()
    person.editor.rename(2, "renamed")
    expected = state(person.scene)
    person.die()

    again = Person(opened(path), tmp_path)
    assert "recovered 2 changes made" in again.said and again.document.question is None
    assert state(again.scene) == expected
    assert again.document.title == "*project.octo.json"
    again.die()

    back = Person(opened(path), tmp_path)
    assert back.log.toasts[-1].offer == ("Revert to saved", "file.revert") and back.document.can_revert
    written = path.read_bytes()
    path.write_text("{")
    back.document.revert()
    back.wait()
    assert back.document.is_unsaved and state(back.scene) == expected, "closing it would lose them without a question"
    path.write_bytes(written)
    back.document.revert()
    back.wait()
    following = back.follow(tmp_path)
    assert state(following.scene) == saved
    assert not following.document.is_unsaved and not following.document.can_revert
    assert Path(f"{path}.journal.1").exists(), "the changes are kept aside"
    said = following.scene.report.warnings
    assert any(line.endswith("kept as project.octo.json.journal.1") for line in said), "and it is told where"


def test_opening_the_same_project_without_saving_shows_it_as_it_was_saved(boxes, tmp_path):
    path = tmp_path / "project.octo.json"
    person = Person(load(boxes), tmp_path)
    person.save_as(path)
    saved = state(person.scene)
    person.add()
    person.document.open(path)
    person.answer("Don't save")
    assert state(person.document.next_document.scene) == saved


def test_of_several_files_a_project_is_opened_alone_and_others_follow_the_first(boxes, tmp_path):
    person = Person(load(boxes), tmp_path)
    person.save_as(project := tmp_path / "project.octo.json")
    (tmp_path / "other").mkdir()
    other = write_boxes(tmp_path / "other")
    person.names = [(other, boxes)]
    person.document.ask_open()
    person.wait()
    following = person.document.next_document
    assert following.title == "boxes.obj and 1 more" and following.others == (boxes,)
    assert list(following.scene.sources) == [other]
    person = Person(load(boxes), tmp_path)
    person.names = [(boxes, project)]
    person.document.ask_open()
    person.wait()
    assert person.document.next_document.title == "project.octo.json" and "opens alone" in person.said


def test_a_file_that_cannot_be_opened_leaves_everything_as_it_is(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    before = state(person.scene)
    person.document.open(tmp_path / "missing.obj")
    person.wait()
    assert person.document.next_document is None and "missing.obj" in person.said
    assert state(person.scene) == before
    person.add()  # it can be worked on


def test_an_import_can_be_undone_and_is_in_the_journal(boxes, tmp_path):
    path = tmp_path / "project.octo.json"
    person = Person(Scene(), tmp_path)
    person.save_as(path)
    files = person.document.files
    person.document.drop([boxes])
    while files.reading:
        files.add()
    assert len(person.scene) == 6 and person.document.is_unsaved
    expected = state(person.scene)
    person.die()
    again = opened(path)
    assert state(again) == expected
    person.editor.history.recorder = None
    person.editor.undo()
    assert len(person.scene) == 0


# Files that are there, that cannot be written, that another program changed.


def test_overwriting_asks(boxes, tmp_path):
    path = tmp_path / "there.octo.json"
    path.write_text("mine")
    person = Person(load(boxes), tmp_path)
    person.names = [path, path]
    person.document.save_as()
    person.wait()
    assert path.read_text() == "mine"
    person.answer("Cancel")
    assert path.read_text() == "mine"
    person.document.save_as()
    person.answer("Overwrite")
    assert len(load(path)) == 6
    path.write_text(path.read_text().replace("green", "other"))
    person.add()
    person.document.save()
    person.wait()
    assert "changed by another program" in person.document.question.text
    assert "other" in path.read_text()
    person.answer("Overwrite")
    assert "other" not in path.read_text()
    assert not person.document.is_unsaved


def test_what_cannot_be_written_is_told_and_the_old_file_stays(boxes, tmp_path, monkeypatch):
    path = tmp_path / "project.octo.json"
    person = Person(load(boxes), tmp_path)
    person.save_as(path)
    before = path.read_bytes()
    person.add()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr("octoscope.scene.system.atomic_file.os.fsync", full)
        person.document.save()
        person.wait()
    assert "No space left" in person.said
    assert path.read_bytes() == before and person.document.is_unsaved
    person.add()  # it can be worked on
    person.names = [tmp_path / "no folder" / "x"]
    person.document.save_as()
    person.wait()
    assert "no such folder" in person.said


def test_every_export_can_be_opened(boxes, tmp_path):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    for ending in (".glb", ".obj", ".ply", ".stl"):
        person.names = [tmp_path / f"out{ending[1:]}"]
        person.document.export(ending)
        person.wait()
        (path,) = tmp_path.glob(f"out{ending[1:]}{ending}")
        assert load(path).element_count("triangle") == 48
        assert person.requests[-1].suggestion == tmp_path / f"boxes{ending}"
    assert not person.document.is_unsaved, "an export is no save"
    empty = Person(Scene(), tmp_path)
    empty.names = [tmp_path / "empty.obj"]
    empty.document.export(".obj")
    empty.wait()
    assert "nothing to write" in empty.said and not (tmp_path / "empty.obj").exists()


@pytest.fixture
def pictures(tmp_path, monkeypatch) -> Path:
    """The folder of screenshots."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "own"))
    return pictures_folder()


def test_a_screenshot_is_written_among_the_persons_pictures_and_never_over_another(boxes, tmp_path, pictures):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    beside = sorted(boxes.parent.iterdir())
    for number in (1, 2):
        person.document.screenshot()
        person.wait()
        path = pictures / f"boxes-{number}.png"
        assert Image.open(path).size == (4, 4) and f"saved {path}" in person.said
    assert sorted(boxes.parent.iterdir()) == sorted({*beside, pictures.parent})


def test_a_screenshot_without_background_is_one_of_four_channels(boxes, tmp_path, pictures):
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    for transparent, mode in ((True, "RGBA"), (False, "RGB")):
        person.document.screenshot(transparent=transparent)
        person.wait()
        assert Image.open(sorted(pictures.glob("*.png"))[-1]).mode == mode


def test_where_no_screenshot_can_be_written_it_is_said(boxes, tmp_path, pictures):
    pictures.parent.touch()
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    person.document.screenshot()
    person.wait()
    assert f"{pictures}: no folder for screenshots can be made" in person.said


def test_the_sample_scene_is_no_recent_file(boxes, tmp_path):
    Person(load([sample_path(), boxes]), tmp_path)
    assert read_recent(tmp_path / "config")[0] == [boxes]


def test_a_scene_of_several_files_is_called_after_its_project_once_it_has_one_and_pictures_after_the_first(
    tmp_path, pictures
):
    (tmp_path / "other").mkdir()
    files = [write_boxes(tmp_path), write_boxes(tmp_path / "other")]
    person = Person(load(files), tmp_path, title=title_of_files(files))
    person.add()
    assert person.document.title == "*boxes.obj and 1 more"
    person.document.screenshot()
    person.wait()
    assert (pictures / "untitled-1.png").exists()
    person.names = [tmp_path / "room"]
    person.document.save()
    person.wait()
    assert person.requests[-1].suggestion == working_folder() / "untitled.octo.json", "they may be of a kit"
    assert person.document.title == "room.octo.json"
    person.add()
    assert person.document.title == "*room.octo.json"


def test_a_scene_that_began_empty_is_called_after_the_first_file_that_was_added(tmp_path):
    person = Person(Scene(), tmp_path, title="a.obj")
    person.document.new()
    person = person.follow(tmp_path)
    assert person.document.title == "untitled"
    (tmp_path / "other").mkdir()
    for folder in (tmp_path / "other", tmp_path):
        person.document.drop([write_boxes(folder)])
        while person.document.files.reading:
            person.document.files.add()
        person.document.poll()
        person.wait()
    assert autosave_name(person.editor.scene.project.path) == "boxes.obj"
    person.names = [tmp_path / "room"]
    person.document.save()
    person.wait()
    assert person.requests[-1].suggestion == working_folder() / "untitled.octo.json"
    assert person.document.title == "room.octo.json"


def test_while_a_scene_is_written_it_stays_as_it_is_and_stopping_changes_nothing(tmp_path, monkeypatch):
    go_on = Event()

    def save(scene, path, *, progress, **options):
        def advance(fraction: float) -> None:
            progress(fraction)
            go_on.wait(30.0)
            progress(fraction)

        return save_project(scene, path, progress=advance, **options)

    monkeypatch.setattr("octoscope.viewer.document.document.save_project", save)
    scene = Scene()
    scene.add_nodes(["node"] * 30)
    person = Person(scene, tmp_path)
    person.names = [tmp_path / "large.octo.json"]
    person.document.save()
    assert person.document.is_busy
    person.editor.rename(0, "other")
    assert scene.names[0] == "node" and "try again" in person.said
    while person.document.progress is None or person.document.progress[1] is None:
        time.sleep(0.005)
    person.document.cancel()
    go_on.set()
    person.wait()
    assert "cancelled" in person.said
    assert [path.name for path in tmp_path.iterdir() if "large" in path.name] == []
    person.editor.rename(0, "other")
    assert scene.names[0] == "other"


def test_dialogs_of_the_sample_scene_begin_where_its_user_works_and_not_in_the_installation(tmp_path, monkeypatch):
    works, home = tmp_path / "works", tmp_path / "home"
    works.mkdir()
    home.mkdir()
    monkeypatch.chdir(works)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    person = Person(load(sample_path()), tmp_path, title="harbour.obj")

    def places() -> list[Path]:
        person.names = [[], tmp_path / "mine.glb", tmp_path / "mine.octo.json"]
        person.document.ask_import()
        person.document.export(".glb")
        person.wait()
        person.document.save_as()  # last: what is exported then is named after the project
        person.wait()
        imported, exported, saved = person.requests[-3:]
        return [imported.folder or working_folder(), saved.suggestion, exported.suggestion]

    assert places() == [works, works / "harbour.octo.json", works / "harbour.glb"]
    person = Person(load(sample_path()), tmp_path, title="harbour.obj")
    (tmp_path / "mine.octo.json").unlink()
    (tmp_path / "mine.glb").unlink()
    can = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != works and can(path, mode))
    assert places() == [home, home / "harbour.octo.json", home / "harbour.glb"]


def test_changes_to_the_file_that_is_opened_come_first_and_others_are_offered_in_a_message(boxes, tmp_path):
    for name in ("elsewhere", "third"):
        (tmp_path / name).mkdir()
    elsewhere = write_boxes(tmp_path / "elsewhere")
    for path, name in ((boxes, "here"), (elsewhere, "there")):
        person = Person(load(path), tmp_path, title=name)
        person.add()
        person.die()
    scenes = load(boxes), Scene(), load(sample_path()), load(write_boxes(tmp_path / "third"))
    same, empty, sample, third = (Person(scene, tmp_path, title="boxes.obj", offers_lost=True) for scene in scenes)
    for asked, shown in (
        (same, f"here in {tmp_path}"),
        *((each, f"there in {elsewhere.parent}") for each in (empty, sample)),
    ):
        question = asked.document.question
        assert question.text == f"Recover the unsaved changes to {shown}?"
        assert question.choices[0] is Choice.RECOVER and "in place of" not in " ".join(question.details)
    same.answer("Next")
    assert "in place of boxes.obj" in " ".join(same.document.question.details)
    same.answer("Later")
    assert "File > Recover unsaved changes" in same.said
    assert third.document.question is None and third.log.toasts[-1].offer == ("Recover", "file.recover")
    third.document.recover()
    third.answer("Next")
    third.answer("Discard")
    assert "no unsaved changes" not in third.said
    third.document.recover()
    same.document.recover()
    third.answer("Recover")
    assert len(third.follow(tmp_path).scene) == len(same.scene) + 1
    same.answer("Discard")
    assert len(find_lost(tmp_path / "data" / "autosave")) == 0 and same.document.question is None
    assert len(list((tmp_path / "data" / "autosave").glob("*.octo.json"))) == 1, "another window has it"
