"""Numbers for rows: which are equal, and which belong to ranges."""

from __future__ import annotations

import numpy as np


def ranges(firsts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The numbers first to first + count - 1 of every range, one range behind the other; int64."""
    begins = np.cumsum(counts) - counts
    return np.repeat(np.asarray(firsts, dtype=np.int64) - begins, counts) + np.arange(int(np.sum(counts)))


def numbered(*columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number rows so that equal ones have one number, in the order in which they are met.

    Args:
        columns: (n,) of any kinds that can be ordered, compared one after the other.

    Returns:
        (k,) the first row of each number, ascending; (n,) the number of each row. Both int64.
    """
    order = np.lexsort(columns[::-1])
    changes = np.zeros(len(order), dtype=np.bool_)
    changes[:1] = True
    for column in columns:
        ordered = column[order]
        changes[1:] |= ordered[1:] != ordered[:-1]
    groups = np.cumsum(changes) - 1
    firsts = order[changes]  # the sort is stable: the first of its equals
    by_first = np.argsort(firsts)
    place = np.empty(len(firsts), dtype=np.int64)
    place[by_first] = np.arange(len(firsts))
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = place[groups]
    return firsts[by_first], numbers
