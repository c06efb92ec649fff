"""The list in a path box, and the meaning of typed paths."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octoscope.viewer.document import file_names as listing
from octoscope.viewer.document.file_names import list_folder, parse_path_input, with_ending

ENDINGS = (".obj", ".octo.json")


def test_folders_come_first_then_files_of_the_known_endings_and_hidden_ones_last(tmp_path):
    for name in ("b.obj", "A.OBJ", "c.octo.json", "d.json", ".e.obj", "f.txt"):
        (tmp_path / name).touch()
    for name in ("z", ".hidden", "Y.obj"):
        (tmp_path / name).mkdir()
    (tmp_path / "b.obj").write_text("v 0 0 0\n")
    rows = list_folder(tmp_path, ENDINGS)
    assert [(row.name, row.is_folder) for row in rows] == [
        *((name, True) for name in ("Y.obj", "z", ".hidden")),
        *((name, False) for name in ("A.OBJ", "b.obj", "c.octo.json", ".e.obj")),
    ]
    assert [row.size for row in rows[3:]] == [0, 8, 0, 0] and rows[4].changed_ns > 0


def test_a_folder_that_cannot_be_looked_into_has_nothing(tmp_path):
    (tmp_path / "file").touch()
    for folder in (tmp_path / "none", tmp_path / "file", Path("a\0b")):
        assert list_folder(folder, ENDINGS) == []


def test_of_a_huge_folder_some_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(listing, "MOST_LISTED", 5)
    for number in range(20):
        (tmp_path / f"{number}.obj").touch()
    assert len(list_folder(tmp_path, ENDINGS)) == 5


def test_what_is_typed_is_a_part_of_a_name_or_a_path(tmp_path):
    assert parse_path_input(tmp_path, "") == (listing.PathInput(tmp_path, tmp_path, ""))
    assert parse_path_input(tmp_path, "Boat") == listing.PathInput(tmp_path / "Boat", tmp_path, "boat")
    assert parse_path_input(tmp_path, "sub/") == listing.PathInput(tmp_path / "sub", tmp_path / "sub", "")
    assert parse_path_input(tmp_path, "sub/x") == listing.PathInput(tmp_path / "sub" / "x", tmp_path / "sub", "x")
    assert parse_path_input(tmp_path, "/etc/pass").folder == Path("/etc")
    assert parse_path_input(tmp_path, "~/").folder == Path(os.path.expanduser("~"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", "a.obj"), ("a.obj", "a.obj"), ("a.OBJ", "a.OBJ"), ("a.octo.json", "a.octo.json"), ("a.json", "a.json.obj")],
)
def test_a_name_gets_the_ending_that_it_lacks(name, expected):
    assert with_ending(Path("folder") / name, ENDINGS) == Path("folder") / expected
