"""Capacity: which cells are divided, and for how long.

A cell divides when more than `capacity` spheres lie in it and below it, and at least one of them would move down.
When it holds half of that or less, it does not collapse at once: it stays divided for a period of grace, FIRST_GRACE
sorts at first. Each time that its spheres come back within that period, the next one is twice as long, up to
LAST_GRACE. So a stream of spheres through an empty region does not divide and collapse cells at every step. (Capacity:
a quadtree's rule; grace: the lifespans of dead branches of Nevala, "Introduction to Octrees", 2014.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.building import placement
from octoscope.octree.jit import kernel
from octoscope.octree.layout.slots import SORTED_ABOVE, Grid, Slots, cell_key, leaf_bits, leaf_of, level_of
from octoscope.octree.layout.walk import (
    BEGIN,
    END,
    LEAF,
    LEVEL,
    TABLE_INDEX,
    find_children,
    first_slot_from,
    new_stack,
    push_child,
)

FIRST_GRACE = 8
LAST_GRACE = 64


class DividedCells(NamedTuple):
    """Cells that a capacity divided."""

    keys: np.ndarray  # (d,) int64 keys of the cells, ascending
    idle_sorts: np.ndarray  # (d,) int64: for how many sorts each has held half of the capacity or less
    grace: np.ndarray  # (d,) int64: how many idle sorts each outlives

    @classmethod
    def empty(cls, room: int) -> DividedCells:
        """Allocate room for cells; the values are yet to be written."""
        return cls(*np.empty((3, room), dtype=np.int64))

    def first(self, count: int) -> DividedCells:
        """Return a copy of the first `count` cells."""
        return DividedCells(*(column[:count].copy() for column in self))


class CompleteDivision:
    """The division of a tree without a capacity: every cell above the split level is divided beforehand.

    The base of CapacityDivision, so that a tree asks either without knowing which it has.

    Attributes:
        capacity: 0, no limit on the spheres of a cell.
        sorted_above: how many slots of one cell of the table's level may stay in any order.
        cells: those that a capacity divided; none here.
        made: how many cells have ever been divided.
        collapsed: how many of them have collapsed again.
    """

    capacity = 0
    sorted_above = SORTED_ABOVE

    def __init__(self) -> None:
        self.cells = DividedCells.empty(0)
        self.made = self.collapsed = 0

    def cut(self, begin: int, end: int, slots: Slots, split_level: int) -> None:
        """Raise the keys of slots begin..end to the cells that exist; in a complete tree all cells do."""

    def restored(self, count: int, slots: Slots, half_size: float, split_level: int, looseness: float) -> Slots:
        """Return slots of which `count` have the keys of their deepest cells; in a complete tree these are the same."""
        return slots

    def divide(self, slots: Slots, count: int, grid: Grid) -> None:
        """Decide which cells are divided, once `count` slots are sorted; in a complete tree all are."""

    def become(self, cells: DividedCells) -> None:
        """Replace the divided cells, and count those that were added and those that are gone."""
        kept = len(np.intersect1d(cells.keys, self.cells.keys, assume_unique=True))
        self.made += len(cells.keys) - kept
        self.collapsed += len(self.cells.keys) - kept
        self.cells = cells

    def existing_cells(self, split_level: int, level: int | None) -> np.ndarray:
        """Return the keys of all cells, or of one level's, ascending."""
        return complete_cells(split_level, level)


