"""HostDrawing: a finished picture, drawn over a part of a framebuffer that another program owns."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import Literal

import moderngl

from octoscope.viewer.rendering.context.opengl import OVER, color_texture, gl_function, linear_light, with_opacity
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.renderer import Renderer

Depth = Literal["standard", "reversed"]
_MAX_DRAW_BUFFERS, _SCISSOR_TEST = 0x8824, 0x0C11
_DRAW_FRAMEBUFFER, _DRAW_BUFFER0, _BACK, _BACK_LEFT = 0x8CA9, 0x8825, 0x0405, 0x0402
_COLOR_ENCODING, _SRGB, _COMPONENT_TYPE, _FLOAT = 0x8210, 0x8C40, 0x8211, 0x1406
_DEPTH_TESTS = {"standard": "<=", "reversed": ">="}


class HostDrawing:
    """Draws pictures over a framebuffer whose context's owner has put its state aside.

    Nothing of the framebuffer is changed but colours and depths. moderngl does not know of it: it would set other draw
    buffers.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._quads = Quads(ctx)
        self._get = gl_function(ctx, "glGetIntegerv", 1, ctypes.c_void_p)
        self._get_attachment = gl_function(ctx, "glGetFramebufferAttachmentParameteriv", 3, ctypes.c_void_p)
        self._bind = gl_function(ctx, "glBindFramebuffer", 2)
        self._set_viewport = gl_function(ctx, "glViewport", 4)
        self._set_mask = gl_function(ctx, "glColorMaski", 5)

    def release(self) -> None:
        """Delete the OpenGL objects."""
        self._quads.release()

    def draw(
        self,
        renderer: Renderer,
        framebuffer: int,
        viewport: tuple[int, int, int, int],
        *,
        transparent: bool,
        depth: Depth | None,
    ) -> None:
        """Draw a renderer's picture over a part of its size.

        Args:
            renderer: with a picture of one viewport.
            framebuffer: OpenGL's name of it.
            viewport: left, lower, width and height, framebuffer pixels.
            transparent: whether the picture has no background.
            depth: how the framebuffer's depths are written and tested against; None: neither.
        """
        picture = color_texture(renderer.picture)
        depths = None if depth is None else renderer.opaque_depths()
        self._bind(_DRAW_FRAMEBUFFER, framebuffer)
        self._set_viewport(*viewport)
        for index in range(1, self._integer(_MAX_DRAW_BUFFERS)):  # what else the owner draws to stays as it is
            self._set_mask(index, 0, 0, 0, 0)
        takes_linear, stores_srgb = self._color_format(framebuffer)
        is_linear = takes_linear or (transparent and stores_srgb)
        defines = [*["TRANSPARENT"] * transparent, *["LINEAR"] * is_linear]
        if depth is not None:
            defines += ["DEPTH", *["FARTHEST_ONE"] * (depth == "standard")]
        quad = self._quads.of("over.glsl", *defines)
        quad.program["picture"] = 0
        quad.program["corner"] = viewport[:2]
        self._ctx.enable_only(
            (moderngl.BLEND if transparent else moderngl.NOTHING)
            | (moderngl.NOTHING if depth is None else moderngl.DEPTH_TEST)
        )
        self._ctx.disable_direct(_SCISSOR_TEST)  # which moderngl has enabled for its framebuffers
        self._ctx.blend_func = OVER
        if depth is not None and depths is not None:
            self._ctx.depth_func = _DEPTH_TESTS[depth]
            depths.texture.use(1)
            quad.program["depths"] = 1
            quad.program["depth_scale"] = depths.size[0] / viewport[2], depths.size[1] / viewport[3]
        with with_opacity(picture), linear_light(self._ctx) if stores_srgb and is_linear else nullcontext():
            picture.use(0)
            quad.render()

    def _color_format(self, framebuffer: int) -> tuple[bool, bool]:
        """Return whether the framebuffer in use holds linear light as numbers, and whether it holds sRGB."""
        attachment = self._integer(_DRAW_BUFFER0)
        if framebuffer == 0 and attachment == _BACK:
            attachment = _BACK_LEFT
        kind, encoding = (self._attachment(attachment, name) for name in (_COMPONENT_TYPE, _COLOR_ENCODING))
        return kind == _FLOAT, encoding == _SRGB

    def _integer(self, name: int) -> int:
        number = ctypes.c_int(0)
        self._get(name, ctypes.byref(number))
        return number.value

    def _attachment(self, attachment: int, name: int) -> int:
        number = ctypes.c_int(0)
        self._get_attachment(_DRAW_FRAMEBUFFER, attachment, name, ctypes.byref(number))
        return number.value
