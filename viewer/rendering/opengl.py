"""Small helpers over moderngl: matrices, textures, blending, functions that it lacks, renderers without a card."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import moderngl
import numpy as np

ALPHA_BLENDING = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)
# Parts of their names, in small letters: Mesa's, Google's, Windows' own two, Apple's.
_SOFTWARE_RENDERERS = (
    "llvmpipe",
    "softpipe",
    "swrast",
    "swiftshader",
    "basic render",
    "gdi generic",
    "software",
)
_FUNCTION_TYPE = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)


def set_matrix(program: moderngl.Program, name: str, matrix: np.ndarray) -> None:
    """Set a uniform matrix from an array of rows; OpenGL reads columns, and this is the only place that transposes."""
    uniform = program[name]
    assert isinstance(uniform, moderngl.Uniform)
    uniform.write(np.ascontiguousarray(matrix.T))


def color_texture(framebuffer: moderngl.Framebuffer, index: int = 0) -> moderngl.Texture:
    """Return a texture that a framebuffer's colours are drawn into."""
    texture = framebuffer.color_attachments[index]
    assert isinstance(texture, moderngl.Texture)
    return texture


def is_software(ctx: moderngl.Context) -> bool:
    """Return whether the processor draws in place of a graphics card, going by the name of the renderer."""
    name = ctx.info["GL_RENDERER"].lower()
    return any(known in name for known in _SOFTWARE_RENDERERS)


def gl_function(ctx: moderngl.Context, name: str, count: int, *more: type) -> Callable[..., None]:
    """Return a function of OpenGL that moderngl lacks, of so many int arguments, `more`, and without a result.

    The context that is current must be `ctx`, also where the function is called.
    """
    address = ctx.mglo._context.load_opengl_function(name)
    return _FUNCTION_TYPE(None, *[ctypes.c_int] * count, *more)(address)
