"""What comes in through the tree's door: checked, and brought to the form that the kernels take."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def checked_ray(origin: ArrayLike, direction: ArrayLike, t_max: float) -> tuple[np.ndarray, np.ndarray]:
    """The ray as float64 (3,) arrays with a direction of unit length, or ValueError."""
    origin = np.array(origin, dtype=np.float64)
    direction = np.array(direction, dtype=np.float64)
    if origin.shape != (3,) or direction.shape != (3,):
        raise ValueError("a ray needs an origin and a direction of three numbers each")
    if not (np.isfinite(origin).all() and np.isfinite(direction).all()) or np.isnan(t_max):
        raise ValueError(f"a ray needs finite numbers, not origin {origin} and direction {direction}")
    largest = np.abs(direction).max()
    if largest == 0.0:
        raise ValueError("a ray's direction must not be of length zero")
    direction /= largest  # first, so that squares neither vanish nor overflow
    return origin, direction / np.linalg.norm(direction)


def checked_ids(ids: ArrayLike) -> np.ndarray:
    """Ids as a contiguous (n,) int32 array, or ValueError."""
    given = np.asarray(ids)
    if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
        raise ValueError(f"ids must be a one-dimensional array of integers, not {given.dtype} {given.shape}")
    if len(given) and (given.min() < 0 or given.max() >= 2**31 - 1):
        raise ValueError(f"ids must be 0 to {2**31 - 2}: {listed(given[(given < 0) | (given >= 2**31 - 1)])}")
    return np.ascontiguousarray(given, dtype=np.int32)


def listed(ids: np.ndarray) -> str:
    """Ids for a message: the first few, and how many more."""
    shown = ", ".join(str(identifier) for identifier in ids[:8])
    return shown + (f" and {len(ids) - 8} more" if len(ids) > 8 else "")
