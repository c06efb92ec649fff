"""ViewportTarget: the framebuffers that one viewport is drawn into, most of them made when they are first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import moderngl
import numpy as np

from octoscope.viewer.frame.detail.occlusion_culling import OcclusionCuller
from octoscope.viewer.rendering.context.opengl import SRGB_FORMAT, picture_texture
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.depth_peeling import DepthPeeling
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.passes.translucent_drawing import TranslucentTarget


class Surface:
    """A framebuffer with colours, of SRGB_FORMAT, and depth that a scene is drawn into.

    It has what gathers its translucent surfaces, too.
    """

    def __init__(self, ctx: moderngl.Context, framebuffer: moderngl.Framebuffer, depth: ReversedDepth) -> None:
        self._ctx = ctx
        self._depth = depth
        self.framebuffer = framebuffer

    @cached_property
    def translucent(self) -> TranslucentTarget:
        """Gathers translucent surfaces."""
        return TranslucentTarget(self._ctx, self.framebuffer)

    @cached_property
    def peeling(self) -> DepthPeeling:
        """Blends translucent surfaces exactly, where there is one sample a pixel."""
        return DepthPeeling(self._ctx, self.framebuffer, self._depth)

    def use(self, size: tuple[int, int], band: tuple[int, int] | None = None, *, clears: bool = False) -> None:
        """Draw into the lower left part of this size from here on.

        Args:
            size: width and height, pixels.
            band: the first of the rows that are drawn, from below, and the row after the last; None: all.
            clears: whether to begin another picture there.
        """
        first, end = band or (0, size[1])
        self.framebuffer.viewport = (0, 0, *size)
        self.framebuffer.scissor = (0, first, size[0], end - first)
        self.framebuffer.use()
        if clears:
            self.framebuffer.clear(depth=ReversedDepth.FARTHEST)

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer that has been made."""
        others = [part for name, part in vars(self).items() if name in ("translucent", "peeling")]
        return self.framebuffer, *(framebuffer for part in others for framebuffer in part.framebuffers)


_SURFACES = "multisampled", "single", "plain", "with_ids"
_OTHERS = "sum", "farthest", "ids_alone"
_OBJECT_TILE = 4  # pixels a side
_BLOCK_TILES = 4  # a side
OUTLINE_BLOCK = _BLOCK_TILES * _OBJECT_TILE  # pixels a side
OUTLINE_DEFINES = f"TILE {_OBJECT_TILE}", f"BLOCK {_BLOCK_TILES}"  # of outline.glsl


@dataclass(frozen=True, eq=False)
class SceneDepths:
    """Depths of what is opaque in a scene.

    Attributes:
        texture: with one or more samples a pixel; ReversedDepth's depths.
        size: of the lower left part that has them, pixels: a picture may be drawn smaller than it is shown.
    """

    texture: moderngl.Texture
    size: tuple[int, int]


class OutlinedObjects:
    """The object ids of outlined objects in a picture, which stay valid as long as the picture does.

    Attributes:
        ids: the framebuffer that they are drawn into.
        size: of its lower left part that has them, pixels: a picture may be drawn smaller than it is shown.
        tiles: of each square tile which kinds of objects its pixels have, and which of them lie at another object.
        rows: of each tile which kind is nearest to each pixel in its row.
        lines: of each half of a tile which line each pixel has.
        blocks: columns and rows of squares of OUTLINE_BLOCK pixels that the picture is divided into.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], depth: ReversedDepth) -> None:
        self.size = size
        self.ids = ctx.framebuffer([ctx.texture(size, 1, dtype="f4")], depth.texture(size))
        columns, rows = (-(-side // _OBJECT_TILE) for side in size)
        self.tiles = ctx.framebuffer([ctx.texture((columns, rows), 4, dtype="u4") for _ in range(2)])
        self.rows = ctx.framebuffer([ctx.texture((columns, rows), 4, dtype="u4")])
        self.lines = ctx.framebuffer([ctx.texture((2 * columns, rows), 4, dtype="u4")])
        self.blocks = -(-size[0] // OUTLINE_BLOCK), -(-size[1] // OUTLINE_BLOCK)
        self._nodes: list[np.ndarray] | None = None

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer of these, to be released with the viewport."""
        return self.ids, self.tiles, self.rows, self.lines

    def forget(self) -> None:
        """Begin with another picture."""
        self._nodes = None

    def take(self, nodes: list[np.ndarray]) -> bool:
        """Note which nodes are drawn, in lists of (k,) int32, and return whether others were drawn last, or none."""
        last, self._nodes = self._nodes, nodes
        return last is None or not all(map(np.array_equal, last, nodes))


