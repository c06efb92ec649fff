"""All pairs of spheres that overlap: the broad phase of clash detection.

The tree is walked against itself: a cell with itself, and two cells with each other where their loose bounds meet,
the larger of the two giving way to its children. Few spheres against few are compared one by one. A cell's own
spheres, which do not lie in a child, seek their partners from the top of each subtree. (Ericson, "Real-Time Collision
Detection", 7.3.2, tests each cell against its ancestors instead; with loose bounds neighbours must meet as well.)

Preconditions: everything is sorted in, nothing is dead. Whether a pair counts (layers, static against static) is
decided when it is found, so nothing has to be filtered later.
"""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from octree.walk import BEGIN, END, LEAF, LEVEL, NUMBER, find_children, new_stack, push_child

FLAT_LIMIT = 32  # spheres of a cell; measured on 100,000 with about one contact each
_SWEEP_FROM = 256  # spheres; from here on sorting a run along an axis pays

# Columns of one cell in the stack of cell pairs; the second cell follows the first.
_CELL = 5


@kernel
def _add(a, b, slots, layers_of, layers, static, out, count):
    """Write the pair of slots a and b if it counts; the number of pairs, which goes on where `out` is full."""
    id_a, id_b = slots.id_at[a], slots.id_at[b]
    if id_a == id_b:
        return count
    if len(layers_of) and not (layers_of[id_a] & layers and layers_of[id_b] & layers):
        return count
    if len(static) and static[id_a] and static[id_b]:
        return count
    if count < len(out):
        out[count, 0] = min(id_a, id_b)
        out[count, 1] = max(id_a, id_b)
    return count + 1


@kernel
def _one_with_run(a, begin, end, slots, layers_of, layers, static, out, count):
    x, y, z, r = slots.x[a], slots.y[a], slots.z[a], slots.r[a]
    for b in range(begin, end):
        off_x = slots.x[b] - x
        off_y = slots.y[b] - y
        off_z = slots.z[b] - z
        reach = slots.r[b] + r
        if off_x * off_x + off_y * off_y + off_z * off_z <= reach * reach:
            count = _add(a, b, slots, layers_of, layers, static, out, count)
    return count


@kernel
def _within_run(begin, end, slots, layers_of, layers, static, out, count):
    """The pairs among the slots begin..end."""
    if end - begin < _SWEEP_FROM:
        for a in range(begin, end - 1):
            count = _one_with_run(a, a + 1, end, slots, layers_of, layers, static, out, count)
        return count
    lower = slots.x[begin:end] - slots.r[begin:end]
    order = np.argsort(lower)
    for i in range(len(order)):
        a = begin + order[i]
        upper = slots.x[a] + slots.r[a]
        j = i + 1
        while j < len(order) and lower[order[j]] <= upper:
            b = begin + order[j]
            count = _one_with_run(a, b, b + 1, slots, layers_of, layers, static, out, count)
            j += 1
    return count


@kernel
def _reaches_cell(slots, a, x, y, z, loose):
    """Whether the sphere of slot a reaches the cube of half size `loose`."""
    off_x = max(abs(slots.x[a] - x) - loose, 0.0)
    off_y = max(abs(slots.y[a] - y) - loose, 0.0)
    off_z = max(abs(slots.z[a] - z) - loose, 0.0)
    return off_x * off_x + off_y * off_y + off_z * off_z <= np.float64(slots.r[a]) ** 2


@kernel
def _run_with_run(begin_a, end_a, begin, end, x, y, z, loose, slots, layers_of, layers, static, out, count):
    """The pairs between the slots begin_a..end_a and begin..end, which lie in the cube (x, y, z, loose)."""
    for a in range(begin_a, end_a):
        if _reaches_cell(slots, a, x, y, z, loose):
            count = _one_with_run(a, begin, end, slots, layers_of, layers, static, out, count)
    return count


@kernel
def _loose_half(grid, level):
    return grid.half_size / (1 << level) * (1.0 + 2.0**-18) + grid.reach[level]


@kernel
def _run_with_subtree(begin_a, end_a, cell, center, slots, grid, stack, centers, layers_of, layers, static, out, count):
    """The pairs between the slots begin_a..end_a and a cell's subtree.

    Args:
        cell: (5,) int64, level, number, leaf, begin, end. center: (3,). stack, centers: scratch.
    """
    bounds = np.empty(9, np.int64)
    for a in range(begin_a, end_a):
        stack[0, :5] = cell
        centers[0] = center
        top = 1
        while top > 0:
            top -= 1
            level, number, leaf = stack[top, LEVEL], stack[top, NUMBER], stack[top, LEAF]
            begin, end = stack[top, BEGIN], stack[top, END]
            px, py, pz = centers[top, 0], centers[top, 1], centers[top, 2]
            if not _reaches_cell(slots, a, px, py, pz, _loose_half(grid, level)):
                continue
            if end - begin <= FLAT_LIMIT or level == grid.split_level:
                count = _one_with_run(a, begin, end, slots, layers_of, layers, static, out, count)
                continue
            find_children(slots.key, grid, level, number, leaf, begin, end, bounds)
            count = _one_with_run(a, begin, bounds[0], slots, layers_of, layers, static, out, count)
            half = grid.half_size / (1 << (level + 1))
            for child in range(8):
                begin, end = bounds[child], bounds[child + 1]
                if begin < end:
                    x = px + (half if child & 1 else -half)
                    y = py + (half if child & 2 else -half)
                    z = pz + (half if child & 4 else -half)
                    push_child(stack, centers, top, grid, level, number, leaf, child, begin, end, x, y, z)
                    top += 1
    return count


