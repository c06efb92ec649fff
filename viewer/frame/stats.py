"""FrameStats: counts of what a frame shows and of what culling visited."""

from __future__ import annotations

from dataclasses import dataclass

from octoscope.octree import CullStats
from octoscope.viewer.frame.frame import FrameData


@dataclass(frozen=True)
class FrameStats:
    """Counts of one frame.

    Attributes:
        tiny: objects in view that are left out, as they are smaller than a pixel.
    """

    objects: int = 0
    drawn: int = 0
    tiny: int = 0
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
