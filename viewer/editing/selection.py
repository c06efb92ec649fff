"""Selections as arrays of node ids in the order of selecting; the last one is the active node.

These are pure functions; scene.history keeps the selection, and viewer.editing.editor sets it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene import Scene

AN_OBJECT = "select an object first"  # what most commands need
NO_CURSOR = "there is no 3D cursor: a right click with Shift places it"


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


@dataclass(frozen=True)
class SelectionFacts:
    """Facts of a selection; `shown` are the nodes of it that have a mesh."""

    count: int
    shown: int
    last_is_shown: bool
    has_children: bool
    has_parents: bool


def selection_facts(scene: Scene, ids: np.ndarray) -> SelectionFacts:
    """Return the facts of a selection of (s,) node ids, the last of which is the active one."""
    selected = np.zeros(scene.row_count + 1, dtype=bool)
    selected[ids] = True
    shown = scene.mesh_ids[ids] >= 0
    return SelectionFacts(
        len(ids),
        int(shown.sum()),
        bool(len(ids) and shown[-1]),
        bool((selected[scene.parents] & (scene.parents >= 0) & scene.alive).any()),
        bool((scene.parents[ids] >= 0).any()),
    )
