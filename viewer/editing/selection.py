"""Selections as arrays of node ids in the order of selecting; the last one is the active node.

These are pure functions; scene.history keeps the selection, and viewer.editing.editor sets it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def active_of(ids: np.ndarray) -> int | None:
    """Return the node that was selected last, or None."""
    return int(ids[-1]) if len(ids) else None


def added(ids: np.ndarray, more: ArrayLike) -> np.ndarray:
    """Return a selection with other nodes added as its last, (s,) int32, each node once."""
    more = _each_once(more)
    return np.concatenate([removed(ids, more), more])


def removed(ids: np.ndarray, others: ArrayLike) -> np.ndarray:
    """Return a selection without some nodes, (s,) int32."""
    return ids[~np.isin(ids, np.asarray(others, dtype=np.int32))]


def toggled(ids: np.ndarray, others: ArrayLike) -> np.ndarray:
    """Return a selection without those of some nodes that are in it, and with the others, (s,) int32."""
    others = _each_once(others)
    return np.concatenate([removed(ids, others), others[~np.isin(others, ids)]])


def _each_once(ids: ArrayLike) -> np.ndarray:
    ids = np.asarray(ids, dtype=np.int32)
    return ids[np.sort(np.unique(ids, return_index=True)[1])]
