"""Multiply local transforms by matrices, and take the products apart again, for many nodes in one pass."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.matrix_kernels import set_local

_SAME = 1e-12  # relative: what rounding leaves of equal lengths and right angles
_NO_ROTATION = 1e-15  # of a quaternion's x, y, z: less than rounding leaves


@kernel
def multiply(q: np.ndarray, r: np.ndarray, out: np.ndarray) -> None:
    """Write the product q r of two quaternions x, y, z, w: the rotation r, then q. `out` may be q or r."""
    x = q[3] * r[0] + q[0] * r[3] + q[1] * r[2] - q[2] * r[1]
    y = q[3] * r[1] - q[0] * r[2] + q[1] * r[3] + q[2] * r[0]
    z = q[3] * r[2] + q[0] * r[1] - q[1] * r[0] + q[2] * r[3]
    w = q[3] * r[3] - q[0] * r[0] - q[1] * r[1] - q[2] * r[2]
    out[0], out[1], out[2], out[3] = x, y, z, w


@kernel
def set_quaternion(m: np.ndarray, out: np.ndarray) -> None:
    """Write the unit quaternion of a rotation matrix, with w not negative.

    From its largest part (Shepperd, "Quaternion from Rotation Matrix", 1978).
    """
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    largest = 3
    for axis in range(3):
        if m[axis, axis] > trace and (largest == 3 or m[axis, axis] > m[largest, largest]):
            largest = axis
    if largest == 3:
        out[3] = 1.0 + trace
        out[0] = m[2, 1] - m[1, 2]
        out[1] = m[0, 2] - m[2, 0]
        out[2] = m[1, 0] - m[0, 1]
    else:
        i = largest
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] = 1.0 + 2.0 * m[i, i] - trace
        out[j] = m[j, i] + m[i, j]
        out[k] = m[k, i] + m[i, k]
        out[3] = m[k, j] - m[j, k]
    length = np.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2)
    if out[3] < 0.0:
        length = -length
    for axis in range(4):
        out[axis] /= length


@kernel
def decompose(
    linear: np.ndarray, like: np.ndarray, rotation: np.ndarray, scale: np.ndarray, directions: np.ndarray
) -> bool:
    """Write the rotation and the scale that multiply to a matrix.

    Args:
        linear: (3, 3).
        like: (3,) the signs that the scale gets where they fit; a reflection that remains goes to x.
        rotation: (4,) quaternion x, y, z, w, written.
        scale: (3,), written.
        directions: (3, 3), scratch.

    Returns:
        whether there are such; not for a matrix that shears or has an axis of length zero. Nothing is written then.
    """
    lengths = np.empty(3)
    for column in range(3):
        largest = max(abs(linear[0, column]), abs(linear[1, column]), abs(linear[2, column]))
        if not 0.0 < largest < np.inf:
            return False
        square = 0.0
        for row in range(3):
            square += (linear[row, column] / largest) ** 2
        lengths[column] = largest * np.sqrt(square)
        if like[column] < 0.0:
            lengths[column] = -lengths[column]
        for row in range(3):
            directions[row, column] = linear[row, column] / lengths[column]
    for a in range(3):
        b = (a + 1) % 3
        cosine = 0.0
        for row in range(3):
            cosine += directions[row, a] * directions[row, b]
        if not abs(cosine) <= _SAME:
            return False
    determinant = 0.0
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        determinant += directions[0, a] * (directions[1, b] * directions[2, c] - directions[1, c] * directions[2, b])
    if determinant < 0.0:
        lengths[0] = -lengths[0]
        for row in range(3):
            directions[row, 0] = -directions[row, 0]
    set_quaternion(directions, rotation)
    for column in range(3):
        scale[column] = lengths[column]
    return True


@kernel
def premultiply(
    matrices: np.ndarray,
    which: np.ndarray,
    translations: np.ndarray,
    rotations: np.ndarray,
    scales: np.ndarray,
    linears: np.ndarray,
    failed: np.ndarray,
) -> None:
    """Replace local transforms T R S by those of matrix @ T R S, in place.

    A matrix that rotates and scales evenly leaves the scale's signs and zeros as they are; others go through
    `decompose`.

    Args:
        matrices: (m, 4, 4).
        which: (k,) the index of each node's matrix.
        translations: (k, 3), changed.
        rotations: (k, 4), changed.
        scales: (k, 3), changed.
        linears: (k, 3, 3), written where `failed` becomes True: the linear part, which `decompose` could not hold.
        failed: (k,) bool, written; where it is True translations are right, rotations and scales as they were.
    """
    local = np.empty((4, 4))
    matrix_rotations = np.empty((len(matrices), 4))
    factors = np.zeros(len(matrices))  # by which it scales evenly, or 0
    directions = np.empty((3, 3))
    ones = np.ones(3)
    even = np.empty(3)
    for index in range(len(matrices)):
        if decompose(matrices[index, :3, :3], ones, matrix_rotations[index], even, directions) and (
            even[0] > 0.0 and abs(even[1] - even[0]) <= _SAME * even[0] and abs(even[2] - even[0]) <= _SAME * even[0]
        ):
            factors[index] = even[0]
    for i in range(len(translations)):
        index = which[i]
        m = matrices[index]
        set_local(local, translations[i], rotations[i], scales[i])
        for row in range(3):
            translations[i, row] = (
                m[row, 0] * local[0, 3] + m[row, 1] * local[1, 3] + m[row, 2] * local[2, 3] + m[row, 3]
            )
        failed[i] = False
        if factors[index] > 0.0:
            matrix_rotation = matrix_rotations[index]
            if max(abs(matrix_rotation[0]), abs(matrix_rotation[1]), abs(matrix_rotation[2])) > _NO_ROTATION:
                multiply(matrix_rotation, rotations[i].copy(), rotations[i])
            if abs(factors[index] - 1.0) > _SAME:
                for axis in range(3):
                    scales[i, axis] *= factors[index]
            continue
        for row in range(3):
            for column in range(3):
                linears[i, row, column] = (
                    m[row, 0] * local[0, column] + m[row, 1] * local[1, column] + m[row, 2] * local[2, column]
                )
        failed[i] = not decompose(linears[i], scales[i].copy(), rotations[i], scales[i], directions)


@kernel
def decompose_all(linears: np.ndarray, rotations: np.ndarray, scales: np.ndarray, failed: np.ndarray) -> None:
    """Decompose (k, 3, 3) matrices in place.

    Args:
        linears: the matrices.
        rotations: (k, 4), written.
        scales: (k, 3) with the signs that are wanted, written.
        failed: (k,) bool, written: where a matrix cannot be decomposed.
    """
    directions = np.empty((3, 3))
    for i in range(len(linears)):
        failed[i] = not decompose(linears[i], scales[i].copy(), rotations[i], scales[i], directions)
