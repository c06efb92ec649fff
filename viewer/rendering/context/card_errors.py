"""DrawError; CardErrors: finds out that the graphics card has no memory left, or that its driver was reset.

OpenGL reports neither by itself: calls go on without effect, and the picture is wrong.
"""

from __future__ import annotations

import ctypes
import time
import warnings
from collections.abc import Callable

import moderngl

from octoscope.viewer.rendering.context.opengl import gl_function

_OUT_OF_MEMORY = "GL_OUT_OF_MEMORY"
_NO_ERROR = "GL_NO_ERROR"
# Of the function that tells of a reset: in OpenGL 4.5, and in two extensions.
_STATUS_FUNCTIONS = {
    "GL_KHR_robustness": "glGetGraphicsResetStatus",
    "GL_ARB_robustness": "glGetGraphicsResetStatusARB",
}


class DrawError(Exception):
    """A picture that this graphics card cannot draw; the message is one line."""


class DriverReset(DrawError):
    """A picture whose context is gone: nothing can be drawn with it any more."""

    def __init__(self) -> None:
        super().__init__("the graphics driver was reset, and all that lay on the card is gone")


class NoMemory(DrawError):
    """A picture that there was no memory for on the graphics card."""

    def __init__(self) -> None:
        super().__init__("the graphics card has no memory left")


class CardErrors:
    """The errors of the card since they were last asked for.

    Args:
        ctx: that draws; it must be current when it is asked.
        pause_seconds: least time between two questions: drivers that draw on a thread of their own wait for it then.
    """

    def __init__(self, ctx: moderngl.Context, pause_seconds: float = 0.0) -> None:
        self._ctx = ctx
        self._pause_seconds = pause_seconds
        self._next = 0.0  # time of the next question
        _ = ctx.error  # what others left is not this one's
        self._reset_status = _reset_status_of(ctx)
        self._is_lost = False  # the driver may tell of a reset once

    def take(self, *, at_once: bool = False) -> DriverReset | NoMemory | None:
        """Return why nothing that was drawn can be relied on; None: it can.

        An error that only a wrong call makes is a RuntimeWarning.

        Args:
            at_once: whether to ask before the pause is over.
        """
        now = time.monotonic()
        if now < self._next and not at_once:
            return None
        self._next = now + self._pause_seconds
        self._is_lost = self._is_lost or bool(self._reset_status())
        if self._is_lost:
            return DriverReset()
        error = self._ctx.error
        if error == _OUT_OF_MEMORY:
            return NoMemory()
        if error != _NO_ERROR:
            warnings.warn(f"OpenGL reported {error}; please report this", RuntimeWarning, stacklevel=2)
        return None


def _reset_status_of(ctx: moderngl.Context) -> Callable[[], int]:
    """Return a function that returns 0 unless the driver was reset."""
    if ctx.version_code >= 450:
        return gl_function(ctx, "glGetGraphicsResetStatus", 0, result=ctypes.c_uint)
    for extension, name in _STATUS_FUNCTIONS.items():
        if extension in ctx.extensions:
            return gl_function(ctx, name, 0, result=ctypes.c_uint)
    return lambda: 0