@kernel
def _children_of(cell, center, slots, grid, bounds, rows, row_centers):
    """Write a cell's occupied children as rows; returns how many. bounds[0] is where its own slots end."""
    level, number, leaf = cell[LEVEL], cell[NUMBER], cell[LEAF]
    find_children(slots.key, grid, level, number, leaf, cell[BEGIN], cell[END], bounds)
    half = grid.half_size / (1 << (level + 1))
    count = 0
    for child in range(8):
        begin, end = bounds[child], bounds[child + 1]
        if begin < end:
            x = center[0] + (half if child & 1 else -half)
            y = center[1] + (half if child & 2 else -half)
            z = center[2] + (half if child & 4 else -half)
            push_child(rows, row_centers, count, grid, level, number, leaf, child, begin, end, x, y, z)
            count += 1
    return count


@kernel
def _push_pair(stack, centers, top, grid, cell_a, center_a, cell_b, center_b):
    """Let two cells wait for each other if their loose bounds meet. Returns the stack's new height."""
    meet = _loose_half(grid, cell_a[LEVEL]) + _loose_half(grid, cell_b[LEVEL])
    for axis in range(3):
        if abs(center_a[axis] - center_b[axis]) > meet:
            return top
    stack[top, :_CELL] = cell_a
    stack[top, _CELL:] = cell_b
    centers[top, :3] = center_a
    centers[top, 3:] = center_b
    return top + 1


@kernel
def find_pairs(count, slots, grid, layers_of, layers, static, out):
    """Write the ids of all overlapping pairs, the lower id first; each pair of slots is met once.

    Args:
        count: slots, all sorted and alive.
        layers_of: by id, int64, or of length 0: all count. layers: both spheres must be in one of these.
        static: by id, bool, or of length 0: pairs of two static spheres do not count.
        out: (room, 2) int32.

    Returns:
        the number of pairs; where it is more than the room in `out`, the rest is missing.
    """
    depth = 64 * (grid.split_level + 1)
    stack = np.empty((depth, 2 * _CELL), np.int64)
    centers = np.empty((depth, 6), np.float64)
    scratch, scratch_centers = new_stack(grid, 5, count)
    rows = np.empty((8, _CELL), np.int64)
    row_centers = np.empty((8, 3), np.float64)
    bounds = np.empty(9, np.int64)
    found = 0
    stack[0, :_CELL] = scratch[0]
    stack[0, _CELL:] = scratch[0]
    centers[0] = 0.0
    top = 1
    while top > 0:
        top -= 1
        cell_a, cell_b = stack[top, :_CELL].copy(), stack[top, _CELL:].copy()
        center_a, center_b = centers[top, :3].copy(), centers[top, 3:].copy()
        size_a, size_b = cell_a[END] - cell_a[BEGIN], cell_b[END] - cell_b[BEGIN]
        flat_a = size_a <= FLAT_LIMIT or cell_a[LEVEL] == grid.split_level
        flat_b = size_b <= FLAT_LIMIT or cell_b[LEVEL] == grid.split_level
        if cell_a[BEGIN] == cell_b[BEGIN] and cell_a[END] == cell_b[END]:
            if flat_a:
                found = _within_run(cell_a[BEGIN], cell_a[END], slots, layers_of, layers, static, out, found)
                continue
            children = _children_of(cell_a, center_a, slots, grid, bounds, rows, row_centers)
            own_end = bounds[0]
            found = _within_run(cell_a[BEGIN], own_end, slots, layers_of, layers, static, out, found)
            for i in range(children):
                found = _run_with_subtree(
                    cell_a[BEGIN], own_end, rows[i], row_centers[i], slots, grid, scratch, scratch_centers,
                    layers_of, layers, static, out, found,
                )  # fmt: skip
                for j in range(i, children):
                    top = _push_pair(stack, centers, top, grid, rows[i], row_centers[i], rows[j], row_centers[j])
        elif flat_a and flat_b:
            loose = _loose_half(grid, cell_b[LEVEL])
            found = _run_with_run(
                cell_a[BEGIN], cell_a[END], cell_b[BEGIN], cell_b[END], center_b[0], center_b[1], center_b[2], loose,
                slots, layers_of, layers, static, out, found,
            )  # fmt: skip
        else:
            if flat_a or (not flat_b and size_b > size_a):
                cell_a, cell_b, center_a, center_b = cell_b, cell_a, center_b, center_a
            children = _children_of(cell_a, center_a, slots, grid, bounds, rows, row_centers)
            found = _run_with_subtree(
                cell_a[BEGIN], bounds[0], cell_b, center_b, slots, grid, scratch, scratch_centers,
                layers_of, layers, static, out, found,
            )  # fmt: skip
            for i in range(children):
                top = _push_pair(stack, centers, top, grid, rows[i], row_centers[i], cell_b, center_b)
    return found
