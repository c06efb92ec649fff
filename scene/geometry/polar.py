"""The turns nearest to many matrices, and the scales along them, in one pass."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.geometry.affine import SHEAR_TOLERANCE
from scene.geometry.decompose import set_quaternion

_FLATTEST = 1e-3  # determinant of unit axes: flatter, the iteration is slow and not exact
_MOST_STEPS = 24
_SETTLED = 1e-9  # of a step: each squares the error of the one before, so what is left after it is below rounding


@kernel
def nearest_turns(  # noqa: C901
    linears: np.ndarray,
    like_scales: np.ndarray,
    rotations: np.ndarray,
    scales: np.ndarray,
    sheared: np.ndarray,
    left: np.ndarray,
) -> None:
    """The rotation nearest to each matrix's axes, their polar factor, by Newton's iteration (Higham, "Computing the
    Polar Decomposition", 1986), and the scale along it; of a matrix that mirrors, that of its mirrored x axis.

    Args:
        linears: (k, 3, 3). like_scales: (k, 3) the signs that the scales are to have.
        rotations: (k, 4), receives quaternions. scales: (k, 3), receives them.
        sheared: (k,) bool, receives whether the axes are not perpendicular.
        left: (k,) bool, receives whether a matrix is too flat for it; its rotation and scale are not written.
    """
    cofactors = np.empty((3, 3))
    matrix = np.empty((3, 3))
    x = np.empty((3, 3))
    for i in range(len(linears)):
        left[i] = True
        largest = 0.0
        for row in range(3):
            for column in range(3):
                largest = max(largest, abs(linears[i, row, column]))
        unit = largest if largest > 0.0 else 1.0  # so that squares neither vanish nor overflow
        for column in range(3):
            square = 0.0
            for row in range(3):
                value = linears[i, row, column] / unit
                if like_scales[i, column] < 0.0:
                    value = -value
                matrix[row, column] = value
                square += value * value
            length = np.sqrt(square) if square > 0.0 else 1.0
            for row in range(3):
                x[row, column] = matrix[row, column] / length
        sheared[i] = False
        for a in range(3):
            b = (a + 1) % 3
            sheared[i] |= abs(x[0, a] * x[0, b] + x[1, a] * x[1, b] + x[2, a] * x[2, b]) > SHEAR_TOLERANCE
        determinant = 0.0
        for step in range(_MOST_STEPS):
            for row in range(3):
                a, b = (row + 1) % 3, (row + 2) % 3
                for column in range(3):
                    c, d = (column + 1) % 3, (column + 2) % 3
                    cofactors[row, column] = x[a, c] * x[b, d] - x[a, d] * x[b, c]
            determinant = x[0, 0] * cofactors[0, 0] + x[0, 1] * cofactors[0, 1] + x[0, 2] * cofactors[0, 2]
            if step == 0 and not abs(determinant) > _FLATTEST:
                break
            inverse = 1.0 / determinant
            change = 0.0
            for row in range(3):
                for column in range(3):
                    value = 0.5 * (x[row, column] + cofactors[row, column] * inverse)
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
        for column in range(3):
            value = (
                x[0, column] * matrix[0, column] + x[1, column] * matrix[1, column] + x[2, column] * matrix[2, column]
            )
            if like_scales[i, column] < 0.0:
                value = -value
            scales[i, column] = value * largest
