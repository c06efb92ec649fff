"""Divide boxes in two by the surface area heuristic in bins: where rays are cheapest to test."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel

_BINS = 16  # rows of `bins`: six of a box, its weight, and the cost and the weight of all bins from it on


@borrowing_kernel
def box_of_doubled_centers(
    boxes: np.ndarray, items: np.ndarray, begin: int, end: int
) -> tuple[np.float32, np.float32, np.float32, np.float32, np.float32, np.float32]:
    """Compute the box around the centres, times two, of the boxes of items begin..end: lower corner, upper corner."""
    i = items[begin]
    x = x2 = boxes[i, 0] + boxes[i, 3]
    y = y2 = boxes[i, 1] + boxes[i, 4]
    z = z2 = boxes[i, 2] + boxes[i, 5]
    for position in range(begin + 1, end):
        i = items[position]
        mx, my, mz = boxes[i, 0] + boxes[i, 3], boxes[i, 1] + boxes[i, 4], boxes[i, 2] + boxes[i, 5]
        x, x2 = min(x, mx), max(x2, mx)
        y, y2 = min(y, my), max(y2, my)
        z, z2 = min(z, mz), max(z2, mz)
    return x, y, z, x2, y2, z2


@borrowing_kernel
def order_by_cost(
    boxes: np.ndarray, weights: np.ndarray, items: np.ndarray, begin: int, end: int, other: np.ndarray, bins: np.ndarray
) -> int:
    """Divide items begin..end, rows of (n, 6) boxes, into two parts, each in its old order.

    Return where the second part begins; in the middle if no border of bins divides the items.
    """
    # The axis along which the boxes' centres (doubled) lie farthest apart.
    x, y, z, x2, y2, z2 = box_of_doubled_centers(boxes, items, begin, end)
    axis, low, side = 0, x, x2 - x
    if y2 - y > side:
        axis, low, side = 1, y, y2 - y
    if z2 - z > side:
        axis, low, side = 2, z, z2 - z
    if not side > np.float32(1e-30):
        return (begin + end) // 2
    scale = np.float32(np.float64(_BINS - 0.001) / np.float64(side))
    far = np.float32(1e30)
    # The box and the weight of what lies in each bin.
    for row in range(_BINS):
        for k in range(3):
            bins[row, k] = far
            bins[row, k + 3] = -far
        bins[row, 6] = np.float32(0.0)
    for position in range(begin, end):
        i = items[position]
        cell = np.int64((boxes[i, axis] + boxes[i, axis + 3] - low) * scale)
        for k in range(3):
            bins[cell, k] = min(bins[cell, k], boxes[i, k])
            bins[cell, k + 3] = max(bins[cell, k + 3], boxes[i, k + 3])
        bins[cell, 6] += np.float32(weights[i])
    border = _cheapest_border(bins)
    if border == 0:
        return (begin + end) // 2
    # Items below the border move to the front, the others wait in `other`.
    lower_end, upper_count = begin, 0
    for position in range(begin, end):
        i = items[position]
        if np.int64((boxes[i, axis] + boxes[i, axis + 3] - low) * scale) < border:
            items[lower_end] = i
            lower_end += 1
        else:
            other[upper_count] = i
            upper_count += 1
    for position in range(upper_count):
        items[lower_end + position] = other[position]
    return lower_end


@borrowing_kernel
def _cheapest_border(bins: np.ndarray) -> int:
    """Find the bin before which dividing costs least, from the end and then from the begin; 0: all is in one."""
    far, nothing = np.float32(1e30), np.float32(0.0)
    x, y, z, x2, y2, z2, weight = far, far, far, -far, -far, -far, nothing
    for row in range(_BINS - 1, 0, -1):
        x, y, z = min(x, bins[row, 0]), min(y, bins[row, 1]), min(z, bins[row, 2])
        x2, y2, z2 = max(x2, bins[row, 3]), max(y2, bins[row, 4]), max(z2, bins[row, 5])
        weight += bins[row, 6]
        dx, dy, dz = x2 - x, y2 - y, z2 - z
        bins[row, 7] = (dx * dy + dy * dz + dz * dx) * weight
        bins[row, 8] = weight
    best, least = 0, np.float32(np.inf)
    x, y, z, x2, y2, z2, weight = far, far, far, -far, -far, -far, nothing
    for border in range(1, _BINS):
        row = border - 1
        x, y, z = min(x, bins[row, 0]), min(y, bins[row, 1]), min(z, bins[row, 2])
        x2, y2, z2 = max(x2, bins[row, 3]), max(y2, bins[row, 4]), max(z2, bins[row, 5])
        weight += bins[row, 6]
        if weight > nothing and bins[border, 8] > nothing:
            dx, dy, dz = x2 - x, y2 - y, z2 - z
            cost = (dx * dy + dy * dz + dz * dx) * weight + bins[border, 7]
            if cost < least:
                best, least = border, cost
    return best
