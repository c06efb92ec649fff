"""All pairs of spheres that overlap: a broad phase.

First the occupied cells are listed from the root down to those with few spheres, each with the box around its spheres.
The spheres of each listed cell form a group. For each group a walk from the root gathers the spheres that reach into
the group's box, only from cells later in the list, so that each pair of cells meets once. Then the group's spheres are
compared with each other and with what was gathered: long runs side by side in memory, in SIMD. The few spheres that
an inner cell keeps for itself may lie far apart, so each of them is a group of its own. (Ericson, "Real-Time Collision
Detection", 7.3.2, tests each cell against its ancestors; with loose bounds neighbours must meet as well.)

Preconditions: everything is sorted in, nothing is dead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import fused_kernel, kernel
from octoscope.octree.layout.slots import SIMD_STEP, Grid, Slots
from octoscope.octree.layout.walk import BEGIN, END, LEAF, LEVEL, OWN, TABLE_INDEX, find_children, new_stack, push_child

FLAT_LIMIT = 64  # spheres of a cell; measured on 100,000 with about one contact each
_SWEEP_FROM = 1024  # spheres; from here on sorting a group along an axis pays

# Further columns of the list of cells: where a cell's own spheres end, and its children in the list.
OWN_END, FIRST_CHILD, CHILDREN = OWN, OWN + 1, OWN + 2


class _Group(NamedTuple):
    """Scratch: a group's own spheres, and behind them those that were gathered."""

    slot: np.ndarray  # (n,) int32
    order: np.ndarray  # (n,) int64: indices into `slot`, in the order in which the spheres are compared
    x: np.ndarray  # (n + SIMD_STEP,) float32 centres in that order; y and z likewise
    y: np.ndarray
    z: np.ndarray
    r: np.ndarray  # (n + SIMD_STEP,) float32 radii in that order
    mask: np.ndarray  # (SIMD_STEP,) uint8


@fused_kernel
def _reaches(i: int, box: np.ndarray, x: np.ndarray, y: np.ndarray, z: np.ndarray, r: np.ndarray) -> bool:
    """Tell whether the box around sphere i meets a box; without branches."""
    return (
        (x[i] + r[i] >= box[0])
        & (y[i] + r[i] >= box[1])
        & (z[i] + r[i] >= box[2])
        & (x[i] - r[i] <= box[3])
        & (y[i] - r[i] <= box[4])
        & (z[i] - r[i] <= box[5])
    )


@fused_kernel
def _gather(
    begin: int,
    end: int,
    box: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    r: np.ndarray,
    group: _Group,
    length: int,
) -> int:
    """Append the slots begin..end that reach into the box to a group; return the group's new length."""
    mask = group.mask
    for first in range(begin, end, SIMD_STEP):
        near = False
        for i in range(SIMD_STEP):  # of fixed length and without branches: a few SIMD instructions
            reaches = _reaches(np.uint64(first) + np.uint64(i), box, x, y, z, r)
            mask[i] = reaches
            near |= reaches
        if near:
            for i in range(min(SIMD_STEP, end - first)):
                group.slot[length] = first + i
                length += int(mask[i])
    return length


@fused_kernel
def _gather_later(
    at: int,
    box: np.ndarray,
    cells: np.ndarray,
    boxes: np.ndarray,
    waiting: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    r: np.ndarray,
    group: _Group,
    length: int,
) -> int:
    """Append what reaches into the box from the cells after `at` in the list; return the group's new length."""
    waiting[0] = 0
    top = 1
    while top > 0:
        top -= 1
        cell = waiting[top]
        if cell > at:
            length = _gather(cells[cell, BEGIN], cells[cell, OWN_END], box, x, y, z, r, group, length)
        for child in range(cells[cell, FIRST_CHILD], cells[cell, FIRST_CHILD] + cells[cell, CHILDREN]):
            meets = (boxes[child, 0] <= box[3]) & (boxes[child, 1] <= box[4]) & (boxes[child, 2] <= box[5])
            meets &= (boxes[child, 3] >= box[0]) & (boxes[child, 4] >= box[1]) & (boxes[child, 5] >= box[2])
            waiting[top] = child
            top += int(meets)
    return length


