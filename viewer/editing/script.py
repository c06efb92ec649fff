"""Script: what scripts and the console have in a window: names, controls; each thing that they do is one undo."""

from __future__ import annotations

import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from octoscope.scene import Nodes
from octoscope.scene.history.recording import Recording
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing import interrupting
from octoscope.viewer.editing.controls import Control
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.frame.redraw import Damage

_RUNNERS = (__name__, "octoscope.viewer.features.")  # modules that call scripts
_SUBJECT = "script"  # of its messages in the log
_GO_ON = "slider", "text"  # which change again and again; browsers tell each letter
_PAUSE_SECONDS = 0.5  # after which another change of such a control is another edit


class Script:
    """The names and controls of scripts in one window, and the calls of their functions.

    What a person does to a control is done by `run_waiting`, between two frames, and while nothing holds the scene.

    Attributes:
        names: of scripts and of the console, as their global variables.
        controls: in the order in which they were added.
        held: the control that the mouse holds, or None: its edit goes on.
    """

    def __init__(self, editor: Editor, is_interrupted: Callable[[], bool] = lambda: False) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.controls: list[Control] = []
        self.held: Control | None = None
        self._editor = editor
        self._is_interrupted = is_interrupted
        self._waiting: deque[tuple[str, Callable[[], object], Control | None]] = deque()
        self._running: Recording | None = None
        self._slid: tuple[Control, Recording, float] | None = None  # what was moved last, its edit, and when

    def add(self, *arguments: Any, **options: Any) -> Control:
        """Add a control; arguments are those of Control."""
        control = Control(*arguments, on_set=self._show, on_remove=self._remove, **options)
        self.controls.append(control)
        self._show(control)
        return control

    def _remove(self, control: Control) -> None:
        if control in self.controls:
            self.controls.remove(control)
            self._show(control)

    def _show(self, _: object) -> None:
        self._editor.view.redraw.request(Damage.PANELS)

    def change(self, control: Control, value: Any = None) -> None:
        """Have a person's choice of a value, or press of a button, take effect."""
        control.value = value
        if all(each is not control for _, _, each in self._waiting):
            self._waiting.append((control.label, control.run, control))

    def call_later(self, label: str, function: Callable[[], object]) -> None:
        """Have `run_waiting` call a function, whose changes of the scene are one edit of this label."""
        self._waiting.append((label, function, None))
        self._show(function)

    def run_waiting(self) -> None:
        """Call what waits, in its order."""
        for _ in range(len(self._waiting)):
            label, function, control = self._waiting.popleft()
            self.run(label, function, control if control is not None and control.kind in _GO_ON else None)
        if self._slid is not None:
            seconds = self._slid[2] + _PAUSE_SECONDS - time.monotonic()
            if seconds > 0.0 or self.held is self._slid[0]:
                self._editor.view.redraw.request_in(Damage.PANELS, max(seconds, _PAUSE_SECONDS))
            else:
                self._end_sliding()

    def run(self, label: str, function: Callable[[], object], slid: Control | None = None) -> bool:
        """Call a function, whose changes of the scene are one edit; return False, and tell why, if it fails.

        Args:
            slid: the control that is moved on and on; all of that is one edit.
        """
        history = self._editor.history
        self.names["selection"] = Nodes(self._editor.scene, self._editor.selected_ids)
        if slid is None or self._slid is None or self._slid[0] is not slid or history.transaction is not self._slid[1]:
            self._end_sliding()
            recording = history.record_changes(label)
        else:
            recording = self._slid[1]
        try:
            with recording:
                self._running = recording
                with interrupting.interruptible(self._is_interrupted, _RUNNERS):
                    function()
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt) and not error.args:  # of the terminal
                raise
            self._tell(error)
            return False
        finally:
            self._running = None
            self._slid = None if slid is None else (slid, recording, time.monotonic())
            if slid is None:
                self._editor.commit(recording)
            self._editor.view.redraw.request(Damage.SCENE)
        return True

    def run_file(self, path: Path, source: bytes, arguments: Sequence[str] = ()) -> bool:
        """Run a file of Python, as `run` runs a function; it finds its arguments in sys.argv, and files beside it."""
        sys.argv = [str(path), *arguments]
        sys.path.insert(0, str(path.parent.absolute()))
        self.names["__file__"] = str(path)
        return self.run(f"Run {path.name}", lambda: exec(compile(source, str(path), "exec"), self.names))

    def end_edit(self) -> None:
        """End the edit of the function that runs: it goes on to work the window itself."""
        if self._running is not None:
            self._editor.commit(self._running)

    def _end_sliding(self) -> None:
        slid, self._slid = self._slid, None
        if slid is not None:
            self._editor.commit(slid[1])

    def _tell(self, error: BaseException) -> None:
        """Tell of an error: the log its file and line, standard error all calls of the script."""
        lines = lines_of(error)
        sys.stderr.write("".join(lines))
        self._editor.log.say("error", printable(f"{_place_of(error)}{lines[-1].strip()}"), _SUBJECT)


def lines_of(error: BaseException) -> list[str]:
    """Return what Python prints of an error, from the first call of the script itself on, without our interrupting."""
    lines = traceback.format_exception(type(error), error, _own_calls(error))
    return [line for line in lines if not line.startswith(f'  File "{interrupting.__file__}"')]


def _own_calls(error: BaseException) -> TracebackType | None:
    calls = error.__traceback__
    while calls is not None and calls.tb_frame.f_globals.get("__name__", "").startswith("octoscope."):
        calls = calls.tb_next
    return calls


def _place_of(error: BaseException) -> str:
    """Return the file and line of the script that failed, as "file.py:3: ", or ""."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}:{error.lineno}: "
    calls = traceback.extract_tb(_own_calls(error))
    lines = [call.lineno for call in calls if call.filename == calls[0].filename]
    return f"{calls[0].filename}:{lines[-1]}: " if lines else ""
