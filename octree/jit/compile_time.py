"""CompileTimer: how long this process has compiled kernels, and a line about it where nobody else shows progress."""

from __future__ import annotations

import sys
import time

PATIENCE_SECONDS = 1.0  # of compiling, before the user is told
_TOLD = "octoscope: compiling kernels, as is needed once after installing; `octoscope compile` compiles all of them\n"


class CompileTimer:
    """Adds up the time of compiling; numba compiles one kernel at a time, with those that it calls.

    Attributes:
        seconds: so far.
        is_told: whether the user knows. If not, standard error tells it when compiling has taken PATIENCE_SECONDS and
            another kernel begins.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.is_told = False
        self._depth = 0
        self._begin = 0.0

    def begin(self) -> None:
        """Start the clock at the outermost kernel."""
        if self._depth == 0:
            self._begin = time.perf_counter()
        self._depth += 1
        if not self.is_told and self.seconds + time.perf_counter() - self._begin > PATIENCE_SECONDS:
            self.is_told = True
            if sys.stderr is not None:  # which a program without a console lacks
                sys.stderr.write(_TOLD)

    def end(self) -> None:
        """Stop the clock after the outermost kernel."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begin
