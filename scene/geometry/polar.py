"""The rotations nearest to many matrices, and the scales along them, in one pass."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.affine import SHEAR_TOLERANCE
from octoscope.scene.geometry.decompose import set_quaternion

_FLATTEST = 1e-3  # determinant of unit axes; below it the iteration is slow and inexact
_MOST_STEPS = 24
_SETTLED = 1e-9  # change of a step: each step squares the error of the one before, so the rest is below rounding


@kernel
def nearest_rotations(  # noqa: C901
    linears: np.ndarray,
    like_scales: np.ndarray,
    rotations: np.ndarray,
    scales: np.ndarray,
    sheared: np.ndarray,
    failed: np.ndarray,
) -> None:
    """Find the rotation nearest to each matrix's axes and the scale along it.

    The rotation is the polar factor, by Newton's iteration (Higham, "Computing the Polar Decomposition", 1986). A
    matrix that mirrors gets the rotation of the matrix with its x axis mirrored.

    Args:
        linears: (k, 3, 3).
        like_scales: (k, 3) the signs that the scales are to have.
        rotations: (k, 4) quaternions, written.
        scales: (k, 3), written.
        sheared: (k,) bool, written: whether the axes are not perpendicular.
        failed: (k,) bool, written: whether a matrix is too flat for the iteration; its rotation and scale are not
            written.
    """
    cofactors = np.empty((3, 3))
    matrix = np.empty((3, 3))
    x = np.empty((3, 3))
    for i in range(len(linears)):
        failed[i] = True
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
                failed[i] = False
                break
        if failed[i]:
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
