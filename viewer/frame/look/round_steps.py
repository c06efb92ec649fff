"""Round numbers: steps of scales, rulers and bars."""

from __future__ import annotations

import math

import numpy as np


def round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is not below a number above 0."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least * (1.0 - 1e-12))


def multiples_of(step: float, lowest: float, highest: float) -> np.ndarray:
    """Return the multiples of a step from one number to another, both included, (n,) float64."""
    return step * np.arange(math.ceil(lowest / step), math.floor(highest / step) + 1) + 0.0  # no -0
