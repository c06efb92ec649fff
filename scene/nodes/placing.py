"""Nodes are placed in the world by matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.decompose import SHEARED, nearest
from octoscope.scene.nodes.arguments import checked_matrices
from octoscope.scene.nodes.hierarchy import with_all_above
from octoscope.scene.nodes.node_table import NodeTable

_WORST_CONDITION = 1e13  # largest over smallest singular value; beyond, an inverse is nothing but rounding


def place_in_world(table: NodeTable, ids: ArrayLike, matrices: ArrayLike) -> None:
    """Give nodes world matrices; arguments and errors are those of Scene.set_world_from_local."""
    ids = table.checked_ids(ids, alive=True)
    worlds = checked_matrices("world_from_local", matrices, len(ids))
    parents, which = np.unique(table.parents[ids], return_inverse=True)
    if len(ids) > 1 and np.isin(with_all_above(table, parents[parents >= 0]), ids).any():
        raise ValueError("world_from_local: one of the nodes is below another: set the upper ones first")
    bases = table.world_from_local[parents]
    bases[parents < 0] = np.eye(4)
    if not (np.isfinite(bases).all() and (np.linalg.cond(bases[:, :3, :3]) < _WORST_CONDITION).all()):
        raise ValueError("world_from_local: a parent is scaled to zero, or too large")
    local = np.linalg.inv(bases)[which.ravel()] @ worlds
    rotations, scales, outcomes = nearest(local[:, :3, :3], table.scales[ids])
    sheared = np.flatnonzero(outcomes & SHEARED)
    if len(sheared):
        name, parent = str(table.names[ids[sheared[0]]]), int(table.parents[ids[sheared[0]]])
        frame = "" if parent < 0 else f" in the frame of its parent {str(table.names[parent])!r}"
        raise ValueError(
            f"world_from_local: the matrix of {name!r} has shear{frame}, which cannot be held; "
            "octoscope.editing.transform finds the nearest"
        )
    table.set_translations(ids, local[:, :3, 3])
    table.set_rotations(ids, rotations)
    table.set_scales(ids, scales)
