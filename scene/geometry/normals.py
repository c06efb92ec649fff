"""Unit normals as meshes store them."""

from __future__ import annotations

import numpy as np

# A normal whose squared length is this near to 1 is left as it is: rounding to float32 alone moves it by 1e-7. So
# normals that are written and read again stay the same; if they were normalised each time, small components would
# drift.
UNIT_TOLERANCE = 1e-6


def unit_normals(normals: np.ndarray) -> np.ndarray:
    """Normalise (n, 3) normals to float32; zero where one has no length or is not finite."""
    normals = np.nan_to_num(np.asarray(normals, dtype=np.float64), posinf=0.0, neginf=0.0)
    largest = np.abs(normals).max(axis=1, keepdims=True, initial=0.0)
    normals = np.where(largest > 1e100, normals / np.maximum(largest, 1.0), normals)  # its square would overflow
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    lengths[(lengths == 0.0) | (np.abs(lengths**2 - 1.0) <= UNIT_TOLERANCE)] = 1.0
    return (normals / lengths).astype(np.float32)
