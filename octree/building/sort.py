"""Sorting slots by cell: a counting sort by the table's cells, and a finer sort of what is crowded below them."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.octree.layout.slots import (
    SORTED_ABOVE,
    Grid,
    Slots,
    cell_key,
    digit_offsets,
    leaf_bits,
    leaf_of,
    level_of,
)


def sorted_slots(
    source: Slots, count: int, grid: Grid, slot_of: np.ndarray, limit: int = SORTED_ABOVE
) -> tuple[Slots, Grid, int]:
    """Sort the live ones of `count` slots into new columns of the same capacity.

    Args:
        limit: how many slots of one cell of the table's level may be left in any order, SORTED_ABOVE at most.

    Returns:
        the new columns; the grid with another table, which fits; the number of live slots.
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
    """Sort the live ones of `count` slots by their cells in the table, a counting sort; writes the table."""
    table = grid.table
    table[:] = 0
    bits = leaf_bits(grid.table_level, grid.split_level)
    # At first a cell's index in the table, then the new slot; -1 for the dead. The keys are written last: until then
    # their memory serves.
    fills_keys = grid.table_level == grid.split_level
    new_slot = target.key.view(np.int32)[:count] if fills_keys else np.empty(count, np.int32)
    for slot in range(count):
        key = source.key[slot]
        code = leaf_of(key) >> bits
        new_slot[slot] = min(level_of(key), grid.table_level) + upper[code >> 12] + lower[code & 4095]
    # Counts are kept two entries behind their cell: handing out new slots advances each entry from the begin of its
    # cell to the end, and leaves table[cell] at the begin of each.
    for slot in range(count):
        if source.id_at[slot] >= 0:
            table[new_slot[slot] + 2] += 1
    total = 0
    for cell in range(2, len(table)):
        total += table[cell]
        table[cell] = total
    for slot in range(count):
        if source.id_at[slot] >= 0:
            cell = new_slot[slot]
            new_slot[slot] = table[cell + 1]
            table[cell + 1] += 1
        else:
            new_slot[slot] = -1
    # Column by column: one column's pages stay in reach of the processor, all of them together would not.
    _scatter(new_slot, source.x, target.x)
    _scatter(new_slot, source.y, target.y)
    _scatter(new_slot, source.z, target.z)
    _scatter(new_slot, source.r, target.r)
    _scatter(new_slot, source.id_at, target.id_at)
    for slot in range(count):
        if new_slot[slot] >= 0:
            slot_of[source.id_at[slot]] = new_slot[slot] + 1
    if fills_keys:
        _fill_keys(grid, target.key)
    else:
        _scatter(new_slot, source.key, target.key)
    return total


@kernel
def _fill_keys(grid: Grid, key_at: np.ndarray) -> None:
    """Write every slot's key from the table, which knows all cells: cheaper than moving the keys."""
    leaf, level = 0, 0
    last = len(key_at) - 4
    for cell in range(len(grid.table) - 2):
        key, begin, end = cell_key(leaf, level), grid.table[cell], grid.table[cell + 1]
        if begin <= last:  # four at once, without a branch for each; the next cells write over what is too much
            for ahead in range(4):
                key_at[begin + ahead] = key
            begin += 4
        for slot in range(begin, end):
            key_at[slot] = key
        if level < grid.split_level:
            level += 1
        else:  # the next cell in pre-order: the highest one that begins with the next leaf
            leaf += 1
            carried = leaf
            while carried & 7 == 0 and level > 0:
                carried >>= 3
                level -= 1


@kernel
def _scatter(new_slot: np.ndarray, source: np.ndarray, target: np.ndarray) -> None:
    """Move a column's values to their new slots."""
    for slot in range(len(new_slot)):
        if new_slot[slot] >= 0:
            target[new_slot[slot]] = source[slot]


@kernel
def sort_crowded(count: int, slots: Slots, grid: Grid, slot_of: np.ndarray, limit: int) -> None:
    """Sort the slots of each of the table's deepest cells by key, where there are more than `limit` in it."""
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
    """Put a column into another order, in place."""
    column[:] = column[order]
