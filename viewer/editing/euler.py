"""Euler angles, as users type them, of the quaternions of a scene.

The other way: scene.geometry.pyrr_transforms.quaternions_of_degrees.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

_ROUNDING_DEG = 1e-10


def degrees_of(rotations: np.ndarray) -> np.ndarray:
    """Return (..., 3) degrees about x, y and z of (..., 4) unit quaternions x, y, z, w; x is applied first.

    Of the two triples of a rotation it is the one that turns less; rounding errors become zero. Where y is a quarter
    turn, x and z turn about one axis, and z is zero.
    """
    rotations = np.array(rotations, dtype=np.float64, order="C")  # its own, whatever comes: the kernel is compiled once
    degrees = np.empty((*rotations.shape[:-1], 3))
    set_degrees(rotations.reshape(-1, 4), degrees.reshape(-1, 3))
    return degrees


@kernel
def set_degrees(rotations: np.ndarray, degrees: np.ndarray) -> None:
    """Write `degrees_of`; numpy takes three times as long, and an inspector asks for all selected nodes."""
    for i in range(len(rotations)):
        x, y, z, w = rotations[i, 0], rotations[i, 1], rotations[i, 2], rotations[i, 3]
        sine = min(1.0, max(-1.0, 2.0 * (w * y - z * x)))
        own = degrees[i]
        own[1] = np.degrees(np.arcsin(sine))
        if abs(sine) > 1.0 - 1e-12:
            own[0] = _within_half_a_turn(np.degrees(2.0 * np.arctan2(x, w)))
            own[2] = 0.0
        else:
            own[0] = np.degrees(np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
            own[2] = np.degrees(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
            about_x = _within_half_a_turn(own[0] + 180.0)
            about_y = _within_half_a_turn(180.0 - own[1])
            about_z = _within_half_a_turn(own[2] + 180.0)
            turn = abs(own[0]) + abs(own[1]) + abs(own[2])
            if abs(about_x) + abs(about_y) + abs(about_z) < turn - _ROUNDING_DEG:
                own[0], own[1], own[2] = about_x, about_y, about_z
        for axis in range(3):
            if abs(own[axis]) < _ROUNDING_DEG:
                own[axis] = 0.0


@kernel
def _within_half_a_turn(angle_deg: float) -> float:
    """Return the same angle, above -180 and up to 180."""
    return angle_deg - 360.0 * np.ceil((angle_deg - 180.0) / 360.0)
