"""Measure what each way of drawing costs on this card, by timer queries, a picture a turn, without waiting."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from statistics import median

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import plane, sphere
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.quality import QUALITIES, CardTimes, Quality
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.gpu_timer import GpuTimer
from octoscope.viewer.rendering.context.opengl import Context
from octoscope.viewer.rendering.renderer import Renderer

_REPEATS = 4  # pictures of a kind, of which the first compiles and uploads, and the median of the others counts
_LARGE, _SMALL = (1280, 720), (160, 90)  # pictures in which pixels take all of the time, and in which triangles do
_MOST_TURNS = 100  # to wait for the result of a timer query, before the next picture is drawn
_SIMPLE = QUALITIES[2]


def measure_card(ctx: Context) -> Generator[CardTimes | None]:
    """Measure a card; each turn draws at most one small picture, or asks for the result of its timer query.

    Args:
        ctx: to draw with; it must be current at every turn.

    Yields:
        None at each turn, and the result at the last one. A card without timer queries ends without a result.
    """
    renderer, timer = Renderer(ctx), GpuTimer[str](ctx)
    measured: dict[str, list[float]] = {}
    few, many = _few_triangles(), _many_triangles()
    usual = renderer.passes.times

    def draw(
        frames: tuple[ViewportFrame, ...],
        quality: Quality,
        most_at_corners: float = usual.most_at_corners,
        fewest_culled: float = math.inf,
    ) -> None:
        renderer.passes.times = replace(usual, most_at_corners=most_at_corners, fewest_culled=fewest_culled)
        renderer.render_parts(frames, frames[0].frame.size, quality)

    large, small, culled = _frames(few, _LARGE), _frames(many, _SMALL), _frames(many, _SMALL, culls=True)
    kinds: dict[str, Callable[[], None]] = {
        **{f"quality {number}": partial(draw, large, quality) for number, quality in enumerate(QUALITIES)},
        "shadows": partial(draw, few.with_occluders(large), QUALITIES[0]),
        "pixels": partial(draw, large, _SIMPLE, 0.0),
        "pixels, at corners": partial(draw, large, _SIMPLE, math.inf),
        "triangles": partial(draw, small, _SIMPLE, 0.0),
        "triangles, at corners": partial(draw, small, _SIMPLE, math.inf),
    }
    was_without = False  # whether the last picture had no result
    try:
        for kind in (kind for kind in kinds for _ in range(_REPEATS)):
            with timer.measure(kind):
                kinds[kind]()
            taken = None
            for _ in range(_MOST_TURNS):
                yield None
                taken = timer.take()
                if taken is not None:
                    break
            if taken is not None:
                measured.setdefault(kind, []).append(taken[1])
            elif measured or was_without:  # some drivers have no time for the first picture alone
                return
            was_without = taken is None
        waits_ms = []
        for _ in range(_REPEATS):  # it reads depths back, so what it takes is the processor's time
            begin = time.perf_counter()
            draw(culled, _SIMPLE, 0.0, 0.0)
            waits_ms.append(1e3 * (time.perf_counter() - begin))
            yield None
        yield _concluded(
            {kind: median(times[1 - _REPEATS :]) for kind, times in measured.items()},
            median(waits_ms[1:]),
            large,
            small,
        )
    finally:
        timer.release()
        renderer.release()


def _concluded(
    measured_ms: dict[str, float], culled_ms: float, large: tuple[ViewportFrame, ...], small: tuple[ViewportFrame, ...]
) -> CardTimes:
    pixels = math.prod(large[0].frame.size)
    triangles = small[0].frame.visible.triangle_count
    return CardTimes.from_measured(
        [measured_ms[f"quality {number}"] for number in range(len(QUALITIES))],
        (measured_ms["pixels"] / pixels, measured_ms["pixels, at corners"] / pixels),
        (measured_ms["triangles"] / triangles, measured_ms["triangles, at corners"] / triangles),
        max(culled_ms - measured_ms["triangles"], 0.0),
        measured_ms["shadows"],
    )


def _frames(view: View, size: tuple[int, int], *, culls: bool = False) -> tuple[ViewportFrame, ...]:
    view.layout.resize(size)
    view.framing.frame_nodes(None)
    view.settings.occlusion_culling = culls
    return view.build_frames(size)


def _few_triangles() -> View:
    """Return a view of a few balls on a floor, which fill it."""
    scene = Scene()
    scene.add_node("floor", mesh=scene.meshes.add(plane(12.0)))
    ball = scene.meshes.add(sphere(0.9, 24, 12))
    for x in (-2.0, 0.0, 2.0):
        scene.add_node("ball", mesh=ball, translation=(x, 0.9, 0.0))
    return _view_of(scene)


def _many_triangles() -> View:
    """Return a view of some 100,000 triangles."""
    scene = Scene()
    ball = scene.meshes.add(sphere(0.5, 48, 24))
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(8.0), np.arange(6.0)))
    scene.add_nodes(["ball"] * len(x), mesh=ball, translation=np.stack([x, y, 0.0 * x], axis=1))
    return _view_of(scene)


def _view_of(scene: Scene) -> View:
    scene.update_world()
    view = View(scene)
    view.settings.show_grid = False
    return view
