"""Ancestors and descendants of nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown
from octoscope.array_arguments import as_array
from octoscope.scene.geometry.forest import depths_of, inherit
from octoscope.scene.nodes.node_table import NO_PARENT, NodeTable


def owners(scene: NodeTable, ids: ArrayLike) -> np.ndarray:
    """Find for every node which of the nodes `ids` is its nearest ancestor, or itself.

    Returns:
        (row_count,) int32 indices into `ids`, -1 for none.
    """
    ids = scene.checked_ids(ids)
    order = scene.parents_first()
    parents = scene.parents[: len(order)]
    found = np.full(len(order), -1, dtype=np.int32)
    found[ids] = np.arange(len(ids))
    inherit(order, parents, found)
    return found


def with_all_below(scene: NodeTable, ids: ArrayLike) -> np.ndarray:
    """Return nodes with all their descendants: (k,) int32, sorted."""
    is_below = owners(scene, ids) >= 0
    return np.flatnonzero(is_below & scene.alive[: len(is_below)]).astype(np.int32)


def with_all_above(scene: NodeTable, ids: ArrayLike) -> np.ndarray:
    """Return nodes with all their ancestors: (k,) int32, sorted."""
    is_found = np.zeros(scene.row_count, dtype=np.bool_)
    level = scene.checked_ids(ids)
    while len(level):
        is_found[level] = True
        above = np.unique(scene.parents[level])
        level = above[(above != NO_PARENT) & ~is_found[above]]
    return np.flatnonzero(is_found).astype(np.int32)


def marks_of_nodes(table: NodeTable, marks: ArrayLike) -> np.ndarray:
    """Return marks by node id as (row_count,) bool; nodes that were added after the marks were made are not marked.

    Args:
        marks: (n,) bool by node id; or nodes or their ids, for these and all that is below them.

    Raises:
        ValueError: the marks are not (n,) bool.
        IndexError: a node was deleted, or there is none.
    """
    count, given = table.row_count, marks
    marks = as_array(marks, "among, the nodes that count,")
    if marks.dtype.kind in "iu":
        marks = owners(table, table.checked_ids(given, alive=True)) >= 0
        marks = np.concatenate([marks, np.zeros(count - len(marks), dtype=np.bool_)])
    if marks.ndim != 1 or (len(marks) and marks.dtype != np.bool_):
        raise ValueError(f"which nodes count must be nodes, their ids, or (n,) bool by node id, not {shown(given)}")
    if len(marks) >= count:
        return marks[:count].astype(np.bool_, copy=False)
    return np.concatenate([marks, np.zeros(count - len(marks), dtype=np.bool_)]).astype(np.bool_, copy=False)


def subtrees(scene: NodeTable, ids: ArrayLike) -> np.ndarray:
    """Return nodes with all their descendants: (k,) int32, parents before children, else by id."""
    below = with_all_below(scene, ids)
    if (scene.parents[below] < below).all():
        return below
    # Not parents_first: its order depends on deleted rows, which a project that is opened again does not have.
    return below[np.argsort(depths_of(scene.parents)[below], kind="stable")]


def common_parent(scene: NodeTable, ids: np.ndarray) -> int:
    """Return the deepest common ancestor of nodes, or -1."""
    paths = _path(scene, int(ids[0]))
    others = np.unique(scene.parents[ids])
    for parent in others.tolist():
        there = set(_path(scene, parent, itself=True))
        paths = [node for node in paths if node in there]
        if not paths:
            return NO_PARENT
    return paths[0]


def _path(scene: NodeTable, node: int, *, itself: bool = False) -> list[int]:
    """Return the ancestors of a node, nearest first."""
    path = [node] if itself and node >= 0 else []
    while node >= 0:
        node = int(scene.parents[node])
        if node >= 0:
            path.append(node)
    return path
