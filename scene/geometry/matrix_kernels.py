"""Kernels on one 4x4 matrix: compose it, its largest singular value, the box around a transformed box."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

_ERROR = 1e-7  # relative, of the closed form


@kernel
def max_singular_value(matrix: np.ndarray) -> float:
    """Compute the largest singular value of the upper left 3x3: the most by which the matrix stretches any direction.

    The root of the largest eigenvalue of A^T A, in closed form (Smith, "Eigenvalues of a symmetric 3x3 matrix",
    1961). The diagonal and the longest column, which textbooks use, are both too small: the first under rotation,
    the second under shear, which a scaled parent with a rotated child has.

    The result is never smaller than the truth: where two singular values are equal the closed form loses half its
    digits, so it is grown by _ERROR.
    """
    largest = 0.0
    for row in range(3):
        for column in range(3):
            largest = max(largest, abs(matrix[row, column]))
    if not 0.0 < largest < np.inf:
        return largest
    # Of A / largest, so that squares neither vanish nor overflow.
    xx = yy = zz = xy = xz = yz = 0.0
    for row in range(3):
        a = matrix[row, 0] / largest
        b = matrix[row, 1] / largest
        c = matrix[row, 2] / largest
        xx += a * a
        yy += b * b
        zz += c * c
        xy += a * b
        xz += a * c
        yz += b * c
    mean = (xx + yy + zz) / 3.0
    variation = (xx - mean) ** 2 + (yy - mean) ** 2 + (zz - mean) ** 2 + 2.0 * (xy * xy + xz * xz + yz * yz)
    p = np.sqrt(variation / 6.0)
    if p <= 1e-14 * mean:
        return largest * np.sqrt(mean) * (1.0 + _ERROR)
    ux, uy, uz = (xx - mean) / p, (yy - mean) / p, (zz - mean) / p
    vx, vy, vz = yz / p, xz / p, xy / p
    determinant = ux * (uy * uz - vx * vx) - vz * (vz * uz - vx * vy) + vy * (vz * vx - uy * vy)
    angle = np.arccos(min(1.0, max(-1.0, determinant / 2.0))) / 3.0
    return largest * np.sqrt(mean + 2.0 * p * np.cos(angle)) * (1.0 + _ERROR)


@kernel
def set_local(matrix: np.ndarray, translation: np.ndarray, rotation: np.ndarray, scale: np.ndarray) -> None:
    """Write the matrix T @ R @ S; `rotation` is a unit quaternion x, y, z, w."""
    x, y, z, w = rotation[0], rotation[1], rotation[2], rotation[3]
    matrix[0, 0] = (1.0 - 2.0 * (y * y + z * z)) * scale[0]
    matrix[1, 0] = 2.0 * (x * y + z * w) * scale[0]
    matrix[2, 0] = 2.0 * (x * z - y * w) * scale[0]
    matrix[0, 1] = 2.0 * (x * y - z * w) * scale[1]
    matrix[1, 1] = (1.0 - 2.0 * (x * x + z * z)) * scale[1]
    matrix[2, 1] = 2.0 * (y * z + x * w) * scale[1]
    matrix[0, 2] = 2.0 * (x * z + y * w) * scale[2]
    matrix[1, 2] = 2.0 * (y * z - x * w) * scale[2]
    matrix[2, 2] = (1.0 - 2.0 * (x * x + y * y)) * scale[2]
    matrix[0, 3] = translation[0]
    matrix[1, 3] = translation[1]
    matrix[2, 3] = translation[2]
    matrix[3, 0] = matrix[3, 1] = matrix[3, 2] = 0.0
    matrix[3, 3] = 1.0


@kernel
def world_box(matrix: np.ndarray, lower: np.ndarray, upper: np.ndarray, out: np.ndarray) -> None:
    """Write the box, (2, 3) lower and upper corner, around a local box that is transformed by a matrix."""
    for row in range(3):
        low = high = matrix[row, 3]
        for column in range(3):
            # The smaller and the larger product, because that is exact for identities; centre and extent are not.
            a = matrix[row, column] * lower[column]
            b = matrix[row, column] * upper[column]
            low += min(a, b)
            high += max(a, b)
        out[0, row] = low
        out[1, row] = high
