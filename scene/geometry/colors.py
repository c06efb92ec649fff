"""Convert colours between sRGB, as people and image files state them, and linear light (IEC 61966-2-1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def linear_from_srgb(srgb: ArrayLike) -> np.ndarray:
    """Convert sRGB values, 0 to 1, of any shape, to linear ones in float64."""
    srgb = np.asarray(srgb, dtype=np.float64)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((np.maximum(srgb, 0.0) + 0.055) / 1.055) ** 2.4)


def srgb_from_linear(linear: ArrayLike) -> np.ndarray:
    """Convert linear values, 0 to 1, of any shape, to sRGB ones in float64."""
    linear = np.asarray(linear, dtype=np.float64)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0) ** (1.0 / 2.4) - 0.055)
