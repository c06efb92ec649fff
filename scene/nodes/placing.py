"""Nodes are placed in the world by matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.decompose import SHEARED, nearest
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.nodes.arguments import checked_matrices
from octoscope.scene.nodes.hierarchy import with_all_above
from octoscope.scene.nodes.node_table import NodeTable

_WORST_CONDITION = 1e13  # largest over smallest singular value; beyond, an inverse is nothing but rounding


def parent_worlds(table: NodeTable, parents: np.ndarray) -> np.ndarray:
    """Return the world_from_local of (k,) nodes, the identity for -1: (k, 4, 4)."""
    worlds = np.tile(np.eye(4), (len(parents), 1, 1))
    below = parents >= 0
    worlds[below] = table.world_from_local[parents[below]]
    return worlds


def inverses(matrices: np.ndarray) -> np.ndarray:
    """Invert affine matrices, (k, 4, 4); ValueError if one is flat, or not finite, so that no child has a place."""
    linear = matrices[:, :3, :3]
    result = np.tile(np.eye(4), (len(matrices), 1, 1))
    plain = (linear == np.eye(3)).all(axis=(1, 2))
    rest = np.flatnonzero(~plain)
    if len(rest):
        finite = np.isfinite(matrices[rest]).all()
        firsts, kinds = unique_rows(*linear[rest].reshape(-1, 9).T)  # those of one parent are inverted once
        different = linear[rest[firsts]]
        if not finite or not (np.linalg.cond(different) < _WORST_CONDITION).all():
            raise ValueError("nothing can be placed below a node that is scaled to zero, or far too large")
        result[rest, :3, :3] = np.linalg.inv(different)[kinds]
    result[:, :3, 3] = -(result[:, :3, :3] @ matrices[:, :3, 3:])[:, :, 0]
    return result


def place_in_world(table: NodeTable, ids: ArrayLike, matrices: ArrayLike) -> None:
    """Give nodes world matrices; arguments and errors are those of Scene.set_world_from_local."""
    ids = table.checked_ids(ids, alive=True)
    worlds = checked_matrices("world_from_local", matrices, len(ids))
    parents = table.parents[ids]
    if len(ids) > 1 and np.isin(with_all_above(table, parents[parents >= 0]), ids).any():
        raise ValueError("world_from_local: one of the nodes is below another: set the upper ones first")
    local = inverses(parent_worlds(table, parents)) @ worlds
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
