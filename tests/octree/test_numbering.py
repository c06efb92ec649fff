"""Pre-order cell numbers against a tree that is really walked."""

import numpy as np
import pytest

from octree.numbering import MAX_SPLIT_LEVEL, axis_offsets, decode_cells, subtree_sizes

# (level, x, y, z) in cells of the own level, in the order in which a pre-order walk meets them
Cell = tuple[int, int, int, int]


def walk(split_level: int, cell: Cell = (0, 0, 0, 0)) -> list[Cell]:
    level, x, y, z = cell
    cells = [cell]
    if level < split_level:
        for child in range(8):
            below = (level + 1, 2 * x + (child & 1), 2 * y + (child >> 1 & 1), 2 * z + (child >> 2))
            cells += walk(split_level, below)
    return cells


def encode(split_level: int, levels: np.ndarray, coordinates: np.ndarray) -> np.ndarray:
    leaves = coordinates << (split_level - levels)[:, None]
    return levels + axis_offsets(split_level)[leaves] @ np.array((1, 2, 4))


@pytest.mark.parametrize("split_level", range(5))
def test_cells_are_numbered_in_the_order_of_a_preorder_walk(split_level):
    cells = np.array(walk(split_level))
    numbers = np.arange(len(cells))
    levels, coordinates = decode_cells(numbers, split_level)
    np.testing.assert_array_equal(levels, cells[:, 0])
    np.testing.assert_array_equal(coordinates, cells[:, 1:])
    np.testing.assert_array_equal(encode(split_level, cells[:, 0], cells[:, 1:]), numbers)


@pytest.mark.parametrize("split_level", range(5))
def test_a_subtrees_size_counts_the_cells_of_a_walk_from_its_root(split_level):
    for level, size in enumerate(subtree_sizes(split_level)):
        assert size == len(walk(split_level, (level, 0, 0, 0)))


@pytest.mark.parametrize("split_level", range(MAX_SPLIT_LEVEL + 1))
def test_decoding_a_number_and_encoding_the_cell_gives_the_number_back(split_level):
    total = int(subtree_sizes(split_level)[0])
    numbers = np.unique(np.append(np.random.default_rng(split_level).integers(0, total, 20_000), (0, total - 1)))
    levels, coordinates = decode_cells(numbers, split_level)
    assert levels.min() >= 0 and levels.max() <= split_level
    assert (coordinates >= 0).all() and (coordinates < 2 ** levels[:, None]).all()
    np.testing.assert_array_equal(encode(split_level, levels, coordinates), numbers)


@pytest.mark.parametrize("split_level", range(1, MAX_SPLIT_LEVEL + 1))
def test_a_parents_range_of_numbers_contains_its_childs_range(split_level):
    sizes = subtree_sizes(split_level).astype(np.int64)
    numbers = np.random.default_rng(split_level).integers(1, sizes[0], 20_000)
    levels, coordinates = decode_cells(numbers, split_level)
    parents = encode(split_level, levels - 1, coordinates >> 1)
    assert (parents < numbers).all()
    assert (numbers + sizes[levels] <= parents + sizes[levels - 1]).all()


def test_the_deepest_trees_numbers_fit_int32_and_one_level_more_would_not():
    assert subtree_sizes(MAX_SPLIT_LEVEL).dtype == axis_offsets(MAX_SPLIT_LEVEL).dtype == np.int32
    assert (8 ** (MAX_SPLIT_LEVEL + 1) - 1) // 7 == subtree_sizes(MAX_SPLIT_LEVEL)[0] < 2**31
    largest = int(axis_offsets(MAX_SPLIT_LEVEL)[-1]) * 7 + MAX_SPLIT_LEVEL
    assert largest == subtree_sizes(MAX_SPLIT_LEVEL)[0] - 1


def test_decoding_no_cells_gives_empty_arrays():
    levels, coordinates = decode_cells(np.empty(0, dtype=np.int32), 6)
    assert levels.shape == (0,) and coordinates.shape == (0, 3)
