"""The layout of spheres and cells in arrays; every kernel takes these.

A slot is an index into the columns of `Slots`. The first `sorted_count` slots are in the order of their cells' keys;
behind them stands the overflow: spheres that arrived or changed their cell since the last sort, in any order.

A key is `cell_key(leaf, level)`: `leaf` is the Morton code of the cell's first leaf, in leaves of the complete
tree. Keys ascend in pre-order: a cell comes before all that is below it, and everything below it is one run of
keys. So is every subtree one run of slots. (Ericson, "Real-Time Collision Detection", 7.3, keeps a complete octree
in a flat array level by level; pre-order is what turns "everything below this cell" into a slice.)

Where a cell's slots begin is looked up in `Grid.table`, down to `table_level`, and searched for in the sorted keys
below. The table has about as many entries as there are spheres, so that sorting never costs more than they do,
however deep the tree: of the other cells nothing is stored at all.
"""

from __future__ import annotations

from typing import NamedTuple, overload

import numpy as np

from octoscope.octree.jit import inlined
from octoscope.octree.layout.morton import Whole

LEVEL_BITS = 5
_LEVEL_MASK = (1 << LEVEL_BITS) - 1
MAX_SPLIT_LEVEL = 19  # a key holds a leaf's Morton code, 57 bits, and a level
DEEPEST_TABLE = 7
SORTED_ABOVE = 8  # slots of one cell of the table's level; fewer are not worth sorting, a walk tests them one by one

SIMD_STEP = 16  # spheres that a kernel compares at once where it takes fixed steps

DEAD_ID = -1
DEAD_RADIUS = np.float32(-np.inf)


class Slots(NamedTuple):
    """The columns.

    All have the same length, the capacity; those of the spheres have SIMD_STEP elements more at their end, with any
    values, because kernels read in steps of that many.
    """

    x: np.ndarray  # float32 centres about the root's centre; y and z likewise
    y: np.ndarray
    z: np.ndarray
    r: np.ndarray  # float32 radii, grown by the rounding of the centres; -inf in dead slots
    key: np.ndarray  # int64 keys of cells
    id_at: np.ndarray  # int32; -1 in dead slots, which a removed or moved sphere leaves among the sorted ones

    @classmethod
    def empty(cls, capacity: int) -> Slots:
        """Allocate columns; their values are yet to be written."""
        length = capacity + SIMD_STEP
        block = np.empty(8 * capacity + 5 * 4 * length, dtype=np.uint8)
        x, y, z, r, id_at = block[8 * capacity :].view(np.float32).reshape(5, length)
        return cls(x, y, z, r, block[: 8 * capacity].view(np.int64), id_at[:capacity].view(np.int32))

    @property
    def capacity(self) -> int:
        """Number of slots that there is room for."""
        return len(self.key)

    def grown(self, capacity: int) -> Slots:
        """Return a copy with room for more."""
        larger = Slots.empty(capacity)
        for column, mine in zip(larger, self, strict=True):
            column[: len(mine)] = mine
        return larger


class Grid(NamedTuple):
    """The complete octree over the slots."""

    half_size: float  # of the root cube, world units; its centre is the origin here
    split_level: int  # level of the leaves; the root is level 0
    table_level: int  # deepest level in the table, at most the split level
    # (subtree_sizes[0] + 2,) int32: the cells from the root to the table's level, in pre-order. The own slots of the
    # cell with index q in it are table[q]..table[q + 1], those of its subtree end at table[q + subtree_sizes[level]]
    table: np.ndarray
    # (table_level + 1,) int64: cells of a whole subtree in the table, by the level of its root
    subtree_sizes: np.ndarray
    # (split_level + 1,) float64, by level: how far spheres in cells of that level or deeper stick out of them at most;
    # descends with the level. It does not cover the root's own spheres
    overhang: np.ndarray

    @classmethod
    def empty(cls, half_size: float, split_level: int) -> Grid:
        """Make the grid of an empty tree."""
        return cls(half_size, split_level, 0, np.zeros(3, dtype=np.int32), subtree_sizes(0), np.zeros(split_level + 1))

    def fitted(self, count: int) -> Grid:
        """Return this grid with another table, for `count` slots, its values yet to be written."""
        level = table_level(count, self.split_level)
        sizes = subtree_sizes(level)
        table = np.empty(int(sizes[0]) + 2, dtype=np.int32)
        return self._replace(table_level=level, table=table, subtree_sizes=sizes)


def subtree_sizes(split_level: int) -> np.ndarray:
    """Count the cells in a whole subtree, by the level of its root: (split_level + 1,) int64."""
    return (8 ** np.arange(split_level + 1, 0, -1, dtype=np.int64) - 1) // 7


def table_level(count: int, split_level: int) -> int:
    """Choose the table's level for so many slots: less than four leaves a slot."""
    level = 0
    while 2 * 8**level < count and level < DEEPEST_TABLE:
        level += 1
    return min(level, split_level)


def digit_offsets(level: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what the upper and the lower digits of a Morton code add to a cell's index in a table of `level` levels.

    A cell's index is its level plus, over its path, child index times subtree size: a sum over the octal digits of
    its Morton code. Two lookups take up to seven digits: (512,) int32 for the upper three, (4096,) for the lower four.
    """
    sizes = subtree_sizes(level).astype(np.int32)
    upper, lower = np.zeros(8**3, dtype=np.int32), np.zeros(8**4, dtype=np.int32)
    for depth in range(1, level + 1):
        digit = level - depth  # counted from the lowest
        part, digit_in_part = (lower, digit) if digit < 4 else (upper, digit - 4)
        part += (np.arange(len(part)) >> 3 * digit_in_part & 7) * sizes[depth]
    return upper, lower


@inlined
def cell_key(leaf: Whole, level: int | Whole) -> Whole:
    """Make the key of a cell from the Morton code of its first leaf and its level."""
    return leaf << LEVEL_BITS | level


@inlined
def level_of(key: Whole) -> Whole:
    """Return the level of a cell, from its key."""
    return key & _LEVEL_MASK


@inlined
def leaf_of(key: Whole) -> Whole:
    """Return the Morton code of a cell's first leaf, from the cell's key."""
    return key >> LEVEL_BITS


@overload
def leaf_bits(level: int, split_level: int) -> int: ...
@overload
def leaf_bits(level: np.ndarray, split_level: int) -> np.ndarray: ...
@inlined
def leaf_bits(level: int | np.ndarray, split_level: int) -> int | np.ndarray:
    """Return how many low bits of a leaf's Morton code differ among the leaves of one cell of this level."""
    return 3 * (split_level - level)


@inlined
def ancestor_key(key: Whole, level: int | Whole, split_level: int) -> Whole:
    """Return the key of the cell of a level that holds a cell of the same or a deeper level."""
    bits = leaf_bits(level, split_level)
    return cell_key(leaf_of(key) >> bits << bits, level)


def decode_keys(keys: Whole, split_level: int) -> tuple[Whole, Whole]:
    """Return levels (n,) of cells, and Morton codes (n,) in cells of the own level, from their keys; int64, or ints."""
    levels = level_of(keys)
    return levels, leaf_of(keys) >> leaf_bits(levels, split_level)
