"""GpuTimer: the time that the graphics card takes, measured by the card itself, so that nothing waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

_NO_TIME_NS = 2**32 - 1  # moderngl's value where a driver has none, such as for the first query of llvmpipe


class GpuTimer:
    """Measures drawing with a context, one measurement at a time."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._query = ctx.query(time=True)
        self._is_pending = False

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure what is drawn inside."""
        with self._query:
            yield
        self._is_pending = True

    def take(self) -> float | None:
        """Return the milliseconds that were measured last, once; None where there are none to be had.

        Call it after the picture was shown; before, it may have to wait for the card.
        """
        if not self._is_pending:
            return None
        self._is_pending = False
        elapsed_ns = self._query.elapsed
        return None if elapsed_ns >= _NO_TIME_NS else elapsed_ns / 1e6
