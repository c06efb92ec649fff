"""What a node holds: finite numbers and unit quaternions; affine matrices as these, and as two nodes where needed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octree.jit import kernel
from scene.geometry.matrix_kernels import set_local

_UNIT_ERROR = 1e-14  # of a quaternion's length: several times what normalising leaves
SHEAR_TOLERANCE = 2e-6  # cosine between axes: matrices are often written with six or seven digits


class Split(NamedTuple):
    """What matrices fall into: R(rotation) @ S(scale), and where they shear a further R(inner_rotation) behind it.

    rotations, inner_rotations (n, 4) unit quaternions x, y, z, w; scales (n, 3); sheared (n,) bool.
    """

    rotations: np.ndarray
    scales: np.ndarray
    inner_rotations: np.ndarray
    sheared: np.ndarray

    def matrices(self) -> np.ndarray:
        """(n, 3, 3), the parts multiplied."""
        return linear(self.rotations, self.scales) @ linear(self.inner_rotations, np.ones_like(self.scales))


def split(matrices: np.ndarray) -> Split:
    """Split (n, 3, 3) finite float64 matrices; the parts multiply to them up to rounding (a scale may be infinite).

    A matrix whose axes are perpendicular but for SHEAR_TOLERANCE is not sheared, and gets the nearest rotation. For
    others U S V^T, its singular value decomposition, is two nodes, one turned and scaled, the other turned.
    """
    largest = np.abs(matrices).max(axis=(1, 2), keepdims=True, initial=0.0)
    matrices = matrices / np.where(largest > 0.0, largest, 1.0)  # so that squares neither vanish nor overflow
    lengths = np.linalg.norm(matrices, axis=1, keepdims=True)
    directions = matrices / np.where(lengths > 0.0, lengths, 1.0)
    cosines = np.abs(directions.transpose(0, 2, 1) @ directions)
    sheared = (cosines[:, [0, 0, 1], [1, 2, 2]] > SHEAR_TOLERANCE).any(axis=1)
    left, stretches, right = np.linalg.svd(np.where(sheared[:, None, None], matrices, directions))
    turned = left @ right
    # A reflection goes into the scale: of an axis that has none, or of x.
    mirrored = np.where((lengths == 0.0).any(axis=2), lengths.argmin(axis=2), 0)[:, 0]
    turned[np.arange(len(turned)), :, mirrored] *= np.linalg.det(turned)[:, None].round()
    scales = (turned * matrices).sum(axis=1)
    left_sign, right_sign = np.linalg.det(left).round(), np.linalg.det(right).round()
    left[:, :, 2] *= left_sign[:, None]
    right[:, 2, :] *= right_sign[:, None]
    stretches[:, 2] *= left_sign * right_sign
    choose = sheared[:, None]
    with np.errstate(over="ignore"):
        scales = np.where(choose, stretches, scales) * largest[:, 0]
    return Split(
        quaternions(np.where(choose[:, None], left, turned)),
        scales,
        quaternions(np.where(choose[:, None], right, np.eye(3))),
        sheared,
    )


def quaternions(rotations: np.ndarray) -> np.ndarray:
    """(n, 4) unit quaternions x, y, z, w of (n, 3, 3) rotations; w is not negative.

    The eigenvector of the largest eigenvalue (Bar-Itzhack, "New Method for Extracting the Quaternion from a Rotation
    Matrix", 2000): sound wherever the matrix turns, half turns included.
    """
    m = rotations
    k = np.empty((len(m), 4, 4))
    for axis in range(3):
        k[:, axis, axis] = 2.0 * m[:, axis, axis] - np.trace(m, axis1=1, axis2=2)
        a, b = (axis + 1) % 3, (axis + 2) % 3
        k[:, axis, 3] = k[:, 3, axis] = m[:, b, a] - m[:, a, b]
        k[:, a, b] = k[:, b, a] = m[:, a, b] + m[:, b, a]
    k[:, 3, 3] = np.trace(m, axis1=1, axis2=2)
    found = np.linalg.eigh(k)[1][:, :, 3]
    return found * np.where(found[:, 3:] < 0.0, -1.0, 1.0)


@kernel
def linear(rotations: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """(n, 3, 3) R @ S of (n, 4) unit quaternions and (n, 3) scales."""
    matrices = np.empty((len(rotations), 3, 3))
    local = np.empty((4, 4))
    origin = np.zeros(3)
    for i in range(len(rotations)):
        set_local(local, origin, rotations[i], scales[i])
        for row in range(3):
            for column in range(3):
                matrices[i, row, column] = local[row, column]
    return matrices


def finite(what: str, values: ArrayLike) -> np.ndarray:
    """Values as float64. ValueError, which names them: one is not finite."""
    values = np.asarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"a {what} must be finite")
    return values


def unit_rotations(rotations: ArrayLike) -> np.ndarray:
    """Quaternions of length 1; those that are already stay as they are, bit for bit: undo and files give them back.

    ValueError: not finite, or of length zero.
    """
    rotations = finite("rotation", rotations)
    if rotations.ndim == 2 and (np.abs(np.einsum("ij,ij->i", rotations, rotations) - 1.0) < _UNIT_ERROR).all():
        return rotations.copy()  # many mostly are, and this takes a fifth of the time
    largest = np.abs(rotations).max(axis=-1, keepdims=True)
    if (largest == 0.0).any():
        raise ValueError("a rotation must not be of length zero")
    scaled = rotations / largest  # first, so that squares neither vanish nor overflow
    length = np.linalg.norm(scaled, axis=-1, keepdims=True)
    is_unit = np.abs(np.minimum(largest, 4.0) * length - 1.0) < _UNIT_ERROR
    return np.where(is_unit, rotations, scaled / length)
