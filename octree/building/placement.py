"""Kernels that bring spheres to the tree's frame and find the key of the cell that each belongs to."""

from __future__ import annotations

import numpy as np

from octree.jit import fused_kernel, kernel, largest_kernel
from octree.layout.morton import gather_by_2, spread_by_2
from octree.layout.slots import Slots, ancestor_key, cell_key, leaf_of, level_of
from octree.layout.walk import first_slot_from

# World units. Within these float32 holds the squares of all coordinates, sums and differences.
FARTHEST = 1e18
SMALLEST_ROOT = 1e-12  # half size
LOOSENESS = 2.0  # where nobody chose one
# Rounding of float32, relative to |x| + |y| + |z|: of the centre as it is stored, and of a plane test (normal, three
# products, three sums), with room to spare, also for a plane that is tilted by frustum.LARGEST_TILT.
_ROUNDING = 2.0**-21 + 2.0**-23

_PORTION = 4096  # spheres

_spread = kernel(spread_by_2)
_gather = kernel(gather_by_2)


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
    stick_out: np.ndarray,
    reach: np.ndarray,
) -> int:
    """Write spheres to the slots from `first_slot` on, find their keys, and let `reach` cover them.

    It works in portions that stay in the processor's cache from one step to the next.

    Args:
        first_slot: where the first sphere goes.
        centers: (n, 3) float64, world.
        radii: (n,) float64, world units.
        slots: the columns, with room for them.
        origin: (3,) float64 the root's centre, world.
        half_size: of the root cube.
        split_level: level of the leaves.
        looseness: how much larger a cell's bounds are than the cell.
        stick_out: as for extend_reach.
        reach: of the grid; extended.

    Returns:
        how many centres are outside the root; -1 if a sphere is not usable (store_spheres).
    """
    outside = 0
    for portion in range(0, len(radii), _PORTION):
        stop = min(portion + _PORTION, len(radii))
        begin, end = first_slot + portion, first_slot + stop
        if not store_spheres(begin, centers[portion:stop], radii[portion:stop], slots, origin):
            return -1
        outside += find_keys(begin, end, slots, half_size, split_level, looseness)
        extend_reach(begin, end, slots, split_level, stick_out, reach)
    return outside


