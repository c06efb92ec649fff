"""LodView: a camera as the selection of levels of detail (LOD) by screen-space error needs it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class LodView:
    """The position, view volume and scale of a camera."""

    position: np.ndarray  # (3,) float64 of the camera, world
    planes: np.ndarray  # (p, 4) float64 inward planes of the view volume, about the position: n . x + d >= 0 inside.
    pixels_per_unit: float  # of a world unit, in perspective at distance 1
    is_perspective: bool = True  # False for a parallel projection
