"""Compute how far each of many objects can fall until one of its triangles touches one of those below it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.drop.box_tree import MOST_ON_STACK, BoxTree, next_candidate
from octoscope.scene.geometry.bounded import bin_of
from octoscope.scene.geometry.clearance import vertical_clearance
from octoscope.scene.overlap.region_query import Objects, triangles_in_box

# Share of its size by which a falling object counts as thinner, seen from above: neighbours side against side do not
# hold each other.
_THINNER = 1e-6
_FEW = 4096  # pairs of triangles that are compared without a grid
_MOST_CELLS = 1024  # of the grid along one side
_VISITS = 8  # cells that a triangle may lie in, on average


class FallingObjects(NamedTuple):
    """The groups that fall: k groups of several rows of Objects each."""

    boxes: np.ndarray  # (k, 2, 3) float64 world
    tolerances: np.ndarray  # (k,) float64: heights up to this count as zero
    first_row: np.ndarray  # (k + 1,) int64: group i has rows[first_row[i]:first_row[i + 1]]
    rows: np.ndarray  # (r,) int64 rows of Objects
    first_loose: np.ndarray  # (k + 1,) int64: group i has loose[first_loose[i]:first_loose[i + 1]]
    loose: np.ndarray  # (p, 3, 3) float64 world: points and lines, as triangles without area
    below: BoxTree  # the boxes of the rows that may lie below


@kernel
def find_drops(
    objects: Objects,
    trees: BvhArrays,
    falling: FallingObjects,
    first: int,
    last: int,
    distances: np.ndarray,
    blocked: np.ndarray,
) -> None:
    """Write how far the groups first to last can fall.

    Args:
        distances: (k,) float64, written: inf where nothing lies below.
        blocked: (k,) bool, written: whether it reaches into something, by which its distance is 0.
    """
    middle = np.empty(3)
    region = np.empty((2, 3))
    stack = np.empty((MOST_ON_STACK, 2), np.int64)
    for group in range(first, last):
        box = falling.boxes[group]
        for axis in range(3):
            middle[axis] = box[0, axis] / 2.0 + box[1, axis] / 2.0
        middle[1] = box[0, 1]
        distances[group], blocked[group] = np.inf, False
        tolerance = falling.tolerances[group]
        least = np.inf
        stack[0, 0], stack[0, 1] = len(falling.below.first_of_level) - 2, 0
        row, waiting = next_candidate(falling.below, box, middle[1], least, stack, 1)
        if row < 0:
            continue
        corners = _gathered(objects, trees, falling, group, middle, region)
        bounds = _bounds_of(corners)
        region[0, :], region[1, :] = np.inf, -np.inf
        for triangle in range(len(bounds)):
            for axis in range(3):
                region[0, axis] = min(region[0, axis], bounds[triangle, axis])
                region[1, axis] = max(region[1, axis], bounds[triangle, 3 + axis])
        lowest = region[0, 1]
        region[1, 1] += tolerance
        while row >= 0:
            region[0, 1] = lowest - least
            solid, solid_bounds = triangles_in_box(objects, trees, row, middle, 1.0, region, 0.0)
            if len(solid):
                least, reaches = _least_gap(corners, bounds, solid, solid_bounds, tolerance, least)
                if reaches:
                    least, blocked[group] = 0.0, True
                    break
            row, waiting = next_candidate(falling.below, box, middle[1], least, stack, waiting)
        distances[group] = least


@kernel
def _gathered(
    objects: Objects, trees: BvhArrays, falling: FallingObjects, group: int, middle: np.ndarray, region: np.ndarray
) -> np.ndarray:
    """Return all triangles of a group about its middle, a little thinner: (n, 3, 3)."""
    first_loose, last_loose = falling.first_loose[group], falling.first_loose[group + 1]
    count = last_loose - first_loose
    for index in range(falling.first_row[group], falling.first_row[group + 1]):
        count += objects.triangle_count[falling.rows[index]]
    corners = np.empty((count, 3, 3))
    count = 0
    region[0, :], region[1, :] = -np.inf, np.inf
    for index in range(falling.first_row[group], falling.first_row[group + 1]):
        row = np.int64(falling.rows[index])
        some, _ = triangles_in_box(objects, trees, row, middle, 1.0, region, 0.0)
        corners[count : count + len(some)] = some
        count += len(some)
    for index in range(first_loose, last_loose):
        for corner in range(3):
            for axis in range(3):
                corners[count, corner, axis] = falling.loose[index, corner, axis] - middle[axis]
        count += 1
    corners = corners[:count]
    corners[:, :, 0] *= 1.0 - _THINNER
    corners[:, :, 2] *= 1.0 - _THINNER
    return corners


@kernel
def _bounds_of(corners: np.ndarray) -> np.ndarray:
    """Compute the boxes of triangles: (n, 6), lower then upper corner."""
    bounds = np.empty((len(corners), 6))
    for i in range(len(corners)):
        for axis in range(3):
            x, y, z = corners[i, 0, axis], corners[i, 1, axis], corners[i, 2, axis]
            bounds[i, axis], bounds[i, 3 + axis] = min(x, y, z), max(x, y, z)
    return bounds


@kernel
def _least_gap(
    corners: np.ndarray, bounds: np.ndarray, solid: np.ndarray, solid_bounds: np.ndarray, tolerance: float, least: float
) -> tuple[float, bool]:
    """Compute how far the triangles `corners` can fall onto those of `solid`.

    Returns:
        the distance, or `least` if that is less; and whether a triangle reaches through one that it could fall onto.
    """
    if len(corners) * len(solid) <= _FEW:
        for i in range(len(corners)):
            for j in range(len(solid)):
                least, reaches = _fall_of_one(corners, bounds, i, solid, solid_bounds, j, tolerance, least)
                if reaches:
                    return least, True
        return least, False
    # A grid over what both cover, seen from above; in each cell the triangles of `solid` that lie in it.
    x, z = max(bounds[:, 0].min(), solid_bounds[:, 0].min()), max(bounds[:, 2].min(), solid_bounds[:, 2].min())
    x2, z2 = min(bounds[:, 3].max(), solid_bounds[:, 3].max()), min(bounds[:, 5].max(), solid_bounds[:, 5].max())
    if x > x2 or z > z2:
        return least, False
    cells = int(min(_MOST_CELLS, 1.0 + np.sqrt(max(len(corners), len(solid)))))
    while cells > 1 and _visits(bounds, x, z, x2, z2, cells) + _visits(solid_bounds, x, z, x2, z2, cells) > _VISITS * (
        len(corners) + len(solid)
    ):
        cells //= 2
    starts, items, tops = _sorted_into_cells(solid_bounds, x, z, x2, z2, cells)
    top = solid_bounds[:, 4].max()
    order = np.argsort(bounds[:, 1])  # low ones land first, and then the rest need not be compared
    for index in range(len(order)):
        i = order[index]
        if bounds[i, 1] - top >= least:
            break
        first_x, last_x, first_z, last_z = _cells_of(bounds, i, x, z, x2, z2, cells)
        for cell_z in range(first_z, last_z + 1):
            for cell in range(cell_z * cells + first_x, cell_z * cells + last_x + 1):
                if bounds[i, 1] - tops[cell] >= least:
                    continue
                for item in range(starts[cell], starts[cell + 1]):
                    least, reaches = _fall_of_one(
                        corners, bounds, i, solid, solid_bounds, items[item], tolerance, least
                    )
                    if reaches:
                        return least, True
    return least, False


@borrowing_kernel
def _fall_of_one(
    corners: np.ndarray,
    bounds: np.ndarray,
    i: int,
    solid: np.ndarray,
    solid_bounds: np.ndarray,
    j: int,
    tolerance: float,
    least: float,
) -> tuple[float, bool]:
    """Do what `_least_gap` does, for one triangle of each."""
    if (
        (bounds[i, 0] > solid_bounds[j, 3])
        | (bounds[i, 3] < solid_bounds[j, 0])
        | (bounds[i, 2] > solid_bounds[j, 5])
        | (bounds[i, 5] < solid_bounds[j, 2])
        | (bounds[i, 4] < solid_bounds[j, 1] - tolerance)
        | (bounds[i, 1] - solid_bounds[j, 4] >= least)
    ):
        return least, False
    low, high = vertical_clearance(corners, i, solid, j)
    if low > high or low >= least:
        return least, False
    if low >= -tolerance:
        return (0.0 if low <= tolerance else low), False
    # It reaches below the other somewhere. If it is not above it anywhere, it lies under it; else it goes through it.
    return least, high > tolerance


@borrowing_kernel
def _cell(value: float, low: float, high: float, cells: int) -> int:
    """Find the cell that a coordinate lies in."""
    return bin_of((value - low) / (high - low) * cells, cells) if value < high else cells - 1


@kernel
def _cells_of(
    bounds: np.ndarray, i: int, x: float, z: float, x2: float, z2: float, cells: int
) -> tuple[int, int, int, int]:
    """Find the first and the last cell along x and along z that a triangle lies in; last before first: in none."""
    if bounds[i, 0] > x2 or bounds[i, 3] < x or bounds[i, 2] > z2 or bounds[i, 5] < z:
        return 0, -1, 0, -1
    return (
        _cell(bounds[i, 0], x, x2, cells),
        _cell(bounds[i, 3], x, x2, cells),
        _cell(bounds[i, 2], z, z2, cells),
        _cell(bounds[i, 5], z, z2, cells),
    )


@kernel
def _visits(bounds: np.ndarray, x: float, z: float, x2: float, z2: float, cells: int) -> int:
    """Count the cells that triangles lie in, with repetition."""
    total = 0
    for i in range(len(bounds)):
        first_x, last_x, first_z, last_z = _cells_of(bounds, i, x, z, x2, z2, cells)
        total += (last_x - first_x + 1) * (last_z - first_z + 1)
    return total


@kernel
def _sorted_into_cells(
    bounds: np.ndarray, x: float, z: float, x2: float, z2: float, cells: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the triangles in each cell, as starts and items, and the highest y among them."""
    starts = np.zeros(cells * cells + 1, np.int64)
    tops = np.full(cells * cells, -np.inf)
    for i in range(len(bounds)):
        first_x, last_x, first_z, last_z = _cells_of(bounds, i, x, z, x2, z2, cells)
        for cell_z in range(first_z, last_z + 1):
            for cell in range(cell_z * cells + first_x, cell_z * cells + last_x + 1):
                starts[cell + 1] += 1
                tops[cell] = max(tops[cell], bounds[i, 4])
    for cell in range(cells * cells):
        starts[cell + 1] += starts[cell]
    items = np.empty(starts[-1], np.int64)
    filled = starts[:-1].copy()
    for i in range(len(bounds)):
        first_x, last_x, first_z, last_z = _cells_of(bounds, i, x, z, x2, z2, cells)
        for cell_z in range(first_z, last_z + 1):
            for cell in range(cell_z * cells + first_x, cell_z * cells + last_x + 1):
                items[filled[cell]] = i
                filled[cell] += 1
    return starts, items, tops
