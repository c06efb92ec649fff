"""World boxes of nodes with their descendants, exact: by the vertices."""

from __future__ import annotations

import numpy as np

from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.nodes.update import merge_vertices


def world_boxes(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return (k, 2, 3) lower and upper corners of nodes with their descendants.

    Args:
        ids: (k,) of nodes, none below another of them. One without any mesh has a box that is its origin alone.
    """
    ids = scene.checked_ids(ids)
    owner_of = owners(scene, ids)
    shown = np.flatnonzero((owner_of >= 0) & (scene.mesh_ids >= 0))
    boxes = np.empty((len(ids), 2, 3))
    boxes[:, 0], boxes[:, 1] = np.inf, -np.inf
    rows = scene.meshes.rows
    merge_vertices(
        shown,
        owner_of,
        scene.mesh_ids,
        scene.world_from_local,
        rows["first_vertex"],
        rows["vertex_count"],
        scene.meshes.vertices["position"],
        boxes,
    )
    empty = ~(np.isfinite(boxes).all(axis=(1, 2)))
    boxes[empty] = scene.world_from_local[ids[empty], None, :3, 3]
    return boxes[owner_of[ids]]  # of an id that is given twice, only the last has a box


def world_size(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return the size, (3,), of the world box around (k,) nodes with their descendants."""
    boxes = world_boxes(scene, ids)
    return boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
