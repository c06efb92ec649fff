"""Progress and time of compiling kernels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from octree.jit import Kernel, listening

PATIENCE_SECONDS = 1.0  # of compiling, before the user is told


@contextmanager
def report_progress(kernels: Sequence[Kernel], tell: Callable[[float], object]) -> Iterator[None]:
    """Call `tell` with the fraction of kernels that are compiled or loaded, each time one was compiled."""
    waiting = list(kernels)

    def report() -> None:
        nonlocal waiting
        count = len(waiting)
        waiting = [kernel for kernel in waiting if not kernel.is_loaded]
        if len(waiting) < count:  # and it was not one of numba's own functions
            tell(1.0 - len(waiting) / len(kernels))

    with listening(lambda: None, report):
        yield


class CompileTimer:
    """Adds up the time of compiling; numba compiles one kernel at a time, with those that it calls.

    Args:
        tell: called once, when compiling has taken PATIENCE_SECONDS and another kernel begins.

    Attributes:
        seconds: so far.
    """

    def __init__(self, tell: Callable[[], object]) -> None:
        self.seconds = 0.0
        self._tell: Callable[[], object] | None = tell
        self._depth = 0
        self._begin = 0.0

    def begin(self) -> None:
        """Start the clock at the outermost kernel."""
        if self._depth == 0:
            self._begin = time.perf_counter()
        self._depth += 1
        if self._tell is not None and self._seconds_now > PATIENCE_SECONDS:
            self._tell()
            self._tell = None

    def end(self) -> None:
        """Stop the clock after the outermost kernel."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begin

    @property
    def _seconds_now(self) -> float:
        return self.seconds + time.perf_counter() - self._begin


@contextmanager
def time_compiling(tell: Callable[[], object]) -> Iterator[CompileTimer]:
    """Measure the time of compiling in the meantime, and call `tell` once if it becomes long."""
    timer = CompileTimer(tell)
    with listening(timer.begin, timer.end):
        yield timer