@fused_kernel
def store_spheres(first_slot: int, centers: np.ndarray, radii: np.ndarray, slots: Slots, origin: np.ndarray) -> bool:
    """Write spheres to the slots from `first_slot` on, as float32 about the origin.

    Radii grow by the rounding of their centres, so that float32 never loses a sphere.

    Returns:
        whether all are usable: finite, not too far away, of no negative radius.
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
    """Write the keys of the cells that the spheres of slots begin..end belong to.

    A sphere belongs to the deepest cell that holds its centre and whose bounds, `looseness` times as large as the cell,
    contain it. With looseness 1 this is the smallest cell that contains the sphere; with 2 the radius alone decides the
    level, except for spheres that lie well in the middle of a smaller cell. (Ericson, 7.3.2 and 7.3.6; Ulrich, "Loose
    Octrees", 2000.) A sphere whose centre is outside the root, or that is too large for every smaller cell, belongs to
    the root, key 0. Every query tests the root's own spheres one by one: it assumes nothing about where they are.

    Returns:
        how many centres are outside the root.
    """
    x = slots.x[begin:end]
    y = slots.y[begin:end]
    z = slots.z[begin:end]
    r = slots.r[begin:end]
    key = slots.key[begin:end]
    width = 1 << split_level
    last = np.float64(width - 1)
    scale = 0.5 * width / half_size
    # The leaf that holds the centre: no branches, so that the compiler turns it into SIMD.
    for i in range(len(x)):
        ix = np.int64(np.int32(min(max((x[i] + half_size) * scale, 0.0), last)))
        iy = np.int64(np.int32(min(max((y[i] + half_size) * scale, 0.0), last)))
        iz = np.int64(np.int32(min(max((z[i] + half_size) * scale, 0.0), last)))
        key[i] = cell_key(_spread(ix) | _spread(iy) << 1 | _spread(iz) << 2, split_level)
    # A sphere that is too large to be contained wherever in the leaf its centre is goes up until a cell contains it.
    outside = 0
    leaf_half = half_size / width
    sure = (looseness - 1.0) * leaf_half
    for i in range(len(x)):
        if not ((abs(x[i]) <= half_size) & (abs(y[i]) <= half_size) & (abs(z[i]) <= half_size)):
            key[i] = 0
            outside += 1
        elif r[i] > sure:
            leaf = leaf_of(key[i])
            level = split_level
            half = leaf_half
            while level > 0 and r[i] > (looseness - 1.0) * half:
                if r[i] <= looseness * half:
                    off = max(
                        abs(x[i] + half_size - _lowest_corner(leaf, split_level - level, half) - half),
                        abs(y[i] + half_size - _lowest_corner(leaf >> 1, split_level - level, half) - half),
                        abs(z[i] + half_size - _lowest_corner(leaf >> 2, split_level - level, half) - half),
                    )
                    if off + r[i] <= looseness * half:
                        break
                level -= 1
                half *= 2.0
            key[i] = ancestor_key(key[i], level, split_level)
    return outside


@kernel
def _lowest_corner(leaf: int, shift: int, half: float) -> float:
    """Return the distance of a cell's lower face from the root's, on one axis.

    Args:
        leaf: the Morton code of a leaf in the cell, shifted so that the axis's bits are the lowest of each three.
        shift: how many levels the cell lies above the leaves.
        half: half size of the cell.
    """
    return 2 * (_gather(leaf) >> shift) * half


@kernel
def extend_reach(
    begin: int, end: int, slots: Slots, split_level: int, stick_out: np.ndarray, reach: np.ndarray
) -> None:
    """Extend `reach` to cover the spheres of slots begin..end, whose keys are their own cells'.

    Args:
        begin: first slot.
        end: behind the last slot.
        slots: the columns.
        split_level: level of the leaves.
        stick_out: (split_level + 1,) float64, by level: the most that a sphere can stick out of its cell, whatever its
            radius.
        reach: (split_level + 1,) float64, of the grid; rewritten.
    """
    elsewhere, reach[split_level] = _largest_radius(slots.r[begin:end], slots.key[begin:end], split_level, reach)
    if elsewhere:
        for slot in range(begin, end):
            level = level_of(slots.key[slot])
            if slots.r[slot] > reach[level]:
                reach[level] = slots.r[slot]
    reach[0] = 0.0
    farthest = 0.0
    for level in range(split_level, 0, -1):
        farthest = max(farthest, min(reach[level], stick_out[level]))
        reach[level] = farthest


@largest_kernel
def _largest_radius(r: np.ndarray, key: np.ndarray, level: int, reach: np.ndarray) -> tuple[int, np.float32]:
    """Count the spheres in cells of other levels, and find the largest radius of those of this level.

    Returns:
        the count, and the radius; at least reach[level].
    """
    elsewhere = 0
    largest = np.float32(reach[level])
    for i in range(len(r)):
        here = level_of(key[i]) == level
        elsewhere += not here
        largest = max(largest, r[i] if here else np.float32(0.0))
    return elsewhere, largest


@kernel
def cut_keys(begin: int, end: int, slots: Slots, split_level: int, divided: np.ndarray) -> None:
    """Raise the keys of slots begin..end to the first cell from the root that is not divided.

    Args:
        begin: first slot.
        end: behind the last slot.
        slots: the columns.
        split_level: level of the leaves.
        divided: (d,) int64 keys of the divided cells, ascending.
    """
    for slot in range(begin, end):
        for level in range(level_of(slots.key[slot])):
            key = ancestor_key(slots.key[slot], level, split_level)
            index = first_slot_from(divided, 0, len(divided), key)
            if index == len(divided) or divided[index] != key:
                slots.key[slot] = key
                break
