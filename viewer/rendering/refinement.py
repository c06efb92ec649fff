"""Refinement: a picture is drawn several times, moved by parts of a pixel; the mean of these samples is shown.

Background and ground are drawn once, below the mean, which keeps the opacity of each pixel for that. Translucent
surfaces are blended layer by layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np

from octoscope.viewer.frame.frame import FrameData, ViewportFrame
from octoscope.viewer.rendering.jitter import jittered, sample_offsets
from octoscope.viewer.rendering.passes.outline_drawing import has_outlines
from octoscope.viewer.rendering.passes.scene_passes import ScenePasses
from octoscope.viewer.rendering.passes.viewport_target import ViewportTarget

# Bands consist of whole tiles of llvmpipe, which loses samples along other borders (Mesa 22).
_TILE_ROWS = 64
_FEWEST_PEELED = 4  # samples with layers before there is something to show, and where layers are costly all of them
_LIGHT_SAMPLES, _FEW_LIGHT_SAMPLES = 4, 1  # of what keeps light off, in a window and at once
_PIECE_TRIANGLES = 150_000  # drawn without a look at events: some hundredths of a second


@dataclass(frozen=True, eq=False)
class _Sample:
    """A picture that is part of a refined one."""

    offset: np.ndarray  # (2,) pixels by which it is moved
    peels: bool  # True blends translucent surfaces exactly, with one sample a pixel
    # number of the multisample of each pixel over which they are blended; what is opaque is drawn, with all its
    # samples, for number 0. None: it is drawn with one sample a pixel, too, or nothing is blended exactly.
    taken: int | None
    count: int  # number of pictures of which the mean is made with this one; 1 begins another mean
    shows: bool  # whether the mean is shown, also if it is not the last


class Refinement:
    """One picture's refinement.

    Args:
        targets: of the same viewports; their scene is the mean.
        bands: number of pieces that each sample of a viewport is divided into; where there are many triangles, in more.
        shows_each: whether the mean is made after each sample, or only after the last.
    """

    def __init__(
        self,
        passes: ScenePasses,
        parts: Sequence[ViewportFrame],
        targets: Sequence[ViewportTarget],
        bands: int = 1,
        *,
        shows_each: bool = True,
    ) -> None:
        self.is_done = False  # True once nothing better is to be had
        self._passes = passes
        self._viewports = [(part.frame, target) for part, target in zip(parts, targets, strict=True)]
        self._bands = bands
        self._shows_each = shows_each
        # Outlines tell what is hidden by the first sample, also those that come while the others are drawn.
        self._keeps_depths = shows_each or any(has_outlines(part.frame) for part in parts)
        self._plans = [self._samples_of(frame, target) for frame, target in self._viewports]
        self._pieces = self._draw_pieces()

    def draw_piece(self) -> bool:
        """Draw the next piece; return whether all viewports have one more sample, and one shows it."""
        return next(self._pieces)

    def draw_all(self) -> None:
        """Draw all pieces."""
        for _ in self._pieces:
            pass

    def _samples_of(self, frame: FrameData, target: ViewportTarget) -> list[_Sample]:
        """Return the samples of a frame; where some are shown before the last, one without layers comes first."""
        peels = frame.visible.opaque_count < frame.visible.count
        # Most of the time goes into the light of what is opaque: it is drawn once for all multisamples. That needs
        # the depth of each, which fragments that write their depth do not have.
        takes = peels and target.samples > 0 and not self._passes.depth.defines
        taken = range(target.samples) if takes else (None,)
        pictures = product(sample_offsets(target.samples if takes or not peels else 0), taken)
        samples = [
            _Sample(offset, peels, number, count, self._keeps_depths and (count >= _FEWEST_PEELED or not peels))
            for count, (offset, number) in enumerate(pictures, start=1)
        ]
        # Layers take long: what is shown until there are some samples of them has full light and smooth edges, too.
        first = [_Sample(np.zeros(2), False, None, 1, True)] if peels and self._keeps_depths else []
        return first + samples

    def _draw_pieces(self) -> Iterator[bool]:
        """Draw the samples of all viewports in turn; yield, between pieces, what `draw_piece` returns."""
        number = 0
        while not self.is_done:
            self._passes.draw_calls = 0
            is_better = False
            for (frame, target), plan in zip(self._viewports, self._plans, strict=True):
                if number >= len(plan):
                    continue
                sample = plan[number]
                if number == 0 and frame.occluders is not None:
                    samples = _LIGHT_SAMPLES if self._shows_each else _FEW_LIGHT_SAMPLES
                    most = _PIECE_TRIANGLES if self._shows_each else None
                    for _ in self._passes.light.samples(frame, target.light, samples, most):
                        yield False
                for _ in self._draw_sample(frame, target, sample):
                    yield False
                if sample.peels and sample.count == 1 and target.single.peeling.is_costly:
                    del plan[number + _FEWEST_PEELED :]
                is_last = number + 1 == len(plan)
                if is_last if not self._keeps_depths else number == 0:
                    target.note_depths(target.single if sample.peels else target.multisampled, target.size)
                if (sample.shows and self._shows_each) or is_last:
                    self._passes.show_mean(frame, target, sample.count)
                    is_better = True
            number += 1
            self.is_done = number >= max(map(len, self._plans))
            yield is_better

    def _draw_sample(self, frame: FrameData, target: ViewportTarget, sample: _Sample) -> Iterator[None]:
        """Draw one sample of a frame, and add it to the sum of its target; yield between two pieces."""
        passes = self._passes
        surface = target.single if sample.peels else target.multisampled
        opaque = surface if sample.taken is None else target.multisampled
        if sample.peels and sample.count == 1:
            surface.peeling.fragment_count = 0
        passes.outlines.keep_depths(target, surface)
        passes.outlines.keep_depths(target, opaque)
        light = None if frame.occluders is None else target.light
        frame = jittered(frame, sample.offset)
        *before, last = frame.visible.in_pieces(_PIECE_TRIANGLES) if self._shows_each else [frame.visible]
        tiles = -(-target.size[1] // _TILE_ROWS)
        bands_left = -(-self._bands // (len(before) + 1))  # the pieces divide the time for pixels, too
        borders = sorted({tiles * number // bands_left * _TILE_ROWS for number in range(bands_left + 1)})
        for band in pairwise(borders):
            rest = replace(frame, visible=last)
            if not sample.taken:
                for piece in before:
                    opaque.use(frame.size, band, clears=piece is before[0])
                    passes.draw_meshes(replace(frame, visible=piece), light=light)
                    yield
                opaque.use(frame.size, band, clears=not before)
                passes.draw_meshes(rest, light=light)
                passes.draw_opaque_edges(rest)
            if sample.taken is not None:
                rest = jittered(rest, passes.blits.middles_of(opaque.framebuffer)[sample.taken])
                surface.use(frame.size, band)
                passes.blits.take(opaque.framebuffer, sample.taken)
            if sample.peels:
                yield
                yield from passes.draw_layers(rest, surface, band, light)
            else:
                passes.draw_translucent_and_lines(rest, surface, light=light)
            if band[1] < target.size[1]:
                yield
        passes.add_sample(frame, target, surface, is_first=sample.count == 1)
