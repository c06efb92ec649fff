"""Progress and time of compiling numba kernels."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from numba.core import event
from numba.core.dispatcher import Dispatcher

_COMPILED = "numba:compile"  # numba's event of compiling; loading from the cache has none
PATIENCE_SECONDS = 1.0  # of compiling, before the user is told


def kernels_of(packages: Sequence[str]) -> list[Dispatcher]:
    """Return all kernels in the modules of these packages that were imported."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in packages]
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    return list(found.values())


@contextmanager
def report_progress(kernels: Sequence[Dispatcher], tell: Callable[[float], object]) -> Iterator[None]:
    """Call `tell` with the fraction of kernels that are compiled or loaded, each time one was compiled."""
    listener = _Listener(kernels, tell)
    event.register(_COMPILED, listener)
    try:
        yield
    finally:
        event.unregister(_COMPILED, listener)


class _Listener(event.Listener):
    def __init__(self, kernels: Sequence[Dispatcher], tell: Callable[[float], object]) -> None:
        self._left = list(kernels)
        self._count = len(self._left)
        self._tell = tell

    def on_start(self, _: event.Event) -> None:
        """Do nothing: only finished kernels count."""

    def on_end(self, _: event.Event) -> None:
        """Report the progress, if a kernel of the program was compiled, and not one of numba's own."""
        left = [kernel for kernel in self._left if not kernel.overloads]
        if len(left) < len(self._left):
            self._left = left
            self._tell(1.0 - len(left) / self._count)


class CompileTimer(event.Listener):
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

    def on_start(self, _: event.Event) -> None:
        """Start the clock at the outermost kernel."""
        if self._depth == 0:
            self._begin = time.perf_counter()
        self._depth += 1
        if self._tell is not None and self._seconds_now > PATIENCE_SECONDS:
            self._tell()
            self._tell = None

    def on_end(self, _: event.Event) -> None:
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
    compiling = CompileTimer(tell)
    event.register(_COMPILED, compiling)
    try:
        yield compiling
    finally:
        event.unregister(_COMPILED, compiling)
