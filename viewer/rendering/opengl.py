"""Small helpers over moderngl: matrices, a framebuffer's texture, the usual blending, renderers without a card."""

from __future__ import annotations

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
