"""Sorting slots by cell: a counting sort by the table's cells, and a finer sort of what is crowded below them."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from octree.slots import SORTED_ABOVE, Grid, Slots, cell_key, digit_offsets, leaf_bits, leaf_of, level_of


def sorted_slots(
    source: Slots, count: int, grid: Grid, slot_of: np.ndarray, limit: int = SORTED_ABOVE
) -> tuple[Slots, Grid, int]:
    """Sort the live ones of `count` slots into new columns of the same capacity.

    Args:
        grid: its table is written, or replaced.
        slot_of: written for every live id: its new slot plus one.
        limit: how many slots of one cell of the table's level may be left in any order, SORTED_ABOVE at most.

    Returns:
        the new columns; the grid, with a table that fits; the number of live slots.
    """
    target, grid = Slots.empty(source.capacity), grid.fitted(count)
    count = sort_by_cell(count, source, target, grid, *digit_offsets(grid.table_level), slot_of)
    if grid.table_level < grid.split_level:
        sort_crowded(count, target, grid, slot_of, limit)
    return target, grid, count


@kernel
def sort_by_cell(
    count: int, source: Slots, target: Slots, grid: Grid, upper: np.ndarray, lower: np.ndarray, slot_of: np.ndarray
) -> int:
    """Counting sort of the live ones of `count` slots by their cells in the table; writes the table.

    Args:
        source, target: Slots; their columns do not overlap.
        upper, lower: digit_offsets(grid.table_level).
        slot_of: written for every live id: its new slot plus one.

    Returns:
        the number of live slots.
    """
    table = grid.table
    table[:] = 0
    bits = leaf_bits(grid.table_level, grid.split_level)
    place = np.empty(count, np.int32)  # at first a cell's number, then the new slot; -1 for the dead
    # Counting two places ahead leaves the finished table where it belongs when all have got their places.
    for slot in range(count):
        key = source.key[slot]
        code = leaf_of(key) >> bits
        place[slot] = min(level_of(key), grid.table_level) + upper[code >> 12] + lower[code & 4095]
        if source.id_at[slot] >= 0:
            table[place[slot] + 2] += 1
    total = 0
    for cell in range(2, len(table)):
        total += table[cell]
        table[cell] = total
    for slot in range(count):
        if source.id_at[slot] >= 0:
            cell = place[slot]
            place[slot] = table[cell + 1]
            table[cell + 1] += 1
        else:
            place[slot] = -1
    # Column by column: one column's pages stay in reach of the processor, all of them together would not.
    _scatter(place, source.x, target.x)
    _scatter(place, source.y, target.y)
    _scatter(place, source.z, target.z)
    _scatter(place, source.r, target.r)
    _scatter(place, source.id_at, target.id_at)
    if grid.table_level == grid.split_level:
        _fill_keys(grid, target.key)
    else:
        _scatter(place, source.key, target.key)
    for slot in range(count):
        if place[slot] >= 0:
            slot_of[source.id_at[slot]] = place[slot] + 1
    return total


@kernel
def _fill_keys(grid: Grid, key_at: np.ndarray) -> None:
    """Write every slot's key from the table, which knows all cells: cheaper than bringing keys to their places."""
    leaf, level = 0, 0
    for cell in range(len(grid.table) - 2):
        for slot in range(grid.table[cell], grid.table[cell + 1]):
            key_at[slot] = cell_key(leaf, level)
        if level < grid.split_level:
            level += 1
        else:  # up to where the next leaf's path leaves this one's
            leaf += 1
            carried = leaf
            while carried & 7 == 0 and level > 0:
                carried >>= 3
                level -= 1


@kernel
def _scatter(place: np.ndarray, source: np.ndarray, target: np.ndarray) -> None:
    for slot in range(len(place)):
        if place[slot] >= 0:
            target[place[slot]] = source[slot]


@kernel
def sort_crowded(count: int, slots: Slots, grid: Grid, slot_of: np.ndarray, limit: int) -> None:
    """Bring the slots of the table's deepest cells into the order of their keys, where there are more than `limit`."""
    bits = leaf_bits(grid.table_level, grid.split_level)
    begin = 0
    while begin < count:
        code = leaf_of(slots.key[begin]) >> bits
        end = begin
        if level_of(slots.key[begin]) < grid.table_level:
            end += 1
        else:
            ascending = True
            while end < count and leaf_of(slots.key[end]) >> bits == code:
                if level_of(slots.key[end]) < grid.table_level:
                    break
                ascending &= end == begin or slots.key[end - 1] <= slots.key[end]
                end += 1
            if end - begin > limit and not ascending:
                order = np.argsort(slots.key[begin:end], kind="mergesort")  # no quicksort: it is nearly sorted
                _permute(slots.x[begin:end], order)
                _permute(slots.y[begin:end], order)
                _permute(slots.z[begin:end], order)
                _permute(slots.r[begin:end], order)
                _permute(slots.key[begin:end], order)
                _permute(slots.id_at[begin:end], order)
                for slot in range(begin, end):
                    slot_of[slots.id_at[slot]] = slot + 1
        begin = end


@kernel
def _permute(column: np.ndarray, order: np.ndarray) -> None:
    column[:] = column[order]
