"""Renderer: draws FrameData and reads nothing else.

Passes, in order: opaque meshes, background, ground, polygons' edges, translucent meshes and their edges,
octree and frustum, outlines, annotations. Each pass sets all the state that it needs. What is blended over the scene is
blended in linear light. The scene is drawn in some quality into targets of the renderer's own, and then into `picture`,
which a window copies and a script reads. It is refined by drawing the scene several times, moved by parts of a pixel,
and showing the mean of the light of these samples. Background and ground are drawn once, below the mean, which keeps
the opacity of each pixel for that; outlines and annotations lie over it.
Translucent surfaces are blended without sorting while a picture moves, and layer by layer when it is refined.
Each of several viewports has its own targets, drawn as if it were alone; their pictures are then copied beside each
other. All share one copy of the scene on the card.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product

import moderngl
import numpy as np

from octoscope.scene import Meshes
from octoscope.viewer.frame.frame import SURFACES, FrameData, ViewportFrame
from octoscope.viewer.frame.look.shading import BY_MATERIAL
from octoscope.viewer.frame.quality import BEST, Quality
from octoscope.viewer.rendering.buffers import Buffers, read_buffers
from octoscope.viewer.rendering.context.card_errors import CardErrors
from octoscope.viewer.rendering.context.opengl import (
    ALPHA_BLENDING,
    color_texture,
    gl_function,
    idle_framebuffer,
    linear_light,
    most_texture_samples,
    release_framebuffers,
    with_opacity,
)
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.jitter import jittered, sample_offsets, scaled
from octoscope.viewer.rendering.passes.annotation_drawing import AnnotationDrawing
from octoscope.viewer.rendering.passes.background_drawing import BackgroundDrawing
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.passes.light_visibility_drawing import LightVisibilityDrawing
from octoscope.viewer.rendering.passes.line_drawing import LineDrawing
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
from octoscope.viewer.rendering.passes.outline_drawing import OutlineDrawing, has_outlines, outlines_all
from octoscope.viewer.rendering.passes.unoccluded_drawing import UnoccludedDrawing
from octoscope.viewer.rendering.passes.viewport_target import (
    SceneDepths,
    Surface,
    ViewportTarget,
    picture_framebuffer,
)

_SAMPLES = 4
_SAMPLE_POSITION = 0x8E50  # OpenGL's number of it
# Bands consist of whole tiles of llvmpipe, which loses samples along other borders (Mesa 22).
_TILE_ROWS = 64
_LAYERS = 8  # of translucent surfaces, that are blended exactly
_FEWEST_PEELED = 4  # samples with layers before there is something to show, and where layers are costly all of them
_LIGHT_SAMPLES, _FEW_LIGHT_SAMPLES = 4, 1  # of what keeps light off, in a window and at once
_PIECE_TRIANGLES = 150_000  # of a refined picture, drawn without a look at events: some hundredths of a second
_BETWEEN_COLOR = (0.055, 0.059, 0.067)  # between viewports
_OVER = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA  # of colours that are multiplied by their opacity
_EDGE_COLOR = (0.0015, 0.0015, 0.0023, 0.85)  # linear, and opacity


@dataclass(frozen=True, eq=False)
class _Sample:
    """A picture that is part of a refined one.

    Attributes:
        offset: (2,) pixels by which it is moved.
        peels: True blends translucent surfaces exactly, with one sample a pixel.
        taken: number of the multisample of each pixel over which they are blended; what is opaque is drawn, with all
            its samples, for number 0. None: it is drawn with one sample a pixel, too, or nothing is blended exactly.
        count: number of pictures of which the mean is made with this one; 1 begins another mean.
        shows: whether the mean is shown, also if it is not the last.
    """

    offset: np.ndarray
    peels: bool
    taken: int | None
    count: int
    shows: bool


class DrawError(Exception):
    """A picture that this graphics card cannot draw; the message is one line."""


class Renderer:
    """Draws frames with one context.

    Args:
        indirect: whether to use multi-draw-indirect; None uses it where the context has it.
        clip_control: whether to use glClipControl; None uses it where the context has it (OpenGL 4.5).
        upload_seconds: time that a picture may wait for meshes to be uploaded; the others are left out of it. None
            waits for all.

    Attributes:
        picture: framebuffer with the finished picture of the last `render`, in a texture.
        is_refined: True if nothing better than `picture` is to be had.
        draw_calls: number of draw calls of the last `render`.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        *,
        indirect: bool | None = None,
        clip_control: bool | None = None,
        upload_seconds: float | None = None,
    ) -> None:
        self.ctx = ctx
        self.draw_calls = 0
        self._upload_seconds = upload_seconds
        self._card_errors = CardErrors(ctx)
        self._depth = ReversedDepth(ctx, clip_control=clip_control)
        self._meshes = MeshDrawing(ctx, self._depth, indirect=indirect)
        self._annotations = AnnotationDrawing(ctx)
        self._samples = _SAMPLES if most_texture_samples(ctx) >= _SAMPLES else 0
        self._quads = Quads(ctx)
        self._unoccluded = UnoccludedDrawing(ctx, self._quads, can_draw_many=self._meshes.is_indirect)
        self._background = BackgroundDrawing(ctx, self._depth, self._quads, self._meshes.environment)
        self._lines = LineDrawing(ctx, self._depth)
        self._light = LightVisibilityDrawing(ctx, self._meshes, self._depth, self._quads)
        self._outlines = OutlineDrawing(ctx, self._meshes, self._depth, self._quads)
        self._targets = [ViewportTarget(ctx, (1, 1), self._samples, self._depth)]
        self._whole: moderngl.Framebuffer | None = None
        self._refinement: Iterator[bool] | None = None  # of the last picture, once it has begun
        self.is_refined = False
        self.picture = self._targets[0].picture

    @property
    def is_refining(self) -> bool:
        """True once the last picture has begun to be refined."""
        return self._refinement is not None

    @property
    def hidden_count(self) -> int:
        """Number of objects in view whose triangles were left out of the last picture, as others hide them."""
        return sum(target.culler.hidden_count for target in self._targets)

    @property
    def messages(self) -> list[str]:
        """A line about each kind of thing that the last `render` could not draw as it should be."""
        return self._meshes.messages

    @property
    def has_pending_uploads(self) -> bool:
        """True if the last picture lacks meshes that it had no time for."""
        return self._meshes.has_pending_uploads

    def upload_pending(self) -> None:
        """Upload more meshes, for as long as a picture may wait.

        Raises:
            DrawError: as `render`.
        """
        with self._draw_errors():
            self._meshes.upload_pending(self._upload_seconds)

    def upload_meshes(self, meshes: Meshes, *, waits: bool) -> bool:
        """Upload meshes that no frame shows yet.

        Args:
            meshes: the pool of the scene.
            waits: upload all of them, however long it takes; else for as long as a picture may wait.

        Returns:
            whether all of them are on the card.

        Raises:
            DrawError: as `render`.
        """
        with self._draw_errors():
            return self._meshes.upload_meshes(meshes, None if waits else self._upload_seconds)

    def render(self, frame: FrameData) -> None:
        """Draw a frame into `picture`.

        Raises:
            DrawError: it is too much for the card's memory or limits.
        """
        self.render_parts([ViewportFrame(frame, (0, 0))], frame.size)

    def render_parts(self, parts: Sequence[ViewportFrame], size: tuple[int, int], quality: Quality = BEST) -> None:
        """Draw frames into their places in `picture`, which gets this size.

        Raises:
            DrawError: as `render`.
        """
        with self._draw_errors():
            self._begin(parts, size)
            for part, target in zip(parts, self._targets, strict=True):
                self._draw_scene(part.frame, target, quality)
                self._draw_outlines(part.frame, target)
            self._put_together(parts)

    def render_outlines(self, parts: Sequence[ViewportFrame]) -> None:
        """Draw outlines and annotations of frames again, over the scene as it was drawn last.

        Raises:
            DrawError: as `render`.
        """
        with self._draw_errors():
            for part, target in zip(parts, self._targets, strict=True):
                self._meshes.upload(part.frame, self._upload_seconds)
                self._draw_outlines(part.frame, target)
            self._put_together(parts)

    def refine(self, parts: Sequence[ViewportFrame], bands: int = 1) -> bool:
        """Draw the next piece of a better picture; call it until `is_refined`.

        The first picture that is shown has full light and four samples a pixel where the card can, the last at least
        sixteen.

        Args:
            parts: the frames that were drawn last, whose outlines may have changed since; the first call may bring
                more objects in them.
            bands: number of pieces that each viewport is divided into, when this picture begins to be refined.

        Returns:
            Whether `picture` has changed; else the piece was not the last of its sample.

        Raises:
            DrawError: as `render`.
        """
        draw_calls = self.draw_calls
        with self._draw_errors():
            if self._refinement is None:
                self._refinement = self._refined(parts, bands)
            is_better = next(self._refinement)
        if is_better:
            self.render_outlines(parts)
        self.draw_calls = draw_calls
        return is_better

    def render_best(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> None:
        """Draw frames as `render_parts` does, refined at once.

        Raises:
            DrawError: as `render`.
        """
        with self._draw_errors():
            self._begin(parts, size)
            for _ in self._refined(parts, bands=1, shows_each=False):
                pass
        self.render_outlines(parts)

    def buffers(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> Buffers:
        """Return what is seen at each pixel of a picture of this size, beside what is drawn.

        Raises:
            DrawError: as `render`.
        """
        whole = Buffers.empty(size)
        with self._draw_errors():
            for part in parts:
                self._meshes.upload(part.frame)
                whole.put(read_buffers(self.ctx, self._meshes, self._depth, part.frame), part.corner)
        return whole

    def opaque_depths(self) -> SceneDepths:
        """Return the depths of what is opaque in the last picture, of one viewport, one of them a pixel."""
        (target,) = self._targets
        assert target.depths is not None, "a picture was drawn"
        if target.depths.texture.samples:
            self._outlines.keep_depths(target, target.multisampled)
        return target.depths

    @contextmanager
    def _draw_errors(self) -> Iterator[None]:
        """Raise what the card cannot do as a DrawError, also what OpenGL does not report by itself."""
        try:
            yield
        except (moderngl.Error, MemoryError) as error:
            reason = self._card_errors.take() or f"the picture could not be drawn ({' '.join(str(error).split())})"
            raise DrawError(reason) from error
        reason = self._card_errors.take()
        if reason is not None:
            raise DrawError(reason)

    def _begin(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> None:
        """Begin another picture."""
        self.draw_calls = 0
        self._refinement, self.is_refined = None, False
        self._resize([part.frame.size for part in parts], size)
        for target in self._targets:
            target.begin()

    def _refined(self, parts: Sequence[ViewportFrame], bands: int, *, shows_each: bool = True) -> Iterator[bool]:
        """Draw the samples of a refined picture, piece by piece, and make their mean the scene of each target.

        Args:
            parts: the frames.
            bands: number of pieces that each sample of a viewport is divided into; where there are many triangles, in
                more.
            shows_each: whether the mean is made after each sample, or only after the last.

        Yields:
            Whether all viewports have one more sample.
        """
        # Outlines tell what is hidden by the first sample, also those that come while the others are drawn.
        keeps_depths = shows_each or any(has_outlines(part.frame) for part in parts)
        plans = [self._samples_of(part.frame, begins_quickly=keeps_depths) for part in parts]
        number = 0
        while not self.is_refined:
            self.draw_calls = 0
            is_better = False
            for part, target, plan in zip(parts, self._targets, plans, strict=True):
                if number >= len(plan):
                    continue
                sample = plan[number]
                if number == 0 and part.frame.occluders is not None:
                    samples, most = (_LIGHT_SAMPLES, _PIECE_TRIANGLES) if shows_each else (_FEW_LIGHT_SAMPLES, None)
                    for _ in self._light.samples(part.frame, target.light, samples, most):
                        yield False
                for _ in self._draw_sample(part.frame, target, sample, bands, in_pieces=shows_each):
                    yield False
                if sample.peels and sample.count == 1 and target.single.peeling.is_costly:
                    del plan[number + _FEWEST_PEELED :]
                is_last = number + 1 == len(plan)
                if is_last if not keeps_depths else number == 0:
                    target.note_depths(target.single if sample.peels else target.multisampled, target.size)
                if (sample.shows and shows_each) or is_last:
                    self._show_mean(part.frame, target, sample.count)
                    is_better = True
            number += 1
            self.is_refined = number >= max(map(len, plans))
            yield is_better

    def _samples_of(self, frame: FrameData, *, begins_quickly: bool) -> list[_Sample]:
        """Return the samples of a refined picture of a frame.

        Args:
            frame: to draw.
            begins_quickly: whether a picture without layers comes first, and some are shown before the last.
        """
        peels = frame.visible.opaque_count < frame.visible.count
        # Most of the time goes into the light of what is opaque: it is drawn once for all multisamples. That needs
        # the depth of each, which fragments that write their depth do not have.
        takes = peels and self._samples > 0 and not self._depth.defines
        taken = range(self._samples) if takes else (None,)
        pictures = product(sample_offsets(self._samples if takes or not peels else 0), taken)
        samples = [
            _Sample(offset, peels, number, count, begins_quickly and (count >= _FEWEST_PEELED or not peels))
            for count, (offset, number) in enumerate(pictures, start=1)
        ]
        # Layers take long: what is shown until there are some samples of them has full light and smooth edges, too.
        first = [_Sample(np.zeros(2), False, None, 1, True)] if peels and begins_quickly else []
        return first + samples

    def _draw_sample(
        self, frame: FrameData, target: ViewportTarget, sample: _Sample, bands: int, *, in_pieces: bool
    ) -> Iterator[None]:
        """Draw one sample of a refined picture of a frame, and add it to the sum of its target.

        Args:
            frame: to draw.
            target: the targets of the viewport that the frame shows.
            sample: which.
            bands: as of `_refined`.
            in_pieces: whether the triangles are drawn in pieces.

        Yields:
            Nothing, between two pieces.
        """
        surface = target.single if sample.peels else target.multisampled
        opaque = surface if sample.taken is None else target.multisampled
        if sample.peels and sample.count == 1:
            surface.peeling.fragment_count = 0
        self._outlines.keep_depths(target, surface)
        self._outlines.keep_depths(target, opaque)
        light = None if frame.occluders is None else target.light
        frame = jittered(frame, sample.offset)
        *before, last = frame.visible.in_pieces(_PIECE_TRIANGLES) if in_pieces else [frame.visible]
        tiles = -(-target.size[1] // _TILE_ROWS)
        bands_left = -(-bands // (len(before) + 1))  # the pieces divide the time for pixels, too
        borders = sorted({tiles * band // bands_left * _TILE_ROWS for band in range(bands_left + 1)})
        for rows in pairwise(borders):
            rest = replace(frame, visible=last)
            if not sample.taken:
                for piece in before:
                    self._bind(frame, opaque, rows, clears=piece is before[0])
                    self.draw_meshes(replace(frame, visible=piece), light=light)
                    yield
                self._bind(frame, opaque, rows, clears=not before)
                self.draw_meshes(rest, light=light)
                with self._depth.in_use(), linear_light(self.ctx):
                    self._draw_edges(rest, "opaque")
            if sample.taken is not None:
                rest = jittered(rest, self._middles_of(target.multisampled)[sample.taken])
                self._bind(rest, surface, rows, clears=False)
                self._take(opaque.framebuffer, sample.taken)
            if sample.peels:
                yield
                yield from self._draw_layers(rest, surface, rows, light)
            else:
                self._draw_translucent_and_lines(rest, surface, "lit", light)
            if rows[1] < target.size[1]:
                yield
        self._add_sample(frame, target, surface, is_first=sample.count == 1)

    def _draw_layers(
        self, frame: FrameData, surface: Surface, rows: tuple[int, int], light: LightTarget | None
    ) -> Iterator[None]:
        """Blend translucent surfaces exactly over what is opaque, and draw lines; yield after each layer."""
        peeling = surface.peeling
        peeling.begin()
        for number in range(_LAYERS + 1):
            self._meshes.upload(frame, self._upload_seconds)
            with self._depth.in_use():
                if not peeling.find_layer(partial(self._draw_layer, frame, None)):  # depth is all that is drawn
                    break
                if number < _LAYERS:
                    peeling.blend_layer(partial(self._draw_layer, frame, light))
                    yield
                    continue
                self._bind(frame, surface, rows, clears=False)
                with linear_light(self.ctx):
                    self._draw_translucent(frame, surface, "lit", light, "behind layers")
        self._bind(frame, surface, rows, clears=False)
        with self._depth.in_use(), linear_light(self.ctx):
            self.ctx.enable_only(moderngl.BLEND)
            self.ctx.blend_func = _OVER
            self._paste(peeling.blended, surface.framebuffer)
            self.draw_calls += self._lines.draw(frame, surface.framebuffer)

    def _draw_layer(self, frame: FrameData, light: LightTarget | None) -> None:
        """Draw all that can be a layer, with the depth test and the blending that are set."""
        self.draw_calls += self._draw_part(frame, "layer", "lit", light)
        self._draw_edges(frame, "layer")

    def _draw_scene(self, frame: FrameData, target: ViewportTarget, quality: Quality) -> None:
        """Draw the scene of a target in some quality."""
        surface = target.multisampled if quality.is_multisampled else target.plain
        if not quality.is_multisampled:
            frame = scaled(frame, quality.scale)
        is_numbered = surface is target.plain and outlines_all(frame)
        lit = _lit(frame, quality)
        frame = self._draw_opaque(frame, target, surface, lit, is_numbered=is_numbered)
        self._draw_translucent_and_lines(frame, surface, lit)
        target.note_depths(surface, frame.size)
        if is_numbered:
            self.draw_calls += self._outlines.take_numbers(frame, target)
        if frame.size != target.size:
            self._enlarge(target, frame.size)
            return
        if surface.framebuffer.samples:
            self.ctx.enable_only(moderngl.NOTHING)
            with linear_light(self.ctx):
                self._resolve(surface.framebuffer, target.picture)
        target.scene = target.picture

    def _add_sample(self, frame: FrameData, target: ViewportTarget, surface: Surface, *, is_first: bool) -> None:
        """Add what was drawn into a surface to the target's sum, or begin another sum with it, where objects reach."""
        target.sum.scissor = frame.reach or (0, 0, *frame.size)
        self.ctx.enable_only(moderngl.NOTHING if is_first else moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE
        draw = self._resolve if surface.framebuffer.samples else self._paste
        draw(surface.framebuffer, target.sum)
        self.ctx.enable_only(moderngl.NOTHING)

    def _show_mean(self, frame: FrameData, target: ViewportTarget, count: int) -> None:
        """Make the mean of so many samples, before the background and with the ground, the scene of a target."""
        scene = target.new_scene()
        scene.use()
        with self._depth.in_use():
            self.draw_calls += self._background.draw(frame, None if frame.occluders is None else target.light)
            with linear_light(self.ctx):
                self.ctx.enable_only(moderngl.BLEND)
                self.ctx.blend_func = _OVER
                scene.scissor = frame.reach or (0, 0, *frame.size)
                self._paste(target.sum, scene, weight=1.0 / count)
                scene.scissor = (0, 0, *frame.size)
            self.draw_calls += self._background.draw_ground_before(frame, scene)

    def _enlarge(self, target: ViewportTarget, size: tuple[int, int]) -> None:
        """Make the lower left part of the target's picture, of a size in pixels, its scene."""
        texture = color_texture(target.picture)
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.ctx.enable_only(moderngl.NOTHING)
        with with_opacity(texture):
            self._paste(target.picture, target.new_scene(), part=size)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def _copy(self, to: moderngl.Framebuffer, source: moderngl.Framebuffer) -> None:
        """Copy colours of the same size and format, without samples."""
        to.use()  # after a copy moderngl sets the draw buffers of the framebuffer in use
        with linear_light(self.ctx):  # llvmpipe takes long where formats are not what they are
            self.ctx.copy_framebuffer(to, source)

    def _resolve(self, source: moderngl.Framebuffer, to: moderngl.Framebuffer) -> None:
        """Draw the mean of the samples of each pixel, linear light, into a framebuffer of the same size.

        OpenGL's own copy does that, too, but Mesa compiles it in every process, and it cannot be blended.
        """
        to.use()
        color_texture(source).use(0)
        quad = self._quads.of("resolve.glsl", f"SAMPLES {source.samples}")
        quad.program["source"] = 0
        quad.render()  # not counted, as other copies are not

    def _take(self, source: moderngl.Framebuffer, number: int) -> None:
        """Draw one of the samples of each pixel, with its depth, into the framebuffer in use, of the same size."""
        depths = source.depth_attachment
        assert isinstance(depths, moderngl.Texture)
        color_texture(source).use(0)
        depths.use(1)
        quad = self._quads.of("resolve.glsl", "TAKE")
        quad.program["source"], quad.program["depths"], quad.program["number"] = 0, 1, number
        self.ctx.enable_only(moderngl.DEPTH_TEST)  # else no depth is written
        with self._depth.in_use(), linear_light(self.ctx):
            self.ctx.depth_func = "1"
            quad.render()

    def _middles_of(self, surface: Surface) -> np.ndarray:
        """Return (samples, 2) pixels by which a picture is moved to bring each sample to the middle of its pixel."""
        surface.framebuffer.use()
        place = gl_function(self.ctx, "glGetMultisamplefv", 2, ctypes.c_void_p)
        places = np.empty((surface.framebuffer.samples, 2), dtype=np.float32)
        for number, row in enumerate(places):
            place(_SAMPLE_POSITION, number, row.ctypes.data)
        return 0.5 - places.astype(np.float64)

    def _paste(
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
        self.draw_calls += 1

    def _draw_translucent_and_lines(
        self, frame: FrameData, surface: Surface, lit: str, light: LightTarget | None = None
    ) -> None:
        """Draw what is blended over the opaque part of the scene, without sorting, into a surface that is in use."""
        with self._depth.in_use(), linear_light(self.ctx):
            self._draw_translucent(frame, surface, lit, light)
            self.draw_calls += self._lines.draw(frame, surface.framebuffer)

    def _draw_opaque(
        self, frame: FrameData, target: ViewportTarget, surface: Surface, lit: str, *, is_numbered: bool
    ) -> FrameData:
        """Draw what is opaque, the background and the ground.

        Args:
            frame: to draw.
            target: the targets of the viewport that the frame shows.
            surface: of the target, to draw into: its lower left part that has the frame's size.
            lit: as `_lit` returns it.
            is_numbered: also draws the numbers of what is opaque.

        Returns:
            The frame for further passes.
        """
        meshes_surface = target.numbered if is_numbered else surface
        self._bind(frame, meshes_surface, None, clears=True)
        with self._depth.in_use():
            # All that is opaque comes first and writes depth; what is blended over it is tested against that depth.
            draw = partial(self._upload_and_draw, lit=lit, light=None, is_numbered=is_numbered)
            frame, is_covered = self._unoccluded.draw(frame, meshes_surface, target.culler, draw)
            if is_numbered:
                self._bind(frame, surface, None, clears=False)
            if not is_covered:
                self.draw_calls += self._background.draw(frame)
            self.draw_calls += self._background.draw_ground_before(frame, surface.framebuffer)
            with linear_light(self.ctx):
                self._draw_edges(frame, "opaque")
        return frame

    def _bind(self, frame: FrameData, surface: Surface, rows: tuple[int, int] | None, *, clears: bool) -> None:
        """Draw into the lower left part of a surface, which has a frame's size, from here on.

        Args:
            frame: to draw.
            surface: to draw into.
            rows: the first of the rows that are drawn, from below, and the row after the last; None: all.
            clears: False if a part of the picture is there already.
        """
        framebuffer = surface.framebuffer
        framebuffer.viewport = (0, 0, *frame.size)
        first, end = (0, frame.size[1]) if rows is None else rows
        framebuffer.scissor = (0, first, frame.size[0], end - first)
        framebuffer.use()
        if clears:
            framebuffer.clear(depth=ReversedDepth.FARTHEST)

    def draw_meshes(self, frame: FrameData, light: LightTarget | None = None) -> None:
        """Draw what is visible and opaque, in full light, into the framebuffer in use, whose depth is ReversedDepth's.

        Args:
            frame: to draw.
            light: that reaches surfaces; None: all of it does.
        """
        with self._depth.in_use():
            self._upload_and_draw(frame, "lit", light)

    def _upload_and_draw(
        self, frame: FrameData, lit: str, light: LightTarget | None, *, is_numbered: bool = False
    ) -> None:
        self._meshes.upload(frame, self._upload_seconds)
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
        self.draw_calls += self._draw_part(frame, "opaque", lit, light, is_numbered=is_numbered)
        self.draw_calls += self._draw_part(frame, "opaque parts", lit, light)

    def _draw_part(
        self,
        frame: FrameData,
        part: str,
        lit: str,
        light: LightTarget | None = None,
        *,
        is_numbered: bool = False,
    ) -> int:
        draw = partial(self._meshes.draw, frame, frame.visible, part=part, is_numbered=is_numbered)
        seen, mode = frame.backdrop.seen_luminance, frame.shading.mode
        calls = 0
        if not mode.draws_faces:
            calls = draw("bounded", "edge", seen_luminance=seen)
        elif part != "opaque parts" or mode.opacity == BY_MATERIAL:  # else it is lines and points alone that are opaque
            calls = draw(lit, *SURFACES, light=light)
        return calls + draw("unlit", "line", "point", seen_luminance=seen)

    def _draw_translucent(
        self,
        frame: FrameData,
        surface: Surface,
        lit: str,
        light: LightTarget | None,
        part: str = "translucent",
    ) -> None:
        if frame.visible.opaque_count == frame.visible.count:
            return
        # The surfaces are gathered in any order, then blended over the opaque scene in one pass.
        surface.translucent.begin()
        self.draw_calls += self._draw_part(frame, part, lit, light)
        is_multisampled = surface.framebuffer.samples > 0
        surface.translucent.blend(self._quads.of("translucent.glsl", *([] if is_multisampled else ["PLAIN"])))
        self.draw_calls += 1
        if part == "translucent":  # those of layers are among the layers
            self._draw_edges(frame, "translucent")

    def release(self) -> None:
        """Delete every OpenGL object of the renderer; the context may live on without it."""
        idle_framebuffer(self.ctx).use()
        self._meshes.release()
        self._annotations.release()
        self._unoccluded.release()
        release_framebuffers([framebuffer for target in self._targets for framebuffer in target.framebuffers])
        if self._whole is not None:
            release_framebuffers([self._whole])
        self._outlines.release()
        self._quads.release()
        self._lines.release()

    def _draw_edges(self, frame: FrameData, part: str) -> None:
        if frame.polygon_edges is None or not frame.shading.mode.draws_faces:
            return
        if part != "layer":  # which come with a test and a blending of their own
            self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
            self.ctx.blend_func = ALPHA_BLENDING
        self.draw_calls += self._meshes.draw(frame, frame.visible, "solid", "edge", part=part, solid_color=_EDGE_COLOR)

    def _draw_outlines(self, frame: FrameData, target: ViewportTarget) -> None:
        """Make the picture of the scene, and draw outlines and annotations over it, if there are any."""
        if target.scene is not target.picture:
            self._copy(target.picture, target.scene)
        elif has_outlines(frame) or frame.annotations is not None:
            self._copy(target.new_scene(), target.picture)
        self.draw_calls += self._outlines.draw(frame, target)
        if frame.annotations is not None:
            target.picture.use()
            self.draw_calls += self._annotations.draw(frame.annotations, frame.size)

    def _put_together(self, parts: Sequence[ViewportFrame]) -> None:
        """Copy the viewports' pictures into the whole; one that is the whole is that already."""
        whole = self._whole
        if whole is None:
            return
        whole.use()
        whole.clear(*_BETWEEN_COLOR, 1.0)
        self.ctx.enable_only(moderngl.NOTHING)
        for part, target in zip(parts, self._targets, strict=True):
            (x, y), (width, height) = part.corner, part.frame.size
            whole.viewport = (x, whole.height - y - height, width, height)  # OpenGL counts rows from below
            with with_opacity(color_texture(target.picture)):
                self._paste(target.picture, whole)
        whole.viewport = (0, 0, *whole.size)

    def _resize(self, sizes: Sequence[tuple[int, int]], whole_size: tuple[int, int]) -> None:
        """Make a target for each size, and one for the whole where one alone does not fill it."""
        has_parts = list(sizes) != [whole_size]
        old: list[moderngl.Framebuffer] = []
        if [target.size for target in self._targets] != list(sizes):
            old += [framebuffer for target in self._targets for framebuffer in target.framebuffers]
            cullers = [target.culler for target in self._targets]
            self._targets = [ViewportTarget(self.ctx, size, self._samples, self._depth) for size in sizes]
            for target, culler in zip(self._targets, cullers, strict=False):
                target.culler = culler  # which stays worth something in a window whose size is dragged
        if self._whole is not None and not (has_parts and self._whole.size == whole_size):
            old.append(self._whole)
            self._whole = None
        if has_parts and self._whole is None:
            self._whole = picture_framebuffer(self.ctx, whole_size)
        self.picture = self._targets[0].picture if self._whole is None else self._whole
        # The old ones go only when a new one is bound: moderngl would bind a deleted framebuffer again.
        self._targets[0].picture.use()
        release_framebuffers(old)


def _lit(frame: FrameData, quality: Quality) -> str:
    """Return the kind of MeshDrawing.draw in which a picture's surfaces are lit.

    A simple light is calculated for each triangle or for each pixel, of whichever a frame has fewer.
    """
    if quality.has_full_light:
        return "lit"
    return "fast" if frame.visible.triangle_count > frame.size[0] * frame.size[1] else "fast at corners"
