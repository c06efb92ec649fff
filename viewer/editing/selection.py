"""Selections as arrays of node ids, in the order in which they were chosen: the last one is the active node.

Pure functions; scene.history keeps what is selected, and viewer.editor sets it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def active_of(ids: np.ndarray) -> int | None:
    """The node that was chosen last, or None where nothing is selected."""
    return int(ids[-1]) if len(ids) else None


def added(ids: np.ndarray, more: ArrayLike) -> np.ndarray:
    """(s,) int32: a selection and other nodes, which become its last, each node once."""
    more = _each_once(more)
    return np.concatenate([removed(ids, more), more])


def removed(ids: np.ndarray, others: ArrayLike) -> np.ndarray:
    """(s,) int32: a selection without some nodes."""
    return ids[~np.isin(ids, np.asarray(others, dtype=np.int32))]


def toggled(ids: np.ndarray, others: ArrayLike) -> np.ndarray:
    """(s,) int32: a selection without those of some nodes that are in it, and with those that are not."""
    others = _each_once(others)
    return np.concatenate([removed(ids, others), others[~np.isin(others, ids)]])


def _each_once(ids: ArrayLike) -> np.ndarray:
    ids = np.asarray(ids, dtype=np.int32)
    return ids[np.sort(np.unique(ids, return_index=True)[1])]
