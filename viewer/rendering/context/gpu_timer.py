"""GpuTimer: the time that the graphics card takes, measured by the card itself, so that nothing waits for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import moderngl

_NO_TIME_NS = 2**32 - 1  # moderngl's value where a driver has none
# Turns after which a measurement is read: drivers let the card be two frames behind, and reading earlier would wait.
_TURNS = 3

Label = TypeVar("Label")


class GpuTimer(Generic[Label]):
    """Measures drawing with a context.

    It is of no use where the processor draws: there the calls that draw take the time themselves, and a query counts a
    part of it.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._unused: list[moderngl.Query] = []
        self._pending: deque[tuple[moderngl.Query, Label, int]] = deque()  # oldest first; with the turn it began in
        self._turn = 0

    @contextmanager
    def measure(self, label: Label) -> Iterator[None]:
        """Measure what is drawn inside; `label` is returned with the time."""
        query = self._unused.pop() if self._unused else self._ctx.query(time=True)
        with query:
            yield
        self._pending.append((query, label, self._turn))

    def take(self) -> tuple[Label, float] | None:
        """Return a measurement's label and milliseconds, once; None where none is old enough to be read at once.

        Call it once in each turn of the window's loop.
        """
        self._turn += 1
        if not self._pending or self._turn < self._pending[0][2] + _TURNS:
            return None
        query, label, _ = self._pending.popleft()
        elapsed_ns = query.elapsed
        self._unused.append(query)
        return None if elapsed_ns >= _NO_TIME_NS else (label, elapsed_ns / 1e6)
