"""A window that is worked by calls, and how long each of its turns holds its thread.

Meshes are not drawn, which is the card's part and on a machine without one takes longer than all the rest; what is
sent to the card for it is measured apart, making ready what goes there is not. On a busy machine a turn takes longer
than it would: beside it stands the processor time of the window's own thread.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scene import Scene
from scene.loading.read import BackgroundReader
from viewer.app.app import App
from viewer.app.session import DocumentOptions
from viewer.benchmarks.harness import Result
from viewer.frame.redraw import Damage
from viewer.frame.timing import StageTimes
from viewer.settings.config import FOLDER_VARIABLE
from viewer.window.window import display_is_missing

LIMIT_MS = 100.0  # what a person does not take for standing still
_DRAWING = ("render", "show")
_SIZE = (1280, 720)


@dataclass
class _Turn:
    """One turn, seconds: all of it, what of it was drawing, and what the window's thread did in the rest."""

    wall: float
    drawing: float
    own_cpu: float

    @property
    def own(self) -> float:
        return self.wall - self.drawing


class _WatchedTimes(StageTimes):
    """Adds up what drawing takes."""

    def __init__(self) -> None:
        super().__init__()
        self.drawing = self.drawing_cpu = 0.0
        self._in_stage = False

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        self._in_stage |= name in _DRAWING
        with super().stage(name):
            yield
        if name in _DRAWING:
            self.drawing += time.perf_counter() - begin
            self.drawing_cpu += time.thread_time() - begin_cpu
            self._in_stage = False

    def not_drawing(self, call: Callable[..., object]) -> Callable[..., object]:
        """The same, but what it takes does not count as drawing."""

        def run(*arguments: object) -> None:
            begin, begin_cpu = time.perf_counter(), time.thread_time()
            call(*arguments)
            if self._in_stage:
                self.drawing -= time.perf_counter() - begin
                self.drawing_cpu -= time.thread_time() - begin_cpu

        return run


class TimedWindow:
    """A window that is worked by calls, and what its turns took.

    Attributes:
        turns: of the step that goes on.
    """

    def __init__(self, scene: Scene, *, reader: BackgroundReader | None = None) -> None:
        self.turns: list[_Turn] = []
        self._times = _WatchedTimes()
        self.app = App(scene, DocumentOptions("city"), reader=reader, size=_SIZE)
        drawing = self.app._renderer._meshes
        drawing._draw_element = lambda program, draws, element: 1  # the card's part, which does not count, is left out
        meshes = drawing._gpu_scene.meshes
        meshes.go_on = self._times.not_drawing(meshes.go_on)

    def show(self, scene: Scene, *, reader: BackgroundReader | None = None) -> None:
        """Show another document in the same window."""
        self.app.set_document(scene, "city", reader=reader)

    def turn(self, act: Callable[[], object] | None = None) -> None:
        """One turn, in which somebody does something."""
        times = self.app.view.times = self._times
        times.drawing = times.drawing_cpu = 0.0
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        if act is not None:
            act()
            self.app.view.redraw.request(Damage.SCENE)  # as after an event
        self.app.turn()
        wall, cpu = time.perf_counter() - begin, time.thread_time() - begin_cpu
        self.turns.append(_Turn(wall, times.drawing, cpu - times.drawing_cpu))

    def do(self, *acts: Callable[[], object], until: Callable[[], bool] = lambda: True) -> None:
        """Do things, a turn each, and wait until that is so and the window has come to rest."""
        for act in acts:
            self.turn(act)
        app = self.app
        while not (until() and app.is_idle and not app.session.editor.jobs.is_going):
            self.turn()

    def measure(self, name: str, *acts: Callable[[], object], until: Callable[[], bool] = lambda: True) -> Result:
        """The longest turn until that is so and the window has come to rest."""
        self.turns = []
        begin = time.perf_counter()
        self.do(*acts, until=until)
        seconds = time.perf_counter() - begin
        longest = max(turn.own for turn in self.turns)
        whole = max(turn.wall for turn in self.turns)
        busiest = max(turn.own_cpu for turn in self.turns)
        note = f"at work {busiest * 1e3:.0f} ms; with drawing {whole * 1e3:.0f} ms; all took {seconds:.1f} s"
        return Result(name, longest * 1e3, {"the limit": LIMIT_MS}, note=note)

    def close(self) -> None:
        """Let go of the scene, and of the window."""
        self.app.end()
        self.app.run()


@contextmanager
def configured(folder: Path) -> Iterator[None]:
    """Nothing of the person's own is read or written meanwhile."""
    before = os.environ.get(FOLDER_VARIABLE)
    os.environ[FOLDER_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[FOLDER_VARIABLE]
        else:
            os.environ[FOLDER_VARIABLE] = before


@contextmanager
def a_display() -> Iterator[bool]:
    """The display that there is, or one without a monitor; False where there is none to be had."""
    if not display_is_missing():
        yield True
        return
    if shutil.which("Xvfb") is None:
        yield False
        return
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", f"{_SIZE[0]}x{_SIZE[1]}x24", "-noreset", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        os.environ["DISPLAY"] = f":{server.stdout.readline().decode().strip()}"
        yield True
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait()
