"""The walk through the tree that the kernels of all queries share.

A walk keeps its stack in two arrays: a row of integers for each waiting cell (LEVEL to END; a kernel may add columns
of its own) and a row for the cell's centre. At most seven siblings wait on each level.

A query takes the top row, finds where the children's slots begin (find_children), tests each child by its centre and
size (child_center, child_sizes) and pushes those that it wants to look into (push_child).
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.octree.layout.slots import Grid, cell_key, leaf_bits

# Columns of a stack. TABLE_INDEX is the cell's index in Grid.table, down to the table's level; LEAF the Morton code of
# its first leaf; BEGIN and END its subtree's slots.
LEVEL, TABLE_INDEX, LEAF, BEGIN, END = range(5)
OWN = 5  # the first column that a kernel may use itself


@kernel
def new_stack(grid: Grid, columns: int, sorted_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Allocate a stack of integer rows and one of centres; the root waits in the first row."""
    rows = 8 * (grid.split_level + 1)
    stack = np.empty((rows, columns), np.int64)
    centers = np.empty((rows, 3), np.float64)
    stack[0, LEVEL] = 0
    stack[0, TABLE_INDEX] = 0
    stack[0, LEAF] = 0
    stack[0, BEGIN] = 0
    stack[0, END] = sorted_count
    centers[0, 0] = 0.0
    centers[0, 1] = 0.0
    centers[0, 2] = 0.0
    return stack, centers


@kernel
def child_sizes(grid: Grid, level: int) -> tuple[float, float]:
    """Compute half the size of a cell's children; and half that of their loose bounds, which hold their spheres."""
    half = grid.half_size / (1 << (level + 1))
    return half, half * (1.0 + 2.0**-18) + grid.overhang[level + 1]


@kernel
def child_center(x: float, y: float, z: float, half: float, child: int) -> tuple[float, float, float]:
    """Compute the centre of a child, of half size `half`, of the cell around (x, y, z)."""
    return x + (half if child & 1 else -half), y + (half if child & 2 else -half), z + (half if child & 4 else -half)


@kernel
def push_child(
    stack: np.ndarray,
    centers: np.ndarray,
    top: int,
    grid: Grid,
    level: int,
    table_index: int,
    leaf: int,
    child: int,
    begin: int,
    end: int,
    x: float,
    y: float,
    z: float,
) -> None:
    """Write a child of the cell (level, table_index, leaf) to row `top` of the stack."""
    stack[top, LEVEL] = level + 1
    stack[top, TABLE_INDEX] = table_index + 1 + child * grid.subtree_sizes[level + 1] if level < grid.table_level else 0
    stack[top, LEAF] = leaf + (child << leaf_bits(level + 1, grid.split_level))
    stack[top, BEGIN] = begin
    stack[top, END] = end
    centers[top, 0] = x
    centers[top, 1] = y
    centers[top, 2] = z


@kernel
def first_slot_from(keys: np.ndarray, begin: int, end: int, key: int) -> int:
    """Find the first of the sorted slots begin..end whose key is `key` or higher, or `end`, by bisection."""
    while begin < end:
        middle = (begin + end) >> 1
        if keys[middle] < key:
            begin = middle + 1
        else:
            end = middle
    return begin


@kernel
def find_children(
    keys: np.ndarray, grid: Grid, level: int, table_index: int, leaf: int, begin: int, end: int, bounds: np.ndarray
) -> None:
    """Find the slots of a cell's children among its subtree's slots begin..end.

    Down to the table's level they are looked up, below it searched for in the keys: the first key of a child's
    subtree is the child's own.

    Args:
        bounds: (9,) int64, written: the cell's own slots are begin..bounds[0], child d's are bounds[d]..bounds[d + 1].
    """
    if level < grid.table_level:
        size = grid.subtree_sizes[level + 1]
        for child in range(8):
            bounds[child] = grid.table[table_index + 1 + child * size]
    else:
        bits = leaf_bits(level + 1, grid.split_level)
        bounds[0] = first_slot_from(keys, begin, end, cell_key(leaf, level + 1))
        for child in range(1, 8):
            bounds[child] = first_slot_from(keys, bounds[child - 1], end, cell_key(leaf + (child << bits), 0))
    bounds[8] = end
