"""HostContext: an OpenGL context that another program has made and made current, drawn with beside that program.

moderngl has an object of its own for it here: what that remembers, keeps and collects is not the other program's, which
may use moderngl, too.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any
from weakref import WeakValueDictionary

import moderngl

from octoscope.viewer.rendering.context.driver_loading import LIBRARY
from octoscope.viewer.rendering.context.host_state import HostState
from octoscope.viewer.rendering.context.offscreen import NoOpenGL
from octoscope.viewer.rendering.context.opengl import (
    function_of,
    idle_framebuffer,
    keeping_default_context,
    release_framebuffers,
)
from octoscope.viewer.rendering.context.reversed_depth import has_clip_control

# By system, libraries with a function that returns the context that is current, and with those of OpenGL: EGL and GLX
# on Linux, where a program uses one of them.
_SYSTEMS = {
    "linux": (
        (LIBRARY, "eglGetCurrentContext", "eglGetProcAddress"),
        ("libGL.so.1", "glXGetCurrentContext", "glXGetProcAddress"),
    ),
    "win32": (("opengl32", "wglGetCurrentContext", "wglGetProcAddress"),),
    "darwin": (("/System/Library/Frameworks/OpenGL.framework/OpenGL", "CGLGetCurrentContext", ""),),
}
_MAJOR_VERSION, _MINOR_VERSION = 0x821B, 0x821C
_contexts: WeakValueDictionary[int, HostContext] = WeakValueDictionary()  # by their addresses


class HostContext:
    """The context that is current, with what is drawn with it kept apart from what is its owner's.

    Attributes:
        ctx: to draw with, while it is in use.
        users: number of those that draw with it.

    Raises:
        NoOpenGL: none is current, or it is older than OpenGL 3.3.
    """

    def __init__(self) -> None:
        self._address, loader = _current()
        self.users = 0
        version = _version(loader)
        with HostState(loader.load_opengl_function, version, clip_control=version >= 450).put_aside():
            with keeping_default_context():
                moderngl.init_context(loader)
                self.ctx = moderngl.get_context()
            self._state = HostState(
                loader.load_opengl_function, self.ctx.version_code, clip_control=has_clip_control(self.ctx)
            )
            idle_framebuffer(self.ctx).use()  # not the owner's, which moderngl has found in use

    @classmethod
    def current(cls) -> HostContext:
        """Return that of the context that is current, one for all who draw with it; raises as HostContext."""
        address, _ = _current()
        found = _contexts.get(address)
        if found is None:
            found = _contexts[address] = cls()
        return found

    @contextmanager
    def in_use(self) -> Iterator[moderngl.Context]:
        """Draw with the context; its owner's state comes back afterwards.

        Raises:
            RuntimeError: it is not the one that is current.
        """
        self._check()
        with self._state.put_aside():
            _ = self.ctx.error  # what the owner left is not to be taken for an error here
            yield self.ctx

    def in_view(self) -> tuple[int, tuple[int, int, int, int]]:
        """Return OpenGL's name of the framebuffer that its owner draws into, and the viewport there.

        Raises:
            RuntimeError: as `in_use`.
        """
        self._check()
        return self._state.drawn_framebuffer, self._state.viewport

    def _check(self) -> None:
        if all(current() != self._address for current, _ in _functions()):
            raise RuntimeError("another OpenGL context is current than the one that this was drawn with before")

    def leave(self) -> None:
        """Take note that one of those who draw with it has released all of its own; the last releases the rest."""
        self.users -= 1
        if self.users == 0:
            for kept in (self.ctx.extra or {}).values():
                if isinstance(kept, moderngl.Program):
                    kept.release()
            release_framebuffers([idle_framebuffer(self.ctx)])
            self.ctx.extra = {}
            self.ctx.release()  # moderngl's own part of it
            _contexts.pop(self._address, None)


class _Loader:
    """Loads functions of OpenGL for moderngl."""

    def __init__(self, load: Callable[[str], int]) -> None:
        self.load_opengl_function = load

    def __enter__(self) -> None:
        """Do nothing: the owner makes the context current."""

    def __exit__(self, *_: object) -> None:
        """Do nothing."""

    def release(self) -> None:
        """Do nothing: the context is its owner's."""


def _current() -> tuple[int, _Loader]:
    """Return the address of the current context, and what loads its functions."""
    for current, loader in _functions():
        if address := current():
            return address, loader
    raise NoOpenGL("no OpenGL context is current: draw where the program that owns it does")


@cache
def _functions() -> list[tuple[Callable[[], int | None], _Loader]]:
    """Return functions that return the address of the current context, each with what loads functions of OpenGL."""
    found = []
    for name, current, address_of in _SYSTEMS.get(sys.platform, ()):
        with suppress(OSError):
            library = getattr(ctypes, "WinDLL", ctypes.CDLL)(name)
            found.append((_pointer(library, current), _Loader(_load_from(library, address_of))))
    return found


def _pointer(library: ctypes.CDLL, name: str, *arguments: type) -> Callable[..., int | None]:
    """Return a library's function whose result is a pointer."""
    function = getattr(library, name)
    function.argtypes, function.restype = arguments, ctypes.c_void_p
    return function


def _load_from(library: ctypes.CDLL, address_of: str) -> Callable[[str], int]:
    find = _pointer(library, address_of, ctypes.c_char_p) if address_of else lambda name: None

    def load(name: str) -> int:
        # Some systems have the functions of old versions in the library alone.
        return find(name.encode()) or _address(getattr(library, name, None))

    return load


def _address(function: Any | None) -> int:
    return 0 if function is None else ctypes.cast(function, ctypes.c_void_p).value or 0


def _version(loader: _Loader) -> int:
    """Return a context's version as moderngl counts: 330 for OpenGL 3.3."""
    get, number = function_of(loader.load_opengl_function, "glGetIntegerv", 1, ctypes.c_void_p), ctypes.c_int(0)
    digits = []
    for name in (_MAJOR_VERSION, _MINOR_VERSION):
        get(name, ctypes.byref(number))
        digits.append(number.value)
    version = 100 * digits[0] + 10 * digits[1]
    if version < 330:
        raise NoOpenGL(f"the context that is current has OpenGL {digits[0]}.{digits[1]}; 3.3 is needed")
    return version
