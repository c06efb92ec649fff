"""OpenGL without a window: a context from what the machine offers, its thread, and a framebuffer as an image."""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from itertools import product
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Protocol, TypeAlias, TypeVar

import moderngl
import numpy as np

from octoscope.scene.system.text_file import reason_of
from octoscope.viewer.rendering.context.driver_loading import LIBRARY
from octoscope.viewer.rendering.context.opengl import count_kept, keeping_default_context
from octoscope.viewer.window.opengl_request import opengl_request

_IS_LINUX = sys.platform.startswith("linux")
# Ways to a context without a window, in the order in which they are tried, with options of moderngl.create_context.
BACKENDS: dict[str, dict[str, Any]] = {"default": {}}
if _IS_LINUX:
    BACKENDS = {"egl": {"backend": "egl", "libegl": LIBRARY, "libgl": "libGL.so.1"}, "glx": {}}

# Programs of a context: a scene needs a few dozen, and each environment some of its own.
_MOST_KEPT = 500

_T = TypeVar("_T")
_Jobs: TypeAlias = "SimpleQueue[Callable[[moderngl.Context | None], moderngl.Context | None] | None]"
_had_context: set[int] = set()  # this process, and those that it was forked from


class HasContext(Protocol):
    """What was made with a context."""

    ctx: moderngl.Context

    def release(self) -> None:
        """Delete its OpenGL objects."""


class NoOpenGL(Exception):
    """No OpenGL context can be made; the message is one line that says what was tried and what to do."""


def create_context(*backends: str) -> moderngl.Context:
    """Create an OpenGL core context without a window, of the newest version that is asked for and to be had.

    Args:
        *backends: those of BACKENDS that are tried, in this order; none: all. EGL comes first, as it needs no display.

    Raises:
        NoOpenGL: none of them works, or this process was forked from one that had a context: drivers wait for ever
            for threads that only that process has.
    """
    if _had_context - {os.getpid()}:
        raise NoOpenGL(
            "this process was forked from one that had drawn with OpenGL, which cannot go on here; "
            "start processes by multiprocessing's 'spawn', or before the first picture"
        )
    request, failures = opengl_request(), {}
    for backend, (major, minor) in product(backends or BACKENDS, request.versions):
        try:
            with _quiet_drivers(), keeping_default_context():
                ctx = moderngl.create_context(standalone=True, require=100 * major + 10 * minor, **BACKENDS[backend])
        except Exception as error:  # each backend fails in its own way, down to a bare Exception
            failures[backend] = f"{backend}: {reason_of(error)}"
        else:
            _had_context.add(os.getpid())
            ctx.version_code = request.used_version(ctx.version_code)
            return ctx
    from ctypes.util import find_library  # only here: it takes long to import

    remedy = "install a graphics driver with OpenGL 3.3"
    if _IS_LINUX and not (find_library("EGL") and find_library("GL")):
        remedy = "install Mesa: apt-get install libegl1 libgl1 libgl1-mesa-dri"
    raise NoOpenGL(f"no OpenGL 3.3 here ({'; '.join(failures.values())}); {remedy}")


class OffscreenThread:
    """The thread that draws pictures without a window, one after the other, whichever threads ask for them.

    Each thread has a current OpenGL context of its own, so a caller that draws with OpenGL too keeps its context. The
    context is made for the first picture and kept, with the programs that were compiled, until the program ends. It is
    given up after an error, as the driver may have been reset, and when it has very many programs; the next picture
    gets another.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._jobs: _Jobs = SimpleQueue()

    def call(self, draw: Callable[[moderngl.Context], _T]) -> _T:
        """Call `draw` with the context, in the thread, and return what it returns.

        Raises:
            NoOpenGL: as `create_context`. What `draw` raises.
        """
        variables = copy_context()
        done = self._begin(lambda ctx: variables.run(draw, ctx))
        try:
            return done.result()
        finally:
            if not done.cancel():
                wait([done])  # also after Ctrl+C: what is drawn is the caller's, who may change it from here on
            del done  # it holds an error, whose traceback holds this frame

    def _begin(self, draw: Callable[[moderngl.Context], _T]) -> Future[_T]:
        done: Future[_T] = Future()
        with self._lock:
            if self._thread is None:
                self._jobs = SimpleQueue()
                self._thread = Thread(target=_serve, args=(self._jobs,), name="offscreen", daemon=True)
                self._thread.start()
                atexit.register(self.end)
            self._jobs.put(partial(_draw, done, draw))
        return done

    def release(self, part: HasContext) -> None:
        """Have a part of the context released before the next picture, unless its context is gone.

        This returns at once, and may be called while garbage is collected.
        """
        if os.getpid() == self._process:
            self._jobs.put(partial(_release_part, part))

    def end(self) -> None:
        """Release the context and end the thread, once it has drawn what it was asked for; a later call begins anew."""
        if os.getpid() != self._process:
            return  # a fork has none of the threads
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            atexit.unregister(self.end)
            self._jobs.put(None)
            thread.join()


_threads: dict[int, OffscreenThread] = {}  # by process


def offscreen_thread() -> OffscreenThread:
    """Return the thread of this process; a forked process does not get that of the one that forked it."""
    return _threads.setdefault(os.getpid(), OffscreenThread())


def _serve(jobs: _Jobs) -> None:
    """Do jobs until there is None: each gets the context, None before there is one, and returns that for the next."""
    ctx: moderngl.Context | None = None
    for job in iter(jobs.get, None):
        ctx = job(ctx)
        del job  # it holds a scene, and the picture
    _release(ctx)


def _draw(
    done: Future[_T], draw: Callable[[moderngl.Context], _T], ctx: moderngl.Context | None
) -> moderngl.Context | None:
    if not done.set_running_or_notify_cancel():
        return ctx
    try:
        ctx = ctx or create_context()
        result = draw(ctx)
    except BaseException as error:  # the caller gets it
        _release(ctx)
        done.set_exception(error)
        return None
    if count_kept(ctx) > _MOST_KEPT:
        _release(ctx)
        ctx = None
    done.set_result(result)
    return ctx


def _release_part(part: HasContext, ctx: moderngl.Context | None) -> moderngl.Context | None:
    if part.ctx is ctx:
        part.release()
    return ctx


def _release(ctx: moderngl.Context | None) -> None:
    if ctx is None:
        return
    ctx.release()
    if _IS_LINUX:  # a context that is still current when its thread ends is never deleted
        with suppress(OSError):  # another backend made it, without EGL
            ctypes.CDLL(LIBRARY).eglReleaseThread()


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