class ViewportTarget:
    """The framebuffers of one viewport."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], samples: int, depth: ReversedDepth) -> None:
        self.size = size  # width and height, pixels
        self._ctx = ctx
        self.samples = samples  # of a pixel where there are several; 0: none
        self._depth = depth
        # what is shown; before that, the scene as one pass over it left it
        self.picture = picture_framebuffer(ctx, size)
        self._scene_apart = picture_framebuffer(ctx, size)
        # the framebuffer with the scene as it is shown, without outlines and annotations: `picture` as long as nothing
        # was drawn over it
        self.scene = self.picture
        self.depths: SceneDepths | None = None  # those of the scene as it was drawn last; None before it is drawn
        self.culler = OcclusionCuller()  # knows which objects were seen in the last picture

    def begin(self) -> None:
        """Begin another picture."""
        self.depths = None
        self._forget_outlined()

    def new_scene(self) -> moderngl.Framebuffer:
        """Make a framebuffer apart from `picture` the scene, and return it, to be drawn into."""
        self.scene = self._scene_apart
        return self.scene

    def note_depths(self, surface: Surface, size: tuple[int, int]) -> None:
        """Note that the lower left part of a surface, of a size in pixels, has the depths of the whole scene."""
        texture = surface.framebuffer.depth_attachment
        assert isinstance(texture, moderngl.Texture)
        self.depths = SceneDepths(texture, size)
        self._forget_outlined()

    def _forget_outlined(self) -> None:
        for outlined in self._outlined:
            outlined.forget()

    @property
    def _outlined(self) -> list[OutlinedObjects]:
        return [each for name, each in vars(self).items() if name in ("hovered", "selected")]

    @cached_property
    def hovered(self) -> OutlinedObjects:
        """Objects that the pointer is over."""
        return OutlinedObjects(self._ctx, self.size, self._depth)

    @cached_property
    def selected(self) -> OutlinedObjects:
        """Objects that are selected."""
        return OutlinedObjects(self._ctx, self.size, self._depth)

    @cached_property
    def light(self) -> LightTarget:
        """The light that reaches surfaces."""
        return LightTarget(self._ctx, self.size, self._depth)

    @cached_property
    def multisampled(self) -> Surface:
        """The framebuffer of pictures with several samples a pixel."""
        return self._surface(self.samples)

    @cached_property
    def single(self) -> Surface:
        """The framebuffer of one sample of a refined picture."""
        return self._surface(0)

    def _surface(self, samples: int) -> Surface:
        """Return a framebuffer with so many samples a pixel, in textures of its own."""
        # A texture: Mesa 22 does not convert to and from sRGB in renderbuffers of several samples.
        color = self._ctx.texture(self.size, 4, samples=samples, internal_format=SRGB_FORMAT)
        depth = self._depth.texture(self.size, samples)
        return Surface(self._ctx, self._ctx.framebuffer([color], depth), self._depth)

    @cached_property
    def farthest(self) -> moderngl.Framebuffer:
        """The depth of the farthest sample at each pixel of `multisampled`."""
        return self._ctx.framebuffer([self._ctx.texture(self.size, 1, dtype="f4")])

    @cached_property
    def plain(self) -> Surface:
        """The framebuffer of pictures with one sample a pixel, drawn into the texture of `picture`."""
        depth = self._depth.texture(self.size)
        return Surface(self._ctx, self._ctx.framebuffer(self.picture.color_attachments, depth), self._depth)

    @cached_property
    def with_ids(self) -> Surface:
        """The same as `plain`, and the ids of `selected` as a second target."""
        colors = [*self.picture.color_attachments, *self.selected.ids.color_attachments]
        depth = self.plain.framebuffer.depth_attachment
        return Surface(self._ctx, self._ctx.framebuffer(colors, depth), self._depth)

    @cached_property
    def ids_alone(self) -> moderngl.Framebuffer:
        """The ids of `selected`, tested against the depths of `plain`."""
        ids, depth = self.selected.ids.color_attachments, self.plain.framebuffer.depth_attachment
        return self._ctx.framebuffer(ids, depth)

    @cached_property
    def sum(self) -> moderngl.Framebuffer:
        """The sum of several pictures of the scene, linear light."""
        texture = self._ctx.texture(self.size, 4, dtype="f4")
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)  # it is read as it is, which costs a third less
        return self._ctx.framebuffer([texture])

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        """Every framebuffer that has been made."""
        surfaces = [surface for name, surface in vars(self).items() if name in _SURFACES]
        others = [framebuffer for name, framebuffer in vars(self).items() if name in _OTHERS]
        drawn = [framebuffer for surface in surfaces for framebuffer in surface.framebuffers]
        outlined = [framebuffer for each in self._outlined for framebuffer in each.framebuffers]
        light = self.light.framebuffers if "light" in vars(self) else ()
        return self.picture, self._scene_apart, *outlined, *others, *drawn, *light


def picture_framebuffer(ctx: moderngl.Context, size: tuple[int, int]) -> moderngl.Framebuffer:
    """Return a framebuffer for a picture, in a texture."""
    return ctx.framebuffer([picture_texture(ctx, size)])
