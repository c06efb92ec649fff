"""The layout of slots and cells: keys, the table's numbers, and the search for a cell's children below the table."""

import numpy as np
import pytest

from octoscope.octree.layout.slots import (
    DEEPEST_TABLE,
    LEVEL_BITS,
    MAX_SPLIT_LEVEL,
    Grid,
    decode_keys,
    digit_offsets,
    subtree_sizes,
    table_level,
)
from octoscope.octree.layout.walk import find_children, first_slot_from


def walked(split_level: int, level: int = 0, code: int = 0) -> list[tuple[int, int]]:
    """Level and Morton code of every cell, in the order of a recursive walk: a cell before its children."""
    cells = [(level, code)]
    if level < split_level:
        for child in range(8):
            cells += walked(split_level, level + 1, 8 * code + child)
    return cells


def key_of(level: int, code: int, split_level: int) -> int:
    """Return a cell's key by its definition: the Morton code of its first leaf, then its level."""
    first_leaf = code * 8 ** (split_level - level)
    return first_leaf << LEVEL_BITS | level


def number_of(level: int, code: int, last: int) -> int:
    """Return the number of cells that a recursive walk down to level `last` meets before a cell."""
    number = 0
    for depth in range(1, level + 1):
        child = code >> 3 * (level - depth) & 7
        number += 1 + child * sum(8**below for below in range(last - depth + 1))
    return number


def random_keys(rng: np.random.Generator, count: int, split_level: int) -> np.ndarray:
    """Sorted keys of cells of all levels, half of them crowded in one corner of space."""
    levels = rng.integers(0, split_level, count, endpoint=True)
    leaves = np.where(
        rng.random(count) < 0.5,
        rng.integers(0, 8**split_level, count),
        8**split_level // 3 + rng.integers(0, 8 ** min(split_level, 2), count),
    )
    leaves = np.minimum(leaves, 8**split_level - 1)
    shifts = 3 * (split_level - levels)
    return np.sort((leaves >> shifts << shifts) << LEVEL_BITS | levels)


def grid_over(keys: np.ndarray, split_level: int, last: int) -> Grid:
    """A grid whose table of levels 0 to `last` is counted cell by cell."""
    numbers = []
    for level, code in zip(*(column.tolist() for column in decode_keys(keys, split_level)), strict=True):
        above = max(level - last, 0)
        numbers.append(number_of(level - above, code >> 3 * above, last))
    cells = sum(8**level for level in range(last + 1))
    table = np.append(np.searchsorted(numbers, np.arange(cells + 1)), len(keys)).astype(np.int32)
    return Grid(1.0, split_level, last, table, subtree_sizes(last), np.zeros(split_level + 1))


@pytest.mark.parametrize("split_level", range(5))
def test_keys_ascend_in_the_order_of_a_recursive_walk(split_level):
    keys = [key_of(level, code, split_level) for level, code in walked(split_level)]
    assert len(keys) == (8 ** (split_level + 1) - 1) // 7
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("split_level", (0, 1, 3, 4))
def test_decoding_keys_gives_levels_and_codes_back(split_level):
    cells = walked(split_level)
    keys = np.array([key_of(level, code, split_level) for level, code in cells], dtype=np.int64)
    levels, codes = decode_keys(keys, split_level)
    assert list(zip(levels.tolist(), codes.tolist(), strict=True)) == cells


def test_the_last_leaf_of_the_deepest_tree_has_a_key():
    key = key_of(MAX_SPLIT_LEVEL, 8**MAX_SPLIT_LEVEL - 1, MAX_SPLIT_LEVEL)
    assert key < 2**63
    levels, codes = decode_keys(np.array([key]), MAX_SPLIT_LEVEL)
    assert (levels[0], codes[0]) == (MAX_SPLIT_LEVEL, 8**MAX_SPLIT_LEVEL - 1)


def test_everything_below_a_cell_is_one_run_of_keys():
    cells = walked(3)
    keys = np.array([key_of(level, code, 3) for level, code in cells])
    for level, code in cells:
        below = [deeper >= level and other >> 3 * (deeper - level) == code for deeper, other in cells]
        run = np.flatnonzero(below)
        assert keys[run[0]] == key_of(level, code, 3)
        assert run.tolist() == list(range(run[0], run[0] + int(subtree_sizes(3)[level])))


