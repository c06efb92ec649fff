"""Check the numbers of nodes, and factor 3x3 matrices into rotations and scales."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import checked_numbers
from octoscope.octree.jit import kernel
from octoscope.scene.geometry.decompose import NEAREST, SHEARED, nearest, quaternions
from octoscope.scene.geometry.matrix_kernels import set_local

_PARALLEL = 1e-18  # squared sine of an angle that counts as none
_UNIT_ERROR = 1e-14  # of a quaternion's length: several times what normalising leaves


class Factors(NamedTuple):
    """The factors of matrices: R(rotation) @ S(scale) @ R(inner_rotation)."""

    rotations: np.ndarray  # (n, 4) unit quaternions x, y, z, w
    scales: np.ndarray  # (n, 3)
    inner_rotations: np.ndarray  # (n, 4) unit quaternions; the identity where a matrix does not shear
    sheared: np.ndarray  # (n,) bool

    def matrices(self) -> np.ndarray:
        """Multiply the factors: (n, 3, 3)."""
        return linear(self.rotations, self.scales) @ linear(self.inner_rotations, np.ones_like(self.scales))


def factorize(matrices: np.ndarray) -> Factors:
    """Factor matrices, (n, 3, 3) finite float64, into rotation, scale and, where they shear, a further rotation.

    A matrix whose axes are perpendicular within SHEAR_TOLERANCE is not sheared, and gets the nearest rotation. The
    factors U S V^T of any other, its singular value decomposition, are two nodes: one turned and scaled, and below it
    one that is turned only.
    """
    rotations, scales, outcomes = nearest(matrices, np.ones((len(matrices), 3)))
    sheared = (outcomes & SHEARED) != 0
    inner_rotations = np.tile((0.0, 0.0, 0.0, 1.0), (len(matrices), 1))
    if sheared.any():
        largest = np.abs(matrices[sheared]).max(axis=(1, 2), keepdims=True)  # so that squares do not overflow
        u, singular_values, v_transposed = np.linalg.svd(matrices[sheared] / largest)
        # U and V^T are made rotations; their reflections go into the scale of the last axis.
        u_sign, v_sign = np.linalg.det(u).round(), np.linalg.det(v_transposed).round()
        u[:, :, 2] *= u_sign[:, None]
        v_transposed[:, 2, :] *= v_sign[:, None]
        singular_values[:, 2] *= u_sign * v_sign
        with np.errstate(over="ignore"):
            scales[sheared] = singular_values * largest[:, 0]
        rotations[sheared], inner_rotations[sheared] = quaternions(u), quaternions(v_transposed)
    return Factors(rotations, scales, inner_rotations, sheared)


def are_plain(matrices: np.ndarray) -> np.ndarray:
    """Return which of (n, 3, 3) matrices turn and scale, and neither shear nor mirror nor flatten: (n,) bool."""
    _, scales, outcomes = nearest(matrices, np.ones((len(matrices), 3)))
    return (outcomes <= NEAREST) & (scales > 0.0).all(axis=1)


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
    """Convert values to float64; ValueError, calling them `what`, where one is not finite."""
    values = checked_numbers(values, what, copy=None)
    if not np.isfinite(values).all():
        raise ValueError(f"a {what} must be finite")
    return values


def unit_rotations(rotations: ArrayLike) -> np.ndarray:
    """Normalise quaternions; ValueError where one is not finite, or of length zero.

    Those of length 1 stay as they are, bit for bit, since undo and files give them back.
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


def smallest_turns(begin: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the smallest rotations, (k, 3, 3), that take a (3,) unit vector to (k, 3) unit vectors.

    To the opposite it is half a turn about any axis across.
    """
    # Rodrigues' formula: I + K + K K (1 - cosine) / sine^2, where K crosses with begin x end, of the sine's length.
    axes, cosines = np.cross(begin, ends), ends @ begin
    crossing = np.cross(np.eye(3), axes[:, None])  # rows e x axis: columns axis x e
    squares = (axes**2).sum(axis=1)
    factors = np.where(squares > 0.0, (1.0 - cosines) / np.where(squares > 0.0, squares, 1.0), 0.0)
    turns = np.eye(3) + crossing + crossing @ crossing * factors[:, None, None]
    across = np.cross(begin, np.eye(3)[np.abs(begin).argmin()])
    half = 2.0 * np.outer(across, across) / (across @ across) - np.eye(3)
    return np.where(((squares < _PARALLEL) & (cosines < 0.0))[:, None, None], half, turns)
