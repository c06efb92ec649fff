"""OpenGL without a window: a context from what the machine offers, and a framebuffer as an image."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, TypeVar

import moderngl
from PIL import Image

_BACKENDS = ("egl", None) if sys.platform.startswith("linux") else (None,)

_T = TypeVar("_T")


class NoOpenGL(Exception):
    """No OpenGL context can be made; the message is one line that says what was tried and what to do."""


def create_context() -> moderngl.Context:
    """Create an OpenGL 3.3 core context or better without a window.

    EGL is tried first, as it needs no display, then the platform's own way.

    Raises:
        NoOpenGL: none of them works.
    """
    failures = []
    for backend in _BACKENDS:
        options: dict[str, Any] = {} if backend is None else {"backend": backend}
        try:
            with _quiet_drivers():
                return moderngl.create_context(standalone=True, require=330, **options)
        except Exception as error:  # each backend fails in its own way, down to a bare Exception
            failures.append(f"{backend or 'default'}: {' '.join(str(error).split()) or type(error).__name__}")
    remedy = "install a graphics driver with OpenGL 3.3"
    if sys.platform.startswith("linux") and not (ctypes.util.find_library("EGL") and ctypes.util.find_library("GL")):
        remedy = "install Mesa: apt-get install libegl1 libgl1 libgl1-mesa-dri"
    raise NoOpenGL(f"no OpenGL 3.3 here ({'; '.join(failures)}); {remedy}")


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
            library = ctypes.util.find_library("EGL")
            if library is not None:  # a context that is still current when its thread ends is never deleted
                ctypes.CDLL(library).eglReleaseThread()

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


def image_of(framebuffer: moderngl.Framebuffer) -> Image.Image:
    """Return a framebuffer's colours as an RGB image, top row first."""
    data = framebuffer.read(components=3, alignment=1)
    return Image.frombytes("RGB", framebuffer.size, data).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
