"""Rotation matrices."""

from __future__ import annotations

import math

import numpy as np


def rotation_about(axis: np.ndarray, angle_rad: float) -> np.ndarray:
    """Return the (3, 3) rotation about a unit axis, counterclockwise seen from its tip (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    return np.eye(3) + math.sin(angle_rad) * cross + (1.0 - math.cos(angle_rad)) * (cross @ cross)
