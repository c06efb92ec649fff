"""Pre-order numbers for the cells of a complete octree: where every cell stands without storing a single node.

A tree of `split_level` L has levels 0 (the root) to L (the leaves). Counting cells in pre-order gives each whole
subtree one range of numbers: cell q of level l owns [q, q + subtree_sizes[l]), and its child d (bit 0 = +x,
bit 1 = +y, bit 2 = +z) is q + 1 + d * subtree_sizes[l + 1]. Objects sorted by cell number therefore make every
subtree one contiguous range of objects. (Ericson, "Real-Time Collision Detection", 7.3, keeps a complete octree in
a flat array level by level; pre-order is what turns "everything below this node" into a slice.)
"""

from __future__ import annotations

import numpy as np

MAX_SPLIT_LEVEL = 9  # the largest whose cell numbers fit in int32
STACK_SIZE = 8 * (MAX_SPLIT_LEVEL + 1)  # of a walk: at most seven siblings wait on each level


def subtree_sizes(split_level: int) -> np.ndarray:
    """Number of cells in a whole subtree, by the level of its root: (split_level + 1,) int32."""
    heights = np.arange(split_level + 1, 0, -1, dtype=np.int64)
    return ((8**heights - 1) // 7).astype(np.int32)


def axis_offsets(split_level: int) -> np.ndarray:
    """What one axis adds to a cell's number: (2 ** split_level,) int32, by the leaf coordinate on that axis.

    A cell's number is its level plus the sum over its path of child index times subtree size, and a child index is
    one bit of each axis: so it separates into offsets[x] + 2 * offsets[y] + 4 * offsets[z] + level. For a cell
    above the leaves the coordinates' low bits are zero.
    """
    sizes = subtree_sizes(split_level)
    coordinates = np.arange(2**split_level, dtype=np.int64)
    offsets = np.zeros(len(coordinates), dtype=np.int64)
    for level in range(1, split_level + 1):
        offsets += ((coordinates >> (split_level - level)) & 1) * int(sizes[level])
    return offsets.astype(np.int32)


def decode_cells(numbers: np.ndarray, split_level: int) -> tuple[np.ndarray, np.ndarray]:
    """Level and place of cells from their pre-order numbers.

    Returns:
        levels (n,) int32, and coordinates (n, 3) int32 counted in cells of the own level (0 .. 2 ** level - 1).
    """
    sizes = subtree_sizes(split_level)
    rest = np.array(numbers, dtype=np.int64)
    levels = np.zeros(len(rest), dtype=np.int32)
    coordinates = np.zeros((len(rest), 3), dtype=np.int32)
    for level in range(1, split_level + 1):
        below = rest > 0
        child, inside = np.divmod(rest[below] - 1, int(sizes[level]))
        rest[below] = inside
        levels[below] = level
        bits = (child[:, None] >> np.arange(3)) & 1
        coordinates[below] = coordinates[below] * 2 + bits
    return levels, coordinates
