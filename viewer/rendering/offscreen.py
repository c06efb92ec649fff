"""Pictures without a window: a context from whatever the machine offers, and a framebuffer as an image."""

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
    """An OpenGL 3.3 core context or better, with no window: EGL first (it needs no display), then the platform's own.

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
    mend = "install a graphics driver with OpenGL 3.3"
    if sys.platform.startswith("linux") and not (ctypes.util.find_library("EGL") and ctypes.util.find_library("GL")):
        mend = "install Mesa: apt-get install libegl1 libgl1 libgl1-mesa-dri"
    raise NoOpenGL(f"no OpenGL 3.3 here ({'; '.join(failures)}); {mend}")


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
    """Drivers that are missing their parts say so on the process's standard error; what fails is told by NoOpenGL."""
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
    """A framebuffer's colours as an RGB image, top row first."""
    data = framebuffer.read(components=3, alignment=1)
    return Image.frombytes("RGB", framebuffer.size, data).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
