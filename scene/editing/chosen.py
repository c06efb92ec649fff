"""The nodes that an operation works on: those that were chosen, or the topmost of them; and the operation's label."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.editing.edits import EditError
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.scene import Scene


def checked_nodes(scene: Scene, ids: ArrayLike) -> np.ndarray:
    """Check chosen node ids; return (k,) int64 node ids, in the order given, each once; EditError if there are none."""
    ids = scene.checked_ids(ids, alive=True)
    _, firsts = np.unique(ids, return_index=True)
    if len(firsts) == 0:
        raise EditError("nothing is selected")
    return ids[np.sort(firsts)]


def topmost(scene: Scene, ids: ArrayLike) -> np.ndarray:
    """Check chosen node ids and leave out those below another of them; else as `checked_nodes`."""
    ids = checked_nodes(scene, ids)
    parents = scene.parents[ids]
    if (parents < 0).all():
        return ids
    return ids[np.append(owners(scene, ids), -1)[parents] < 0]


def title(scene: Scene, verb: str, ids: np.ndarray) -> str:
    """Write a label: what is done, and to what."""
    if len(ids) == 1:
        return f"{verb} {scene.names[ids[0]] or 'an object'}"
    return f"{verb} {len(ids):,} objects"
