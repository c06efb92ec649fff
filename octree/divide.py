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
from octree.slots import LEVEL_BITS, Grid, Slots
from octree.walk import BEGIN, END, LEAF, LEVEL, NUMBER, find_children, first_slot_from, new_stack, push_child

FIRST_LIFESPAN = 8
LAST_LIFESPAN = 64


class Divisions:
    """Which cells of a tree with a capacity are divided.

    Attributes:
        keys: (d,) int64 keys of the divided cells, ascending; with a capacity of 0 they are not counted: none.
        quiet, lifespan: (d,) int64, as in stays_divided.
        made, collapsed: how many cells have ever been divided, and have collapsed again.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.keys = self.quiet = self.lifespan = np.empty(0, dtype=np.int64)
        self.made = self.collapsed = 0

    def settle(self, slots: Slots, count: int, grid: Grid) -> None:
        """Decide anew, and give sorted slots with their spheres' deepest cells the first that is not divided."""
        room = len(self.keys) + grid.split_level * count // (self.capacity + 1) + 1
        out = np.empty((3, room), dtype=np.int64)
        total = divide_cells(count, slots.key, grid, self.capacity, self.keys, self.quiet, self.lifespan, *out)
        self.become(*out[:, :total].copy())

    def become(self, keys: np.ndarray, quiet: np.ndarray, lifespan: np.ndarray) -> None:
        """Let these be the divided cells from now on."""
        kept = len(np.intersect1d(keys, self.keys, assume_unique=True))
        self.made += len(keys) - kept
        self.collapsed += len(self.keys) - kept
        self.keys, self.quiet, self.lifespan = keys, quiet, lifespan

    def existing_cells(self, split_level: int) -> np.ndarray:
        """Keys of all cells that there are: the root, and the children of divided cells; ascending."""
        levels = self.keys & (2**LEVEL_BITS - 1)
        leaves = np.int64(8) ** (split_level - levels - 1)  # of a child
        children = self.keys[:, None] + (np.arange(8) * leaves[:, None] << LEVEL_BITS) + 1
        return np.sort(np.append(children, 0))


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
