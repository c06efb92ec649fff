"""Check the arguments of a tree's methods and convert them to the types that the kernels take."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import as_array, checked_numbers


def checked_point(point: ArrayLike, name: str) -> np.ndarray:
    """Convert to a new float64 (3,) array of finite numbers."""
    point = _three(point, name)
    x, y, z = point.tolist()
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        raise ValueError(f"{name} must be three finite numbers, not {point}")
    return point


def checked_ray(origin: ArrayLike, direction: ArrayLike, t_max: float) -> tuple[np.ndarray, np.ndarray]:
    """Convert a ray to new float64 (3,) arrays, the direction scaled to unit length."""
    origin = checked_point(origin, "a ray's origin")
    direction = checked_point(direction, "a ray's direction")
    x, y, z = direction.tolist()
    if not t_max >= 0.0:
        raise ValueError(f"a ray's t_max must be 0 or more, not {t_max}")
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise ValueError("a ray's direction must not be of length zero")
    x, y, z = x / largest, y / largest, z / largest  # first, so that squares neither vanish nor overflow
    length = math.sqrt(x * x + y * y + z * z)
    direction[0], direction[1], direction[2] = x / length, y / length, z / length  # half the time of another array
    return origin, direction


def checked_rays(origins: ArrayLike, directions: ArrayLike, t_max: float) -> tuple[np.ndarray, np.ndarray]:
    """Convert n rays to float64 (n, 3) arrays, the directions scaled to unit length."""
    # Copies, since kernels take arrays in C order that can be written to.
    origins, directions = checked_numbers(origins, "origins"), checked_numbers(directions, "directions")
    if origins.ndim != 2 or origins.shape[1] != 3 or directions.shape != origins.shape:
        raise ValueError(f"rays need origins and directions (n, 3), not {origins.shape} and {directions.shape}")
    if not t_max >= 0.0:
        raise ValueError(f"a ray's t_max must be 0 or more, not {t_max}")
    largest = np.abs(directions).max(axis=1, initial=0.0)
    good = np.isfinite(origins).all(axis=1) & (largest > 0.0) & np.isfinite(largest)
    if not good.all():
        bad = int(np.flatnonzero(~good)[0])
        checked_ray(origins[bad], directions[bad], t_max)
    directions /= largest[:, None]  # first, so that squares neither vanish nor overflow
    # In this order, as checked_ray adds: a ray is the same to the last bit alone and among others.
    x, y, z = directions.T
    directions /= np.sqrt(x * x + y * y + z * z)[:, None]
    return origins, directions


def checked_box(lower: ArrayLike, upper: ArrayLike) -> tuple[list[float], list[float]]:
    """Convert the corners of a box to three floats each, which may be infinite."""
    lower, upper = _three(lower, "a box's lower corner").tolist(), _three(upper, "a box's upper corner").tolist()
    if not (lower[0] <= upper[0] and lower[1] <= upper[1] and lower[2] <= upper[2]):  # NaN neither
        raise ValueError(f"a box's lower corner must not lie above its upper corner: {lower}, {upper}")
    return lower, upper


def checked_radius(radius: float) -> float:
    """Convert a ball's radius to a float, 0 or more; it may be infinite."""
    if not radius >= 0.0:
        raise ValueError(f"a ball's radius must be 0 or more, not {radius}")
    return float(radius)


def checked_whole(number: int, name: str, most: float) -> int:
    """Convert a whole number from 0 to `most` to an int."""
    try:
        whole = int(number)
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if whole != number or not 0 <= whole <= most:
        limits = "0 or more" if most == math.inf else f"0 to {most}"
        raise ValueError(f"{name} must be a whole number, {limits}, not {number}")
    return whole


def checked_ids(ids: ArrayLike) -> np.ndarray:
    """Convert ids, a one-dimensional array of integers from 0 to 2**31 - 2, to a contiguous (n,) int32 array."""
    given = as_array(ids, "ids")
    if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
        raise ValueError(
            f"ids must be a one-dimensional array of integers, not {given.dtype} {given.shape}"
            + ("; of one sphere [id], and rows of one for the others" if given.ndim == 0 else "")
        )
    if len(given) and (given.min() < 0 or given.max() >= 2**31 - 1):
        raise ValueError(f"ids must be 0 to {2**31 - 2}: {listed(given[(given < 0) | (given >= 2**31 - 1)])}")
    return np.ascontiguousarray(given, dtype=np.int32)


def listed(ids: np.ndarray) -> str:
    """Write ids for a message: the first eight, and how many more."""
    shown = ", ".join(str(identifier) for identifier in ids[:8])
    return shown + (f" and {len(ids) - 8} more" if len(ids) > 8 else "")


def _three(numbers: ArrayLike, name: str) -> np.ndarray:
    numbers = checked_numbers(numbers, name, "three numbers")
    if numbers.shape != (3,):
        many = "; raycast_many casts many rays" if numbers.ndim == 2 and "ray" in name else ""
        raise ValueError(f"{name} must be three numbers, not of shape {numbers.shape}{many}")
    return numbers
