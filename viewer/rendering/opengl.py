"""Small helpers over moderngl: uniform matrices, a framebuffer's texture, the usual blending."""

from __future__ import annotations

import moderngl
import numpy as np

ALPHA_BLENDING = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)


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
