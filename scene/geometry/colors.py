"""Colours as people state them; conversion between sRGB, which they state, and linear light (IEC 61966-2-1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown


def linear_from_srgb(srgb: ArrayLike) -> np.ndarray:
    """Convert sRGB values, 0 to 1, of any shape, to linear ones in float64."""
    srgb = np.asarray(srgb, dtype=np.float64)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((np.maximum(srgb, 0.0) + 0.055) / 1.055) ** 2.4)


def srgb_from_linear(linear: ArrayLike) -> np.ndarray:
    """Convert linear values, 0 to 1, of any shape, to sRGB ones in float64."""
    linear = np.asarray(linear, dtype=np.float64)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0) ** (1.0 / 2.4) - 0.055)


def color_called(text: str, prefix: str = "") -> tuple[float, float, float]:
    """Return the colour of a name of CSS, or of a text such as "#1e2226"; ValueError, with a prefix, if it is none."""
    from PIL import ImageColor  # only here: it takes long to import

    try:
        red, green, blue = ImageColor.getrgb(text)[:3]
    except ValueError:
        raise ValueError(f"{prefix}{text!r} is not a colour, such as white or #1e2226") from None
    return red / 255.0, green / 255.0, blue / 255.0


def colors_of(given: str | ArrayLike, count: int, *, name: str = "color") -> np.ndarray:
    """Return colours as (1, 4) or (count, 4) float64 sRGB and opacity, 0 to 1; NaN for an opacity that is not given.

    Args:
        given: a colour as `color_called` reads it; or red, green and blue, and opacity, 0 to 1, or uint8; or a row of
            these for each.
        name: what messages call them.
    """
    if isinstance(given, str):
        return np.array([(*color_called(given, f"{name}: "), np.nan)])
    try:
        colors = np.asarray(given)
        values = colors / 255.0 if colors.dtype == np.uint8 else colors.astype(np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    values = values[None] if values.ndim == 1 else values
    if values.ndim != 2 or values.shape[1] not in (3, 4) or len(values) not in (1, count):
        raise ValueError(
            f"{name}: a name, or red, green and blue (and opacity), 0 to 1, are needed, not {shown(given)}"
        )
    if not ((values >= 0.0) & (values <= 1.0)).all():
        raise ValueError(f"{name}: red, green, blue and opacity are 0 to 1; or uint8, 0 to 255")
    if values.shape[1] == 4:
        return values
    return np.concatenate([values, np.full((len(values), 1), np.nan)], axis=1)
