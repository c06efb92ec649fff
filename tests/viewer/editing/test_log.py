"""Messages of one subject: the newest replaces older ones, and a problem that is over leaves none."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import octoscope.viewer
from octoscope.scene import SaveError, change_nodes, editing
from octoscope.viewer.editing.log import Log
from tests.viewer.documents import saved_project


def toasts(log: Log) -> list[str]:
    return [toast.text for toast in log.toasts]


def settled(log: Log) -> list[str]:
    return [entry.text for entry in log.entries if entry.settled]


def test_an_error_goes_away_with_a_later_success_and_stays_in_the_list_as_settled():
    log = Log()
    log.say("error", "disk full", "saving")
    log.say("error", "no permission", "saving")
    log.say("error", "something else")
    assert toasts(log) == ["no permission", "something else"], "the last error of a subject is the one to read"
    log.settle("saving")
    assert toasts(log) == ["something else"]
    assert settled(log) == ["disk full", "no permission"] and len(log.entries) == 3
    log.settle("saving")  # which does no harm


def test_good_news_of_a_subject_settle_its_errors():
    log = Log()
    log.say("error", "a.obj: damaged", "a.obj")
    log.say("info", "a.obj: reloaded", "a.obj")
    assert toasts(log) == ["a.obj: reloaded"] and settled(log) == ["a.obj: damaged"]
    log.say("error", "a.obj: damaged again", "a.obj")
    assert toasts(log) == ["a.obj: damaged again"]


def test_what_stands_is_told_once_even_where_it_was_dismissed():
    log = Log()
    log.report("files", [("warning", "one"), ("warning", "two")])
    log.dismiss()
    log.report("files", [("warning", "two"), ("warning", "three")])
    assert toasts(log) == ["three"] and settled(log) == ["one"]
    assert [entry.text for entry in log.entries] == ["one", "two", "three"]
    log.report("files", [])
    assert toasts(log) == [] and settled(log) == ["one", "two", "three"]


def test_an_edit_that_could_not_be_done_is_told_no_longer_once_it_can_be(tmp_path):
    person, _ = saved_project(tmp_path)
    node = int(person.scene.ids[0])
    edit = change_nodes(person.scene, [node], translation=(1.0, 0.0, 0.0), label="Move")
    person.log.dismiss()
    unlock = person.editor.lock("it is being written")
    assert not person.editor.do(edit)
    unlock()
    assert not person.editor.run(editing.reparent, [node], node)
    assert len(person.log.toasts) == 1 and person.log.toasts[0].level == "error"
    assert person.editor.do(edit)
    assert person.log.toasts == []


@pytest.mark.parametrize("how", ["save", "save as another"])
def test_a_failed_save_is_told_no_longer_once_it_was_saved(tmp_path, monkeypatch, how):
    person, _ = saved_project(tmp_path)
    person.add()
    monkeypatch.setattr("octoscope.viewer.document.document.save_project", _refuse)
    person.document.save()
    person.wait()
    assert "disk is full" in person.log.toasts[-1].text
    monkeypatch.undo()
    if how == "save":
        person.document.save()
    else:
        person.names = [tmp_path / "other.octo.json"]
        person.document.save_as()
    person.wait()
    assert [toast.level for toast in person.log.toasts] == ["info"] * len(person.log.toasts)
    assert any(entry.settled and "disk is full" in entry.text for entry in person.log.entries)


def _refuse(*_: object, **__: object) -> None:
    raise SaveError("the disk is full")


def test_every_error_has_a_subject_whose_next_success_takes_it_back():
    without = [
        f"{path}:{call.lineno}"
        for path in sorted(Path(octoscope.viewer.__file__).parent.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("say", "_say")
        if call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == "error"
        if len(call.args) < 3 and not call.keywords
    ]
    assert not without