class CapacityDivision(CompleteDivision):
    """The division of a tree whose cells divide when they hold more than `capacity` spheres."""

    sorted_above = 0  # deciding walks the slots of every cell

    def __init__(self, capacity: int) -> None:
        super().__init__()
        self.capacity = capacity

    def cut(self, begin: int, end: int, slots: Slots, split_level: int) -> None:
        """Raise the keys of slots begin..end to the cells that exist."""
        placement.cut_keys(begin, end, slots, split_level, self.cells.keys)

    def restored(self, count: int, slots: Slots, half_size: float, split_level: int, looseness: float) -> Slots:
        """Return slots of which `count` have the keys of their deepest cells; `divide` decides how far up they go."""
        slots = slots._replace(key=slots.key.copy())
        placement.find_keys(0, count, slots, half_size, split_level, looseness)
        return slots

    def divide(self, slots: Slots, count: int, grid: Grid) -> None:
        """Decide anew which cells are divided, and raise the keys of the sorted slots to the cells that exist."""
        divided = DividedCells.empty(len(self.cells.keys) + grid.split_level * count // (self.capacity + 1) + 1)
        total = divide_cells(count, slots.key, grid, self.capacity, self.cells, divided)
        self.become(divided.first(total))

    def existing_cells(self, split_level: int, level: int | None) -> np.ndarray:
        """Return the keys of the root and of the children of divided cells, or of one level's, ascending."""
        levels = level_of(self.cells.keys) + 1  # of the children
        first_leaves = leaf_of(self.cells.keys)[:, None] + (np.arange(8) << leaf_bits(levels, split_level)[:, None])
        keys = np.sort(np.append(cell_key(first_leaves, levels[:, None]), 0))
        return keys if level is None else keys[level_of(keys) == level]


def complete_cells(split_level: int, level: int | None) -> np.ndarray:
    """Return the keys of all cells of a complete tree, or of one level's, ascending; ValueError if too many to list."""
    levels = range(split_level + 1) if level is None else (level,)
    total = sum(8**each for each in levels)
    if total > 8**7:
        raise ValueError(f"{total:,} cells are too many to list; ask for one level, up to 7")
    keys = [cell_key(np.arange(8**each) << leaf_bits(each, split_level), each) for each in levels]
    return np.sort(np.concatenate(keys))


@kernel
def decide_division(
    key: int, count: int, useful: bool, capacity: int, before: DividedCells, after: DividedCells, total: int
) -> tuple[bool, bool, int]:
    """Decide whether a cell is divided from now on; if so, append it to `after`.

    Returns:
        whether it is divided, whether it was until now, and the new total; where `after` has no room for it, it is only
        counted.
    """
    index = first_slot_from(before.keys, 0, len(before.keys), key)
    was_divided = index < len(before.keys) and before.keys[index] == key
    idle_sorts, grace = 0, FIRST_GRACE
    if not was_divided:
        divides = count > capacity and useful
    else:
        idle_sorts, grace = before.idle_sorts[index], before.grace[index]
        divides = True
        if count > capacity // 2:
            if idle_sorts > 0:
                grace = min(2 * grace, LAST_GRACE)
            idle_sorts = 0
        else:
            divides = idle_sorts < grace
            idle_sorts += 1
    if divides:
        if total < len(after.keys):
            after.keys[total], after.idle_sorts[total], after.grace[total] = key, idle_sorts, grace
        total += 1
    return divides, was_divided, total


@kernel
def divide_cells(
    count: int, keys: np.ndarray, grid: Grid, capacity: int, before: DividedCells, after: DividedCells
) -> int:
    """Return how many cells are divided, decided anew; the slots of the others get their cells' keys.

    Args:
        after: those divided from now on, written; room for as many as `before` and split_level * count suffices, or for
            as many as more than `capacity` spheres each allow.
    """
    stack, centers = new_stack(grid, 5, count)
    bounds = np.empty(9, np.int64)
    total = 0
    top = 1
    while top > 0:
        top -= 1
        level, table_index, leaf = stack[top, LEVEL], stack[top, TABLE_INDEX], stack[top, LEAF]
        begin, end = stack[top, BEGIN], stack[top, END]
        if level == grid.split_level:
            continue
        find_children(keys, grid, level, table_index, leaf, begin, end, bounds)
        key = cell_key(leaf, level)
        divides, was_divided, total = decide_division(key, end - begin, bounds[0] < end, capacity, before, after, total)
        if not divides:
            keys[begin:end] = key
            if level < grid.table_level:  # nothing is left in any cell below it
                grid.table[table_index + 1 : table_index + grid.subtree_sizes[level]] = end
            continue
        for child in range(7, -1, -1):
            if was_divided or bounds[child] < bounds[child + 1]:
                begin, end = bounds[child], bounds[child + 1]
                push_child(stack, centers, top, grid, level, table_index, leaf, child, begin, end, 0.0, 0.0, 0.0)
                top += 1
    return total
