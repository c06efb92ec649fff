"""The turns nearest to many matrices, in one pass."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.editing.kernels import set_quaternion

_FLATTEST = 1e-3  # determinant of unit axes: flatter, the iteration is slow and not exact
_MOST_STEPS = 24
_SETTLED = 1e-15


@kernel
def nearest_turns(directions, turned, rotations, left):
    """The rotation nearest to each matrix, its polar factor, by Newton's iteration (Higham, "Computing the Polar
    Decomposition", 1986); of one that mirrors, that of its mirrored x axis.

    Args:
        directions: (k, 3, 3) of unit columns. turned: (k, 3, 3), receives the rotations. rotations: (k, 4), receives
            them as quaternions. left: (k,) bool, receives whether a matrix is too flat for it.
    """
    cofactors = np.empty((3, 3))
    for i in range(len(directions)):
        x = turned[i]
        x[:] = directions[i]
        left[i] = True
        for step in range(_MOST_STEPS):
            for row in range(3):
                a, b = (row + 1) % 3, (row + 2) % 3
                for column in range(3):
                    c, d = (column + 1) % 3, (column + 2) % 3
                    cofactors[row, column] = x[a, c] * x[b, d] - x[a, d] * x[b, c]
            determinant = x[0, 0] * cofactors[0, 0] + x[0, 1] * cofactors[0, 1] + x[0, 2] * cofactors[0, 2]
            if step == 0 and not abs(determinant) > _FLATTEST:
                break
            change = 0.0
            for row in range(3):
                for column in range(3):
                    value = 0.5 * (x[row, column] + cofactors[row, column] / determinant)
                    change = max(change, abs(value - x[row, column]))
                    x[row, column] = value
            if change <= _SETTLED:
                left[i] = False
                break
        if left[i]:
            continue
        if determinant < 0.0:
            for row in range(3):
                x[row, 0] = -x[row, 0]
        set_quaternion(x, rotations[i])
