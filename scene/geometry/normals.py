"""Unit normals as they are stored."""

from __future__ import annotations

import numpy as np

# How far from 1 a squared length may be: rounding to float32 alone moves it by 1e-7. Within, a normal is left as it is,
# so that what is written and read again stays the same; brought to length 1 each time its small parts would wander.
UNIT_TOLERANCE = 1e-6


def unit_normals(normals: np.ndarray) -> np.ndarray:
    """(n, 3) float32 of length 1; zero where there is none, or one that is not finite."""
    normals = np.nan_to_num(np.asarray(normals, dtype=np.float64), posinf=0.0, neginf=0.0)
    largest = np.abs(normals).max(axis=1, keepdims=True, initial=0.0)
    normals = np.where(largest > 1e100, normals / np.maximum(largest, 1.0), normals)  # its square would overflow
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    lengths[(lengths == 0.0) | (np.abs(lengths**2 - 1.0) <= UNIT_TOLERANCE)] = 1.0
    return (normals / lengths).astype(np.float32)
