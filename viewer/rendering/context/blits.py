"""Blits: copies of framebuffers, as a mean of samples, enlarged, weighted or blended; none counts as a draw call."""

from __future__ import annotations

import ctypes

import moderngl
import numpy as np

from octoscope.viewer.rendering.context.opengl import color_texture, gl_function, linear_light
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth

_SAMPLE_POSITION = 0x8E50  # OpenGL's number of it


class Blits:
    """Draws framebuffers into others."""

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth, quads: Quads) -> None:
        self._ctx = ctx
        self._depth = depth
        self._quads = quads

    def copy(self, to: moderngl.Framebuffer, source: moderngl.Framebuffer) -> None:
        """Copy colours of the same size and format, without samples."""
        to.use()  # after a copy moderngl sets the draw buffers of the framebuffer in use
        with linear_light(self._ctx):  # llvmpipe takes long where formats are not what they are
            self._ctx.copy_framebuffer(to, source)

    def resolve(self, source: moderngl.Framebuffer, to: moderngl.Framebuffer) -> None:
        """Draw the mean of the samples of each pixel, linear light, into a framebuffer of the same size.

        OpenGL's own copy does that, too, but Mesa compiles it in every process, and it cannot be blended.
        """
        to.use()
        color_texture(source).use(0)
        quad = self._quads.of("resolve.glsl", f"SAMPLES {source.samples}")
        quad.program["source"] = 0
        quad.render()

    def take(self, source: moderngl.Framebuffer, number: int) -> None:
        """Draw one of the samples of each pixel, with its depth, into the framebuffer in use, of the same size."""
        depths = source.depth_attachment
        assert isinstance(depths, moderngl.Texture)
        color_texture(source).use(0)
        depths.use(1)
        quad = self._quads.of("resolve.glsl", "TAKE")
        quad.program["source"], quad.program["depths"], quad.program["number"] = 0, 1, number
        self._ctx.enable_only(moderngl.DEPTH_TEST)  # else no depth is written
        with self._depth.in_use(), linear_light(self._ctx):
            self._ctx.depth_func = "1"
            quad.render()

    def middles_of(self, framebuffer: moderngl.Framebuffer) -> np.ndarray:
        """Return (samples, 2) pixels by which a picture is moved to bring each sample to the middle of its pixel."""
        framebuffer.use()
        place = gl_function(self._ctx, "glGetMultisamplefv", 2, ctypes.c_void_p)
        places = np.empty((framebuffer.samples, 2), dtype=np.float32)
        for number, row in enumerate(places):
            place(_SAMPLE_POSITION, number, row.ctypes.data)
        return 0.5 - places.astype(np.float64)

    def paste(
        self,
        source: moderngl.Framebuffer,
        to: moderngl.Framebuffer,
        *,
        part: tuple[int, int] | None = None,
        weight: float | None = None,
    ) -> None:
        """Draw a framebuffer's colours over the viewport of another, with the blending that is set.

        Those of SRGB_FORMAT are read as linear light.

        Args:
            source: with a texture.
            to: where they are drawn.
            part: width and height of the lower left part of `source` that is drawn, pixels; None: all of it.
            weight: that colours and opacity are multiplied by; None: 1.
        """
        to.use()
        left, lower, width, height = to.viewport
        shown = source.size if part is None else part
        color_texture(source).use(0)
        quad = self._quads.of("paste.glsl", *([] if weight is None else ["WEIGHTED"]))
        program = quad.program
        program["source"] = 0
        program["corner"] = (left, lower)
        program["scale"] = (shown[0] / width, shown[1] / height)
        program["shown"] = shown
        if weight is not None:
            program["weight"] = weight
        quad.render()
