"""World boxes of nodes with their descendants, exact: by the vertices."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.nodes.hierarchy import owners
from scene.nodes.node_table import NodeTable


def world_boxes(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return (k, 2, 3) lower and upper corners of nodes with their descendants.

    Args:
        scene: of the nodes.
        ids: (k,) of nodes, none below another of them. One without any mesh has a box that is its origin alone.

    Raises:
        IndexError: an id that is no node's.
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


@kernel
def merge_vertices(
    nodes: np.ndarray,
    owner_of: np.ndarray,
    mesh: np.ndarray,
    world_from_local: np.ndarray,
    first_vertex: np.ndarray,
    vertex_count: np.ndarray,
    positions: np.ndarray,
    boxes: np.ndarray,
) -> None:
    """Extend boxes[owner_of[node]] by the vertices of each node."""
    for node in nodes:
        box = boxes[owner_of[node]]
        m = world_from_local[node]
        first = first_vertex[mesh[node]]
        for vertex in range(first, first + vertex_count[mesh[node]]):
            for row in range(3):
                value = (
                    m[row, 0] * positions[vertex, 0]
                    + m[row, 1] * positions[vertex, 1]
                    + m[row, 2] * positions[vertex, 2]
                    + m[row, 3]
                )
                box[0, row] = min(box[0, row], value)
                box[1, row] = max(box[1, row], value)
