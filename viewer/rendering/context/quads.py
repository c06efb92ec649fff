"""Quads: shaders that are drawn all over a framebuffer."""

from __future__ import annotations

import moderngl
import numpy as np

from octoscope.viewer.rendering.context.shader_library import program_of


class Quads:
    """Shaders that are drawn all over a framebuffer; each is compiled when it is first asked for."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._corners = ctx.buffer(np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32))
        self._quads: dict[tuple[str, ...], moderngl.VertexArray] = {}

    def of(self, shader: str, *defines: str) -> moderngl.VertexArray:
        """Return what draws a file of shaders/, with some names defined; its vertices have `in_corner`, -1 or 1."""
        key = shader, *defines
        if key not in self._quads:
            program = program_of(self._ctx, *key)
            self._quads[key] = self._ctx.vertex_array(program, self._corners, "in_corner", mode=moderngl.TRIANGLE_STRIP)
        return self._quads[key]

    def release(self) -> None:
        """Delete the OpenGL objects."""
        for quad in self._quads.values():
            quad.release()
        self._corners.release()
