"""Check the numbers of nodes, and factor 3x3 matrices into rotations and scales."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.matrix_kernels import set_local

_UNIT_ERROR = 1e-14  # of a quaternion's length: several times what normalising leaves
SHEAR_TOLERANCE = 2e-6  # cosine between axes: matrices are often written with six or seven digits


class Factors(NamedTuple):
    """The factors of matrices: R(rotation) @ S(scale) @ R(inner_rotation).

    Attributes:
        rotations: (n, 4) unit quaternions x, y, z, w.
        scales: (n, 3).
        inner_rotations: (n, 4) unit quaternions; the identity where a matrix does not shear.
        sheared: (n,) bool.
    """

    rotations: np.ndarray
    scales: np.ndarray
    inner_rotations: np.ndarray
    sheared: np.ndarray

    def matrices(self) -> np.ndarray:
        """Multiply the factors: (n, 3, 3)."""
        return linear(self.rotations, self.scales) @ linear(self.inner_rotations, np.ones_like(self.scales))


def factorize(matrices: np.ndarray) -> Factors:
    """Factor matrices into rotation, scale and, where they shear, a further rotation.

    A matrix whose axes are perpendicular within SHEAR_TOLERANCE is not sheared, and gets the nearest rotation. The
    factors U S V^T of any other, its singular value decomposition, are two nodes: one turned and scaled, and below it
    one that is turned only.

    Args:
        matrices: (n, 3, 3) finite float64.

    Returns:
        the factors; they multiply to the matrices up to rounding. A scale may be infinite.
    """
    matrices, largest = _without_size(matrices)
    directions, lengths = _directions(matrices)
    sheared = _are_sheared(directions)
    u, singular_values, v_transposed = np.linalg.svd(np.where(sheared[:, None, None], matrices, directions))
    # Without shear: U V^T is the rotation nearest to the axes, and the scale is how far each axis reaches along it.
    nearest = u @ v_transposed
    # A reflection goes into the scale: of an axis that has none, or of x.
    mirrored = np.where(np.any(lengths == 0.0, axis=2), lengths.argmin(axis=2), 0)[:, 0]
    nearest[np.arange(len(nearest)), :, mirrored] *= np.linalg.det(nearest)[:, None].round()
    scales = (nearest * matrices).sum(axis=1)
    # With shear: U and V^T are made rotations; their reflections go into the scale of the last axis.
    u_sign, v_sign = np.linalg.det(u).round(), np.linalg.det(v_transposed).round()
    u[:, :, 2] *= u_sign[:, None]
    v_transposed[:, 2, :] *= v_sign[:, None]
    singular_values[:, 2] *= u_sign * v_sign
    with np.errstate(over="ignore"):
        scales = np.where(sheared[:, None], singular_values, scales) * largest[:, 0]
    return Factors(
        quaternions(np.where(sheared[:, None, None], u, nearest)),
        scales,
        quaternions(np.where(sheared[:, None, None], v_transposed, np.eye(3))),
        sheared,
    )


def are_plain(matrices: np.ndarray) -> np.ndarray:
    """Return which of (n, 3, 3) matrices turn and scale, and neither shear nor mirror nor flatten: (n,) bool."""
    matrices = _without_size(matrices)[0]
    return ~_are_sheared(_directions(matrices)[0]) & (np.linalg.det(matrices) > 0.0)


def _without_size(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Divide matrices by their largest numbers, (n, 1, 1), so that squares neither vanish nor overflow."""
    largest = np.abs(matrices).max(axis=(1, 2), keepdims=True, initial=0.0)
    return matrices / np.where(largest > 0.0, largest, 1.0), largest


def _directions(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of matrices as unit vectors, and their lengths, (n, 1, 3); zero stays zero."""
    lengths = np.linalg.norm(matrices, axis=1, keepdims=True)
    return matrices / np.where(lengths > 0.0, lengths, 1.0), lengths


def _are_sheared(directions: np.ndarray) -> np.ndarray:
    """Return which of (n, 3, 3) matrices of unit columns have columns that are not perpendicular: (n,) bool."""
    cosines = np.abs(directions.transpose(0, 2, 1) @ directions)
    sheared: np.ndarray = np.any(cosines[:, [0, 0, 1], [1, 2, 2]] > SHEAR_TOLERANCE, axis=1)
    return sheared


def quaternions(rotations: np.ndarray) -> np.ndarray:
    """Convert (n, 3, 3) rotations to (n, 4) unit quaternions x, y, z, w, with w not negative.

    The eigenvector of the largest eigenvalue (Bar-Itzhack, "New Method for Extracting the Quaternion from a Rotation
    Matrix", 2000): accurate for every rotation, half turns included.
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
    """Compose (n, 3, 3) matrices R @ S of (n, 4) unit quaternions and (n, 3) scales."""
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
    """Convert values to float64.

    Raises:
        ValueError: one is not finite; the message calls it `what`.
    """
    values = np.asarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"a {what} must be finite")
    return values


def unit_rotations(rotations: ArrayLike) -> np.ndarray:
    """Normalise quaternions; those of length 1 stay as they are, bit for bit, since undo and files give them back.

    Raises:
        ValueError: one is not finite, or of length zero.
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
