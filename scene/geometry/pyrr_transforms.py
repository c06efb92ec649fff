"""Matrices and quaternions by pyrr, in Octoscope's conventions; the only file that imports pyrr's functions of them.

Here they are float64, matrices multiply columns, and quaternions are x, y, z, w. pyrr has the dtype of its arguments
(whole numbers, too), and most of its matrices multiply rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from pyrr import matrix33, matrix44, quaternion, vector


def normalized(vectors: ArrayLike) -> np.ndarray:
    """Return a vector, or (n, k) vectors, at length 1; NaN for those of length 0."""
    return vector.normalize(np.asarray(vectors, dtype=np.float64))


def rotation_about(axis: ArrayLike, angle_rad: ArrayLike) -> np.ndarray:
    """Return rotations about a (3,) axis, counterclockwise seen from its tip: (3, 3), or (n, 3, 3)."""
    return matrix33.create_from_axis_rotation(axis, np.asarray(angle_rad), dtype=np.float64).T


def rotation_of_angles(yaw_rad: float, pitch_rad: float, roll_rad: float) -> np.ndarray:
    """Return the (3, 3) rotation about z by the roll, then about x by the pitch, then about y by the yaw."""
    # Of pyrr's matrices these multiply columns.
    yaw, pitch = matrix33.create_from_y_rotation(yaw_rad), matrix33.create_from_x_rotation(pitch_rad)
    return yaw @ pitch @ matrix33.create_from_z_rotation(roll_rad)


def rotation_of_quaternion(rotation: ArrayLike) -> np.ndarray:
    """Return the (3, 3) rotation of a quaternion of any length above 0."""
    return matrix33.create_from_quaternion(rotation, dtype=np.float64)  # which multiplies columns


def quaternion_of_rotation(matrix: ArrayLike) -> np.ndarray:
    """Return the (4,) unit quaternion of a (3, 3) rotation, with w not negative."""
    found = quaternion.create_from_matrix(matrix, dtype=np.float64)
    return -found if found[3] < 0.0 else found


def quaternions_of_degrees(degrees: ArrayLike) -> np.ndarray:
    """Return (n, 4) unit quaternions of (n, 3) angles about x, y and z; x is applied first."""
    # pyrr applies z first: the inverse of the opposite angles is the rotation in the other order.
    return quaternion.conjugate(quaternion.create_from_eulers(-np.radians(degrees).T, dtype=np.float64)).T


def product(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the (n, 4) quaternions of rotations `second`, (n, 4), followed by the rotation `first`, (4,)."""
    return quaternion.cross(first, second.T).T


def translation(offset: ArrayLike) -> np.ndarray:
    """Return the (4, 4) matrix that moves by an offset, (3,)."""
    return matrix44.create_from_translation(offset, dtype=np.float64).T


def affine_of_linear(linear: np.ndarray) -> np.ndarray:
    """Return the (4, 4) matrix that does what a (3, 3) matrix does."""
    return matrix44.create_from_matrix33(linear, dtype=np.float64)


def view_axes(eye: np.ndarray, target: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return (3, 3) rows right, up and back of a camera at one point that looks at another."""
    return matrix44.create_look_at(eye, target, up, dtype=np.float64).T[:3, :3]


def perspective(fov_y_rad: float, aspect: float, near: float, far: float) -> np.ndarray:
    """Return the (4, 4) projection to OpenGL's clip space, z in [-1, 1]; `aspect` is width over height."""
    return matrix44.create_perspective_projection(np.degrees(fov_y_rad), aspect, near, far, dtype=np.float64).T


def orthographic(lower: Sequence[float] | np.ndarray, upper: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the (4, 4) projection of a box, (3,) corners, to OpenGL's clip space, seen from its upper third side."""
    (left, bottom, back), (right, top, front) = lower, upper
    return matrix44.create_orthogonal_projection(left, right, bottom, top, -front, -back, dtype=np.float64).T
