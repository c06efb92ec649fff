"""Multiply local transforms by matrices, and take the products apart again, for many nodes in one pass."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.matrix_kernels import set_local

SHEAR_TOLERANCE = 2e-6  # cosine between axes: matrices are often written with six or seven digits
EXACT, NEAREST, SHEARED, FLAT = 0, 1, 2, 4  # how well a rotation and a scale hold a matrix

_SAME = 1e-12  # relative: what rounding leaves of equal lengths and right angles
_FLATTEST = 1e-3  # determinant of unit axes; below it Newton's iteration is slow and inexact
_MOST_STEPS = 24
_SETTLED = 1e-9  # change of a step: each step squares the error of the one before, so the rest is below rounding
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
def _make_orthogonal(x: np.ndarray) -> bool:
    """Replace a matrix by its polar factor, by Newton's iteration; return False for one that is too flat for that.

    Higham, "Computing the Polar Decomposition", 1986.
    """
    cofactors = np.empty((3, 3))
    for step in range(_MOST_STEPS):
        for row in range(3):
            a, b = (row + 1) % 3, (row + 2) % 3
            for column in range(3):
                c, d = (column + 1) % 3, (column + 2) % 3
                cofactors[row, column] = x[a, c] * x[b, d] - x[a, d] * x[b, c]
        determinant = x[0, 0] * cofactors[0, 0] + x[0, 1] * cofactors[0, 1] + x[0, 2] * cofactors[0, 2]
        if step == 0 and not abs(determinant) > _FLATTEST:
            return False
        change = 0.0
        for row in range(3):
            for column in range(3):
                value = 0.5 * (x[row, column] + cofactors[row, column] / determinant)
                change = max(change, abs(value - x[row, column]))
                x[row, column] = value
        if change <= _SETTLED:
            return True
    return False


@kernel
def decompose(
    linear: np.ndarray, like: np.ndarray, rotation: np.ndarray, scale: np.ndarray, directions: np.ndarray
) -> int:
    """Write the rotation nearest to a matrix's axes, and the scale along it.

    The rotation is the polar factor of the axes' directions, so that all axes are treated alike. A matrix that mirrors
    gets the rotation of the matrix with its x axis mirrored.

    Args:
        like: (3,) the signs that the scale gets where they fit; a reflection that remains goes to x.

    Returns:
        EXACT where they multiply to the matrix; NEAREST; SHEARED, whose axes are not perpendicular; with FLAT added,
        or FLAT alone, nothing is written.
    """
    lengths = np.empty(3)
    for column in range(3):
        largest = max(abs(linear[0, column]), abs(linear[1, column]), abs(linear[2, column]))
        if not largest < np.inf:
            return FLAT
        unit = largest if largest > 0.0 else 1.0  # so that squares neither vanish nor overflow
        square = 0.0
        for row in range(3):
            square += (linear[row, column] / unit) ** 2
        length = np.sqrt(square) if square > 0.0 else 1.0
        if like[column] < 0.0:
            length = -length
        for row in range(3):
            directions[row, column] = linear[row, column] / unit / length
        lengths[column] = largest * length
    worst = 0.0
    for a in range(3):
        b = (a + 1) % 3
        cosine = directions[0, a] * directions[0, b]
        cosine += directions[1, a] * directions[1, b] + directions[2, a] * directions[2, b]
        worst = max(worst, abs(cosine))
    outcome = EXACT if worst <= _SAME else NEAREST if worst <= SHEAR_TOLERANCE else SHEARED
    if outcome != EXACT or min(abs(lengths[0]), abs(lengths[1]), abs(lengths[2])) == 0.0:
        axes = directions.copy()
        if not _make_orthogonal(directions):
            return outcome | FLAT
        for column in range(3):
            cosine = axes[0, column] * directions[0, column]
            cosine += axes[1, column] * directions[1, column] + axes[2, column] * directions[2, column]
            lengths[column] *= cosine
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
    return outcome


@kernel
def premultiply(
    matrices: np.ndarray,
    which: np.ndarray,
    translations: np.ndarray,
    rotations: np.ndarray,
    scales: np.ndarray,
    linears: np.ndarray,
    outcomes: np.ndarray,
) -> None:
    """Replace local transforms T R S by those of matrix @ T R S, in place.

    A matrix that rotates and scales evenly leaves the scale's signs and zeros as they are; others go through
    `decompose`.

    Args:
        linears: (k, 3, 3), written where `decompose` is used: the linear part.
        outcomes: (k,) uint8 of `decompose`, written; where it is FLAT rotations and scales are as they were.
    """
    local = np.empty((4, 4))
    matrix_rotations = np.empty((len(matrices), 4))
    factors = np.zeros(len(matrices))  # by which it scales evenly, or 0
    directions = np.empty((3, 3))
    ones = np.ones(3)
    even = np.empty(3)
    for index in range(len(matrices)):
        if decompose(matrices[index, :3, :3], ones, matrix_rotations[index], even, directions) == EXACT and (
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
        outcomes[i] = EXACT
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
        outcomes[i] = decompose(linears[i], scales[i].copy(), rotations[i], scales[i], directions)


@kernel
def _decompose_all(linears: np.ndarray, rotations: np.ndarray, scales: np.ndarray, outcomes: np.ndarray) -> None:
    """Write what `nearest` returns but of flat matrices; `scales` has the signs that are wanted."""
    directions = np.empty((3, 3))
    for i in range(len(linears)):
        outcomes[i] = decompose(linears[i], scales[i].copy(), rotations[i], scales[i], directions)


def nearest(linears: np.ndarray, like_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the rotations nearest to the axes of (k, 3, 3) finite matrices, and the scales along them.

    Scales have the signs of `like_scales`, (k, 3). Returns (k, 4) unit quaternions, (k, 3) scales, and (k,) uint8
    outcomes of `decompose`.
    """
    linears = np.ascontiguousarray(linears, dtype=np.float64)
    rotations, scales = np.empty((len(linears), 4)), np.array(like_scales)
    outcomes = np.empty(len(linears), dtype=np.uint8)
    _decompose_all(linears, rotations, scales, outcomes)
    flat = np.flatnonzero(outcomes & FLAT)
    if len(flat):
        rotations[flat], scales[flat] = nearest_of_flat(linears[flat], scales[flat])
    return rotations, scales, outcomes


