"""A window that is operated by calls, and the time that each of its frames blocks its thread.

Meshes are not drawn: without a graphics card that takes longer than all the rest. Uploads for drawing are not counted
either; preparing the data is. On a busy machine frames take longer; the processor time of the window's own thread is
therefore reported as well.
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

from octoscope.scene import Scene
from octoscope.scene.loading.read import BackgroundReader
from octoscope.viewer.app.app import App
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.stats import StageTimes
from octoscope.viewer.settings.config import FOLDER_VARIABLE
from octoscope.viewer.window.window import display_is_missing
from tests.benchmarks.harness import Result

LIMIT_MS = 100.0  # what a person does not take for standing still
_DRAWING = ("render", "show")
_SIZE = (1280, 720)


@dataclass
class _FrameTimes:
    """The times of one frame in seconds: all of it, drawing, and the processor time of the thread without drawing."""

    wall: float
    drawing: float
    own_cpu: float

    @property
    def own(self) -> float:
        """The time without drawing."""
        return self.wall - self.drawing


class _WatchedTimes(StageTimes):
    """Stage times that add up what drawing takes."""

    def __init__(self) -> None:
        super().__init__()
        self.drawing = self.drawing_cpu = 0.0
        self._in_stage = False

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure a stage."""
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        self._in_stage |= name in _DRAWING
        with super().stage(name):
            yield
        if name in _DRAWING:
            self.drawing += time.perf_counter() - begin
            self.drawing_cpu += time.thread_time() - begin_cpu
            self._in_stage = False

    def as_drawing(self, call: Callable[..., bool]) -> Callable[..., bool]:
        """Return a call whose time counts as drawing."""

        def run(*arguments: object) -> bool:
            with self.stage(_DRAWING[0]):
                return call(*arguments)

        return run

    def not_drawing(self, call: Callable[..., object]) -> Callable[..., None]:
        """Return a call whose time does not count as drawing."""

        def run(*arguments: object) -> None:
            begin, begin_cpu = time.perf_counter(), time.thread_time()
            call(*arguments)
            if self._in_stage:
                self.drawing -= time.perf_counter() - begin
                self.drawing_cpu -= time.thread_time() - begin_cpu

        return run


class TimedWindow:
    """A window that is operated by calls."""

    def __init__(self, scene: Scene) -> None:
        self.frames: list[_FrameTimes] = []  # times of the frames since `measure` began
        self._times = _WatchedTimes()
        self.app = App(scene, DocumentOptions("city"), size=_SIZE)
        picture = self.app._picture
        picture.refine = self._times.as_drawing(picture.refine)  # type: ignore[method-assign]
        drawing = self.app._renderer.passes.meshes
        drawing._draw_element = lambda *_: 1  # type: ignore[method-assign]  # drawing itself is left out
        meshes = drawing._gpu_scene.meshes
        meshes.upload_pending = self._times.not_drawing(meshes.upload_pending)  # type: ignore[method-assign]

    def show(self, scene: Scene, *, reader: BackgroundReader | None = None) -> None:
        """Show another document in the window."""
        self.app.set_document(scene, "city", reader=reader)

    def run_frame(self, act: Callable[[], object] | None = None) -> None:
        """Run one frame, with a call at its beginning."""
        times = self.app.view.times = self._times
        times.drawing = times.drawing_cpu = 0.0
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        if act is not None:
            act()
            self.app.view.redraw.request(Damage.SCENE)  # as after an event
        self.app.run_once()
        wall, cpu = time.perf_counter() - begin, time.thread_time() - begin_cpu
        self.frames.append(_FrameTimes(wall, times.drawing, cpu - times.drawing_cpu))

    def do(self, *acts: Callable[[], object], until: Callable[[], bool] = lambda: True) -> None:
        """Make calls, one a frame, and wait until the condition holds and the window is idle."""
        for act in acts:
            self.run_frame(act)
        app = self.app
        while not (until() and app.is_idle and not app.session.editor.jobs.is_going):
            self.run_frame()

    def measure(self, name: str, *acts: Callable[[], object], until: Callable[[], bool] = lambda: True) -> Result:
        """Make calls as `do`, and return the longest frame."""
        self.frames = []
        begin = time.perf_counter()
        self.do(*acts, until=until)
        seconds = time.perf_counter() - begin
        longest = max(frame.own for frame in self.frames)
        whole = max(frame.wall for frame in self.frames)
        busiest = max(frame.own_cpu for frame in self.frames)
        note = f"at work {busiest * 1e3:.0f} ms; with drawing {whole * 1e3:.0f} ms; all took {seconds:.1f} s"
        return Result(name, longest * 1e3, {"the limit": LIMIT_MS}, note=note)

    def close(self) -> None:
        """Close document and window."""
        self.app.end()
        self.app.run()


@contextmanager
def configured(folder: Path) -> Iterator[None]:
    """Use a folder of settings instead of the user's own in the meantime."""
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
    """Provide a display, virtual if necessary; False if that is impossible."""
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
        assert server.stdout is not None
        os.environ["DISPLAY"] = f":{server.stdout.readline().decode().strip()}"
        yield True
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait()
