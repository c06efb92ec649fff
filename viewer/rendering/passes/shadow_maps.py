"""ShadowMaps: depths that the key light sees of a viewport's scene, and how shaders find them."""

from __future__ import annotations

from functools import cached_property

import moderngl
import numpy as np

from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.frame.occluders import ShadowView
from octoscope.viewer.rendering.context.opengl import is_software
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth

_TILES = 2  # of the texture, along each side
TILES_DEFINE = f"SHADOW_TILES {_TILES}"  # of shadow.glsl
MAPS = _TILES * _TILES  # of a sample
_SIDE, _SIDE_ON_CARD = 1024, 2048  # of a map, texels
_SLACK = 1.0  # texels, of shadow.glsl
_FROM_CLIP = np.array([(0.5, 0.0, 0.0, 0.5), (0.0, 0.5, 0.0, 0.5), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)])


class ShadowMaps:
    """Maps from several points of the key light's disc, as tiles of one texture.

    Attributes:
        views: of the maps that were drawn last, a tile each; empty where nothing casts a shadow.
    """

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth) -> None:
        self._ctx = ctx
        self._depth = depth
        side = _SIDE if is_software(ctx) else _SIDE_ON_CARD
        self._side = min(side, ctx.info["GL_MAX_TEXTURE_SIZE"] // _TILES)
        self.views: list[ShadowView] = []

    @cached_property
    def _framebuffer(self) -> moderngl.Framebuffer:
        depths = self._depth.texture(2 * (_TILES * self._side,))
        return self._ctx.framebuffer([], depths)

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer of these, to be released with the viewport."""
        return (self._framebuffer,) if "_framebuffer" in vars(self) else ()

    def begin_tile(self, tile: int, *, clears: bool) -> None:
        """Draw into a tile from here on; `clears` empties all of them before."""
        framebuffer, side = self._framebuffer, self._side
        if clears:
            framebuffer.viewport = (0, 0, *framebuffer.size)
            framebuffer.use()
            framebuffer.clear(depth=ReversedDepth.FARTHEST)
        framebuffer.viewport = (tile % _TILES * side, tile // _TILES * side, side, side)
        framebuffer.use()

    def use(self, program: moderngl.Program, unit: int, frame: FrameData) -> None:
        """Set the uniforms of shadow.glsl."""
        depths = self._framebuffer.depth_attachment
        assert isinstance(depths, moderngl.Texture)
        depths.use(unit)
        program["shadow_maps"] = unit
        matrices = np.array([_FROM_CLIP @ view.clip_from_relative for view in self.views])
        matrices[:, :2] *= self._side
        depth_per_unit = float(np.linalg.norm(matrices[0, 2, :3]))
        slopes = depth_per_unit * np.linalg.inv(matrices[:, :3, :3]).transpose(0, 2, 1)
        for name, values in (("shadow_from_relative", matrices), ("slopes_from_normal", slopes)):
            uniform = program[name]
            assert isinstance(uniform, moderngl.Uniform)
            uniform.write(np.ascontiguousarray(values.transpose(0, 2, 1), dtype=np.float32))
        camera_axes = frame.camera.view_from_relative.astype(float)
        program["to_light"] = tuple(frame.look.lighting.in_world(camera_axes).tolist())
        program["shadow_slack"] = _SLACK * depth_per_unit * max(view.width for view in self.views) / self._side
