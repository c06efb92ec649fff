"""Interrupting a script: a person ends what runs for too long."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SECONDS = 0.05  # between two looks


@contextmanager
def interruptible(is_asked: Callable[[], bool], runners: tuple[str, ...]) -> Iterator[None]:
    """Raise KeyboardInterrupt in what a script does below as soon as `is_asked` says so.

    Never within a call of octoscope, which would be left half done. It does nothing where the system has no timers, on
    other threads than the main one, and where somebody else has set a timer.

    Args:
        is_asked: called on this thread, 20 times a second, between two steps of the script.
        runners: beginnings of the names of the modules of octoscope that call scripts.
    """

    def look(_: int, frame: FrameType | None) -> None:
        while frame is not None and not (name := frame.f_globals.get("__name__", "")).startswith("octoscope."):
            frame = frame.f_back
        if frame is not None and name.startswith(runners) and is_asked():
            raise KeyboardInterrupt("Ctrl+C in the window")

    can = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not can or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
