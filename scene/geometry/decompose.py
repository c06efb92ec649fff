"""Local transforms after a matrix, for many nodes in one pass."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.geometry.matrix_kernels import set_local

_SAME = 1e-12  # relative: what rounding leaves of equal lengths and right angles
_NO_TURN = 1e-15  # of a quaternion's x, y, z: less than rounding leaves


@kernel
def multiply(q: np.ndarray, r: np.ndarray, out: np.ndarray) -> None:
    """The quaternion x, y, z, w of r's turn and then q's."""
    x = q[3] * r[0] + q[0] * r[3] + q[1] * r[2] - q[2] * r[1]
    y = q[3] * r[1] - q[0] * r[2] + q[1] * r[3] + q[2] * r[0]
    z = q[3] * r[2] + q[0] * r[1] - q[1] * r[0] + q[2] * r[3]
    w = q[3] * r[3] - q[0] * r[0] - q[1] * r[1] - q[2] * r[2]
    out[0], out[1], out[2], out[3] = x, y, z, w


@kernel
def set_quaternion(m: np.ndarray, out: np.ndarray) -> None:
    """Write the unit quaternion of a rotation matrix, from its largest part (Shepperd, "Quaternion from Rotation
    Matrix", 1978); w is not negative."""
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
    """Write the turn and the scale that multiply to a 3x3 matrix.

    Args:
        like: (3,) the signs that the scale has, as far as they fit: a reflection that is left goes to x.
        directions: (3, 3), scratch.

    Returns:
        whether they do: not for a matrix that shears or has an axis of length zero; nothing is written then.
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
    left: np.ndarray,
) -> None:
    """Bring local transforms T R S to those of matrix @ T R S, in place.

    A matrix that turns and scales evenly leaves the scale's signs and zeros as they are; others go through
    `decompose`.

    Args:
        matrices: (m, 4, 4). which: (k,) the place of each node's in them.
        linears: (k, 3, 3): receives the linear part where `left` becomes True: what `decompose` cannot hold.
        left: (k,) bool; where it is True translations are right, rotations and scales as they were.
    """
    local = np.empty((4, 4))
    turns = np.empty((len(matrices), 4))
    factors = np.zeros(len(matrices))  # by which it scales evenly, or 0
    directions = np.empty((3, 3))
    ones = np.ones(3)
    even = np.empty(3)
    for number in range(len(matrices)):
        if decompose(matrices[number, :3, :3], ones, turns[number], even, directions) and (
            even[0] > 0.0 and abs(even[1] - even[0]) <= _SAME * even[0] and abs(even[2] - even[0]) <= _SAME * even[0]
        ):
            factors[number] = even[0]
    for i in range(len(translations)):
        number = which[i]
        m = matrices[number]
        set_local(local, translations[i], rotations[i], scales[i])
        for row in range(3):
            translations[i, row] = (
                m[row, 0] * local[0, 3] + m[row, 1] * local[1, 3] + m[row, 2] * local[2, 3] + m[row, 3]
            )
        left[i] = False
        if factors[number] > 0.0:
            turn = turns[number]
            if max(abs(turn[0]), abs(turn[1]), abs(turn[2])) > _NO_TURN:
                multiply(turn, rotations[i].copy(), rotations[i])
            if abs(factors[number] - 1.0) > _SAME:
                for axis in range(3):
                    scales[i, axis] *= factors[number]
            continue
        for row in range(3):
            for column in range(3):
                linears[i, row, column] = (
                    m[row, 0] * local[0, column] + m[row, 1] * local[1, column] + m[row, 2] * local[2, column]
                )
        left[i] = not decompose(linears[i], scales[i].copy(), rotations[i], scales[i], directions)


@kernel
def decompose_all(linears: np.ndarray, rotations: np.ndarray, scales: np.ndarray, left: np.ndarray) -> None:
    """`decompose` for (k, 3, 3) matrices, in place; `scales` have the signs wanted, `left` (k,) where it cannot."""
    directions = np.empty((3, 3))
    for i in range(len(linears)):
        left[i] = not decompose(linears[i], scales[i].copy(), rotations[i], scales[i], directions)
