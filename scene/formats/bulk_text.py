"""Format many rows of text at once: one formatting call for a whole column, none for a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_ROWS_AT_ONCE = 2**12  # of one call, during which no other thread runs


def rows_of_text(template: str, *columns: np.ndarray | Sequence[str]) -> np.ndarray:
    """Put each row's values into a template; return (n,) object array of strings.

    Args:
        template: with a %-conversion for each column, %r where floats are to read back equal; no line breaks.
        *columns: (n,) or (n, k) numbers, or sequences of n strings without line breaks.
    """
    arrays = [column if isinstance(column, np.ndarray) else _objects(column) for column in columns]
    arrays = [array[:, None] if array.ndim == 1 else array for array in arrays]
    count = len(arrays[0])
    texts = np.empty(count, dtype=object)
    for begin in range(0, count, _ROWS_AT_ONCE):
        end = min(begin + _ROWS_AT_ONCE, count)
        values = np.empty((end - begin, sum(array.shape[1] for array in arrays)), dtype=object)
        first = 0
        for array in arrays:
            values[:, first : first + array.shape[1]] = array[begin:end]
            first += array.shape[1]
        texts[begin:end] = rows_of_templates(np.full(end - begin, template, dtype=object), values.ravel())
    return texts


def rows_of_templates(templates: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Put all rows' values, one row behind the other, into (n,) templates of their own, object array of strings."""
    if len(templates) == 0:
        return np.empty(0, dtype=object)
    return _objects(("\n".join(templates.tolist()) % tuple(values.tolist())).split("\n"))


def _objects(strings: Sequence[str]) -> np.ndarray:
    array = np.empty(len(strings), dtype=object)
    array[:] = strings
    return array
