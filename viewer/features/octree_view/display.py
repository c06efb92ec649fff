"""OctreeDisplay: the cells of the octree that are drawn over the picture, and their colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree import Cells, Frustum
from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.octree.layout.slots import MAX_SPLIT_LEVEL

COLORINGS = ("level", "count", "cull")
VERDICT_COLORS = {  # sRGB: apart from each other and from the orange of the selection, whatever colours one sees
    OUTSIDE: (0.72, 0.22, 1.0),
    INTERSECTING: (0.36, 0.88, 0.97),
    INSIDE: (0.93, 0.93, 0.17),
}
OPACITY = 0.85  # of the lines of a cell
NO_CELLS = Cells(np.empty((0, 3)), np.empty(0), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
_FEW, _MANY = np.array([(0.20, 0.55, 0.95), (1.0, 0.45, 0.15)])  # spheres in a cell: one; as many as in any cell
_EMPTY_COLOR = (0.45, 0.47, 0.52)


@dataclass(frozen=True)
class OctreeDisplay:
    """The cells that are drawn, and in which colours."""

    # one of COLORINGS: by the level of a cell, by the number of spheres that it stores, or by what the last cull said
    # of its bounds: outside, cut by a plane, or inside
    coloring: str = "level"
    lowest_level: int = 0  # of the cells that are drawn; 0 is the root
    highest_level: int = MAX_SPLIT_LEVEL  # of the cells that are drawn
    loose: bool = False  # draws the bounds that the spheres of a cell lie in, in place of the cell
    empty: bool = False  # draws cells that hold nothing, too, where they are not too many


OCTREE_DISPLAY = OctreeDisplay()


def drawn_cells(
    cells: Cells, display: OctreeDisplay, bounds_factor: float, frustum: Frustum | None, camera_position: np.ndarray
) -> np.ndarray:
    """Choose the cells that are drawn, and return them in the form that the renderer takes.

    Args:
        bounds_factor: how much larger the bounds of a cell are than the cell.
        camera_position: (3,) float64, world.

    Returns:
        (n, 8) float32: centre relative to the camera, half size, sRGB colour, opacity.
    """
    chosen = (cells.levels >= display.lowest_level) & (cells.levels <= display.highest_level)
    centers, levels, counts = cells.centers[chosen], cells.levels[chosen], cells.counts[chosen]
    bounds = cells.half_sizes[chosen] * bounds_factor
    rows = np.empty((len(levels), 8), dtype=np.float32)
    rows[:, :3] = centers - camera_position
    rows[:, 7] = OPACITY
    rows[:, 3] = bounds if display.loose else cells.half_sizes[chosen]
    if display.coloring == "level":
        rows[:, 4:7] = level_colors(levels)
    elif display.coloring == "count":
        rows[:, 4:7] = count_colors(counts)
    else:
        rows[:, 4:7] = np.array([VERDICT_COLORS[verdict] for verdict in range(3)])[
            cull_verdicts(centers, bounds, levels, frustum)
        ]
    return rows


def cull_verdicts(centers: np.ndarray, bounds: np.ndarray, levels: np.ndarray, frustum: Frustum | None) -> np.ndarray:
    """Return what a cull says of cells, (n,) int8 of octree.frustum.OUTSIDE, INTERSECTING, INSIDE.

    The root is never outside: spheres that lie outside of it are stored there, and each is tested.

    Args:
        centers: (n, 3) float64, world.
        bounds: (n,) float64 half size of each cell's bounds, world units.
        levels: (n,) int64.
        frustum: None: everything is inside.
    """
    if frustum is None:
        return np.full(len(levels), INSIDE, dtype=np.int8)
    verdicts = frustum.classify_cubes(centers, bounds)
    verdicts[levels == 0] = INTERSECTING
    return verdicts


def level_colors(levels: ArrayLike) -> np.ndarray:
    """Return (n, 3) sRGB colours of levels (n,): 0.13 of the circle of hues from one to the next.

    Neighbours differ, and hues do not soon repeat.
    """
    hues = (0.58 - 0.13 * np.asarray(levels)[:, None] + np.array([0.0, 2.0, 1.0]) / 3.0) % 1.0
    return 0.25 + 0.75 * np.clip(np.abs(hues * 6.0 - 3.0) - 1.0, 0.0, 1.0)


def count_colors(counts: np.ndarray) -> np.ndarray:
    """Return (n, 3) sRGB colours of numbers of spheres (n,): from one to the largest, by the logarithm."""
    largest = max(int(counts.max(initial=0)), 2)
    share = np.log(np.maximum(counts, 1)) / np.log(largest)
    colors = _FEW + share[:, None] * (_MANY - _FEW)
    colors[counts == 0] = _EMPTY_COLOR
    return colors
