"""A folder appears whole or not at all, and nothing of another kind is replaced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octoscope.scene import SaveError
from octoscope.scene.tiling.new_folder import new_folder

HOLDS = ("index", "below")


def write(path: Path, text: str, **options) -> None:
    with new_folder(path, known_by="index", holds=HOLDS, **options) as folder:
        (folder / "index").write_text(text)
        (folder / "below").mkdir()
        (folder / "below" / "more").write_text(text)
        assert not (path / "index").exists() or (path / "index").read_text() != text  # not before all of it is there


def test_it_appears_and_nothing_else_does(tmp_path):
    write(tmp_path / "made", "a")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["below", "index", "made", "more"]


def test_it_is_replaced_only_if_asked_for(tmp_path):
    write(tmp_path / "made", "a")
    with pytest.raises(SaveError, match="--force"):
        write(tmp_path / "made", "b")
    assert (tmp_path / "made" / "index").read_text() == "a"
    write(tmp_path / "made", "b", replaces=True)
    assert (tmp_path / "made" / "index").read_text() == "b" and [path.name for path in tmp_path.iterdir()] == ["made"]


@pytest.mark.parametrize("replaces", [False, True])
def test_other_files_are_never_replaced(tmp_path, replaces):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "diary.txt").write_text("mine")
    with pytest.raises(SaveError, match="other files"):
        write(tmp_path / "made", "a", replaces=replaces)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SaveError, match="is a file"):
        write(tmp_path / "file", "a", replaces=replaces)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["diary.txt", "file", "made"]


@pytest.mark.parametrize(
    "place", ["made/diary.txt", "made.old/diary.txt", "made.saving/index", "made.octoscope-saving/diary.txt"]
)
def test_nothing_beside_or_within_it_is_lost(tmp_path, place):
    write(tmp_path / "made", "a")
    diary = tmp_path / place
    diary.parent.mkdir(exist_ok=True)
    diary.write_text("mine")
    if diary.parent.name in ("made.old", "made.saving"):
        write(tmp_path / "made", "b", replaces=True)
    else:
        with pytest.raises(SaveError, match="other files"):
            write(tmp_path / "made", "b", replaces=True)
    assert diary.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({"made", diary.parent.name})


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "made").mkdir()
    write(tmp_path / "made", "a")
    assert (tmp_path / "made" / "index").exists()


def test_an_error_leaves_what_was_there(tmp_path):
    write(tmp_path / "made", "a")
    with (
        pytest.raises(ZeroDivisionError),
        new_folder(tmp_path / "made", known_by="index", holds=HOLDS, replaces=True) as folder,
    ):
        (folder / "index").write_text("b")
        raise ZeroDivisionError
    assert (tmp_path / "made" / "index").read_text() == "a" and [path.name for path in tmp_path.iterdir()] == ["made"]


def test_what_a_killed_program_left_is_cleared(tmp_path):
    (tmp_path / "made.octoscope-saving" / "old").mkdir(parents=True)
    (tmp_path / "made.octoscope-saving" / "old" / "part").write_text("half")
    (tmp_path / "made.octoscope-saving" / "lock").touch()
    write(tmp_path / "made", "a")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["below", "index", "made", "more"]


def test_two_do_not_write_at_once(tmp_path):
    with new_folder(tmp_path / "made", known_by="index", holds=HOLDS) as folder:
        (folder / "index").write_text("a")
        with pytest.raises(SaveError, match="another program"):
            write(tmp_path / "made", "b")
    assert (tmp_path / "made" / "index").read_text() == "a"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_protected_place_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(SaveError, match="write-protected"):
        write(tmp_path / "made", "a")


def test_a_place_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SaveError, match="no such folder"):
        write(tmp_path / "none" / "made", "a")
