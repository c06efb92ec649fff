"""Flows: what takes answers of the user and jobs on the way, as generators that read from top to bottom.

    def export(self) -> Flow:
        path = yield PathRequest("Export", (".obj",))
        if os.path.exists(path):
            yield overwrite(path.name)
        notes = yield Job("exporting", ...)

A flow is resumed with the path, the choice or the job's result. It ends at the yield where none comes: the user
cancels, closes the box or asks for something else in its place, or the job fails or is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec

from scene import SaveError
from viewer.document.file_names import PathRequest
from viewer.document.questions import Choice, Question
from viewer.editing.editor import Editor
from viewer.editing.writing import write, write_snapshot

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class Job:
    """Something to run on a thread, as editing.writing takes it.

    Attributes:
        run: takes the progress to tell; with `of_snapshot`, before it the scene as it is when the job begins.
        subject: of messages about it.
    """

    label: str
    run: Callable[..., object]
    subject: str = ""
    of_snapshot: bool = False


@dataclass(frozen=True)
class Turn:
    """To go on once the jobs under way are done; of several flows with one label the last goes on."""

    label: str


Flow = Generator[PathRequest | Question | Job | Turn, Any, None]


def _ignore(choice: Choice) -> None:
    """Answer no flow."""


def starts(flow: Callable[Concatenate[Any, Arguments], Flow]) -> Callable[Concatenate[Any, Arguments], None]:
    """Return a method that starts the flow that another method makes, with the FlowRunner in `self.flows`."""

    @wraps(flow)
    def start(self: Any, *arguments: Arguments.args, **options: Arguments.kwargs) -> None:
        self.flows.start(flow(self, *arguments, **options))

    return start


class FlowRunner:
    """Runs flows.

    Args:
        editor: of the scene that jobs write; its log says why a flow ended with a SaveError.
        ask_path: lets the user name a file.

    Attributes:
        question: what the user is to answer next, or None.
    """

    def __init__(self, editor: Editor, ask_path: Callable[[PathRequest], object]) -> None:
        self.question: Question | None = None
        self._editor = editor
        self._ask_path = ask_path
        self._answered: Callable[[Choice], object] = _ignore

    def start(self, flow: Flow) -> None:
        """Run a flow up to its first request."""
        self._resume(flow, None)

    def answer(self, choice: Choice) -> None:
        """Go on with the flow that has asked the question."""
        answered, self._answered, self.question = self._answered, _ignore, None
        if choice is not Choice.CANCEL:
            answered(choice)

    def _resume(self, flow: Flow, answer: object) -> None:
        try:
            request = flow.send(answer)
        except StopIteration:
            return
        except SaveError as error:
            self._editor.log.say("error", str(error), "saving")
            return
        resume = partial(self._resume, flow)
        match request:
            case PathRequest():
                self._ask_path(replace(request, choose=resume))
            case Question():
                self.question, self._answered = request, resume
            case Job(label, run, subject, of_snapshot):
                (write_snapshot if of_snapshot else write)(self._editor, label, run, resume, subject=subject)
            case Turn(label):
                self._editor.jobs.after_writing(label, partial(resume, None))
