"""The 3D cursor of a scene: a point that the user places for pivots, arrays, origins and new objects."""

from __future__ import annotations

import numpy as np

from octoscope.array_arguments import checked_numbers


def checked_cursor(given: object) -> tuple[float, float, float] | None:
    """Return a world point as three floats, or None for no cursor; ValueError: it is neither."""
    if given is None:
        return None
    point = checked_numbers(given, "cursor", "three numbers or None")  # type: ignore[arg-type]
    if point.shape != (3,) or not np.isfinite(point).all():
        raise ValueError(f"cursor must be three finite numbers or None, not {given!r}")
    x, y, z = point.tolist()
    return x, y, z
