"""World boxes of objects: of a node and all that hangs below it, exact, by the vertices."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.nodes.hierarchy import owners
from scene.nodes.node_table import NodeTable


def world_boxes(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """(k, 2, 3) lower and upper corners of (k,) nodes, none below another of them, with all that hangs below them.

    A node without any mesh below it has a box that is its origin alone. IndexError: an id that is no node's.
    """
    ids = scene.checked_ids(ids)
    places = owners(scene, ids)
    shown = np.flatnonzero((places >= 0) & (scene.mesh_ids >= 0))
    boxes = np.empty((len(ids), 2, 3))
    boxes[:, 0], boxes[:, 1] = np.inf, -np.inf
    rows = scene.meshes.rows
    merge_vertices(
        shown,
        places,
        scene.mesh_ids,
        scene.world_from_local,
        rows["first_vertex"],
        rows["vertex_count"],
        scene.meshes.vertices["position"],
        boxes,
    )
    empty = ~(np.isfinite(boxes).all(axis=(1, 2)))
    boxes[empty] = scene.world_from_local[ids[empty], None, :3, 3]
    return boxes[places[ids]]  # of a node that is given twice, the last has grown


def world_size(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """(3,) of the world box about (k,) nodes with all below them."""
    boxes = world_boxes(scene, ids)
    return boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)


@kernel
def merge_vertices(
    nodes: np.ndarray,
    places: np.ndarray,
    mesh: np.ndarray,
    world_from_local: np.ndarray,
    first_vertex: np.ndarray,
    vertex_count: np.ndarray,
    positions: np.ndarray,
    boxes: np.ndarray,
) -> None:
    """Grow the box that each node counts for by the node's vertices."""
    for node in nodes:
        box = boxes[places[node]]
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
