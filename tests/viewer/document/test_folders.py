"""A folder stands for the files in it, and one goes from a file to the next in its folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octoscope.scene import ReadError, Scene, load
from octoscope.scene.loading.folders import files_in, neighbours, with_files_of_folders
from octoscope.viewer.document import document as document_module
from octoscope.viewer.settings.recent_files import read_recent
from tests.viewer.documents import Person

TRIANGLE = "o {name}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with three files that can be opened, among others."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("part10.obj", "part2.OBJ", "Part1.obj"):
        (folder / name).write_text(TRIANGLE.format(name=name.partition(".")[0]))
    for name in ("readme.txt", "part1.mtl", ".hidden.obj"):
        (folder / name).write_text("")
    (folder / "below.obj").mkdir()
    return folder


def test_files_are_those_that_can_be_opened_in_the_order_of_their_numbers(folder):
    assert [path.name for path in files_in(folder)] == ["Part1.obj", "part2.OBJ", "part10.obj"]
    assert with_files_of_folders([Path("a.obj"), folder]) == [Path("a.obj"), *files_in(folder)]
    assert with_files_of_folders([folder / "below.obj"]) == [folder / "below.obj"], "nothing is in it: a line says so"
    assert files_in(folder / "gone") == []
    (folder / "a.octo.json").write_text("")
    assert next(iter(neighbours(folder / "x.obj"))).name == "a.octo.json"


def test_load_opens_what_is_in_a_folder(folder):
    assert list(load(folder).sources) == files_in(folder)
    assert load([folder / "part2.OBJ", str(folder)]).report.opened == [folder / "part2.OBJ", *files_in(folder)]
    with pytest.raises(ReadError, match=r"below\.obj: a folder, not a file; name the files in it"):
        load(folder / "below.obj")


def shown(person: Person) -> str:
    return str(person.scene.names[person.scene.mesh_ids >= 0][0])


def test_one_goes_to_the_next_file_and_back_and_round(folder, tmp_path):
    person = Person(load(folder / "part2.OBJ"), tmp_path)
    for steps, expected in ((1, "part10"), (1, "Part1"), (-1, "part10"), (-1, "part2")):
        person.document.open_neighbour(steps)
        person.wait()
        person = person.follow(tmp_path)
        assert shown(person) == expected


def test_a_folder_is_one_recent_entry_which_opens_all_of_it(folder, tmp_path):
    (alone := tmp_path / "alone.obj").write_text(TRIANGLE.format(name="alone"))
    Person(load(alone), tmp_path)
    person = Person(load(folder), tmp_path)
    assert read_recent(tmp_path / "config")[0] == [folder, alone]
    two = [folder / "part2.OBJ", folder / "part10.obj"]
    Person(load(two), tmp_path)
    assert read_recent(tmp_path / "config")[0] == [*two[::-1], folder, alone], "two of three files are not the folder"
    (kit := tmp_path / "kit").mkdir()
    for number in range(20):
        (kit / f"{number}.obj").write_text(TRIANGLE.format(name=number))
    Person(load(files_in(kit)[:15]), tmp_path)
    assert read_recent(tmp_path / "config")[0][-4:] == [*two[::-1], folder, alone], "many at once push nothing else out"
    person.document.open(folder)
    person.wait()
    assert [*person.follow(tmp_path).scene.sources, *person.document.next_document.others] == files_in(folder)


def test_changes_are_asked_about_before_the_next_file_is_opened(folder, tmp_path):
    person = Person(load(folder / "part2.OBJ"), tmp_path)
    person.add()
    person.document.open_neighbour(1)
    assert "Save" in person.document.question.text
    person.answer("Cancel")
    assert person.document.next_document is None
    person.document.open_neighbour(1)
    person.answer("Don't save")
    assert shown(person.follow(tmp_path)) == "part10"


def test_where_there_is_no_other_file_that_is_said(folder, tmp_path):
    person = Person(Scene(), tmp_path)
    person.document.open_neighbour(1)
    assert "the scene has no file" in person.said
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "a.obj").write_text(TRIANGLE.format(name="a"))
    person = Person(load(alone / "a.obj"), tmp_path)
    person.document.open_neighbour(-1)
    assert "a.obj is the only file in" in person.said and person.document.next_document is None


def test_a_file_that_is_gone_has_neighbours_all_the_same(folder, tmp_path):
    person = Person(load(folder / "part2.OBJ"), tmp_path)
    (folder / "part2.OBJ").unlink()
    person.document.open_neighbour(1)
    person.wait()
    assert shown(person.follow(tmp_path)) == "Part1"


def test_a_dropped_folder_is_imported_after_a_question_if_it_is_large(folder, tmp_path, monkeypatch):
    person = Person(Scene(), tmp_path)
    given: list = []
    monkeypatch.setattr(person.document.files, "open", given.append)
    person.document.drop([folder])
    assert given == [files_in(folder)] and person.document.question is None
    monkeypatch.setattr(document_module, "MOST_FILES", 2)
    person.document.drop([folder])
    assert "Open all 3 files" in person.document.question.text and len(given) == 1
    person.answer("Cancel")
    assert len(given) == 1
    person.document.drop([folder])
    person.answer("Open all")
    assert given == 2 * [files_in(folder)]
    person.document.drop(files_in(folder))
    assert person.document.question is None, "who drops many files means them"


def test_names_and_folders_that_the_system_refuses_are_left_for_a_line_about_them(folder, monkeypatch):
    too_long = folder / ("x" * 5000)
    assert with_files_of_folders([too_long]) == [too_long]
    stat = os.stat

    def refusing(path, *arguments, **options):
        if Path(str(path)).parent == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", refusing)  # as in a folder that may be listed and not entered
    assert files_in(folder) == []
