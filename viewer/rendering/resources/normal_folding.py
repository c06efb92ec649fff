"""Fold the normals of vertices to half their size, for the card."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

FLAT = 2.0  # in place of a normal: no direction on the octahedron reaches it


@kernel
def fold_normals(normals: np.ndarray, folded: np.ndarray) -> None:
    """Fold unit normals onto a square.

    The square is the octahedron |x| + |y| + |z| = 1 from above, its lower faces folded out (Meyer et al., "On
    Floating-Point Normal Vectors", 2010): half the size of three numbers and as exact.

    Args:
        normals: (v, 3) float32.
        folded: (v, 2) float32, written: each -1 to 1; (FLAT, FLAT) for a zero normal.
    """
    for i in range(len(normals)):
        x, y, z = normals[i, 0], normals[i, 1], normals[i, 2]
        size = abs(x) + abs(y) + abs(z)
        if size == 0.0:
            folded[i, 0] = folded[i, 1] = FLAT
            continue
        # Project onto the octahedron, whose upper half from above is the inner diamond of the square ...
        x, y = x / size, y / size
        if z < 0.0:  # ... and fold each lower face over its side of the diamond into a corner.
            x, y = (1.0 - abs(y)) * (-1.0 if x < 0.0 else 1.0), (1.0 - abs(x)) * (-1.0 if y < 0.0 else 1.0)
        folded[i, 0], folded[i, 1] = x, y
