"""Flows: operations that ask the user and run jobs on the way, written as generators that read from top to bottom.

    def export(self) -> Flow:
        path = yield PathRequest("Export", (".obj",))
        if os.path.exists(path):
            yield overwrite(path.name)
        notes = yield WriteJob("exporting", ...)

A yield returns the path, the choice or the job's result. The flow ends at a yield that gets no answer: the user cancels
or starts another request of the kind, or the job fails or is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec

from octoscope.scene import SaveError
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.document.questions import PendingQuestion, Question
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.writing import write, write_snapshot

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class WriteJob:
    """Something to run on a thread, as viewer.editing.writing does."""

    label: str
    # takes a function to report progress to; with `of_snapshot` also, before it, a copy of the scene
    run: Callable[..., object]
    subject: str = ""  # the messages that its result replaces
    of_snapshot: bool = False  # whether to work on a copy, so that the scene can be edited meanwhile


@dataclass(frozen=True)
class WaitForJobs:
    """A request to continue once all jobs have ended; of several with one label only the last continues."""

    label: str


Flow = Generator[PathRequest | Question | WriteJob | WaitForJobs, Any, None]


def starts(flow: Callable[Concatenate[Any, Arguments], Flow]) -> Callable[Concatenate[Any, Arguments], None]:
    """Return a method that runs the flow which another method creates, by the FlowRunner in `self.flows`."""

    @wraps(flow)
    def start(self: Any, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> None:
        self.flows.start(flow(self, *arguments, **options))

    return start


class FlowRunner:
    """Runs flows: passes their requests on and resumes them with the answers."""

    def __init__(self, editor: Editor, ask_path: Callable[[PathRequest], object]) -> None:
        self.pending = PendingQuestion()
        self._editor = editor
        self._ask_path = ask_path

    def start(self, flow: Flow, answer: object = None) -> None:
        """Run a flow up to its next request; `answer`: to the last one."""
        try:
            request = flow.send(answer)
        except StopIteration:
            return
        except SaveError as error:
            self._editor.log.say("error", str(error), "saving")
            return
        resume = partial(self.start, flow)
        match request:
            case PathRequest():
                self._ask_path(replace(request, choose=resume))
            case Question():
                self.pending.ask(request, resume)
            case WriteJob(label, run, subject, of_snapshot):
                (write_snapshot if of_snapshot else write)(self._editor, label, run, resume, subject=subject)
            case WaitForJobs(label):
                self._editor.jobs.after_writing(label, partial(resume, None))
