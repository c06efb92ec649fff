"""ScenePasses: the passes of one viewport's picture, in order.

Opaque meshes, background, ground, polygons' edges, translucent meshes and their edges, helper lines; over the scene,
outlines and annotations. Each pass sets all the state that it needs. What is blended over the scene is blended in
linear light: translucent surfaces without sorting while a picture moves, and layer by layer when it is refined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import moderngl

from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.frame.look.shading import BY_MATERIAL
from octoscope.viewer.frame.quality import CardTimes, Quality
from octoscope.viewer.rendering.context.blits import Blits
from octoscope.viewer.rendering.context.opengl import OVER, color_texture, is_software, linear_light, with_opacity
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.annotation_drawing import AnnotationDrawing
from octoscope.viewer.rendering.passes.background_drawing import BackgroundDrawing
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.passes.light_visibility_drawing import LightVisibilityDrawing
from octoscope.viewer.rendering.passes.line_drawing import LineDrawing
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
from octoscope.viewer.rendering.passes.outline_drawing import OutlineDrawing, has_outlines, outlines_all
from octoscope.viewer.rendering.passes.render_pass import (
    BEHIND_LAYERS,
    FAST,
    FAST_AT_CORNERS,
    LAYER,
    LAYER_DEPTHS,
    LIT,
    OPAQUE,
    OPAQUE_PARTS,
    OPAQUE_WITH_IDS,
    OVER_OPAQUE,
    OVER_TRANSLUCENT,
    POLYGON_EDGES,
    TRANSLUCENT,
    UNLIT,
    WIREFRAME,
    MeshProgram,
    RenderPass,
)
from octoscope.viewer.rendering.passes.unoccluded_drawing import UnoccludedDrawing
from octoscope.viewer.rendering.passes.viewport_target import Surface, ViewportTarget

_LAYERS = 8  # of translucent surfaces, that are blended exactly


class ScenePasses:
    """Draws what a frame has into the targets of a viewport.

    Args:
        indirect: as of MeshDrawing.
        upload_seconds: time that a picture may wait for meshes to be uploaded; None waits for all.

    Attributes:
        times: of the card; whoever has measured it puts others in their place.
    """

    def __init__(
        self, ctx: moderngl.Context, depth: ReversedDepth, *, indirect: bool | None, upload_seconds: float | None
    ) -> None:
        self._ctx = ctx
        self._upload_seconds = upload_seconds
        self._quads = Quads(ctx)
        self.depth = depth
        self.draw_calls = 0  # since it was set to 0
        self.times = CardTimes.of_software() if is_software(ctx) else CardTimes.unmeasured()
        self.blits = Blits(ctx, depth, self._quads)
        self.meshes = MeshDrawing(ctx, depth, indirect=indirect)
        self.light = LightVisibilityDrawing(ctx, self.meshes, depth, self._quads)
        self.outlines = OutlineDrawing(ctx, self.meshes, depth, self._quads)
        self._unoccluded = UnoccludedDrawing(ctx, self._quads, can_draw_many=self.meshes.is_indirect)
        self._background = BackgroundDrawing(ctx, depth, self._quads, self.meshes.environment)
        self._lines = LineDrawing(ctx, depth)
        self._annotations = AnnotationDrawing(ctx)

    def release(self) -> None:
        """Delete the OpenGL objects."""
        for part in (self.meshes, self._annotations, self._unoccluded, self.outlines, self._quads, self._lines):
            part.release()

    def draw(self, frame: FrameData, target: ViewportTarget, quality: Quality) -> None:
        """Draw the scene of a target in some quality; in the best one with shadows, if the frame has occluders."""
        surface = target.multisampled if quality.is_multisampled and target.samples else target.plain
        if not quality.is_multisampled:
            frame = _scaled(frame, quality.scale)
        light = None
        if frame.occluders is not None and quality.has_full_light and frame.size == target.size:
            light = target.light
            for _ in self.light.samples(frame, light, 1, None, self._upload_seconds):
                pass
        with_ids = surface is target.plain and outlines_all(frame) and light is None
        lit = _lit(frame, quality, self.times)
        frame = self._draw_opaque(frame, target, surface, lit, light, with_ids=with_ids)
        self.draw_translucent_and_lines(frame, surface, lit, light)
        target.note_depths(surface, frame.size)
        if with_ids:
            self.draw_calls += self.outlines.take_ids(frame, target)
        if frame.size != target.size:
            self._enlarge(target, frame.size)
            return
        if surface.framebuffer.samples:
            self._ctx.enable_only(moderngl.NOTHING)
            with linear_light(self._ctx):
                self.blits.resolve(surface.framebuffer, target.picture)
        target.scene = target.picture

    def _enlarge(self, target: ViewportTarget, size: tuple[int, int]) -> None:
        """Make the lower left part of the target's picture, of a size in pixels, its scene."""
        texture = color_texture(target.picture)
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._ctx.enable_only(moderngl.NOTHING)
        with with_opacity(texture):
            self.blits.paste(target.picture, target.new_scene(), part=size)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def draw_over(self, frame: FrameData, target: ViewportTarget) -> None:
        """Make the picture of the scene, and draw outlines and annotations over it, if there are any."""
        if target.scene is not target.picture:
            self.blits.copy(target.picture, target.scene)
        elif has_outlines(frame) or frame.annotations is not None:
            self.blits.copy(target.new_scene(), target.picture)
        self.draw_calls += self.outlines.draw(frame, target)
        if frame.annotations is not None:
            target.picture.use()
            self.draw_calls += self._annotations.draw(frame.annotations, frame.size)

    def _draw_opaque(
        self,
        frame: FrameData,
        target: ViewportTarget,
        surface: Surface,
        lit: MeshProgram,
        light: LightTarget | None,
        *,
        with_ids: bool,
    ) -> FrameData:
        """Draw what is opaque, the background and the ground.

        Returns:
            The frame for further passes.
        """
        meshes_surface, render_pass = (target.with_ids, OPAQUE_WITH_IDS) if with_ids else (surface, OPAQUE)
        # A clear takes a tenth of the time of a quad. It would write the ids, too.
        is_cleared = frame.look.backdrop.is_plain and not with_ids and not (frame.grid and frame.grid.is_behind)
        is_cleared = is_cleared and light is None  # else the ground may have shadows
        meshes_surface.use(frame.size, clears=not is_cleared)
        if is_cleared:
            surface.framebuffer.clear(*frame.look.backdrop.bottom, 1.0, depth=ReversedDepth.FARTHEST)
        with self.depth.in_use():
            # All that is opaque comes first and writes depth; what is blended over it is tested against that depth.
            draw = partial(self._upload_and_draw, lit=lit, light=light, render_pass=render_pass)
            frame, is_covered = self._unoccluded.draw(
                frame, meshes_surface, target.culler, draw, self.times.fewest_culled
            )
            if with_ids:
                surface.use(frame.size)
            if not (is_covered or is_cleared):
                self.draw_calls += self._background.draw(frame, light)
            self.draw_calls += self._background.draw_ground_before(frame, surface.framebuffer)
            with linear_light(self._ctx):
                self._draw_edges(frame, OVER_OPAQUE)
        return frame

    def draw_meshes(self, frame: FrameData, light: LightTarget | None = None) -> None:
        """Draw what is visible and opaque, in full light, into the framebuffer in use, whose depth is reversed."""
        with self.depth.in_use():
            self._upload_and_draw(frame, LIT, light)

    def draw_opaque_edges(self, frame: FrameData) -> None:
        """Draw the edges of polygons of what is opaque, over it."""
        with self.depth.in_use(), linear_light(self._ctx):
            self._draw_edges(frame, OVER_OPAQUE)

    def _upload_and_draw(
        self, frame: FrameData, lit: MeshProgram, light: LightTarget | None, render_pass: RenderPass = OPAQUE
    ) -> None:
        self.meshes.upload(frame, self._upload_seconds)
        self._draw_visible(frame, render_pass, lit, light)
        if frame.visible.opaque_count < frame.visible.count:
            self._draw_visible(frame, OPAQUE_PARTS, lit, light)

    def draw_translucent_and_lines(
        self, frame: FrameData, surface: Surface, lit: MeshProgram = LIT, light: LightTarget | None = None
    ) -> None:
        """Draw what is blended over the opaque part of the scene, without sorting, into a surface that is in use."""
        with self.depth.in_use(), linear_light(self._ctx):
            self._draw_translucent(frame, surface, lit, light)
            self.draw_calls += self._lines.draw(frame, surface.framebuffer)

    def _draw_translucent(
        self,
        frame: FrameData,
        surface: Surface,
        lit: MeshProgram,
        light: LightTarget | None,
        render_pass: RenderPass = TRANSLUCENT,
    ) -> None:
        if frame.visible.opaque_count == frame.visible.count:
            return
        # The surfaces are gathered in any order, then blended over the opaque scene in one pass.
        surface.translucent.begin()
        self._draw_visible(frame, render_pass, lit, light)
        is_multisampled = surface.framebuffer.samples > 0
        surface.translucent.blend(self._quads.of("translucent.glsl", *([] if is_multisampled else ["PLAIN"])))
        self.draw_calls += 1
        if render_pass is TRANSLUCENT:  # those of layers are among the layers
            self._draw_edges(frame, OVER_TRANSLUCENT)

    def draw_layers(
        self, frame: FrameData, surface: Surface, band: tuple[int, int], light: LightTarget | None
    ) -> Iterator[None]:
        """Blend translucent surfaces exactly over what is opaque, and draw lines; yield after each layer."""
        peeling = surface.peeling
        peeling.begin()
        for number in range(_LAYERS + 1):
            self.meshes.upload(frame, self._upload_seconds)
            with self.depth.in_use():
                if not peeling.find_layer(partial(self._draw_layer, frame, None, LAYER_DEPTHS)):
                    break
                if number < _LAYERS:
                    peeling.blend_layer(partial(self._draw_layer, frame, light, LAYER))
                    yield
                    continue
                surface.use(frame.size, band)
                with linear_light(self._ctx):
                    self._draw_translucent(frame, surface, LIT, light, BEHIND_LAYERS)
        surface.use(frame.size, band)
        with self.depth.in_use(), linear_light(self._ctx):
            self._ctx.enable_only(moderngl.BLEND)
            self._ctx.blend_func = OVER
            self.blits.paste(peeling.blended, surface.framebuffer)
            self.draw_calls += self._lines.draw(frame, surface.framebuffer)

    def _draw_layer(self, frame: FrameData, light: LightTarget | None, render_pass: RenderPass) -> None:
        """Draw all that can be a layer."""
        self._draw_visible(frame, render_pass, LIT, light)
        self._draw_edges(frame, render_pass)

    def _draw_visible(
        self, frame: FrameData, render_pass: RenderPass, lit: MeshProgram, light: LightTarget | None = None
    ) -> None:
        """Draw what is visible in a pass, but for polygons' edges over it."""
        draw = partial(self.meshes.draw, frame, frame.visible, render_pass=render_pass)
        mode = frame.look.shading.mode
        if not mode.draws_faces:
            self.draw_calls += draw(WIREFRAME)
        elif render_pass is not OPAQUE_PARTS or mode.opacity == BY_MATERIAL:  # else lines and points alone are opaque
            self.draw_calls += draw(lit, light=light)
        self.draw_calls += draw(UNLIT)

    def _draw_edges(self, frame: FrameData, render_pass: RenderPass) -> None:
        if frame.scene.polygon_edges is not None and frame.look.shading.mode.draws_faces:
            self.draw_calls += self.meshes.draw(frame, frame.visible, POLYGON_EDGES, render_pass)

    def add_sample(self, frame: FrameData, target: ViewportTarget, surface: Surface, *, is_first: bool) -> None:
        """Add what was drawn into a surface to the target's sum, or begin another sum with it, where objects reach."""
        target.sum.scissor = frame.scissor or (0, 0, *frame.size)
        self._ctx.enable_only(moderngl.NOTHING if is_first else moderngl.BLEND)
        self._ctx.blend_func = moderngl.ONE, moderngl.ONE
        draw = self.blits.resolve if surface.framebuffer.samples else self.blits.paste
        draw(surface.framebuffer, target.sum)
        self._ctx.enable_only(moderngl.NOTHING)

    def show_mean(self, frame: FrameData, target: ViewportTarget, count: int) -> None:
        """Make the mean of so many samples, before the background and with the ground, the scene of a target."""
        scene = target.new_scene()
        scene.use()
        with self.depth.in_use():
            self.draw_calls += self._background.draw(frame, None if frame.occluders is None else target.light)
            with linear_light(self._ctx):
                self._ctx.enable_only(moderngl.BLEND)
                self._ctx.blend_func = OVER
                scene.scissor = frame.scissor or (0, 0, *frame.size)
                self.blits.paste(target.sum, scene, weight=1.0 / count)
                scene.scissor = (0, 0, *frame.size)
            self.draw_calls += self._background.draw_ground_before(frame, scene)


def _lit(frame: FrameData, quality: Quality, times: CardTimes) -> MeshProgram:
    """Return the program in which a picture's surfaces are lit: a simple light for each triangle, or for each pixel."""
    if quality.has_full_light:
        return LIT
    most_at_corners = times.most_at_corners * frame.size[0] * frame.size[1]
    return FAST_AT_CORNERS if frame.visible.triangle_count <= most_at_corners else FAST


def _scaled(frame: FrameData, scale: float) -> FrameData:
    """Return a frame for a picture of a share of the width and height; at least one pixel."""
    if scale == 1.0:
        return frame
    width, height = (max(1, round(side * scale)) for side in frame.size)
    return replace(frame, size=(width, height), pixel_ratio=frame.pixel_ratio * scale)
