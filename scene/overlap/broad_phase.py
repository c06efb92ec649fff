"""The world boxes of objects, and the pairs whose boxes overlap."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.matrix_kernels import world_box

# Rounding of a world coordinate, relative to the sum of the absolute values of its terms; with that of a chain of
# parents.
ROUNDING = 2.0**-44
_FLAT = 1e-13  # determinant over its rows' lengths; below it holds nothing but rounding


@kernel
def find_boxes(
    world_from_local: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    boxes: np.ndarray,
    sizes: np.ndarray,
    facing: np.ndarray,
) -> None:
    """Write the world boxes of n local boxes, grown by ROUNDING; and sizes and facings, as region_query.Objects.

    Args:
        world_from_local: (n, 4, 4).
        lower, upper: (n, 3) local.
        boxes: (n, 2, 3), written.
        sizes: (n,), written.
        facing: (n,) int8, written.
    """
    for i in range(len(sizes)):
        m = world_from_local[i]
        world_box(m, lower[i], upper[i], boxes[i])
        largest = 0.0
        for row in range(3):
            size = abs(m[row, 3])
            for column in range(3):
                size += abs(m[row, column]) * max(abs(lower[i, column]), abs(upper[i, column]))
            boxes[i, 0, row] -= ROUNDING * size
            boxes[i, 1, row] += ROUNDING * size
            largest = max(largest, size)
        sizes[i] = largest
        determinant = (
            m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            + m[0, 1] * (m[1, 2] * m[2, 0] - m[1, 0] * m[2, 2])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        )
        volume = 1.0
        for row in range(3):
            volume *= np.sqrt(m[row, 0] * m[row, 0] + m[row, 1] * m[row, 1] + m[row, 2] * m[row, 2])
        facing[i] = 0 if abs(determinant) <= _FLAT * volume else 1 if determinant > 0.0 else -1


@kernel
def keep_overlapping(pairs: np.ndarray, boxes: np.ndarray) -> int:
    """Move the pairs, (m, 2) int32, whose boxes overlap or touch to the front; return how many they are."""
    kept = 0
    for i in range(len(pairs)):
        a, b = pairs[i, 0], pairs[i, 1]
        overlap = True
        for axis in range(3):
            overlap &= (boxes[a, 0, axis] <= boxes[b, 1, axis]) & (boxes[b, 0, axis] <= boxes[a, 1, axis])
        pairs[kept, 0] = a
        pairs[kept, 1] = b
        kept += int(overlap)
    return kept
