"""DepthPeeling: blends translucent surfaces exactly, layer by layer from the eye on.

Each layer is drawn twice: the first time finds, at each pixel, the nearest depth behind the last layer; the second time
blends what lies exactly there under the layers before it. Several surfaces in one place are all blended, in the order
in which they are drawn.
Source: Everitt, "Interactive Order-Independent Transparency", NVIDIA 2001.
"""

from __future__ import annotations

from collections.abc import Callable

import moderngl

from octoscope.viewer.rendering.context.opengl import samples_query
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.mesh_drawing import DEPTH_UNITS

_COSTLY = 1.0  # fragments a pixel


class DepthPeeling:
    """The layers of translucent surfaces in front of an opaque scene.

    Args:
        opaque: framebuffer of the opaque scene, with one sample a pixel and ReversedDepth's depth. The part of it that
            is drawn is the part that is peeled.

    Attributes:
        blended: framebuffer with the layers that were drawn, blended: linear light multiplied by opacity, and opacity.
        fragment_count: number of fragments that were at some time the nearest of their layer; the caller resets it.
    """

    def __init__(self, ctx: moderngl.Context, opaque: moderngl.Framebuffer, depth: ReversedDepth) -> None:
        self._ctx = ctx
        self._opaque = opaque
        color = ctx.texture(opaque.size, 4, dtype="f2")
        # Each layer's depth is found in one of them while it is tested against that of the layer before. Where there
        # are no colours, the light of what is drawn need not be calculated.
        self._depths = [ctx.framebuffer(depth_attachment=depth.texture(opaque.size)) for _ in range(2)]
        self._layers = [ctx.framebuffer([color], each.depth_attachment) for each in self._depths]
        self.blended = self._layers[0]
        self.fragment_count = 0

    @property
    def is_costly(self) -> bool:
        """True if the layers that were counted had many fragments for each pixel."""
        return self.fragment_count > _COSTLY * self._opaque.width * self._opaque.height

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer of this pass, to be released with it."""
        return *self._depths, *self._layers

    def begin(self) -> None:
        """Begin before the first layer."""
        for framebuffer in (*self._depths, *self._layers):
            framebuffer.viewport, framebuffer.scissor = self._opaque.viewport, self._opaque.scissor
        self._layers[0].use()
        self._layers[0].clear(0.0, 0.0, 0.0, 0.0, depth=ReversedDepth.NEAREST)

    def find_layer(self, draw: Callable[[], object]) -> bool:
        """Find the depth of the next layer; `draw` draws all translucent surfaces in the pass LAYER_DEPTHS.

        Returns:
            False if there is no further layer. Else the pass BEHIND_LAYERS has what is behind those that were blended.
        """
        self._use(self._depths[0], "last_layer")
        self._use(self._opaque, "opaque_depth")
        self._depths.reverse()
        self._layers.reverse()
        self._depths[0].use()
        self._depths[0].clear(depth=ReversedDepth.FARTHEST)
        query = samples_query(self._ctx)
        with query:
            draw()
        fragments = query.samples
        self.fragment_count += fragments
        return fragments > 0

    def blend_layer(self, draw: Callable[[], object]) -> None:
        """Blend the layer that was found last under those before it; `draw` draws it in the pass LAYER."""
        layer = self._layers[0]
        layer.use()
        layer.depth_mask = False
        self._ctx.depth_func = "=="
        draw()
        self._ctx.depth_func = ">"
        layer.depth_mask = True

    def _use(self, framebuffer: moderngl.Framebuffer, name: str) -> None:
        """Bind the depths of a framebuffer to the sampler of peel.glsl that has this name."""
        texture = framebuffer.depth_attachment
        assert isinstance(texture, moderngl.Texture)
        texture.use(DEPTH_UNITS[name])
