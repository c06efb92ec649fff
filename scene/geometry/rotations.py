"""Rotations: matrices into axes along directions; quaternions turned further by degrees."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def turned(rotations: np.ndarray, degrees: float, axis: str | ArrayLike) -> np.ndarray:
    """Return quaternions x, y, z, w (k, 4) after a further rotation about an axis of the frame that they lead to.

    Args:
        rotations: (k, 4).
        degrees: counterclockwise seen from the axis's tip.
        axis: "x", "y" or "z", or (3,) of any length above 0.
    """
    from octoscope.scene.geometry.pyrr_transforms import product  # only here: it takes long to import

    given = _AXES.get(axis, ()) if isinstance(axis, str) else axis
    try:
        direction = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        direction = np.empty(0)
    length = float(np.linalg.norm(direction))
    if direction.shape != (3,) or not 0.0 < length < np.inf:
        raise ValueError(f"axis: 'x', 'y', 'z' or three numbers are needed, not {shown(axis)}")
    if not math.isfinite(degrees):
        raise ValueError("degrees must be a finite number")
    half = math.radians(degrees) / 2.0
    return product(np.array((*(math.sin(half) / length * direction), math.cos(half))), rotations)


def axes_along(directions: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
    """Return rotations (..., 3, 3) float64 whose third row is a direction, and whose others are unit vectors across it.

    They are turned little from the axes `near`, (3, 3), of a direction near to these, if these are given.
    """
    beside = np.eye(3)[np.argmin(np.abs(directions), axis=-1)] if near is None else near[1]
    first = np.cross(beside, directions)
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    return np.stack([first, np.cross(directions, first), directions], axis=-2)
