"""Kernels that bring spheres to the tree's frame and find the key of the cell that each belongs to."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import fused_kernel, kernel, largest_kernel
from octoscope.octree.layout.morton import spread_by_2
from octoscope.octree.layout.slots import Slots, ancestor_key, cell_key, level_of
from octoscope.octree.layout.walk import first_slot_from

# World units. Within these float32 holds the squares of all coordinates, sums and differences.
FARTHEST = 1e18
SMALLEST_ROOT = 1e-12  # half size
LOOSENESS = 2.0  # where nobody chose one
# Rounding of float32, relative to |x| + |y| + |z|: of the centre as it is stored, and of a plane test (normal, three
# products, three sums), with room to spare, also for a plane that is tilted by frustum.LARGEST_TILT.
_ROUNDING = 2.0**-21 + 2.0**-23

_PORTION = 4096  # spheres

_spread = kernel(spread_by_2)


@kernel
def place_spheres(
    first_slot: int,
    centers: np.ndarray,
    radii: np.ndarray,
    slots: Slots,
    origin: np.ndarray,
    half_size: float,
    split_level: int,
    looseness: float,
    most_overhang: np.ndarray,
    overhang: np.ndarray,
) -> int:
    """Write spheres to the slots from `first_slot` on, find their keys, and let `overhang` cover them.

    It works in portions that stay in the processor's cache from one step to the next. Return how many centres are
    outside the root; -1 if a sphere is not usable (store_spheres).
    """
    outside = 0
    for portion in range(0, len(radii), _PORTION):
        stop = min(portion + _PORTION, len(radii))
        begin, end = first_slot + portion, first_slot + stop
        if not store_spheres(begin, centers[portion:stop], radii[portion:stop], slots, origin):
            return -1
        outside += find_keys(begin, end, slots, half_size, split_level, looseness)
        extend_overhang(begin, end, slots, split_level, most_overhang, overhang)
    return outside


@fused_kernel
def store_spheres(first_slot: int, centers: np.ndarray, radii: np.ndarray, slots: Slots, origin: np.ndarray) -> bool:
    """Write spheres to the slots from `first_slot` on, as float32 about the origin.

    Radii grow by the rounding of their centres, so that float32 never loses a sphere.
    """
    count = len(radii)
    x = slots.x[first_slot : first_slot + count]
    y = slots.y[first_slot : first_slot + count]
    z = slots.z[first_slot : first_slot + count]
    r = slots.r[first_slot : first_slot + count]
    origin_x, origin_y, origin_z = origin[0], origin[1], origin[2]
    unusable = 0
    for i in range(count):
        dx = centers[i, 0] - origin_x
        dy = centers[i, 1] - origin_y
        dz = centers[i, 2] - origin_z
        radius = radii[i]
        distance = abs(dx) + abs(dy) + abs(dz)
        unusable |= 1 - ((radius >= 0.0) & (radius < FARTHEST) & (distance < FARTHEST))  # NaN fits nothing
        x[i] = dx
        y[i] = dy
        z[i] = dz
        r[i] = radius * (1.0 + 2.0**-22) + distance * _ROUNDING
    return unusable == 0


@fused_kernel
def find_keys(begin: int, end: int, slots: Slots, half_size: float, split_level: int, looseness: float) -> int:
    """Write the keys of the cells of slots begin..end; return how many centres are outside the root.

    It works in portions that stay in the processor's cache from one step to the next.

    A sphere belongs to the deepest cell that holds its centre and whose bounds, `looseness` times as large as the cell,
    contain it. With looseness 1 this is the smallest cell that contains the sphere; with 2 the radius alone decides the
    level, except for spheres that lie well in the middle of a smaller cell. (Ericson, 7.3.2 and 7.3.6; Ulrich, "Loose
    Octrees", 2000.) A sphere whose centre is outside the root, or that is too large for every smaller cell, belongs to
    the root, key 0. Every query tests the root's own spheres one by one: it assumes nothing about where they are.
    """
    outside = 0
    for portion in range(begin, end, _PORTION):
        outside += _find_keys_in_cache(portion, min(portion + _PORTION, end), slots, half_size, split_level, looseness)
    return outside


@fused_kernel
def _find_keys_in_cache(
    begin: int, end: int, slots: Slots, half_size: float, split_level: int, looseness: float
) -> int:
    """Do what find_keys does, for slots begin..end at once.

    Its loops go over all spheres without a branch, so that the compiler turns them into SIMD.
    """
    x = slots.x[begin:end]
    y = slots.y[begin:end]
    z = slots.z[begin:end]
    r = slots.r[begin:end]
    key = slots.key[begin:end]
    leaf_half = half_size / (1 << split_level)
    leaves = np.empty((3, len(x)), np.int32)
    _find_leaves(x, half_size, split_level, leaves[0])
    _find_leaves(y, half_size, split_level, leaves[1])
    _find_leaves(z, half_size, split_level, leaves[2])
    rise = np.zeros(len(x), np.int32)  # levels from the leaf up to the sphere's cell
    if not _all_at_most(r, (looseness - 1.0) * leaf_half):
        _find_rises(x, y, z, r, leaves, half_size, split_level, looseness, rise)
    outside = 0
    for i in range(len(x)):
        is_inside = (abs(x[i]) <= half_size) & (abs(y[i]) <= half_size) & (abs(z[i]) <= half_size)
        outside += not is_inside
        up = np.int64(rise[i] if is_inside else split_level)
        leaf = _spread(np.int64(leaves[0, i])) | _spread(np.int64(leaves[1, i])) << 1
        leaf |= _spread(np.int64(leaves[2, i])) << 2
        key[i] = cell_key(leaf >> 3 * up << 3 * up, split_level - up)
    return outside


@fused_kernel
def _find_leaves(axis: np.ndarray, half_size: float, split_level: int, out: np.ndarray) -> None:
    """Write the coordinates, on one axis, of the leaves that hold centres; centres outside the root count as inside."""
    width = 1 << split_level
    last = np.float64(width - 1)
    scale = 0.5 * width / half_size
    for i in range(len(axis)):
        out[i] = np.int32(min(max((axis[i] + half_size) * scale, 0.0), last))


@largest_kernel
def _all_at_most(r: np.ndarray, limit: float) -> bool:
    """Tell whether no radius is above a limit."""
    largest = np.float32(0.0)
    for i in range(len(r)):
        largest = max(largest, r[i])
    return largest <= limit


@fused_kernel
def _find_rises(
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    r: np.ndarray,
    leaves: np.ndarray,
    half_size: float,
    split_level: int,
    looseness: float,
    rise: np.ndarray,
) -> None:
    """Write by how many levels the cell of each sphere lies above the leaf that holds its centre.

    No branch depends on a sphere: where radii are of many sizes, the processor would predict every other one wrongly.

    Args:
        leaves: (3, n) int32 coordinates of the leaves that hold the centres.
        rise: (n,) int32 zeros, written.
    """
    leaf_half = half_size / (1 << split_level)
    # How far every sphere must rise until its radius alone says that it is contained, wherever in the cell it is.
    half = leaf_half
    for _ in range(split_level):
        limit = (looseness - 1.0) * half
        for i in range(len(r)):
            rise[i] += np.float64(r[i]) > limit
        half *= 2.0
    # A cell some levels deeper may contain it, if it is well in the middle: as long as the radius fits at all.
    sure = rise.copy()
    deeper = 1
    while deeper <= split_level and (looseness - 1.0) * (1 << (deeper - 1)) < looseness:
        for i in range(len(r)):
            candidate = max(sure[i] - deeper, 0)
            half = leaf_half * np.float64(1 << candidate)
            off_x = abs(x[i] + half_size - np.float64(2 * (leaves[0, i] >> candidate) + 1) * half)
            off_y = abs(y[i] + half_size - np.float64(2 * (leaves[1, i] >> candidate) + 1) * half)
            off_z = abs(z[i] + half_size - np.float64(2 * (leaves[2, i] >> candidate) + 1) * half)
            contained = max(max(off_x, off_y), off_z) + r[i] <= looseness * half
            rise[i] = candidate if contained else rise[i]
        deeper += 1


@kernel
def extend_overhang(
    begin: int, end: int, slots: Slots, split_level: int, most_overhang: np.ndarray, overhang: np.ndarray
) -> None:
    """Extend `overhang`, by level, to cover the spheres of slots begin..end, whose keys are their own cells'.

    Args:
        most_overhang: (split_level + 1,) the most that a sphere can stick out of its cell, whatever its radius.
    """
    level, left = split_level, end - begin
    while left > 0 and level > 0:  # nearly all spheres are in the deepest levels
        found, overhang[level] = _largest_radius(slots.r[begin:end], slots.key[begin:end], level, overhang)
        left -= found
        level -= 1
    overhang[0] = 0.0
    farthest = 0.0
    for level in range(split_level, 0, -1):
        farthest = max(farthest, min(overhang[level], most_overhang[level]))
        overhang[level] = farthest


@largest_kernel
def _largest_radius(r: np.ndarray, key: np.ndarray, level: int, overhang: np.ndarray) -> tuple[int, np.float32]:
    """Return how many spheres are in cells of one level, and the largest of their radii, at least overhang[level]."""
    found = 0
    largest = np.float32(overhang[level])
    for i in range(len(r)):
        radius = r[i]  # read in any case, so that no branch is needed
        here = level_of(key[i]) == level
        found += here
        largest = max(largest, radius if here else np.float32(0.0))
    return found, largest


@kernel
def cut_keys(begin: int, end: int, slots: Slots, split_level: int, divided: np.ndarray) -> None:
    """Raise the keys of slots begin..end to the first cell from the root not among `divided`, ascending keys."""
    for slot in range(begin, end):
        for level in range(level_of(slots.key[slot])):
            key = ancestor_key(slots.key[slot], level, split_level)
            index = first_slot_from(divided, 0, len(divided), key)
            if index == len(divided) or divided[index] != key:
                slots.key[slot] = key
                break
