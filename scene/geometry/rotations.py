"""Rotation matrices: about an axis, and into axes along a direction."""

from __future__ import annotations

import math

import numpy as np


def rotation_about(axis: np.ndarray, angle_rad: float) -> np.ndarray:
    """Return the (3, 3) rotation about a unit axis, counterclockwise seen from its tip (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    return np.eye(3) + math.sin(angle_rad) * cross + (1.0 - math.cos(angle_rad)) * (cross @ cross)


def axes_along(directions: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
    """Return rotations whose third row is a direction, and whose others are unit vectors across it.

    Args:
        directions: (..., 3) float64 unit vectors.
        near: (3, 3), the axes of a direction near to these, from which the result is turned little; None: any axes.

    Returns:
        (..., 3, 3) float64.
    """
    beside = np.eye(3)[np.argmin(np.abs(directions), axis=-1)] if near is None else near[1]
    first = np.cross(beside, directions)
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    return np.stack([first, np.cross(directions, first), directions], axis=-2)