@fused_kernel
def _compare(i: int, begin: int, end: int, own_count: int, group: _Group, out: np.ndarray, count: int) -> int:
    """Write the pairs of a group's sphere i with the spheres begin..end; return the new number of pairs.

    One of the two must be the group's own. What has no room in `out` is only counted.
    """
    x, y, z, r, mask = group.x, group.y, group.z, group.r, group.mask
    own_x, own_y, own_z, own_r = x[i], y[i], z[i], r[i]
    for first in range(begin, end, SIMD_STEP):
        met = False
        for k in range(SIMD_STEP):  # mostly nothing is met
            j = np.uint64(first) + np.uint64(k)
            off_x = x[j] - own_x
            off_y = y[j] - own_y
            off_z = z[j] - own_z
            reach = r[j] + own_r
            touches = off_x * off_x + off_y * off_y + off_z * off_z <= reach * reach
            mask[k] = touches
            met |= touches
        if met:
            for k in range(min(SIMD_STEP, end - first)):
                if mask[k] and (group.order[i] < own_count or group.order[first + k] < own_count):
                    if count < len(out):
                        out[count, 0] = group.slot[group.order[i]]
                        out[count, 1] = group.slot[group.order[first + k]]
                    count += 1
    return count


@kernel
def _pairs_of_group(
    own_count: int,
    length: int,
    x: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    r: np.ndarray,
    group: _Group,
    out: np.ndarray,
    count: int,
) -> int:
    """Write the pairs among the group's first `own_count` slots, and with its others; return as `_compare`."""
    for i in range(length):
        group.order[i] = i
    sweeps = own_count > FLAT_LIMIT and length >= _SWEEP_FROM
    if sweeps:
        lower = np.empty(length, np.float32)
        for i in range(length):
            lower[i] = x[group.slot[i]] - r[group.slot[i]]
        group.order[:length] = np.argsort(lower, kind="mergesort")
    for i in range(length):
        slot = group.slot[group.order[i]]
        group.x[i] = x[slot]
        group.y[i] = y[slot]
        group.z[i] = z[slot]
        group.r[i] = r[slot]
    end = length
    for i in range(length if sweeps else own_count):
        if sweeps:
            end = _first_beyond(group, i + 1, length, group.x[i] + group.r[i])
        count = _compare(i, i + 1, end, own_count, group, out, count)
    return count


@kernel
def _first_beyond(group: _Group, begin: int, end: int, upper: float) -> int:
    """Find the first sphere of begin..end that begins beyond `upper` on x, the axis that they are sorted by."""
    while begin < end:
        middle = (begin + end) >> 1
        if group.x[middle] - group.r[middle] <= upper:
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel
def _list_cells(count: int, slots: Slots, grid: Grid, cells: np.ndarray) -> int:
    """List the occupied cells from the root down, each before its children, to those with few spheres.

    Return their number; -1 where there is no room for them.
    """
    children = np.empty(9, np.int64)
    root, centers = new_stack(grid, OWN, count)
    cells[0, :OWN] = root[0]
    total = 1
    at = 0
    while at < total:
        level, table_index, leaf = cells[at, LEVEL], cells[at, TABLE_INDEX], cells[at, LEAF]
        begin, end = cells[at, BEGIN], cells[at, END]
        cells[at, OWN_END] = end
        cells[at, FIRST_CHILD] = total
        if end - begin > FLAT_LIMIT and level < grid.split_level:
            if total + 8 > len(cells):
                return -1
            find_children(slots.key, grid, level, table_index, leaf, begin, end, children)
            cells[at, OWN_END] = children[0]
            for child in range(8):
                begin, end = children[child], children[child + 1]
                if begin < end:
                    row = cells[total : total + 1]
                    push_child(row, centers, 0, grid, level, table_index, leaf, child, begin, end, 0.0, 0.0, 0.0)
                    total += 1
        cells[at, CHILDREN] = total - cells[at, FIRST_CHILD]
        at += 1
    return total


