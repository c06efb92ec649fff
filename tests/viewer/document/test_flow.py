"""Flows are resumed with what was asked for, and end where nothing comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from octoscope.scene import SaveError, Scene, load
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.document.flow import Flow, FlowRunner, WriteJob
from octoscope.viewer.document.questions import Choice, overwrite
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View
from tests.viewer.documents import Person, state
from tests.viewer.windows.window_boxes import write_boxes

ASKED = PathRequest("Save as", (".obj",))


class Box:
    """Holds the last request, as the box on the screen does."""

    def __init__(self) -> None:
        self.request = ASKED

    def ask(self, request: PathRequest) -> None:
        self.request = request


class Runner:
    """Runs flows that note how far they came; `ended` lists those that are over, for whatever reason."""

    def __init__(self) -> None:
        self.box, self.came, self.ended = Box(), [], []
        self.editor = Editor(View(Scene()), Log())
        self.flows = FlowRunner(self.editor, self.box.ask)

    def start(self, name: str, *requests: object) -> None:
        def flow() -> Flow:
            try:
                for request in requests:
                    self.came.append((name, (yield request() if isinstance(request, Callable) else request)))
            finally:
                self.ended.append(name)

        self.flows.start(flow())

    def wait(self) -> None:
        while self.editor.jobs.is_going:
            self.editor.poll()


def fail(advance: object) -> None:
    raise SaveError("no room")


def test_a_flow_goes_on_with_each_answer():
    runner = Runner()
    runner.start("save", ASKED, overwrite("a"), WriteJob("saving", lambda advance: 7))
    runner.box.request.choose(Path("a.obj"))
    runner.flows.pending.answer(Choice.OVERWRITE)
    assert runner.flows.pending.question is None and runner.ended == []
    runner.wait()
    assert [answer for _, answer in runner.came] == [Path("a.obj"), Choice.OVERWRITE, 7] and runner.ended == ["save"]


def test_a_flow_ends_where_nothing_comes():
    runner = Runner()
    runner.start("cancelled", overwrite("a"), ASKED)
    runner.flows.pending.answer(Choice.CANCEL)
    runner.start("asked again", overwrite("a"))
    runner.start("fails", WriteJob("saving", fail), ASKED)
    runner.start("box", ASKED, overwrite("a"))
    runner.start("other box", ASKED)
    runner.start("refused", lambda: fail(None))
    runner.start("last", overwrite("b"))
    runner.wait()
    assert runner.came == [] and [entry.text for entry in runner.editor.log.entries] == ["no room"] * 2
    assert sorted(runner.ended) == ["asked again", "box", "cancelled", "fails", "refused"]
    runner.flows.pending.answer(Choice.OVERWRITE)
    runner.box.request.choose(Path("b.obj"))
    assert runner.came == [("last", Choice.OVERWRITE), ("other box", Path("b.obj"))]


@pytest.mark.parametrize("leave", [Document.close, Document.new, Document.ask_open], ids=["close", "new", "open"])
def test_leaving_stops_where_the_user_stops_and_goes_on_where_the_user_goes_on(tmp_path, leave):
    person = Person(load(write_boxes(tmp_path)), tmp_path)
    person.add()
    taken, other = tmp_path / "taken.octo.json", write_boxes(tmp_path)
    taken.write_text("{}")
    opened = [(other,)] if leave is Document.ask_open else []

    def choose(*answers: str, names: list[Path]) -> None:
        person.names = opened + names
        leave(person.document)
        for answer in answers:
            assert not person.document.is_left
            person.answer(answer)
        person.wait()

    choose("Cancel", names=[])
    # With an empty list the box is closed.
    person.document.flows._ask_path = lambda request: person.names and person._ask(request)
    choose("Save as project", names=[])
    choose("Save as project", "Cancel", names=[taken])
    assert not person.document.is_left and person.document.is_unsaved and taken.read_text() == "{}"
    choose("Save as project", "Overwrite", names=[taken])
    assert person.document.is_left and not person.document.is_unsaved
    assert state(load(taken)) == state(person.scene)
