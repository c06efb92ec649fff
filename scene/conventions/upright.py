"""The turn of a world with one up axis that makes it one with another.

It is a quarter about X, as Blender and glTF do it: +Y of a world with Y up becomes +Z, and +Z becomes -Y. What is in
front stays in front, and left stays left.
"""

from __future__ import annotations

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis, up_index
from octoscope.scene.geometry.pyrr_transforms import product, quaternion_of_rotation

_TO_Z_UP = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)])


def up_vector(up_axis: UpAxis) -> np.ndarray:
    """Return the (3,) unit vector that points up."""
    return np.eye(3)[up_index(up_axis)]


def turn_between(begin: UpAxis, end: UpAxis) -> np.ndarray:
    """Return the (3, 3) float64 rotation of a world with one up axis that makes it one with another."""
    if begin == end:
        return np.eye(3)
    return _TO_Z_UP if end == "z" else _TO_Z_UP.T


def quaternion_between(begin: UpAxis, end: UpAxis) -> np.ndarray:
    """Return (4,) float64 x, y, z, w: the rotation of `turn_between`."""
    return turned_rotations(np.array([(0.0, 0.0, 0.0, 1.0)]), begin, end)[0]


def turned_rotations(rotations: np.ndarray, begin: UpAxis, end: UpAxis) -> np.ndarray:
    """Return (n, 4) quaternions x, y, z, w of orientations in a world that `turn_between` has turned."""
    if begin == end:
        return rotations
    return product(quaternion_of_rotation(turn_between(begin, end)), rotations)
