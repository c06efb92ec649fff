"""OutlineDrawing: lines around objects, also where others hide them.

The objects are drawn once more, as object ids, nearest first; lines run where two ids meet. Shaders find them tile by
tile, so that each pixel's neighbours are read once for many pixels, and draw blocks of the picture that have some.
One full-screen pass over the ids, without a difference between hidden and seen, took llvmpipe 1.0 to 3.2 times as long.
Where all that is seen is outlined, the scene itself is drawn with the ids.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import moderngl
import numpy as np

from octoscope.viewer.frame.frame import DrawList, FrameData
from octoscope.viewer.frame.look.marks import ACTIVE_COLOR, HOVERED_COLOR, SELECTED_COLOR
from octoscope.viewer.rendering.context.opengl import ALPHA_BLENDING, color_texture
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.context.shader_library import program_of
from octoscope.viewer.rendering.passes.mesh_drawing import DEPTH_UNITS, MeshDrawing
from octoscope.viewer.rendering.passes.render_pass import ALL, OBJECT_IDS, OBJECT_IDS_OF_DOTS
from octoscope.viewer.rendering.passes.viewport_target import (
    OUTLINE_BLOCK,
    OUTLINE_DEFINES,
    OutlinedObjects,
    Surface,
    ViewportTarget,
)

_HIDDEN_SHARE = 0.5  # of the width of outlines, where their objects are hidden


@dataclass(frozen=True)
class _OutlineStyle:
    """The look of outlines; lengths in logical pixels."""

    color: tuple[float, float, float]  # sRGB, 0 to 1
    active_color: tuple[float, float, float]  # that of the active object
    width: float  # of the line
    rim: float  # width of the dark lines on either side
    hidden_opacity: float  # where its object is hidden


_SELECTED = _OutlineStyle(SELECTED_COLOR, ACTIVE_COLOR, 2.0, 0.75, 0.45)
# A line of one pixel with rims of one pixel, so that each has its colour alone.
_HOVERED = _OutlineStyle(HOVERED_COLOR, HOVERED_COLOR, 1.0, 1.0, 0.15)


def has_outlines(frame: FrameData) -> bool:
    """Return whether objects are outlined in a frame."""
    return any(draws.count for draws in frame.outlined)


def outlines_all(frame: FrameData) -> bool:
    """Return whether all that a frame shows is opaque, and selected or active; then it hides no outlined object."""
    visible, lists = frame.visible, frame.outlined[:2]
    is_opaque = visible.opaque_count == visible.count and frame.look.shading.mode.draws_faces
    if not is_opaque or not 0 < visible.count <= sum(each.count for each in lists):
        return False
    is_outlined, is_drawn = np.zeros((2, len(frame.scene.instances)), dtype=bool)
    is_drawn[visible.nodes] = True
    for each in lists:
        is_outlined[each.nodes] = True
    with_shape = [each.nodes[: each.count - each.dot_count] for each in lists]
    return bool(is_outlined[visible.nodes].all()) and all(is_drawn[nodes].all() for nodes in with_shape)


class OutlineDrawing:
    """Draws lines around objects."""

    def __init__(self, ctx: moderngl.Context, meshes: MeshDrawing, depth: ReversedDepth, quads: Quads) -> None:
        self._ctx = ctx
        self._meshes = meshes
        self._depth = depth
        self._quads = quads

    def release(self) -> None:
        """Delete the OpenGL objects."""
        if "_lines" in vars(self):
            self._lines.release()

    def draw(self, frame: FrameData, target: ViewportTarget) -> int:
        """Draw outlines over the picture of a target whose scene was drawn; return the number of draw calls."""
        calls = 0
        selected, active, hovered = frame.outlined
        if hovered.count:
            calls += self._draw_borders(frame, target, target.hovered, _HOVERED, hovered)
        if selected.count + active.count:
            calls += self._draw_borders(frame, target, target.selected, _SELECTED, selected, active)
        return calls

    def take_ids(self, frame: FrameData, target: ViewportTarget) -> int:
        """Take the ids that were drawn with the scene, as `outlines_all`; return the number of draw calls."""
        selected, active, _ = frame.outlined
        target.selected.take([selected.nodes, active.nodes])
        target.selected.size = frame.size
        target.ids_alone.viewport = (0, 0, *frame.size)
        target.ids_alone.use()
        with self._depth.in_use():
            return sum(
                self._meshes.draw(frame, each, OBJECT_IDS_OF_DOTS, ALL, is_active=each is active)
                for each in (selected, active)
            )

    def keep_depths(self, target: ViewportTarget, surface: Surface) -> None:
        """Copy the depths of a target's scene if they are in a surface that is about to be drawn into."""
        if target.depths is None or target.depths.texture is not surface.framebuffer.depth_attachment:
            return
        samples = target.depths.texture.samples
        quad = self._quads.of("farthest.glsl", "TILE 1", *([f"SAMPLES {samples}"] if samples else []))
        program = quad.program
        program["depths"] = 0
        program["size"] = target.depths.size
        target.depths.texture.use(0)
        target.farthest.use()
        self._ctx.enable_only(moderngl.NOTHING)
        quad.render()
        target.depths = replace(target.depths, texture=color_texture(target.farthest))

    def _draw_borders(
        self,
        frame: FrameData,
        target: ViewportTarget,
        outlined: OutlinedObjects,
        style: _OutlineStyle,
        *lists: DrawList,
    ) -> int:
        """Draw lines along the borders between the ids of objects, which are drawn first if they are other ones.

        Return the number of draw calls.
        """
        calls = 1
        if outlined.take([each.nodes for each in lists]):
            calls += self._draw_ids(frame, target, outlined, *lists)
        width, rim = (
            [max(1, round(share * length * frame.pixel_ratio)) for share in (1.0, _HIDDEN_SHARE)]
            for length in (style.width, style.rim)
        )
        reach = 2 * rim[0] + width[0]
        self._ctx.enable_only(moderngl.NOTHING)
        outlined.tiles.use()
        color_texture(outlined.ids).use(0)
        per_pixel = outlined.size[0] / target.size[0], outlined.size[1] / target.size[1]
        between = {"reach_between": (width[0] + 1) // 2}
        self._draw_quad("TILES", objects=0, objects_size=outlined.size, objects_per_pixel=per_pixel, **between)
        outlined.rows.use()
        color_texture(outlined.tiles).use(0)
        self._draw_quad("ROWS", kinds=0, reach=reach)
        outlined.lines.use()
        color_texture(outlined.rows).use(0)
        color_texture(outlined.tiles, 1).use(1)
        self._draw_quad("LINES", rows=0, between=1, reach=reach)
        color_texture(outlined.lines).use(0)
        blocks = outlined.blocks
        target.picture.viewport = (0, 0, OUTLINE_BLOCK * blocks[0], OUTLINE_BLOCK * blocks[1])  # some end beyond it
        target.picture.use()
        self._ctx.enable_only(moderngl.PROGRAM_POINT_SIZE | moderngl.BLEND)
        self._ctx.blend_func = ALPHA_BLENDING
        program = self._lines.program
        program["lines"] = 0
        program["color"] = style.color
        program["active_color"] = style.active_color
        program["width"], program["rim"] = width, rim
        program["hidden_opacity"] = style.hidden_opacity
        self._lines.render(moderngl.POINTS, vertices=blocks[0] * blocks[1])
        target.picture.viewport = (0, 0, *target.size)
        return calls + 3

    @cached_property
    def _lines(self) -> moderngl.VertexArray:
        """The last step of outline.glsl, without buffers: the shader makes the vertices."""
        return self._ctx.vertex_array(program_of(self._ctx, "outline.glsl", *OUTLINE_DEFINES), [])

    def _draw_quad(self, define: str, **uniforms: int | tuple[float, ...]) -> None:
        """Draw another step of outline.glsl all over the framebuffer in use."""
        quad = self._quads.of("outline.glsl", define, *OUTLINE_DEFINES)
        for name, value in uniforms.items():
            quad.program[name] = value
        quad.render()

    def _draw_ids(self, frame: FrameData, target: ViewportTarget, outlined: OutlinedObjects, *lists: DrawList) -> int:
        """Draw the ids of objects; return the number of draw calls."""
        assert target.depths is not None, "outlines lie over a scene"
        if target.depths.texture.samples:
            self.keep_depths(target, target.multisampled)
        depths = target.depths
        depths.texture.use(DEPTH_UNITS["scene_depth"])
        depth_scale = depths.size[0] / target.size[0], depths.size[1] / target.size[1]
        outlined.size = target.size
        outlined.ids.use()
        outlined.ids.clear(depth=ReversedDepth.FARTHEST)
        with self._depth.in_use():
            calls = 0
            for each in lists:
                is_active = each is frame.outlined.active
                calls += self._meshes.draw(
                    frame, each, OBJECT_IDS, ALL, is_active=is_active, scene_depth_per_pixel=depth_scale
                )
        return calls
