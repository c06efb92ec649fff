"""Sight: what a camera sees, as a choice of what to read needs it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Sight:
    """The part of the world that a camera sees.

    Attributes:
        position: (3,) float64 of the camera, world.
        planes: (p, 4) float64 inward planes about the position: n . x + d >= 0 for all that is seen.
        pixels: of a world unit: in perspective at distance 1, else anywhere.
        is_perspective: False for parallel rays.
    """

    position: np.ndarray
    planes: np.ndarray
    pixels: float
    is_perspective: bool = True
