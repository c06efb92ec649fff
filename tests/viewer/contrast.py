"""Contrast of two colours, as the Web Content Accessibility Guidelines 2.1 measure it."""

from __future__ import annotations

import numpy as np

_CONES = np.array(
    [
        [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)],
        [(0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)],
        [(0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)],
        [(1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)],
    ]
)
_CONES_FROM_LINEAR = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OKLAB_FROM_CONES = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def luminance(colors: np.ndarray) -> np.ndarray:
    """Return the relative luminance, (...) 0 to 1, of sRGB colours, (..., 3 or more) 0 to 1."""
    values = np.asarray(colors, dtype=float)[..., :3]
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def seen_by_all(colors: np.ndarray) -> np.ndarray:
    """Return what people see of sRGB colours, (..., 3) 0 to 1, as OKLab (Ottosson, 2020) has it.

    Returns:
        (4, ..., 3): with all cones, and without the long, middle and short ones (Machado et al., 2009).
    """
    values = np.asarray(colors, dtype=float)
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    by_kind = np.clip([linear @ np.transpose(kind) for kind in _CONES], 0.0, 1.0)
    return np.cbrt(by_kind @ np.transpose(_CONES_FROM_LINEAR)) @ np.transpose(_OKLAB_FROM_CONES)


def contrast(ones: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the contrast ratio of colours with others, 1 (none) to 21 (black and white)."""
    low, high = np.sort([luminance(ones), luminance(others)], axis=0)
    return (high + 0.05) / (low + 0.05)
