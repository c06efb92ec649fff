"""Rotation matrices into axes along directions."""

from __future__ import annotations

import numpy as np


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
