"""World boxes of nodes with their descendants, exact: by the vertices; the points that nodes turn about."""

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
    boxes = _boxes(scene, shown, owner_of, len(ids))
    empty = ~(np.isfinite(boxes).all(axis=(1, 2)))
    boxes[empty] = scene.world_from_local[ids[empty], None, :3, 3]
    return boxes[owner_of[ids]]  # of an id that is given twice, only the last has a box


@np.errstate(over="ignore", invalid="ignore")  # infinite then: nothing is drawn there
def pivot_points(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return (k, 3) world points that nodes turn about: the origin, or the middle of the box where that lies outside.

    In most OBJ files it does: all objects have the origin of the file.

    Args:
        ids: as of `world_boxes`.
    """
    origins, (lower, upper) = scene.world_from_local[ids, :3, 3], np.moveaxis(world_boxes(scene, ids), 1, 0)
    rounding = 1e-6 * (upper - lower).max(axis=1, keepdims=True)
    is_inside = ((lower - rounding <= origins) & (origins <= upper + rounding)).all(axis=1, keepdims=True)
    return np.where(is_inside, origins, lower / 2.0 + upper / 2.0)


def own_boxes(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return (k, 2, 3) lower and upper corners of (k,) nodes with a mesh, each once, without what is below them."""
    owner_of = np.full(scene.row_count, -1, dtype=np.int32)
    owner_of[ids] = np.arange(len(ids))
    return _boxes(scene, ids, owner_of, len(ids))


def world_bounds(scene: NodeTable, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the world box (lower, upper) of (k,) nodes alone, without what is below them; None if none has a mesh.

    Nodes whose matrix overflowed do not count.
    """
    lower, upper = _boxes(scene, ids, np.zeros(scene.row_count, dtype=np.int32), 1)[0]
    return (lower, upper) if lower[0] <= upper[0] else None


def _boxes(scene: NodeTable, ids: np.ndarray, owner_of: np.ndarray, count: int) -> np.ndarray:
    """Return `count` boxes, (count, 2, 3), each around the nodes that it is the owner of; infinite without a mesh."""
    boxes = np.empty((count, 2, 3))
    boxes[:, 0], boxes[:, 1] = np.inf, -np.inf
    rows = scene.meshes.rows
    merge_vertices(
        ids,
        owner_of,
        scene.mesh_ids,
        scene.world_from_local,
        rows["lower"],
        rows["upper"],
        rows["first_vertex"],
        rows["vertex_count"],
        scene.meshes.vertices["position"],
        boxes,
    )
    return boxes


def world_size(scene: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return the size, (3,), of the world box around (k,) nodes with their descendants."""
    boxes = world_boxes(scene, ids)
    return boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
