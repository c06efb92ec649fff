"""Which nodes an operation is about: those that were chosen, those on top of them, and all that hangs below."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octree.jit import kernel
from scene.edits import EditError
from scene.scene import NO_PARENT, Scene
from scene.world import depths_of


def chosen(scene: Scene, ids: ArrayLike) -> np.ndarray:
    """(k,) int64 node ids, in the order given, each once.

    Raises:
        EditError: there are none. IndexError: one is not there.
    """
    ids = np.asarray(ids, dtype=np.int64).ravel()
    if ((ids < 0) | (ids >= scene.row_count)).any() or not scene.alive[ids].all():
        raise IndexError("a node is not there")
    _, firsts = np.unique(ids, return_index=True)
    if len(firsts) == 0:
        raise EditError("nothing is selected")
    return ids[np.sort(firsts)]


def owners(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """(row_count,) int32: of the nodes `ids` the nearest at or above each node, as its place in `ids`; -1: none."""
    places = np.full(scene.row_count, -1, dtype=np.int32)
    places[ids] = np.arange(len(ids))
    inherit(scene.parents_first(), scene.parents, places)
    return places


def topmost(scene: Scene, ids: ArrayLike) -> np.ndarray:
    """(k,) int64: `chosen`, without those that hang below another of them."""
    ids = chosen(scene, ids)
    parents = scene.parents[ids]
    if (parents < 0).all():
        return ids
    return ids[np.append(owners(scene, ids), -1)[parents] < 0]


def subtrees(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """(k,) int64: nodes and all that hangs below them, parents before children; else by id."""
    below = np.flatnonzero((owners(scene, ids) >= 0) & scene.alive)
    if (scene.parents[below] < below).all():
        return below
    # Not in the scene's own order: that depends on what was deleted, and a project that is opened has none of it.
    return below[np.argsort(depths_of(scene.parents)[below], kind="stable")]


def common_parent(scene: Scene, ids: np.ndarray) -> int:
    """The lowest node that all of these hang below, or -1."""
    paths = _path(scene, int(ids[0]))
    others = np.unique(scene.parents[ids])
    for parent in others.tolist():
        there = set(_path(scene, parent, itself=True))
        paths = [node for node in paths if node in there]
        if not paths:
            return NO_PARENT
    return paths[0]


def title(scene: Scene, verb: str, ids: np.ndarray) -> str:
    """A label: what is done, and to what."""
    if len(ids) == 1:
        return f"{verb} {scene.names[ids[0]] or 'an object'}"
    return f"{verb} {len(ids):,} objects"


def _path(scene: Scene, node: int, *, itself: bool = False) -> list[int]:
    """The nodes above, nearest first."""
    path = [node] if itself and node >= 0 else []
    while node >= 0:
        node = int(scene.parents[node])
        if node >= 0:
            path.append(node)
    return path


@kernel
def inherit(order, parents, values):
    """Give every node that has none (-1) its parent's value; `order`: parents before children."""
    for node in order:
        if values[node] < 0 and parents[node] >= 0:
            values[node] = values[parents[node]]


@kernel
def mark_above(order, parents, marks):
    """Mark the nodes above those that are marked."""
    for i in range(len(order) - 1, -1, -1):
        if marks[order[i]] and parents[order[i]] >= 0:
            marks[parents[order[i]]] = True