@kernel
def _boxes_of(total: int, cells: np.ndarray, x: np.ndarray, y: np.ndarray, z: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Compute the boxes around all spheres of each cell's subtree: (total, 6) float32, lower then upper corner."""
    boxes = np.empty((total, 6), np.float32)
    for at in range(total - 1, -1, -1):
        boxes[at, :3] = np.inf
        boxes[at, 3:] = -np.inf
        for slot in range(cells[at, BEGIN], cells[at, OWN_END]):
            boxes[at, 0] = min(boxes[at, 0], x[slot] - r[slot])
            boxes[at, 1] = min(boxes[at, 1], y[slot] - r[slot])
            boxes[at, 2] = min(boxes[at, 2], z[slot] - r[slot])
            boxes[at, 3] = max(boxes[at, 3], x[slot] + r[slot])
            boxes[at, 4] = max(boxes[at, 4], y[slot] + r[slot])
            boxes[at, 5] = max(boxes[at, 5], z[slot] + r[slot])
        for child in range(cells[at, FIRST_CHILD], cells[at, FIRST_CHILD] + cells[at, CHILDREN]):
            for axis in range(3):
                boxes[at, axis] = min(boxes[at, axis], boxes[child, axis])
                boxes[at, axis + 3] = max(boxes[at, axis + 3], boxes[child, axis + 3])
    return boxes


@kernel
def find_pairs(count: int, slots: Slots, grid: Grid, out: np.ndarray) -> int:
    """Write all pairs of slots whose spheres overlap, each once; return how many: those without room are missing."""
    x, y, z, r = slots.x, slots.y, slots.z, slots.r
    room = count // 2 + 64
    while True:
        cells = np.empty((room, CHILDREN + 1), np.int64)
        total = _list_cells(count, slots, grid, cells)
        if total > 0:
            break
        room *= 2
    boxes = _boxes_of(total, cells, x, y, z, r)
    box = np.empty(6, np.float32)
    waiting = np.empty(8 * (grid.split_level + 1), np.int64)
    room = count + SIMD_STEP
    group = _Group(
        np.empty(room, np.int32),
        np.empty(room, np.int64),
        np.empty(room, np.float32),
        np.empty(room, np.float32),
        np.empty(room, np.float32),
        np.empty(room, np.float32),
        np.empty(SIMD_STEP, np.uint8),
    )
    found = 0
    for at in range(total):
        # The cell's own spheres against each other; and, of a cell without children, against what reaches into its box.
        begin, own_end = cells[at, BEGIN], cells[at, OWN_END]
        own_count = length = own_end - begin
        for k in range(own_count):
            group.slot[k] = begin + k
        if cells[at, CHILDREN] == 0 and own_count > 0:
            length = _gather_later(at, boxes[at], cells, boxes, waiting, x, y, z, r, group, length)
        found = _pairs_of_group(own_count, length, x, y, z, r, group, out, found)
        if cells[at, CHILDREN] > 0:  # an inner cell: each of its spheres alone against what reaches into its own box
            for slot in range(begin, own_end):
                box[0], box[1], box[2] = x[slot] - r[slot], y[slot] - r[slot], z[slot] - r[slot]
                box[3], box[4], box[5] = x[slot] + r[slot], y[slot] + r[slot], z[slot] + r[slot]
                group.slot[0] = slot
                length = _gather_later(at, box, cells, boxes, waiting, x, y, z, r, group, 1)
                found = _pairs_of_group(1, length, x, y, z, r, group, out, found)
    return found
