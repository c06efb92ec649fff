"""Mipmaps: the smaller levels of a texture array, made by a shader.

OpenGL's own command does that, too, but Mesa compiles what it needs for it in every process, which takes a tenth of a
second; it keeps what it compiled of shaders.
"""

from __future__ import annotations

import ctypes
from functools import cached_property

import moderngl

from octoscope.viewer.rendering.context.opengl import SRGB_FORMAT, gl_function, idle_framebuffer, linear_light
from octoscope.viewer.rendering.context.shader_library import program_of

# From Khronos' gl.xml.
_TEXTURE_2D_ARRAY, _BASE_LEVEL, _MAX_LEVEL = 0x8C1A, 0x813C, 0x813D
_RGBA8, _RGBA, _UNSIGNED_BYTE = 0x8058, 0x1908, 0x1401
_FRAMEBUFFER, _COLOR_ATTACHMENT0 = 0x8D40, 0x8CE0


class Mipmaps:
    """Makes mipmaps with one context."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx

    @cached_property
    def _quad(self) -> moderngl.VertexArray:
        return self._ctx.vertex_array(program_of(self._ctx, "mipmap.glsl"), [])

    @cached_property
    def _framebuffer(self) -> moderngl.Framebuffer:
        return self._ctx.framebuffer([self._ctx.texture((1, 1), 4)])

    def release(self) -> None:
        """Delete the OpenGL objects."""
        if "_quad" in vars(self):
            self._quad.release()
        if "_framebuffer" in vars(self):
            self._framebuffer.color_attachments[0].release()
            self._framebuffer.release()

    def make(self, array: moderngl.TextureArray, *, holds_colors: bool) -> None:
        """Make all smaller levels of an array of four channels, whose side is a power of two.

        Args:
            array: of squares.
            holds_colors: whether texels are of SRGB_FORMAT; if not, they are numbers from 0 to 1 in 8 bits.
        """
        ctx = self._ctx
        bind, set_parameter = gl_function(ctx, "glBindTexture", 2), gl_function(ctx, "glTexParameteri", 3)
        storage = gl_function(ctx, "glTexImage3D", 9, ctypes.c_void_p)
        attach = gl_function(ctx, "glFramebufferTextureLayer", 5)
        quad, framebuffer = self._quad, self._framebuffer
        before = ctx.fbo or idle_framebuffer(ctx)  # nothing is in use yet in a new context without a window
        quad.program["source"] = 0
        ctx.enable_only(moderngl.NOTHING)
        with linear_light(ctx):
            for level in range(1, array.width.bit_length()):
                side = array.width >> level
                array.use(0)
                bind(_TEXTURE_2D_ARRAY, array.glo)
                stored_as = SRGB_FORMAT if holds_colors else _RGBA8
                size = side, side, array.layers
                storage(_TEXTURE_2D_ARRAY, level, stored_as, *size, 0, _RGBA, _UNSIGNED_BYTE, None)
                # What is read must not be what is drawn into.
                set_parameter(_TEXTURE_2D_ARRAY, _BASE_LEVEL, level - 1)
                set_parameter(_TEXTURE_2D_ARRAY, _MAX_LEVEL, level - 1)
                framebuffer.viewport = 0, 0, side, side
                framebuffer.use()
                for layer in range(array.layers):
                    attach(_FRAMEBUFFER, _COLOR_ATTACHMENT0, array.glo, level, layer)
                    quad.program["layer"] = layer
                    quad.render(moderngl.TRIANGLE_STRIP, vertices=4)
        set_parameter(_TEXTURE_2D_ARRAY, _BASE_LEVEL, 0)
        set_parameter(_TEXTURE_2D_ARRAY, _MAX_LEVEL, array.width.bit_length() - 1)
        attach(_FRAMEBUFFER, _COLOR_ATTACHMENT0, 0, 0, 0)
        before.use()
