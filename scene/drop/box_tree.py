"""A tree of boxes that is walked from the top down, so that what holds a falling object up is met early."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.octree.layout.morton import encode_3d

_WIDTH = 8  # children of a node
MOST_ON_STACK = 10 * _WIDTH  # more than a tree over 2**31 boxes puts there
_CELLS = 2.0**20  # of the curve, along each axis


class BoxTree(NamedTuple):
    """n boxes, the boxes around groups of 8 of these, and so on up to one.

    (A list of all pairs of a falling group and a box below it would be too long where all are at the same point.)
    """

    boxes: np.ndarray  # (b, 2, 3) float64: the n boxes themselves along a Morton curve, behind them those of the groups
    first_of_level: np.ndarray  # (l + 1,) int64: where each level of groups begins; level 0 is the boxes themselves
    rows: np.ndarray  # (n,) int64: the index that each box of level 0 was given with


def box_tree_of(boxes: np.ndarray) -> BoxTree:
    """Build a tree of (n, 2, 3) float64 finite boxes, n above 0."""
    centers = boxes[:, 0] / 2.0 + boxes[:, 1] / 2.0
    lower = centers.min(axis=0)
    # Each axis by itself: a tower in a wide plain is divided along its height.
    size = np.maximum(centers.max(axis=0) - lower, np.finfo(np.float64).tiny)
    cells = np.minimum((centers - lower) / size * _CELLS, _CELLS - 1.0).astype(np.int64)
    rows = np.lexsort((-boxes[:, 1, 1], encode_3d(*cells.T)))
    levels = [boxes[rows]]
    while len(levels[-1]) > 1:
        starts = np.arange(0, len(levels[-1]), _WIDTH)
        ends = np.minimum.reduceat(levels[-1][:, 0], starts), np.maximum.reduceat(levels[-1][:, 1], starts)
        levels.append(np.stack(ends, axis=1))
    firsts = np.cumsum([0, *map(len, levels)])
    return BoxTree(np.concatenate(levels), firsts, rows)


@borrowing_kernel
def next_candidate(
    tree: BoxTree, box: np.ndarray, bottom: float, least: float, stack: np.ndarray, count: int
) -> tuple[int, int]:
    """Find the next box that lies under another one, and less than `least` below it.

    Args:
        box: (2, 3) world, of what falls.
        bottom: its lowest y.
        least: the distance it can fall at most, as far as is known.
        stack: (MOST_ON_STACK, 2) int64, the level and index of the groups that are left; at first the root.

    Returns:
        the row of the box, or -1: there is none; and how many groups are left.
    """
    while count > 0:
        count -= 1
        level, group = stack[count, 0], stack[count, 1]
        index = tree.first_of_level[level] + group
        if not _may_hold(tree.boxes, index, box, bottom, least):
            continue
        if level == 0:
            return tree.rows[group], count
        first = tree.first_of_level[level - 1]
        begin, end = _WIDTH * group, min(_WIDTH * (group + 1), tree.first_of_level[level] - first)
        bottom_of_stack = count
        for child in range(begin, end):
            if not _may_hold(tree.boxes, first + child, box, bottom, least):
                continue
            # The one that reaches highest is looked at first.
            to = count
            top = tree.boxes[first + child, 1, 1]
            while to > bottom_of_stack and tree.boxes[first + stack[to - 1, 1], 1, 1] > top:
                stack[to, 0], stack[to, 1] = stack[to - 1, 0], stack[to - 1, 1]
                to -= 1
            stack[to, 0], stack[to, 1] = level - 1, child
            count += 1
    return -1, 0


@borrowing_kernel
def _may_hold(boxes: np.ndarray, index: int, box: np.ndarray, bottom: float, least: float) -> bool:
    """Tell whether a box lies under another one, and less than `least` below it."""
    return (
        (boxes[index, 0, 0] <= box[1, 0])
        & (boxes[index, 1, 0] >= box[0, 0])
        & (boxes[index, 0, 2] <= box[1, 2])
        & (boxes[index, 1, 2] >= box[0, 2])
        & (boxes[index, 0, 1] <= box[1, 1])
        & (bottom - boxes[index, 1, 1] < least)
    )
