"""A user's work after the program was killed, with a full disk, and while another window has the project."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import numpy as np

from octoscope.scene import Scene, change_nodes, load, open_project, save_project
from octoscope.scene.city import city
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.system.paths import current_folder
from octoscope.viewer.document.autosaving import find_lost
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.settings.config import pictures_folder
from octoscope.viewer.ui.dialogs.path_box import PathBox
from tests.limits import largest_file
from tests.scene import children
from tests.viewer.documents import Person, opened, saved_project, state
from tests.viewer.windows.window_boxes import write_boxes

KILLS = 8


def test_a_crash_in_the_middle_of_a_gesture_loses_that_gesture_alone(tmp_path):
    person, path = saved_project(tmp_path)
    person.add()
    before, live = state(person.scene), person.editor.begin_live()
    for x in (1.0, 2.0, 3.0):
        edit = change_nodes(person.scene, [2], translation=[(x, 0.0, 0.0)], label="Move")
        live.extend(edit)
        person.turn()
    assert state(person.scene) != before
    person.die()
    assert state(opened(path)) == before


def test_where_no_copy_can_be_kept_it_is_said_and_kept_as_soon_as_it_can_be(tmp_path, monkeypatch):
    boxes = write_boxes(tmp_path)
    Person(load(boxes), tmp_path / "other").add()  # so that kernels are compiled
    monkeypatch.setattr("octoscope.viewer.document.autosaving._RETRY_SECONDS", 0.2)
    person = Person(load(boxes), tmp_path, title="boxes.obj")
    with largest_file(100):
        person.add()
        person.add("cone")
    assert len({entry.text for entry in person.log.entries}) == 1 and "cannot be saved" in person.said
    assert len(person.log.toasts) == 1
    assert person.document.title == "*boxes.obj"
    time.sleep(0.2)
    person.add("sphere")
    done = state(person.scene)
    person.die()
    (lost,) = find_lost(tmp_path / "data" / "autosave")
    assert state(opened(lost.path)) == done


def test_what_is_done_while_the_disk_is_full_is_told_in_one_line_and_there_with_the_next_gesture(tmp_path):
    person, path = saved_project(tmp_path)
    person.add()
    person.log.dismiss()
    with largest_file(path.with_name(path.name + ".journal").stat().st_size + 20):
        person.add()
        person.add("cone")
        (toast,) = person.log.toasts
        assert "cannot be written" in toast.text
        before = path.read_bytes()
        person.document.save()
        person.wait()
        assert "cannot be saved" in person.log.toasts[-1].text and path.read_bytes() == before
    assert person.document.is_unsaved
    person.add("sphere")
    done = state(person.scene)
    person.die()
    assert state(opened(path)) == done


def test_a_second_window_on_a_project_neither_takes_the_first_for_dead_nor_writes_over_it(tmp_path):
    first, path = saved_project(tmp_path)
    saved = path.read_bytes()
    first.add()
    second = Person(opened(path), tmp_path)
    assert second.document.question is None, "the other program has not ended"
    assert len(second.log.toasts) == 1 and "open in another Octoscope" in second.said
    assert "not saved last time" not in "".join(second.scene.report.warnings)
    assert state(second.scene) == state(first.scene) and second.document.title == "copy of project.octo.json"
    assert not second.document.is_unsaved, "nothing that was done here"
    second.add("cone")
    second.save_as(path)
    second.answer("Overwrite")
    assert "open in another Octoscope" in second.log.toasts[-1].text
    assert path.read_bytes() == saved and second.document.is_unsaved
    assert second.requests[-1].suggestion == tmp_path / "copy of project.octo.json"
    second.names = [tmp_path / "other.octo.json"]
    second.document.save()
    second.wait()
    assert not find_lost(tmp_path / "data" / "autosave"), "it is saved now"
    assert not second.document.is_unsaved and state(opened(tmp_path / "other.octo.json")) == state(second.scene)
    first.add("sphere")
    first.document.save()
    first.wait()
    assert state(opened(path)) == state(first.scene)


def test_what_a_second_window_on_a_project_did_is_offered_after_a_crash_and_the_first_ones_too(tmp_path):
    first, path = saved_project(tmp_path)
    first.add()
    second = Person(opened(path), tmp_path)
    second.add("cone")
    second.add("sphere")
    second.document._editor.undo()
    done = state(second.scene)
    second.die()
    first.add("torus")
    others = state(first.scene)
    first.die()
    again = Person(Scene(), tmp_path, offers_lost=True)
    assert f"project.octo.json in {tmp_path}" in again.document.question.text, "the newest"
    again.answer("Recover")
    again = again.follow(tmp_path)
    assert state(again.scene) == others and again.scene.project.path == path, "the first was not disturbed"
    again = Person(Scene(), tmp_path, offers_lost=True)
    assert "copy of project.octo.json" in again.document.question.text
    again.answer("Recover")
    again = again.follow(tmp_path)
    assert state(again.scene) == done and again.document.is_unsaved


def test_a_second_window_that_does_nothing_leaves_nothing(tmp_path):
    first, path = saved_project(tmp_path)
    second = Person(opened(path), tmp_path)
    second.add()
    second.editor.undo()
    second.document.close()
    assert second.document.is_closed and list((tmp_path / "data" / "autosave").iterdir()) == []
    assert path.with_name(path.name + ".journal").exists()
    first.add()
    done = state(first.scene)
    first.die()
    assert state(opened(path)) == done


def test_killed_while_it_saves_a_city_a_project_is_as_it_was_before_or_after(tmp_path):
    path = tmp_path / "city.octo.json"
    scene = city(3000)
    scene.update_world()
    save_project(scene, path)
    assert len(open_project(path)) == len(scene)
    rng = np.random.default_rng(0)
    last = 0.0

    def work(number: int, acknowledge: int) -> None:
        person = Person(open_project(path), tmp_path)
        edit = change_nodes(person.scene, [5], translation=[(float(number), 0.0, 0.0)], label="Move")
        person.editor.do(edit)
        os.write(acknowledge, b"m")
        for _ in range(100):
            person.document.save()
            person.wait()
            person.editor.do(change_nodes(person.scene, [6], translation=[(1.0, 2.0, rng.random())], label="Move"))

    for number in range(1, KILLS + 1):
        reading, writing = os.pipe()
        child = children.start(lambda number=number, writing=writing: work(number, writing))
        os.close(writing)
        with open(reading, "rb") as pipe:
            assert pipe.read(1) == b"m"
        time.sleep(rng.uniform(0.0, 0.15))
        os.kill(child, signal.SIGKILL)
        assert children.exit_code(child) == -signal.SIGKILL
        found = open_project(path)
        assert len(found) == len(scene)
        assert not [line for line in found.report.warnings if "kept" in line]
        last = float(found.translations[5][0])
        assert last == number, f"what was done the {number}th time is gone"


def test_where_the_folder_that_it_runs_in_was_removed_a_scene_is_saved_elsewhere_and_its_files_keep_their_names(
    tmp_path, monkeypatch
):
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    write_boxes(here)
    person = Person(load("boxes.obj"), tmp_path)  # a path from there
    before = Person(load("boxes.obj"), tmp_path / "before")  # so that kernels are compiled, which needs a folder
    before.add()
    WRITERS[".glb"](before.scene, tmp_path / "before.glb")
    save_project(before.scene, tmp_path / "before.octo.json")
    open_project(tmp_path / "before.octo.json")
    shutil.rmtree(here)
    person.add()
    person.names = [path] = [tmp_path / "project.octo.json"]
    person.document.save()
    person.wait()
    assert not person.document.is_unsaved
    person.names = [tmp_path / "scene.glb"]
    person.document.export(".glb")
    person.document.screenshot()
    person.document.open(Path("nothing.obj"))
    person.wait()
    assert {each.name for each in tmp_path.glob("*.*")} >= {"scene.glb", "project.octo.json"}
    assert (pictures_folder() / "project-1.png").exists()
    here.mkdir()
    write_boxes(here)
    assert state(opened(path)) == state(person.scene) and not open_project(path).report.problems


def test_a_path_box_opens_at_home_where_the_folder_that_it_would_list_was_removed(tmp_path, monkeypatch):
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    current_folder()
    here.rmdir()
    box = PathBox()
    box.ask(PathRequest("Open", (".obj",), lambda path: None))
    assert box.is_open and box._folder == Path.home()
