"""Indices of rows: those in ranges, of ids in a list, and of equal rows."""

from __future__ import annotations

import numpy as np


def ranges(firsts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the indices first to first + count - 1 of every range, one range behind the other; int64."""
    begins = np.cumsum(counts) - counts
    return np.repeat(np.asarray(firsts, dtype=np.int64) - begins, counts) + np.arange(int(np.sum(counts)))


def index_in(ids: np.ndarray, count: int) -> np.ndarray:
    """Return for each of 0 to count - 1 its index in `ids`, or -1: (count,) int64."""
    index = np.full(count, -1)
    index[ids] = np.arange(len(ids))
    return index


def unique_rows(*columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the different rows of some columns, in the order in which they first occur.

    Returns:
        (k,) int64 the first row of each kind, ascending; (n,) int64 the kind of each row, an index into the first.
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
    rank = np.empty(len(firsts), dtype=np.int64)
    rank[by_first] = np.arange(len(firsts))
    inverse = np.empty(len(order), dtype=np.int64)
    inverse[order] = rank[groups]
    return firsts[by_first], inverse
