"""GpuTimer: the time that the graphics card takes, measured by the card itself, so that nothing waits for it."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import moderngl

from octoscope.viewer.rendering.context.opengl import gl_function

_TIME_ELAPSED, _CURRENT_QUERY, _QUERY_RESULT, _QUERY_RESULT_AVAILABLE = 0x88BF, 0x8865, 0x8866, 0x8867
_NO_TIME_NS = 2**32 - 1  # or more, where a driver has none

Label = TypeVar("Label")


class GpuTimer(Generic[Label]):
    """Measures drawing with a context.

    It is of no use where the processor draws: there the calls that draw take the time themselves, and a query counts a
    part of it.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        # moderngl's queries do not say whether there is a result, and wait for it.
        self._make = gl_function(ctx, "glGenQueries", 1, ctypes.c_void_p)
        self._begin = gl_function(ctx, "glBeginQuery", 2)
        self._end = gl_function(ctx, "glEndQuery", 1)
        self._delete = gl_function(ctx, "glDeleteQueries", 1, ctypes.c_void_p)
        self._current = gl_function(ctx, "glGetQueryiv", 2, ctypes.c_void_p)
        self._number = gl_function(ctx, "glGetQueryObjectuiv", 2, ctypes.c_void_p)
        self._large_number = gl_function(ctx, "glGetQueryObjectui64v", 2, ctypes.c_void_p)
        self._unused: list[int] = []  # names of queries
        self._pending: deque[tuple[int, Label]] = deque()  # oldest first

    @contextmanager
    def measure(self, label: Label) -> Iterator[None]:
        """Measure what is drawn inside; `label` is returned with the time, unless somebody else measures already."""
        others = ctypes.c_int(0)
        self._current(_TIME_ELAPSED, _CURRENT_QUERY, ctypes.byref(others))
        if others.value:
            yield
            return
        query = ctypes.c_uint(self._unused.pop() if self._unused else 0)
        if not query.value:
            self._make(1, ctypes.byref(query))
        self._begin(_TIME_ELAPSED, query.value)
        try:
            yield
        finally:
            self._end(_TIME_ELAPSED)
        self._pending.append((query.value, label))

    def release(self) -> None:
        """Delete the OpenGL objects."""
        for name in (*self._unused, *(query for query, _ in self._pending)):
            self._delete(1, ctypes.byref(ctypes.c_uint(name)))
        self._unused, self._pending = [], deque()

    def take(self) -> tuple[Label, float] | None:
        """Return the oldest measurement's label and milliseconds, once; None while the card is busy with it."""
        if not self._pending:
            return None
        query, label = self._pending[0]
        is_there, elapsed_ns = ctypes.c_uint(0), ctypes.c_uint64(0)
        self._number(query, _QUERY_RESULT_AVAILABLE, ctypes.byref(is_there))
        if not is_there.value:
            return None
        self._large_number(query, _QUERY_RESULT, ctypes.byref(elapsed_ns))
        self._pending.popleft()
        self._unused.append(query)
        return None if elapsed_ns.value >= _NO_TIME_NS else (label, elapsed_ns.value / 1e6)
