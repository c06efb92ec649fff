"""Capacity: which cells are divided, and for how long.

A cell divides when more than `capacity` spheres lie in it and below it, and at least one of them would move down.
When it holds half of that or less, it does not collapse at once: it stays divided for a period of grace, FIRST_GRACE
sorts at first. Each time that its spheres come back within that period, the next one is twice as long, up to
LAST_GRACE. So a stream of spheres through an empty region does not divide and collapse cells at every step. (Capacity:
a quadtree's rule; grace: the lifespans of dead branches of Nevala, "Introduction to Octrees", 2014.)
"""

from __future__ import annotations

import numpy as np

from octree import placement
from octree.jit import kernel
from octree.slots import SORTED_ABOVE, Grid, Slots, cell_key, leaf_bits, leaf_of, level_of
from octree.walk import BEGIN, END, LEAF, LEVEL, TABLE_INDEX, find_children, first_slot_from, new_stack, push_child

FIRST_GRACE = 8
LAST_GRACE = 64


class CompleteDivision:
    """The division of a tree without a capacity: every cell above the split level is divided beforehand.

    The base of CapacityDivision, so that a tree asks either without knowing which it has.

    Attributes:
        capacity: 0, no limit on the spheres of a cell.
        sorted_above: how many slots of one cell of the table's level may stay in any order.
        keys: (d,) int64 keys of the cells that a capacity divided, ascending; none here.
        idle_sorts: (d,) int64: for how many sorts each has held half of the capacity or less.
        grace: (d,) int64: how many idle sorts each outlives.
        made: how many cells have ever been divided.
        collapsed: how many of them have collapsed again.
    """

    capacity = 0
    sorted_above = SORTED_ABOVE

    def __init__(self) -> None:
        self.keys = self.idle_sorts = self.grace = np.empty(0, dtype=np.int64)
        self.made = self.collapsed = 0

    def cut(self, begin: int, end: int, slots: Slots, split_level: int) -> None:
        """Raise the keys of slots begin..end to the cells that exist; in a complete tree all cells do."""

    def restore(self, count: int, slots: Slots, half_size: float, split_level: int, looseness: float) -> None:
        """Give `count` slots the keys of their deepest cells before sorting; in a complete tree they have them."""

    def settle(self, slots: Slots, count: int, grid: Grid) -> None:
        """Decide which cells are divided, once `count` slots are sorted; in a complete tree all are."""

    def become(self, keys: np.ndarray, idle_sorts: np.ndarray, grace: np.ndarray) -> None:
        """Replace the divided cells, and count those that were added and those that are gone."""
        kept = len(np.intersect1d(keys, self.keys, assume_unique=True))
        self.made += len(keys) - kept
        self.collapsed += len(self.keys) - kept
        self.keys, self.idle_sorts, self.grace = keys, idle_sorts, grace

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
        placement.cut_keys(begin, end, slots, split_level, self.keys)

    def restore(self, count: int, slots: Slots, half_size: float, split_level: int, looseness: float) -> None:
        """Give `count` slots the keys of their deepest cells again; `settle` decides how far up they go."""
        placement.find_keys(0, count, slots, half_size, split_level, looseness)

    def settle(self, slots: Slots, count: int, grid: Grid) -> None:
        """Decide anew which cells are divided, and raise the keys of the sorted slots to the cells that exist."""
        room = len(self.keys) + grid.split_level * count // (self.capacity + 1) + 1
        out = np.empty((3, room), dtype=np.int64)
        total = divide_cells(count, slots.key, grid, self.capacity, self.keys, self.idle_sorts, self.grace, *out)
        self.become(*out[:, :total].copy())

    def existing_cells(self, split_level: int, level: int | None) -> np.ndarray:
        """Return the keys of the root and of the children of divided cells, or of one level's, ascending."""
        levels = level_of(self.keys) + 1  # of the children
        first_leaves = leaf_of(self.keys)[:, None] + (np.arange(8) << leaf_bits(levels, split_level)[:, None])
        keys = np.sort(np.append(cell_key(first_leaves, levels[:, None]), 0))
        return keys if level is None else keys[level_of(keys) == level]


def complete_cells(split_level: int, level: int | None) -> np.ndarray:
    """Return the keys of all cells of a complete tree, or of one level's, ascending.

    Raises:
        ValueError: they are too many to list.
    """
    levels = range(split_level + 1) if level is None else (level,)
    total = sum(8**each for each in levels)
    if total > 8**7:
        raise ValueError(f"{total:,} cells are too many to list; ask for one level, up to 7")
    keys = [cell_key(np.arange(8**each) << leaf_bits(each, split_level), each) for each in levels]
    return np.sort(np.concatenate(keys))


@kernel
def stays_divided(
    count: int, capacity: int, useful: bool, lived: bool, idle_sorts: int, grace: int
) -> tuple[bool, int, int]:
    """Decide whether a cell is divided from now on.

    Args:
        count: spheres in the cell and below.
        capacity: of a cell.
        useful: whether any of them would move down.
        lived: whether the cell was divided until now.
        idle_sorts: sorts since it held more than half of the capacity.
        grace: how many idle sorts it outlives.

    Returns:
        whether it is divided, and its new `idle_sorts` and `grace`.
    """
    if not lived:
        return count > capacity and useful, 0, FIRST_GRACE
    if count > capacity // 2:
        return True, 0, min(2 * grace, LAST_GRACE) if idle_sorts > 0 else grace
    return idle_sorts < grace, idle_sorts + 1, grace


@kernel
def divide_cells(
    count: int,
    keys: np.ndarray,
    grid: Grid,
    capacity: int,
    divided: np.ndarray,
    idle_sorts: np.ndarray,
    grace: np.ndarray,
    out_divided: np.ndarray,
    out_idle_sorts: np.ndarray,
    out_grace: np.ndarray,
) -> int:
    """Decide anew which cells are divided, and give the slots of the others their cells' keys.

    Args:
        count: sorted slots.
        keys: of the sorted slots, each its sphere's deepest cell; rewritten.
        grid: over them; its table is rewritten to match.
        capacity: of a cell.
        divided: (d,) int64 keys of the cells divided until now, ascending.
        idle_sorts: (d,) int64, as in stays_divided.
        grace: (d,) int64, as in stays_divided.
        out_divided: as `divided`, from now on; room for d + split_level * count entries suffices, or for as many as
            more than `capacity` each allow.
        out_idle_sorts: as long as out_divided.
        out_grace: as long as out_divided.

    Returns:
        how many cells are divided.
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
        index = first_slot_from(divided, 0, len(divided), key)
        lived = index < len(divided) and divided[index] == key
        divides, now_idle_sorts, now_grace = stays_divided(
            end - begin,
            capacity,
            bounds[0] < end,
            lived,
            idle_sorts[index] if lived else 0,
            grace[index] if lived else 0,
        )
        if not divides:
            keys[begin:end] = key
            if level < grid.table_level:  # nothing is left in any cell below it
                grid.table[table_index + 1 : table_index + grid.subtree_sizes[level]] = end
            continue
        out_divided[total] = key
        out_idle_sorts[total] = now_idle_sorts
        out_grace[total] = now_grace
        total += 1
        for child in range(7, -1, -1):
            if lived or bounds[child] < bounds[child + 1]:
                begin, end = bounds[child], bounds[child + 1]
                push_child(stack, centers, top, grid, level, table_index, leaf, child, begin, end, 0.0, 0.0, 0.0)
                top += 1
    return total
