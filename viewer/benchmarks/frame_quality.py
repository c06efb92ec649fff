"""Pictures of one scene in each quality, as a moving camera has them, and refined as one that stands still has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from viewer.benchmarks.harness import Result, compare
from viewer.frame.quality import BEST, QUALITIES, Quality
from viewer.frame.view import View
from viewer.rendering.context.offscreen import image_of
from viewer.rendering.renderer import Renderer

_NAMES = ("4 samples", "1 sample", "1 sample, simple light", "the same, scale 0.71", "the same, scale 0.5")


def measure(view: View, renderer: Renderer, size: tuple[int, int]) -> Iterator[Result]:
    """Measure pictures of a view from culling to reading back; `size` in pixels."""

    def draw(quality: Quality) -> np.ndarray:
        renderer.render_parts(view.build_frames(size), size, quality)
        return image_of(renderer.picture)

    def refine() -> np.ndarray:
        renderer.render_best(view.build_frames(size), size)
        return image_of(renderer.picture)

    best = draw(BEST).astype(int)
    for quality in QUALITIES:
        assert np.abs(draw(quality) - best).mean() < 16.0, "every quality shows the same things"
    share = f"{view.stats.drawn / view.stats.objects:.1%} of {view.stats.objects:,} objects in view"
    others: dict[str, Callable[[], object]] = {
        name: partial(draw, quality) for name, quality in zip(_NAMES, QUALITIES, strict=True)
    }
    yield compare(f"refined picture, 16 samples, {share}", refine, others, rounds=9)
