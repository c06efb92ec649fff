"""LightTarget: the framebuffers for the light that reaches the surfaces in a picture."""

from __future__ import annotations

import moderngl

from octoscope.viewer.rendering.context.opengl import is_software
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.shadow_maps import ShadowMaps

_LIGHT_SCALE_ON_SOFTWARE = 0.5


class LightTarget:
    """The light that reaches the surfaces in a picture.

    Attributes:
        size: in its own pixels, fewer than the picture's where the processor draws.
        surfaces: framebuffer of triangles' normals, relative, with depths along the view in alpha, world units, 0 where
            nothing is; and of depth.
        sums: framebuffer of sums over samples, as shaders/light_visibility.glsl has them.
        light: framebuffer of the shares of light and of depths, as shaders/light_shares.glsl has them, of what
            is opaque.
        rows: framebuffer of the same, of four places beside each other, as shaders/light_rows.glsl has them; in the
            memory of `surfaces` and `sums`, which are needed no more by then.
        shadow_maps: of the last sample of the last cascade, for shadows on what is translucent.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], depth: ReversedDepth) -> None:
        scale = _LIGHT_SCALE_ON_SOFTWARE if is_software(ctx) else 1.0
        self.size = max(1, round(scale * size[0])), max(1, round(scale * size[1]))
        textures = [
            ctx.texture(self.size, count, dtype=dtype) for count, dtype in ((4, "f4"), (4, "f4"), (4, "f1"), (1, "f4"))
        ]
        for texture in textures:
            texture.repeat_x = texture.repeat_y = False
        self.surfaces = ctx.framebuffer([textures[0]], depth.texture(self.size))
        self.sums = ctx.framebuffer([textures[1]])
        self.light = ctx.framebuffer(textures[2:])
        self.rows = ctx.framebuffer(textures[:2])
        self.shadow_maps = ShadowMaps(ctx, depth)

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer of this target, to be released with it."""
        return self.surfaces, self.sums, self.light, self.rows, *self.shadow_maps.framebuffers
