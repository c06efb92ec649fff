"""GpuTimer: how long the graphics card takes, asked of the card itself, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

_NO_TIME_NS = 2**32 - 1  # what moderngl gives where a driver has none, such as for the first query of llvmpipe's


class GpuTimer:
    """Times what is drawn with a context, one thing after the other."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._query = ctx.query(time=True)
        self._is_pending = False

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Time what is drawn inside."""
        with self._query:
            yield
        self._is_pending = True

    def take(self) -> float | None:
        """Return the milliseconds that were measured last, once; None where there are none to be had.

        To be asked for when the picture was shown: before, the card may still be at it, and this waits.
        """
        if not self._is_pending:
            return None
        self._is_pending = False
        elapsed_ns = self._query.elapsed
        return None if elapsed_ns >= _NO_TIME_NS else elapsed_ns / 1e6
