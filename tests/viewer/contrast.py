"""Contrast of two colours, as the Web Content Accessibility Guidelines 2.1 measure it."""

from __future__ import annotations

import numpy as np


def luminance(colors: np.ndarray) -> np.ndarray:
    """Return the relative luminance, (...) 0 to 1, of sRGB colours, (..., 3 or more) 0 to 1."""
    values = np.asarray(colors, dtype=float)[..., :3]
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(ones: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the contrast ratio of colours with others, 1 (none) to 21 (black and white)."""
    low, high = np.sort([luminance(ones), luminance(others)], axis=0)
    return (high + 0.05) / (low + 0.05)
