"""Renderer: draws FrameData and reads nothing else.

The scene is drawn in some quality into targets of the renderer's own, and then into `picture`, which a window copies
and a script reads. Each of several viewports has its own targets, drawn as if it were alone; their pictures are then
copied beside each other. All share one copy of the scene on the card.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import moderngl

from octoscope.scene import Meshes
from octoscope.scene.system.memory import keep_freed_memory
from octoscope.scene.system.text_file import reason_of
from octoscope.viewer.frame.frame import FrameData, ViewportFrame
from octoscope.viewer.frame.quality import BEST, Quality
from octoscope.viewer.rendering.buffers import Buffers, read_buffers
from octoscope.viewer.rendering.context.card_errors import CardErrors, DrawError, NoMemory
from octoscope.viewer.rendering.context.driver_messages import print_messages
from octoscope.viewer.rendering.context.opengl import (
    color_texture,
    idle_framebuffer,
    is_software,
    most_texture_samples,
    release_framebuffers,
    with_opacity,
)
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.scene_passes import ScenePasses
from octoscope.viewer.rendering.passes.viewport_target import SceneDepths, ViewportTarget, picture_framebuffer
from octoscope.viewer.rendering.refinement import Refinement
from octoscope.viewer.window.opengl_request import opengl_request

_T = TypeVar("_T")
_SAMPLES = 4
_RETRY_SECONDS = 30.0  # from a lack of memory to another try with several samples; twice as long after each
_ERRORS_PAUSE_SECONDS = 0.25  # while pictures may be left without meshes for lack of time, as in a window
_BETWEEN = 0.7  # between viewports: so much of the background's lower end


class Renderer:
    """Draws frames with one context. What is too much for the card's memory or limits raises a DrawError.

    Args:
        indirect: whether to use multi-draw-indirect; None uses it where the context has it.
        clip_control: whether to use glClipControl; None uses it where the context has it (OpenGL 4.5).
        upload_seconds: time that a picture may wait for meshes to be uploaded; the others are left out of it. None
            waits for all.

    Attributes:
        picture: framebuffer with the finished picture of the last `render`, in a texture.
        passes: draw the viewports.
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
        print_messages(ctx)
        idle_framebuffer(ctx)  # made now: `release` is called after a reset, too, when none can be made
        if not opengl_request().has_fast_path:
            indirect, clip_control = indirect or False, clip_control or False
        if is_software(ctx):
            keep_freed_memory()
        self.passes = ScenePasses(
            ctx, ReversedDepth(ctx, clip_control=clip_control), indirect=indirect, upload_seconds=upload_seconds
        )
        self._upload_seconds = upload_seconds
        self._card_errors = CardErrors(ctx, 0.0 if upload_seconds is None else _ERRORS_PAUSE_SECONDS)
        self._samples = self._most_samples = _SAMPLES if most_texture_samples(ctx) >= _SAMPLES else 0
        self._retry_seconds, self._retry_time = _RETRY_SECONDS, math.inf  # of time.monotonic()
        self._targets = [ViewportTarget(ctx, (1, 1), self._samples, self.passes.depth)]
        self._notes: list[str] = []
        self._whole: moderngl.Framebuffer | None = None
        self._refinement: Refinement | None = None  # of the last picture, once it has begun
        self.picture = self._targets[0].picture

    @property
    def draw_calls(self) -> int:
        """Number of draw calls of the last `render`."""
        return self.passes.draw_calls

    @property
    def is_refined(self) -> bool:
        """True if nothing better than `picture` is to be had."""
        return self._refinement is not None and self._refinement.is_done

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
        return self.passes.meshes.messages + self._notes

    @property
    def has_pending_uploads(self) -> bool:
        """True if the last picture lacks meshes that it had no time for."""
        return self.passes.meshes.has_pending_uploads

    def upload_pending(self) -> None:
        """Upload more meshes, for as long as a picture may wait."""
        self._with_less_memory(lambda: self.passes.meshes.upload_pending(self._upload_seconds))

    def upload_meshes(self, meshes: Meshes, *, waits: bool) -> bool:
        """Upload meshes that no frame shows yet.

        Args:
            meshes: the pool of the scene.
            waits: upload all of them, however long it takes; else for as long as a picture may wait.

        Returns:
            whether all of them are on the card.
        """
        seconds = None if waits else self._upload_seconds
        return self._with_less_memory(lambda: self.passes.meshes.upload_meshes(meshes, seconds))

    def render(self, frame: FrameData) -> None:
        """Draw a frame into `picture`."""
        self.render_parts([ViewportFrame(frame, (0, 0))], frame.size)

    def render_parts(self, parts: Sequence[ViewportFrame], size: tuple[int, int], quality: Quality = BEST) -> None:
        """Draw frames into their places in `picture`, which gets this size."""

        def draw() -> None:
            self._begin(parts, size)
            for part, target in zip(parts, self._targets, strict=True):
                self.passes.draw(part.frame, target, quality)
                self.passes.draw_over(part.frame, target)
            self._put_together(parts)

        self._with_less_memory(draw)

    def render_outlines(self, parts: Sequence[ViewportFrame]) -> None:
        """Draw outlines and annotations of frames again, over the scene as it was drawn last."""
        with self._draw_errors():
            for part, target in zip(parts, self._targets, strict=True):
                self.passes.meshes.upload(part.frame, self._upload_seconds)
                self.passes.draw_over(part.frame, target)
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
        """
        draw_calls = self.draw_calls
        try:
            with self._draw_errors():
                if self._refinement is None:
                    self._refinement = Refinement(self.passes, parts, self._targets, bands)
                is_better = self._refinement.draw_piece()
        except NoMemory:
            self._save_memory()
            self.render_parts(parts, self.picture.size)  # to be refined anew
            return True
        if is_better:
            self.render_outlines(parts)
        self.passes.draw_calls = draw_calls
        return is_better

    def render_best(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> None:
        """Draw frames as `render_parts` does, refined at once."""

        def draw() -> None:
            self._begin(parts, size)
            self._refinement = Refinement(self.passes, parts, self._targets, shows_each=False)
            self._refinement.draw_all()

        self._with_less_memory(draw)
        self.render_outlines(parts)

    def buffers(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> Buffers:
        """Return what is seen at each pixel of a picture of this size, beside what is drawn."""

        def read() -> Buffers:
            whole = Buffers.empty(size)
            for part in parts:
                self.passes.meshes.upload(part.frame)
                whole.put(read_buffers(self.ctx, self.passes.meshes, self.passes.depth, part.frame), part.corner)
            return whole

        return self._with_less_memory(read)

    def opaque_depths(self) -> SceneDepths:
        """Return the depths of what is opaque in the last picture, of one viewport, one of them a pixel."""
        (target,) = self._targets
        assert target.depths is not None, "a picture was drawn"
        if target.depths.texture.samples:
            self.passes.outlines.keep_depths(target, target.multisampled)
        return target.depths

    @contextmanager
    def _draw_errors(self) -> Iterator[None]:
        """Raise what the card cannot do as a DrawError, also what OpenGL does not report by itself."""
        try:
            yield
        except (moderngl.Error, MemoryError) as error:
            other = DrawError(f"the picture could not be drawn ({reason_of(error)})")
            raise self._card_errors.take(at_once=True) or other from error
        if (found := self._card_errors.take()) is not None:
            raise found

    def _with_less_memory(self, draw: Callable[[], _T]) -> _T:
        """Return what a function returns that draws or uploads; where memory lacks, save some and call it again."""
        while True:
            try:
                with self._draw_errors():
                    return draw()
            except NoMemory:
                self._save_memory()

    def _save_memory(self) -> None:
        """Take one sample a pixel for a while, which needs a fifth of the memory; then smaller textures.

        Raises:
            NoMemory: there is nothing left to save.
        """
        has_samples = self._samples > 0
        if not self.passes.meshes.begin_anew(shrinks_textures=not has_samples):
            raise NoMemory
        if has_samples:
            self._samples = 0
            self._retry_time, self._retry_seconds = time.monotonic() + self._retry_seconds, 2.0 * self._retry_seconds
            self._notes = ["the graphics card lacks memory for smooth edges, which pictures have only after a moment"]
        with self._draw_errors():
            self._renew_targets()

    def _renew_targets(self) -> None:
        """Make targets anew, with the present number of samples."""
        old = self._replace_targets([target.size for target in self._targets])
        self._targets[0].picture.use()  # moderngl would bind a deleted framebuffer again
        release_framebuffers(old)

    def _begin(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> None:
        """Begin another picture."""
        self.passes.draw_calls = 0
        self._refinement = None
        if time.monotonic() >= self._retry_time:  # other programs may have ended since
            self._samples, self._retry_time, self._notes = self._most_samples, math.inf, []
            self._renew_targets()
        self._resize([part.frame.size for part in parts], size)
        for target in self._targets:
            target.begin()

    def release(self) -> None:
        """Delete every OpenGL object of the renderer; the context may live on without it."""
        idle_framebuffer(self.ctx).use()
        self.passes.release()
        release_framebuffers([framebuffer for target in self._targets for framebuffer in target.framebuffers])
        if self._whole is not None:
            release_framebuffers([self._whole])

    def _put_together(self, parts: Sequence[ViewportFrame]) -> None:
        """Copy the viewports' pictures into the whole; one that is the whole is that already."""
        whole = self._whole
        if whole is None:
            return
        whole.use()
        red, green, blue = (_BETWEEN * channel for channel in parts[0].frame.look.backdrop.bottom)
        whole.clear(red, green, blue, 1.0)
        self.ctx.enable_only(moderngl.NOTHING)
        for part, target in zip(parts, self._targets, strict=True):
            (x, y), (width, height) = part.corner, part.frame.size
            whole.viewport = (x, whole.height - y - height, width, height)  # OpenGL counts rows from below
            with with_opacity(color_texture(target.picture)):
                self.passes.blits.paste(target.picture, whole)
        whole.viewport = (0, 0, *whole.size)

    def _replace_targets(self, sizes: Sequence[tuple[int, int]]) -> list[moderngl.Framebuffer]:
        """Make a target for each size, and return the framebuffers of those before them."""
        old = [framebuffer for target in self._targets for framebuffer in target.framebuffers]
        cullers = [target.culler for target in self._targets]
        self._targets = [ViewportTarget(self.ctx, size, self._samples, self.passes.depth) for size in sizes]
        for target, culler in zip(self._targets, cullers, strict=False):
            target.culler = culler  # which stays worth something in a window whose size is dragged
        return old

    def _resize(self, sizes: Sequence[tuple[int, int]], whole_size: tuple[int, int]) -> None:
        """Make a target for each size, and one for the whole where one alone does not fill it."""
        has_parts = list(sizes) != [whole_size]
        old: list[moderngl.Framebuffer] = []
        if [target.size for target in self._targets] != list(sizes):
            old += self._replace_targets(sizes)
        if self._whole is not None and not (has_parts and self._whole.size == whole_size):
            old.append(self._whole)
            self._whole = None
        if has_parts and self._whole is None:
            self._whole = picture_framebuffer(self.ctx, whole_size)
        self.picture = self._targets[0].picture if self._whole is None else self._whole
        # The old ones go only when a new one is bound: moderngl would bind a deleted framebuffer again.
        self._targets[0].picture.use()
        release_framebuffers(old)
