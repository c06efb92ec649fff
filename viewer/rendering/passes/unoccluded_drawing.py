"""UnoccludedDrawing: draws what is not hidden, by the depths of what was seen last; see OcclusionCuller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import moderngl
import numpy as np

from octoscope.viewer.frame.detail.occlusion_culling import TILE_PX, OcclusionCuller, maybe_visible
from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.rendering.context.opengl import samples_query
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.viewport_target import Surface


class UnoccludedDrawing:
    """Draws a frame's opaque meshes without those that others hide; not a pixel differs.

    Args:
        can_draw_many: whether there is multi-draw indirect; without it nothing is culled, as that would split batches.
    """

    def __init__(self, ctx: moderngl.Context, quads: Quads, *, can_draw_many: bool) -> None:
        self._ctx = ctx
        self._quads = quads
        self._can_draw_many = can_draw_many
        self._tiles: moderngl.Framebuffer | None = None

    def release(self) -> None:
        """Delete the OpenGL objects."""
        if self._tiles is not None:
            self._tiles.color_attachments[0].release()
            self._tiles.release()

    def draw(
        self,
        frame: FrameData,
        surface: Surface,
        culler: OcclusionCuller,
        draw: Callable[[FrameData], object],
        fewest: float,
    ) -> tuple[FrameData, bool]:
        """Draw what is opaque into a surface that is in use, cleared, and tested against depth.

        Args:
            frame: to draw.
            surface: to draw into.
            culler: has what was seen last.
            draw: draws a frame's opaque meshes.
            fewest: triangles of a picture, from which on it pays to look for hidden objects.

        Returns:
            The frame that `draw` got last, which has all that is drawn in further passes; and whether it is known that
            nothing is seen between the meshes.
        """
        whole = frame.visible
        nodes = whole.nodes[: whole.opaque_count]
        seen = None
        if frame.leaves_out_hidden:
            is_worth_it = self._can_draw_many and whole.triangle_count >= fewest
            seen = culler.seen(frame.scene.instances, nodes, is_worth_it=is_worth_it)
        else:
            culler.forget()
        if seen is None:
            draw(frame)
            return frame, False

        def drawn(is_kept: np.ndarray) -> FrameData:
            part = replace(frame, visible=whole.with_surfaces(is_kept))
            draw(part)
            return part

        last = drawn(seen)
        farthest = self._farthest(frame.size, surface)
        visible = maybe_visible(
            nodes,
            frame.scene.instances.scene.world_spheres,
            frame.scene.instances.scene.world_from_local,
            frame.scene.instances.scene.mesh_ids,
            frame.scene.meshes.rows["lower"],
            frame.scene.meshes.rows["upper"],
            frame.camera.clip_from_relative,
            frame.camera.position,
            frame.size,
            farthest,
        )
        is_same = np.array_equal(visible, seen)
        needed = (last.visible if is_same else whole.with_surfaces(visible)).triangle_count
        added = visible & ~seen
        if added.any():
            # At equal depth the first that was drawn wins, so what is drawn late must not be coplanar with the rest.
            self._ctx.depth_func = "=="
            ties = samples_query(self._ctx)
            with ties:
                last = drawn(added)
            self._ctx.depth_func = ">"
            needed += 2 * last.visible.triangle_count
            if ties.samples == 0:
                draw(last)
            else:
                surface.framebuffer.clear(depth=ReversedDepth.FARTHEST)
                last = drawn(visible)
                needed += last.visible.triangle_count
        culler.note(nodes, visible, needed, whole.triangle_count)
        return last, bool(farthest.min() > ReversedDepth.FARTHEST)

    def _farthest(self, size: tuple[int, int], surface: Surface) -> np.ndarray:
        """Return (rows, columns) float32: the least depth in each tile of the lower left part of a surface."""
        columns, rows = (-(-side // TILE_PX) for side in size)
        if self._tiles is None or self._tiles.size != (columns, rows):
            old, self._tiles = self._tiles, self._ctx.framebuffer([self._ctx.texture((columns, rows), 1, dtype="f4")])
            self._tiles.use()  # moderngl would bind a deleted framebuffer again
            if old is not None:
                old.color_attachments[0].release()
                old.release()
        depths = surface.framebuffer.depth_attachment
        assert isinstance(depths, moderngl.Texture), "surfaces have depths that can be read"
        samples = [f"SAMPLES {depths.samples}"] if depths.samples else []
        quad = self._quads.of("farthest.glsl", f"TILE {TILE_PX}", *samples)
        depths.use(0)
        quad.program["depths"] = 0
        quad.program["size"] = size
        self._tiles.use()
        self._ctx.enable_only(moderngl.NOTHING)
        quad.render()
        farthest = np.frombuffer(self._tiles.read(components=1, dtype="f4"), dtype=np.float32).reshape(rows, columns)
        surface.framebuffer.use()
        return farthest