def nearest_of_flat(linears: np.ndarray, like_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotations and scales of `nearest` for matrices that are flat, or nearly so: by singular values."""
    largest = np.abs(linears).max(axis=(1, 2), keepdims=True)
    signs = np.where(like_scales < 0.0, -1.0, 1.0)
    matrices = linears / np.where(largest > 0.0, largest, 1.0)  # so that squares neither vanish nor overflow
    matrices = matrices * signs[:, None, :]
    lengths = np.linalg.norm(matrices, axis=1, keepdims=True)
    u, _, v_transposed = np.linalg.svd(matrices / np.where(lengths > 0.0, lengths, 1.0))
    rotations = u @ v_transposed
    # A reflection goes into the scale: of an axis that has none, or of x.
    mirrored = np.where((lengths == 0.0).any(axis=2), lengths.argmin(axis=2), 0)[:, 0]
    rotations[np.arange(len(rotations)), :, mirrored] *= np.linalg.det(rotations)[:, None].round()
    return quaternions(rotations), (rotations * matrices).sum(axis=1) * signs * largest[:, 0]


def quaternions(rotations: np.ndarray) -> np.ndarray:
    """Convert (n, 3, 3) rotations to (n, 4) unit quaternions x, y, z, w, with w not negative."""
    found = np.empty((len(rotations), 4))
    _set_quaternions(np.ascontiguousarray(rotations), found)
    return found


@kernel
def _set_quaternions(rotations: np.ndarray, found: np.ndarray) -> None:
    for i in range(len(rotations)):
        set_quaternion(rotations[i], found[i])
