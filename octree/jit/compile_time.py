"""CompileTimer: how long this process has compiled kernels, and what the user is told meanwhile."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 1.0  # of compiling one kernel after another, before the user is told
_STEP = 0.1  # of the work, between two lines for a reader that is no terminal


class CompileTimer:
    """Adds up the time of compiling, and says on standard error, or to a listener, what goes on.

    Attributes:
        seconds: so far.
        is_told: whether the user knows of kernels that are compiled one by one. If not, a line says so when that has
            taken PATIENCE_SECONDS and another kernel begins.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.is_told = False
        self._depth = 0
        self._begin = 0.0
        self._listener: Callable[[float], object] | None = None
        self._told = -1.0

    def begin(self) -> None:
        """Start the clock at the outermost kernel."""
        if self._depth == 0:
            self._begin = time.perf_counter()
        self._depth += 1
        if not self.is_told and self.seconds + time.perf_counter() - self._begin > PATIENCE_SECONDS:
            self.is_told = True
            self.say("compiling kernels, as is needed once after installing; `octoscope compile` compiles all of them")

    def end(self) -> None:
        """Stop the clock after the outermost kernel."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begin

    def tell(self, fraction: float) -> None:
        """Show how much of a library is compiled: to the listener, in a line of a terminal, or now and then a line."""
        self.is_told = True
        if self._listener is not None:
            self._listener(fraction)
        elif sys.stderr is not None and sys.stderr.isatty():
            end = "\n" if fraction >= 1.0 else ""
            sys.stderr.write(f"\roctoscope: compiling kernels, once: {fraction:4.0%}{end}")
            sys.stderr.flush()
        elif fraction >= min(self._told + _STEP, 1.0) > self._told:
            self._told = fraction
            self.say(f"compiling kernels, once: {fraction:.0%}")

    def say(self, line: str) -> None:
        """Write a line to standard error, which a program without a console lacks."""
        if sys.stderr is not None:
            sys.stderr.write(f"octoscope: {line}\n")
            sys.stderr.flush()

    @contextmanager
    def listening(self, listener: Callable[[float], object]) -> Iterator[None]:
        """Call a function with the fraction that is compiled, in place of writing it."""
        self._listener, before = listener, self._listener
        try:
            yield
        finally:
            self._listener = before
