"""Print the graphics driver's debug messages (KHR_debug) as lines on standard error."""

from __future__ import annotations

import ctypes
import sys

import moderngl

from octoscope.viewer.rendering.context.opengl import FUNCTION_TYPE, gl_function, kept_with
from octoscope.viewer.window.opengl_request import opengl_request

_DEBUG_OUTPUT, _SYNCHRONOUS, _NOTIFICATION = 0x92E0, 0x8242, 0x826B
_KINDS = {
    0x824C: "error",
    0x824D: "deprecated call",
    0x824E: "undefined behaviour",
    0x824F: "not portable",
    0x8250: "slow",
}
_CALLBACK = FUNCTION_TYPE(None, *[ctypes.c_uint] * 4, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def print_messages(ctx: moderngl.Context) -> None:
    """Print what the driver of a context says from now on, if that is asked for: each line once, and no mere notes."""
    if opengl_request().tells_messages:
        kept_with(ctx, "messages", lambda: _begin(ctx))


def _begin(ctx: moderngl.Context) -> object:
    """Return what must live as long as the context."""
    said: set[str] = set()

    def tell(line: str) -> None:
        if line not in said:
            said.add(line)
            sys.stderr.write(f"octoscope: OpenGL, {line}\n")

    def note(_source: int, kind: int, _number: int, severity: int, length: int, text: int, _: object) -> None:
        if severity != _NOTIFICATION:
            words = ctypes.string_at(text, length).decode("utf-8", "replace").split()
            tell(f"{_KINDS.get(kind, 'message')}: {' '.join(words)}")

    callback = _CALLBACK(note)
    if ctx.version_code < 430 and "GL_KHR_debug" not in ctx.extensions:
        tell("this driver tells nothing: it has no GL_KHR_debug")
        return None
    gl_function(ctx, "glDebugMessageCallback", 0, _CALLBACK, ctypes.c_void_p)(callback, None)
    ctx.enable_direct(_DEBUG_OUTPUT)
    ctx.enable_direct(_SYNCHRONOUS)  # so that a debugger stops in the call that is meant
    return callback
