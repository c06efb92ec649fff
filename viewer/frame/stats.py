"""FrameStats: counts of what a frame shows and of what culling visited; StageTimes: the time of each of its stages."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from octoscope.octree import CullStats
from octoscope.viewer.frame.frame import FrameData

_FRAMES = 30  # of which times are kept


@dataclass(frozen=True)
class FrameStats:
    """Counts of one frame."""

    objects: int = 0
    drawn: int = 0
    tiny: int = 0  # objects in view that are left out, as they are smaller than a pixel
    triangles: int = 0
    lines: int = 0
    points: int = 0
    nodes_visited: int = 0
    spheres_tested: int = 0


def stats_of(objects: int, frame: FrameData, cull_stats: CullStats, tiny: int = 0) -> FrameStats:
    """Return the counts of a frame of a scene with so many objects, of which so many were too small to be drawn."""
    return FrameStats(
        objects=objects,
        drawn=frame.visible.count,
        tiny=tiny,
        triangles=frame.visible.drawn("triangle") + frame.visible.drawn("coarse"),
        lines=frame.visible.drawn("line"),
        points=frame.visible.drawn("point"),
        nodes_visited=cull_stats.nodes_visited,
        spheres_tested=cull_stats.spheres_tested,
    )


def counts_text(triangles: int, lines: int, points: int) -> str:
    """Return a line for users that lists what there is of each; "0 triangles" where there is nothing."""
    counts = [(count, name) for count, name in ((triangles, "triangle"), (lines, "line"), (points, "point")) if count]
    return ", ".join(f"{count:,} {name}" + ("s" if count != 1 else "") for count, name in counts or [(0, "triangle")])


class StageTimes:
    """Milliseconds by stage over the last frames, in the order in which the stages first ran.

    The first time of each stage is left out: it includes compiling, loading and making buffers.
    """

    def __init__(self) -> None:
        self._samples: dict[str, deque[float]] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, (time.perf_counter() - begin) * 1e3)

    def add(self, name: str, milliseconds: float) -> None:
        """Add the time of a stage."""
        if name in self._samples:
            self._samples[name].append(milliseconds)
        else:
            self._samples[name] = deque(maxlen=_FRAMES)

    def medians_ms(self) -> dict[str, float]:
        """Return the median over the last frames by stage; NaN where there is none yet."""
        return {name: float(np.median(samples or [math.nan])) for name, samples in self._samples.items()}

    def last_ms(self, name: str) -> float:
        """Return the last time of a stage; NaN where there is none yet."""
        samples = self._samples.get(name)
        return samples[-1] if samples else math.nan

    def reset(self) -> None:
        """Forget all times, so that those before and after a switch do not mix."""
        for samples in self._samples.values():
            samples.clear()
