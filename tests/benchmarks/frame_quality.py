"""Pictures of one scene in each quality, as a moving camera has them, and refined as one that stands still has it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from octoscope.viewer.frame.quality import BEST, BUDGET_MS, QUALITIES, CardTimes, Quality, QualityController
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.context.opengl import is_software
from octoscope.viewer.rendering.renderer import Renderer
from tests.benchmarks.harness import Result, compare

_NAMES = ("4 samples", "1 sample", "1 sample, simple light", "the same, scale 0.5")
_SETTLING = 30  # frames
_STEP_RAD = 1e-4  # that the camera turns from frame to frame


def measure(view: View, renderer: Renderer, size: tuple[int, int], draw_bare: Callable[[], object]) -> Iterator[Result]:
    """Measure pictures of a view from culling to reading back."""

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

    def move(quality: Quality) -> np.ndarray:
        view.camera = replace(view.camera, yaw_rad=view.camera.yaw_rad + _STEP_RAD)
        return draw(quality)

    view.settings.tiny_culling = view.settings.simplifying = True  # as in a window
    chosen = _settled(move, is_software=is_software(renderer.ctx))
    rivals: dict[str, Callable[[], object]] = {"bare program, only what is in view": draw_bare}
    rivals |= {f"always: {name}": partial(move, quality) for name, quality in zip(_NAMES, QUALITIES, strict=True)}
    name = f"moved camera in the quality that a window chooses, {share}"
    note = f"{_NAMES[QUALITIES.index(chosen)]}, for {BUDGET_MS:.0f} ms a frame"
    yield compare(name, partial(move, chosen), rivals, rounds=15, note=note)


def _settled(draw: Callable[[Quality], object], *, is_software: bool) -> Quality:
    """Return the quality that a window's frames have after some time."""
    controller = QualityController(CardTimes.of_software(), is_software=is_software)
    for _ in range(_SETTLING):
        quality = controller.quality("automatic")
        begin = time.perf_counter()
        draw(quality)
        controller.note(quality, 1e3 * (time.perf_counter() - begin))
    return controller.quality("automatic")
