"""TranslucentTarget: gathers translucent surfaces and blends them without sorting.

Weighted blended order-independent transparency: every translucent fragment in front of the opaque scene adds its
weighted colour to one texture and multiplies what it lets through into another; one pass then blends the weighted
mean over the opaque scene. The sums are the same in any order.
Source: McGuire and Bavoil, "Weighted Blended Order-Independent Transparency", JCGT 2013.
"""

from __future__ import annotations

import moderngl

from octoscope.viewer.rendering.context.opengl import SRGB_FORMAT, color_texture


class TranslucentTarget:
    """The textures that translucent fragments of one picture are gathered in, and a copy of the opaque scene.

    Args:
        opaque: framebuffer of the opaque scene, into which they are blended; its depth is shared, and so are its number
            of samples and the part of it that is drawn.
    """

    def __init__(self, ctx: moderngl.Context, opaque: moderngl.Framebuffer) -> None:
        self._ctx = ctx
        self._opaque = opaque
        size, samples = opaque.size, opaque.samples
        self._gathered = ctx.framebuffer(
            [ctx.texture(size, 4, samples=samples, dtype="f2"), ctx.texture(size, 1, samples=samples, dtype="f2")],
            opaque.depth_attachment,
        )
        copy = ctx.texture(size, 4, samples=samples, internal_format=SRGB_FORMAT)
        self._opaque_copy = ctx.framebuffer([copy])

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer of this pass, to be released with it."""
        return self._gathered, self._opaque_copy

    def begin(self) -> None:
        """Begin to gather what is drawn from now on, in passes such as TRANSLUCENT."""
        self._gathered.viewport, self._gathered.scissor = self._opaque.viewport, self._opaque.scissor
        self._gathered.use()
        self._gathered.depth_mask = False  # else the clear would take the scene's depth, and the surfaces hide others
        self._gathered.clear(0.0, 0.0, 0.0, 1.0)

    def blend(self, quad: moderngl.VertexArray) -> None:
        """Blend what was gathered over the opaque scene in linear light; its framebuffer stays in use.

        Args:
            quad: covers the picture, with the program of translucent.glsl; PLAIN where there is one sample a pixel.
        """
        self._ctx.copy_framebuffer(self._opaque_copy, self._opaque)
        self._opaque.use()
        self._ctx.enable_only(moderngl.NOTHING)
        gathered = (color_texture(self._gathered, index) for index in range(2))
        textures = (color_texture(self._opaque_copy), *gathered)
        for unit, (name, texture) in enumerate(zip(("opaque", "light", "weights"), textures, strict=True)):
            texture.use(unit)
            quad.program[name] = unit
        if self._opaque.samples:
            quad.program["samples"] = self._opaque.samples
        quad.render()
