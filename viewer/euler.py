"""Euler angles, as a person types them, of rotations as a scene has them."""

from __future__ import annotations

import numpy as np


def degrees_of(rotations: np.ndarray) -> np.ndarray:
    """(n, 3) degrees about x, y and z of (n, 4) unit quaternions x, y, z, w: turned about x first, then y, then z.

    Where y is a quarter turn, x and z turn about one axis, and z is given as zero.
    """
    x, y, z, w = np.moveaxis(np.asarray(rotations, dtype=np.float64), -1, 0)
    sine = np.clip(2.0 * (w * y - z * x), -1.0, 1.0)
    about_y = np.arcsin(sine)
    locked = np.abs(sine) > 1.0 - 1e-12
    about_x = np.where(locked, 2.0 * np.arctan2(x, w), np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
    about_z = np.where(locked, 0.0, np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
    return np.degrees(np.stack((about_x, about_y, about_z), axis=-1))


def rotations_of(degrees: np.ndarray) -> np.ndarray:
    """(n, 4) unit quaternions x, y, z, w of (n, 3) degrees, as `degrees_of` gives them."""
    half = np.radians(np.asarray(degrees, dtype=np.float64)) / 2.0
    (cx, cy, cz), (sx, sy, sz) = np.moveaxis(np.cos(half), -1, 0), np.moveaxis(np.sin(half), -1, 0)
    return np.stack(
        (
            sx * cy * cz - cx * sy * sz,
            cx * sy * cz + sx * cy * sz,
            cx * cy * sz - sx * sy * cz,
            cx * cy * cz + sx * sy * sz,
        ),
        axis=-1,
    )
