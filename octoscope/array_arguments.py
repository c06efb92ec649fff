"""Arguments that are arrays, or anything that numpy makes one of."""

from __future__ import annotations

from collections.abc import Iterator, Set, ValuesView

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown


def checked_numbers(given: ArrayLike, name: str, what: str = "numbers", *, copy: bool | None = True) -> np.ndarray:
    """Convert an argument to a new float64 array in C order, of any shape; ValueError, with its name: it is none.

    Args:
        copy: None leaves an array of float64 as it is.
    """
    try:
        return np.array(given, dtype=np.float64, order="C" if copy else "K", copy=copy)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be {what}, not {shown(given)}") from None


def for_each(values: np.ndarray, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the rows of an argument, or one for all of them, as an array of this shape, which has a row for each."""
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise ValueError(f"{name} must be of shape {shape[1:]} or {shape}, not {values.shape}") from None


def as_array(given: ArrayLike, name: str) -> np.ndarray:
    """Return an argument as an array of any type; ValueError, with its name: lists of different lengths are none.

    Nor are sets and generators, which numpy takes for one object.
    """
    if isinstance(given, (Set, ValuesView, Iterator)):
        raise ValueError(f"{name} must be an array or a list, as list(...) makes it, not {shown(given)}")
    try:
        return np.asarray(given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array, not {shown(given)}") from None
