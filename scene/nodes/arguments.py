"""Check the arguments of a scene's setters and convert them to the types of its columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

_STRING = np.dtypes.StringDType()


def checked_rows(what: str, given: ArrayLike, count: ArrayLike, *, lowest: int = 0) -> np.ndarray:
    """Return ids, which are rows of a table, as int64 of the shape given.

    Args:
        what: such as "node".
        given: one id or a list of them.
        count: the number of rows, or one for each id.
        lowest: 0, or -1 where that means none.

    Raises:
        ValueError: they are not whole numbers from `lowest` to the last row's.
    """
    try:
        rows = np.asarray(given)
    except (TypeError, ValueError):  # lists in a list, of different lengths
        raise ValueError(f"{what} ids must be one number or a list of numbers") from None
    if rows.ndim > 1:
        raise ValueError(f"{what} ids must be one number or a list of numbers, not an array {rows.shape}")
    if rows.size and rows.dtype.kind not in "iu":
        kinds = {"b": "truth values", "f": "floating-point numbers"}
        raise ValueError(f"{what} ids must be whole numbers, not {kinds.get(rows.dtype.kind, 'other objects')}")
    if not ((rows >= lowest) & (rows < count)).all():
        raise ValueError(f"{what} ids must be {lowest} to {np.max(count) - 1}")
    return rows.astype(np.int64)


def checked_flags(what: str, given: ArrayLike) -> np.ndarray:
    """Return truth values as bool of the shape given. ValueError: they are neither these nor 0 and 1."""
    flags = np.asarray(given)
    is_whole = flags.dtype.kind in "iu" and ((flags == 0) | (flags == 1)).all()
    if flags.size and flags.dtype.kind != "b" and not is_whole:
        raise ValueError(f"{what} must be True or False")
    return flags.astype(np.bool_)


def checked_names(given: ArrayLike) -> np.ndarray:
    """Return names as an array of strings of the shape given. ValueError: one is no string."""
    if isinstance(given, np.ndarray) and given.dtype.kind in "UT":
        return given.astype(_STRING, copy=False)
    names = np.asarray(given, dtype=object)
    if not all(isinstance(name, str) for name in names.ravel().tolist()):
        raise ValueError("a name must be a string")
    return names.astype(_STRING)
