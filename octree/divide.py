"""Capacity: which cells are divided, and for how long.

A cell divides when more than `capacity` spheres lie in it and below it, and at least one of them would move down.
It collapses again only when half of that or less has been left for a while: the branch lives on for FIRST_LIFESPAN
sorts, and twice as long each time that it was nearly given up and then needed again, up to LAST_LIFESPAN. So a stream
of spheres through an empty region does not divide and collapse cells at every step. (Capacity: a quadtree's rule;
lifespans of dead branches: Nevala, "Introduction to Octrees", 2014.)
"""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from octree.slots import LEVEL_BITS
from octree.walk import BEGIN, END, LEAF, LEVEL, NUMBER, find_children, first_slot_from, new_stack, push_child

FIRST_LIFESPAN = 8
LAST_LIFESPAN = 64


@kernel
def stays_divided(count, capacity, useful, lived, quiet, lifespan):
    """Whether a cell is divided from now on, with its `quiet` and `lifespan`.

    Args:
        count: spheres in the cell and below. useful: whether any would move down.
        lived: whether it was divided until now. quiet: sorts since it held more than half of the capacity.
        lifespan: how many of those it lives.
    """
    if not lived:
        return count > capacity and useful, 0, FIRST_LIFESPAN
    if count > capacity // 2:
        return True, 0, min(2 * lifespan, LAST_LIFESPAN) if quiet > 0 else lifespan
    return quiet < lifespan, quiet + 1, lifespan


@kernel
def divide_cells(count, keys, grid, capacity, divided, quiet, lifespan, out_divided, out_quiet, out_lifespan):
    """Decide anew which cells are divided, and give the slots of the others their cells' keys.

    Args:
        keys: of the sorted slots, each its sphere's deepest cell; rewritten. The grid's table is mended to match.
        divided, quiet, lifespan: (d,) keys of the cells divided until now, ascending, and their state.
        out_divided, out_quiet, out_lifespan: the same from now on; room for d + split_level * count entries suffices,
            or for as many as more than `capacity` each allow.

    Returns:
        number of divided cells.
    """
    stack, centers = new_stack(grid, 5, count)
    bounds = np.empty(9, np.int64)
    total = 0
    top = 1
    while top > 0:
        top -= 1
        level, number, leaf = stack[top, LEVEL], stack[top, NUMBER], stack[top, LEAF]
        begin, end = stack[top, BEGIN], stack[top, END]
        if level == grid.split_level:
            continue
        find_children(keys, grid, level, number, leaf, begin, end, bounds)
        key = leaf << LEVEL_BITS | level
        place = first_slot_from(divided, 0, len(divided), key)
        lived = place < len(divided) and divided[place] == key
        divides, now_quiet, now_lifespan = stays_divided(
            end - begin,
            capacity,
            bounds[0] < end,
            lived,
            quiet[place] if lived else 0,
            lifespan[place] if lived else 0,
        )
        if not divides:
            keys[begin:end] = key
            if level < grid.table_level:
                grid.table[number + 1] = end
            continue
        out_divided[total] = key
        out_quiet[total] = now_quiet
        out_lifespan[total] = now_lifespan
        total += 1
        for child in range(7, -1, -1):
            if lived or bounds[child] < bounds[child + 1]:
                begin, end = bounds[child], bounds[child + 1]
                push_child(stack, centers, top, grid, level, number, leaf, child, begin, end, 0.0, 0.0, 0.0)
                top += 1
    return total
