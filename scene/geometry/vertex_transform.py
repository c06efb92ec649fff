"""Positions and normals of many meshes, each mesh through its own matrix."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.normals import UNIT_TOLERANCE


@kernel
def transform_vertices(
    firsts: np.ndarray,
    counts: np.ndarray,
    world_from_local: np.ndarray,
    positions: np.ndarray,
    normals: np.ndarray,
    out_positions: np.ndarray,
    out_normals: np.ndarray,
) -> None:
    """Write the positions and unit normals of k ranges of vertices, each through its matrix (k, 4, 4).

    Normals go through the cofactor matrix, which keeps them upright under any scale and needs no inverse; zero stays
    zero.
    """
    out = 0
    cofactors = np.empty((3, 3))
    turned = np.empty(3)
    for k in range(len(firsts)):
        m = world_from_local[k]
        largest = 0.0
        for row in range(3):
            for column in range(3):
                largest = max(largest, abs(m[row, column]))
        if not 0.0 < largest < np.inf:
            largest = 1.0
        for row in range(3):
            r, s = (row + 1) % 3, (row + 2) % 3
            for column in range(3):
                c, d = (column + 1) % 3, (column + 2) % 3
                # Of the matrix / largest, so that products neither vanish nor overflow.
                cofactors[row, column] = (m[r, c] / largest) * (m[s, d] / largest) - (m[r, d] / largest) * (
                    m[s, c] / largest
                )
        determinant = 0.0
        for column in range(3):
            determinant += m[0, column] / largest * cofactors[0, column]
        side = -1.0 if determinant < 0.0 else 1.0
        for vertex in range(firsts[k], firsts[k] + counts[k]):
            for row in range(3):
                out_positions[out, row] = (
                    m[row, 0] * positions[vertex, 0]
                    + m[row, 1] * positions[vertex, 1]
                    + m[row, 2] * positions[vertex, 2]
                    + m[row, 3]
                )
            longest = 0.0
            for row in range(3):
                turned[row] = side * (
                    cofactors[row, 0] * normals[vertex, 0]
                    + cofactors[row, 1] * normals[vertex, 1]
                    + cofactors[row, 2] * normals[vertex, 2]
                )
                longest = max(longest, abs(turned[row]))
            square = turned[0] ** 2 + turned[1] ** 2 + turned[2] ** 2
            if longest > 0.0 and not abs(square - 1.0) <= UNIT_TOLERANCE:
                turned /= longest  # first, so that squares neither vanish nor overflow
                turned /= np.sqrt(turned[0] ** 2 + turned[1] ** 2 + turned[2] ** 2)
            for row in range(3):
                out_normals[out, row] = turned[row]
            out += 1
