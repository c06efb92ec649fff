"""ReversedDepth: depth buffers in floats, and the clip space and depth test that go with them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

from octoscope.viewer.rendering.context.opengl import gl_function

# From Khronos' gl.xml.
_LOWER_LEFT, _NEGATIVE_ONE_TO_ONE, _ZERO_TO_ONE = 0x8CA1, 0x935E, 0x935F
_TEXTURE_2D, _TEXTURE_2D_MULTISAMPLE = 0x0DE1, 0x9100
_DEPTH_COMPONENT, _DEPTH_COMPONENT32F, _FLOAT = 0x1902, 0x8CAC, 0x1406


def has_clip_control(ctx: moderngl.Context) -> bool:
    """Return whether a context has glClipControl."""
    return ctx.version_code >= 450 or "GL_ARB_clip_control" in ctx.extensions


class ReversedDepth:
    """Depth in 32-bit floats: 1 at the near plane, and 0 at the far one and where nothing is.

    Floats are finest near 0, and perspective squeezes all that is far away into small numbers there: depths are told
    apart by some ten millionths of the distance, wherever the near plane is. The matrices of FrameData are made for it.
    Source: Reed, "Depth Precision Visualized", 2015.

    Args:
        ctx: to draw with.
        clip_control: whether to use glClipControl; None uses it where the context has it (OpenGL 4.5). Without it each
            fragment writes its depth, which shaders/depth.glsl does where FRAGMENT_DEPTH is defined.
    """

    FARTHEST = 0.0  # what a framebuffer's depth is cleared to
    NEAREST = 1.0

    def __init__(self, ctx: moderngl.Context, *, clip_control: bool | None = None) -> None:
        self._ctx = ctx
        if clip_control is None:
            clip_control = has_clip_control(ctx)
        self.defines = () if clip_control else ("FRAGMENT_DEPTH",)  # of shaders that are tested against depth
        self._clip_control = gl_function(ctx, "glClipControl", 2) if clip_control else lambda *_: None
        self._bind_texture = gl_function(ctx, "glBindTexture", 2)
        self._image = gl_function(ctx, "glTexImage2D", 8, ctypes.c_void_p)
        self._image_multisample = gl_function(ctx, "glTexImage2DMultisample", 6)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Set clip space, and a depth test that lets what is nearer pass; OpenGL's own come back afterwards."""
        self._clip_control(_LOWER_LEFT, _ZERO_TO_ONE)
        self._ctx.depth_func = ">"
        try:
            yield
        finally:
            self._clip_control(_LOWER_LEFT, _NEGATIVE_ONE_TO_ONE)
            self._ctx.depth_func = "<"

    def texture(self, size: tuple[int, int], samples: int = 0) -> moderngl.Texture:
        """Return a depth buffer of a size in pixels, which shaders can read, too."""
        texture = self._ctx.depth_texture(size, samples=samples)
        # moderngl has 24 bits alone: its texture gets other storage.
        target = _TEXTURE_2D_MULTISAMPLE if samples else _TEXTURE_2D
        self._bind_texture(target, texture.glo)
        if samples:
            self._image_multisample(target, samples, _DEPTH_COMPONENT32F, *size, 1)
        else:
            self._image(target, 0, _DEPTH_COMPONENT32F, *size, 0, _DEPTH_COMPONENT, _FLOAT, None)
            texture.compare_func = ""
        self._bind_texture(target, 0)
        return texture