@pytest.mark.parametrize("split_level", range(9))
def test_the_size_of_a_subtree_is_the_sum_of_its_levels(split_level):
    expected = [sum(8**below for below in range(split_level - level + 1)) for level in range(split_level + 1)]
    assert subtree_sizes(split_level).tolist() == expected


def looked_up(level: int, code: int, last: int, upper: np.ndarray, lower: np.ndarray) -> int:
    leaf = code * 8 ** (last - level)
    return level + int(upper[leaf >> 12] + lower[leaf & 4095])


@pytest.mark.parametrize("last", range(5))
def test_two_lookups_and_the_level_give_every_cells_number_in_preorder(last):
    upper, lower = digit_offsets(last)
    numbers = [looked_up(level, code, last, upper, lower) for level, code in walked(last)]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("last", (5, 6, 7))
def test_two_lookups_and_the_level_give_random_cells_their_numbers_in_deep_tables(last):
    rng = np.random.default_rng(last)
    upper, lower = digit_offsets(last)
    cells = [(last, 0), (last, 8**last - 1)]
    cells += [(level, int(rng.integers(0, 8**level))) for level in rng.integers(0, last, 500, endpoint=True).tolist()]
    for level, code in cells:
        assert looked_up(level, code, last, upper, lower) == number_of(level, code, last)
    assert number_of(last, 8**last - 1, last) == int(subtree_sizes(last)[0]) - 1


def test_a_table_has_about_two_leaves_a_slot():
    """Eight times as many on the next level: so from half a leaf to four, down to the last level."""
    counts = [*range(1, 3000), *(10**power for power in range(4, 10)), *(2 * 8**level + 1 for level in range(8))]
    for count in counts:
        for split_level in (0, 2, 6, MAX_SPLIT_LEVEL):
            level = table_level(count, split_level)
            assert 0 <= level <= min(split_level, DEEPEST_TABLE)
            assert level == 0 or 8**level < 4 * count
            assert level == min(split_level, DEEPEST_TABLE) or 2 * 8**level >= count


def test_an_empty_tree_has_a_table_of_the_root_alone():
    assert table_level(0, MAX_SPLIT_LEVEL) == 0
    assert len(Grid.empty(1.0, 6).table) == 3
    assert len(Grid.empty(1.0, 6).fitted(1000).table) == 1 + 8 + 64 + 512 + 2


def test_the_search_for_a_key_is_numpys():
    rng = np.random.default_rng(0)
    for count in (0, 1, 2, 3, 10, 100):
        keys = np.sort(rng.integers(0, 50, count))
        for _ in range(100):
            begin, end = np.sort(rng.integers(0, count, 2, endpoint=True)).tolist()
            key = int(rng.integers(-2, 53))
            expected = begin + np.searchsorted(keys[begin:end], key, side="left")
            assert first_slot_from(keys, begin, end, key) == expected


@pytest.mark.parametrize(
    ("split_level", "last"), [(1, 0), (1, 1), (3, 0), (3, 1), (3, 3), (5, 2), (5, 5), (8, 3), (MAX_SPLIT_LEVEL, 2)]
)
def test_children_are_found_in_the_table_and_below_it(split_level, last):
    rng = np.random.default_rng(split_level)
    keys = random_keys(rng, 400, split_level)
    grid = grid_over(keys, split_level, last)
    levels, codes = decode_keys(keys, split_level)
    bounds = np.empty(9, dtype=np.int64)
    met = [0, 0]
    waiting = [(0, 0)]
    while waiting:
        level, code = waiting.pop()
        deeper = np.maximum(levels - level, 0)
        inside = np.flatnonzero((levels >= level) & (codes >> 3 * deeper == code))
        if len(inside) == 0 or level == split_level:
            continue
        begin, end = int(inside[0]), int(inside[-1]) + 1
        own = np.count_nonzero(levels[inside] == level)
        digits = codes[inside] >> 3 * np.maximum(levels[inside] - level - 1, 0) & 7
        in_child = [np.count_nonzero((digits == child) & (levels[inside] > level)) for child in range(8)]
        first_leaf = code * 8 ** (split_level - level)
        number = number_of(level, code, last) if level <= last else 0
        find_children(keys, grid, level, number, first_leaf, begin, end, bounds)
        assert bounds.tolist() == (begin + own + np.cumsum([0, *in_child])).tolist()
        met[level >= last] += 1
        waiting += [(level + 1, 8 * code + child) for child in range(8) if in_child[child]]
    assert last == 0 or met[0] > 0
    assert last == split_level or met[1] > 0
