"""The order of nodes that have one parent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.editing.chosen import checked_nodes, title, topmost
from octoscope.scene.editing.edits import Edit, EditError, change_nodes, combined
from octoscope.scene.editing.local_transforms import ignore_overflow
from octoscope.scene.editing.transforms import reparent
from octoscope.scene.geometry.forest import children_of
from octoscope.scene.one_object_files import with_whole_files
from octoscope.scene.scene import Scene

# An object that stands for its file in the outliner is moved with the node of the file.


@advises()
def reorder(scene: Scene, ids: ArrayLike, *, down: bool = False) -> Edit:
    """Move nodes up, or down, by one place among those that have the same parent; what is at the end stays."""
    ids = with_whole_files(scene, checked_nodes(scene, ids))
    edits = []
    for parent in np.unique(scene.parents[ids]).tolist():
        siblings = _siblings(scene, parent)[:: -1 if down else 1]
        chosen = np.isin(siblings, ids)
        places = np.arange(len(siblings))
        # What stands before a run of chosen ones goes behind it; each of these goes up by one.
        before = np.flatnonzero(~chosen[:-1] & chosen[1:])
        ends = np.append(np.flatnonzero(chosen[:-1] & ~chosen[1:]), len(siblings) - 1)  # of the runs, and a last one
        goes_up = chosen & (np.cumsum(~chosen) > 0)
        places[goes_up] -= 1
        places[before] = ends[np.searchsorted(ends, before, side="right")]
        siblings = siblings[np.argsort(places)][:: -1 if down else 1]
        edits.append(_in_order(scene, siblings))
    return combined(scene, title(scene, "Move down" if down else "Move up", ids), *edits)


@advises()
@ignore_overflow
def place_beside(scene: Scene, ids: ArrayLike, node: ArrayLike, *, after: bool = False) -> Edit:
    """Put nodes before or after another one, under its parent, without moving them in the world.

    Raises:
        EditError: the other one is among them or below one of them.
    """
    ids = with_whole_files(scene, topmost(scene, ids))
    (node,) = with_whole_files(scene, scene.checked_ids(node, alive=True)).tolist()
    if node in ids:
        raise EditError(f"{scene.names[node]} cannot be its own neighbour")
    edit = reparent(scene, ids, int(scene.parents[node]))
    siblings = _siblings(scene, int(scene.parents[node]))
    siblings = siblings[~np.isin(siblings, ids)]
    place = int(np.flatnonzero(siblings == node)[0]) + after
    ordered = _in_order(scene, np.concatenate([siblings[:place], ids, siblings[place:]]))
    moved = replace(edit, changes=tuple(change for change in edit.changes if change.column != "order"))
    return combined(scene, title(scene, "Reorder", ids), moved, ordered)


def _siblings(scene: Scene, parent: int) -> np.ndarray:
    """Return the children of a node, or the topmost nodes (-1), in their order."""
    starts, children = children_of(scene.parents, scene.orders)
    above = parent if parent >= 0 else len(starts) - 2
    found = children[starts[above] : starts[above + 1]]
    return found[scene.alive[found]]


def _in_order(scene: Scene, siblings: np.ndarray) -> Edit:
    """Make the edit that gives siblings this order; numbers below 0, so that new nodes, which have 0, stand behind."""
    return change_nodes(scene, siblings, order=np.arange(len(siblings)) - len(siblings))
