"""OpenGL without a window: a context from what the machine offers, and a framebuffer as an image."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from itertools import product
from typing import Any, TypeVar

import moderngl
import numpy as np

from viewer.rendering.context.driver_loading import LIBRARY
from viewer.window.opengl_versions import VERSIONS

_IS_LINUX = sys.platform.startswith("linux")
# Ways to a context without a window, in the order in which they are tried, with options of moderngl.create_context.
BACKENDS: dict[str, dict[str, Any]] = {"default": {}}
if _IS_LINUX:
    BACKENDS = {"egl": {"backend": "egl", "libegl": LIBRARY, "libgl": "libGL.so.1"}, "glx": {}}

_T = TypeVar("_T")


class NoOpenGL(Exception):
    """No OpenGL context can be made; the message is one line that says what was tried and what to do."""


def create_context(*backends: str) -> moderngl.Context:
    """Create an OpenGL core context without a window, of the newest of VERSIONS that there is.

    Args:
        *backends: those of BACKENDS that are tried, in this order; none: all. EGL comes first, as it needs no display.

    Raises:
        NoOpenGL: none of them works.
    """
    failures = {}
    for backend, (major, minor) in product(backends or BACKENDS, VERSIONS):
        try:
            with _quiet_drivers():
                return moderngl.create_context(standalone=True, require=100 * major + 10 * minor, **BACKENDS[backend])
        except Exception as error:  # each backend fails in its own way, down to a bare Exception
            failures[backend] = f"{backend}: {' '.join(str(error).split()) or type(error).__name__}"
    from ctypes.util import find_library  # only here: it takes long to import

    remedy = "install a graphics driver with OpenGL 3.3"
    if _IS_LINUX and not (find_library("EGL") and find_library("GL")):
        remedy = "install Mesa: apt-get install libegl1 libgl1 libgl1-mesa-dri"
    raise NoOpenGL(f"no OpenGL 3.3 here ({'; '.join(failures.values())}); {remedy}")


def in_thread_of_its_own(draw: Callable[[moderngl.Context], _T]) -> _T:
    """Call `draw` with a new context, in a new thread, and return what it returns.

    Each thread has a current OpenGL context of its own, so a caller that draws with OpenGL too keeps its context.

    Raises:
        NoOpenGL: as `create_context`. What `draw` raises.
    """

    def run() -> _T:
        ctx = create_context()
        try:
            return draw(ctx)
        finally:
            ctx.release()
            if _IS_LINUX:  # a context that is still current when its thread ends is never deleted
                with suppress(OSError):  # another backend made it, without EGL
                    ctypes.CDLL(LIBRARY).eglReleaseThread()

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="offscreen") as threads:
        return threads.submit(copy_context().run, run).result()


@contextmanager
def _quiet_drivers() -> Iterator[None]:
    """Silence standard error: drivers write there about missing parts, and NoOpenGL tells what fails."""
    sys.stderr.flush()
    saved, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nothing)


def image_of(framebuffer: moderngl.Framebuffer) -> np.ndarray:
    """Return a framebuffer's colours as (height, width, 3) uint8 RGB, top row first."""
    width, height = framebuffer.size
    data = np.frombuffer(framebuffer.read(components=3, alignment=1), dtype=np.uint8)
    return data.reshape(height, width, 3)[::-1]
