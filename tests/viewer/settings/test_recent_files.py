"""The list of recent files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from octoscope.viewer.settings.recent_files import MOST, add_recent, read_recent


def test_the_last_one_comes_first_and_none_twice(tmp_path):
    folder = tmp_path / "config"
    assert read_recent(folder) == ([], [])
    for name in ("a", "b", "c", "a"):
        assert add_recent(folder, tmp_path / name) is None
    assert read_recent(folder) == ([tmp_path / "a", tmp_path / "c", tmp_path / "b"], [])
    assert sorted(path.name for path in folder.iterdir()) == ["recent.json"]


def test_the_oldest_are_forgotten_and_paths_are_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(MOST + 3):
        add_recent(tmp_path, Path(f"{number}.obj"))
    files, _ = read_recent(tmp_path)
    assert files == [tmp_path / f"{number}.obj" for number in range(MOST + 2, 2, -1)]


def test_names_that_are_no_text_are_kept(tmp_path):
    name = tmp_path / os.fsdecode(b"sch\xf6n.obj")
    assert add_recent(tmp_path, name) is None
    assert read_recent(tmp_path)[0] == [name]


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '[""]', "[" * 100_000])
def test_a_list_that_cannot_be_used_is_told_and_made_anew(tmp_path, text):
    (tmp_path / "recent.json").write_text(text)
    files, (problem,) = read_recent(tmp_path)
    assert files == [] and "recent.json" in problem and "\n" not in problem
    assert add_recent(tmp_path, tmp_path / "a") is None
    assert json.loads((tmp_path / "recent.json").read_text()) == [str(tmp_path / "a")]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    assert "file" in add_recent(tmp_path / "file", tmp_path / "a")
