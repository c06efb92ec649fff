"""Autosaves as files: which of them a killed program has left."""

from __future__ import annotations

from pathlib import Path

from octoscope.scene.project.journal import journal_path
from octoscope.viewer.document import autosaving
from octoscope.viewer.document.autosaving import find_lost, may_have_lost, new_autosave


def left_behind(folder: Path, name: str) -> Path:
    path = new_autosave(folder, name)
    path.write_text("{}")
    journal_path(path).write_text("")
    return path


def test_autosaves_of_killed_programs_are_found_with_their_names(tmp_path):
    assert not may_have_lost(tmp_path)
    paths = {left_behind(tmp_path, name) for name in ("city", "boat", "boat")}
    found = find_lost(tmp_path)
    assert may_have_lost(tmp_path)
    assert {lost.path for lost in found} == paths
    assert sorted(lost.name for lost in found) == ["boat", "boat", "city"], "two of one name, within a second"


def test_a_link_to_nothing_is_no_autosave_and_hides_none(tmp_path):
    path = left_behind(tmp_path, "city")
    path.write_text('{"path":[]}')  # damaged
    new_autosave(tmp_path, "gone").symlink_to(tmp_path / "nowhere")
    assert [lost.path for lost in find_lost(tmp_path)] == [path]


def test_an_autosave_that_is_removed_meanwhile_is_left_out(tmp_path, monkeypatch):
    path, other = left_behind(tmp_path, "city"), left_behind(tmp_path, "boat")
    is_free = autosaving._is_free

    def after_removal(journal: Path) -> bool:
        autosaving.remove_autosave(other)  # as its own program does when it ends
        return is_free(journal)

    monkeypatch.setattr(autosaving, "_is_free", after_removal)
    assert [lost.path for lost in find_lost(tmp_path)] == [path]
