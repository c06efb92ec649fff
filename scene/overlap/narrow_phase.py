"""Decide whether the triangles of two objects meet, comparing few of them even of large meshes.

Both objects are brought to a frame about the middle of where their boxes overlap, in units of a power of two in which
coordinates are near 1: objects far from the origin lose no digits to the distance. Triangles that do not reach into the
overlap are left out. The rest is halved along the best axis, again and again, each half with a new and smaller overlap,
until few are left to compare with each other (divide and conquer, as for intersecting boxes: Zomorodian and
Edelsbrunner, "Fast Software for Box Intersections", 2000).
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.geometry.bounded import unit_of
from octoscope.scene.geometry.triangle_pairs import APART, CROSSES, meeting
from octoscope.scene.overlap.region_query import Objects, triangles_in_box

_FEW = 256  # pairs of triangles that are compared without halving
_WORTH_HALVING = 0.8  # the largest share of the pairs that both halves together may have
_DEEPEST = 96
_CANCELLED = -1


@kernel
def find_contacts(
    objects: Objects,
    trees: BvhArrays,
    pairs: np.ndarray,
    rounding: float,
    tolerance: float,
    cancelled: np.ndarray,
    kinds: np.ndarray,
) -> None:
    """Write how the objects of each pair meet.

    Args:
        trees: of their meshes; all triangles of a mesh without a tree are tested.
        pairs: (m, 2) int32, rows of `objects` whose boxes overlap.
        rounding: of coordinates, relative to the objects' sizes; 0: they are taken as exact.
        tolerance: world units; objects that cross no deeper only touch.
        cancelled: (1,) uint8; as soon as it is not 0 the rest is left out.
        kinds: (m,) int8, written: APART, TOUCHES, CROSSES.
    """
    region = np.empty((2, 3))
    middle = np.empty(3)
    for i in range(len(pairs)):
        a, b = np.int64(pairs[i, 0]), np.int64(pairs[i, 1])
        largest = 0.0
        for axis in range(3):
            region[0, axis] = max(objects.boxes[a, 0, axis], objects.boxes[b, 0, axis])
            region[1, axis] = min(objects.boxes[a, 1, axis], objects.boxes[b, 1, axis])
            middle[axis] = region[0, axis] / 2.0 + region[1, axis] / 2.0
            for corner in range(2):
                largest = max(largest, abs(objects.boxes[a, corner, axis] - middle[axis]))
                largest = max(largest, abs(objects.boxes[b, corner, axis] - middle[axis]))
        unit = unit_of(largest)
        uncertain = rounding * (objects.sizes[a] + objects.sizes[b]) * unit
        for axis in range(3):
            region[0, axis] = (region[0, axis] - middle[axis]) * unit
            region[1, axis] = (region[1, axis] - middle[axis]) * unit
        first, first_bounds = triangles_in_box(objects, trees, a, middle, unit, region, uncertain)
        if len(first) == 0:
            kinds[i] = APART
            continue
        second, second_bounds = triangles_in_box(objects, trees, b, middle, unit, region, uncertain)
        facing = objects.facing[a] * objects.facing[b]
        kind = _contact_of_sets(
            first, first_bounds, second, second_bounds, region, facing, uncertain, tolerance * unit, cancelled
        )
        if kind == _CANCELLED:
            return
        kinds[i] = kind


@kernel
def _contact_of_sets(
    first: np.ndarray,
    first_bounds: np.ndarray,
    second: np.ndarray,
    second_bounds: np.ndarray,
    region: np.ndarray,
    facing: int,
    rounding: float,
    tolerance: float,
    cancelled: np.ndarray,
) -> int:
    """Decide how two sets of triangles meet within a region; return APART, TOUCHES, CROSSES, or _CANCELLED."""
    # Each waiting part has a run of either buffer, and its halves get runs behind that.
    first_items = np.arange(len(first)).astype(np.int32)
    second_items = np.arange(len(second)).astype(np.int32)
    runs = np.empty((2 * _DEEPEST, 4), np.int64)
    regions = np.empty((2 * _DEEPEST, 2, 3))
    runs[0, 0], runs[0, 1], runs[0, 2], runs[0, 3] = 0, len(first), 0, len(second)
    regions[0] = region
    waiting = 1
    corners = np.empty((6, 3))
    scratch = np.empty((9, 3))
    part = np.empty((2, 3))
    found = APART
    while waiting > 0:
        if cancelled[0] != 0:
            return _CANCELLED
        waiting -= 1
        begin, end = runs[waiting, 0], runs[waiting, 1]
        other_begin, other_end = runs[waiting, 2], runs[waiting, 3]
        part[:] = regions[waiting]
        if (end - begin) * (other_end - other_begin) > _FEW:
            end = _shrink(first_bounds, first_items, begin, end, part)
            other_end = _shrink(second_bounds, second_items, other_begin, other_end, part)
            end = _shrink(first_bounds, first_items, begin, end, part)
        pairs = (end - begin) * (other_end - other_begin)
        if pairs == 0:
            continue
        axis = -1
        if pairs > _FEW and waiting < 2 * _DEEPEST - 2:
            axis = _best_axis(
                first_bounds, first_items, begin, end, second_bounds, second_items, other_begin, other_end, part
            )
        if axis < 0:
            for i in range(begin, end):
                kind = _contact_with_each(
                    first, first_bounds, first_items[i], second, second_bounds, second_items, other_begin, other_end,
                    corners, scratch, facing, rounding, tolerance,
                )  # fmt: skip
                if kind == CROSSES:
                    return CROSSES
                found = max(found, kind)
                if cancelled[0] != 0:
                    return _CANCELLED
            continue
        cut = part[0, axis] / 2.0 + part[1, axis] / 2.0
        first_items = _with_room(first_items, 3 * end - 2 * begin)
        second_items = _with_room(second_items, 3 * other_end - 2 * other_begin)
        behind, other_behind = end, other_end
        for half in range(2):
            runs[waiting, 0], runs[waiting, 2] = behind, other_behind
            behind = _copy_half(first_bounds, first_items, begin, end, behind, half, axis, cut)
            other_behind = _copy_half(
                second_bounds, second_items, other_begin, other_end, other_behind, half, axis, cut
            )
            runs[waiting, 1], runs[waiting, 3] = behind, other_behind
            regions[waiting] = part
            regions[waiting, 1 - half, axis] = cut
            waiting += 1
    return found


@borrowing_kernel
def _shrink(bounds: np.ndarray, items: np.ndarray, begin: int, end: int, region: np.ndarray) -> int:
    """Drop items outside of a region, and shrink the region to the box around the rest."""
    lower_x = lower_y = lower_z = np.inf
    upper_x = upper_y = upper_z = -np.inf
    kept = begin
    for index in range(begin, end):
        item = items[index]
        x, y, z = bounds[item, 0], bounds[item, 1], bounds[item, 2]
        x2, y2, z2 = bounds[item, 3], bounds[item, 4], bounds[item, 5]
        if (
            (x <= region[1, 0])
            & (y <= region[1, 1])
            & (z <= region[1, 2])
            & (x2 >= region[0, 0])
            & (y2 >= region[0, 1])
            & (z2 >= region[0, 2])
        ):
            items[kept] = item
            kept += 1
            lower_x, lower_y, lower_z = min(lower_x, x), min(lower_y, y), min(lower_z, z)
            upper_x, upper_y, upper_z = max(upper_x, x2), max(upper_y, y2), max(upper_z, z2)
    if kept > begin:
        region[0, 0], region[1, 0] = max(region[0, 0], lower_x), min(region[1, 0], upper_x)
        region[0, 1], region[1, 1] = max(region[0, 1], lower_y), min(region[1, 1], upper_y)
        region[0, 2], region[1, 2] = max(region[0, 2], lower_z), min(region[1, 2], upper_z)
    return kept


@borrowing_kernel
def _best_axis(
    bounds: np.ndarray,
    items: np.ndarray,
    begin: int,
    end: int,
    other_bounds: np.ndarray,
    other_items: np.ndarray,
    other_begin: int,
    other_end: int,
    region: np.ndarray,
) -> int:
    """Find the axis whose halves have the fewest pairs, or -1 where none has few enough."""
    best = -1
    fewest = _WORTH_HALVING * (end - begin) * (other_end - other_begin)
    for axis in range(3):
        cut = region[0, axis] / 2.0 + region[1, axis] / 2.0
        low, high = _count_halves(bounds, items, begin, end, axis, cut)
        other_low, other_high = _count_halves(other_bounds, other_items, other_begin, other_end, axis, cut)
        pairs = float(low) * other_low + float(high) * other_high
        if pairs < fewest:
            fewest = pairs
            best = axis
    return best


@borrowing_kernel
def _count_halves(
    bounds: np.ndarray, items: np.ndarray, begin: int, end: int, axis: int, cut: float
) -> tuple[int, int]:
    """Count the items that reach below a cut, and those that reach above it."""
    low = high = 0
    for index in range(begin, end):
        low += int(bounds[items[index], axis] <= cut)
        high += int(bounds[items[index], 3 + axis] >= cut)
    return low, high


@borrowing_kernel
def _copy_half(
    bounds: np.ndarray, items: np.ndarray, begin: int, end: int, behind: int, half: int, axis: int, cut: float
) -> int:
    """Copy the items that reach below (half 0) or above (1) a cut to position `behind` and on."""
    for index in range(begin, end):
        item = items[index]
        if half == 0:
            reaches = bounds[item, axis] <= cut
        else:
            reaches = bounds[item, 3 + axis] >= cut
        items[behind] = item
        behind += int(reaches)
    return behind


@kernel
def _with_room(items: np.ndarray, room: int) -> np.ndarray:
    """Return the items in an array that is longer than `room`."""
    if room < len(items):
        return items
    longer = np.empty(2 * room + 1, np.int32)
    longer[: len(items)] = items
    return longer


@kernel
def _contact_with_each(
    first: np.ndarray,
    first_bounds: np.ndarray,
    item: int,
    second: np.ndarray,
    second_bounds: np.ndarray,
    second_items: np.ndarray,
    begin: int,
    end: int,
    corners: np.ndarray,
    scratch: np.ndarray,
    facing: int,
    rounding: float,
    tolerance: float,
) -> int:
    """Decide how one triangle meets some of the other set."""
    x, y, z = first_bounds[item, 0], first_bounds[item, 1], first_bounds[item, 2]
    x2, y2, z2 = first_bounds[item, 3], first_bounds[item, 4], first_bounds[item, 5]
    found = APART
    for index in range(begin, end):
        other = second_items[index]
        if not (
            (x <= second_bounds[other, 3])
            & (y <= second_bounds[other, 4])
            & (z <= second_bounds[other, 5])
            & (x2 >= second_bounds[other, 0])
            & (y2 >= second_bounds[other, 1])
            & (z2 >= second_bounds[other, 2])
        ):
            continue
        for corner in range(3):
            for axis in range(3):
                corners[corner, axis] = first[item, corner, axis]
                corners[3 + corner, axis] = second[other, corner, axis]
        kind = meeting(corners, scratch, facing, rounding, tolerance)
        if kind == CROSSES:
            return CROSSES
        found = max(found, kind)
    return found
