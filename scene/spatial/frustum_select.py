"""Select by a frustum: nodes that it touches or contains, by their triangles, lines and points (box selection).

And by a section, up to six planes that cut a part of the world away: nodes that it cuts.

The octree finds candidates by their spheres; here each is decided exactly. The frustum's planes go to a mesh's local
space, where its box says for nearly all nodes at once that they are inside or outside.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene.nodes.hierarchy import marks_of_nodes
from octoscope.scene.nodes.layers import SELECTABLE
from octoscope.scene.spatial.frustum_kernels import choose_by_planes
from octoscope.scene.spatial.index import SpatialIndex

NO_PLANES = np.empty((0, 4))


def nodes_in_frustum(
    index: SpatialIndex,
    frustum: Frustum,
    *,
    wholly: bool = False,
    layers: int = SELECTABLE,
    among: np.ndarray | None = None,
    section: np.ndarray = NO_PLANES,
) -> np.ndarray:
    """Find the nodes that a frustum touches, or those that it contains; return (k,) int32 ids, sorted.

    Args:
        wholly: only nodes with every vertex inside; else those with a triangle, line or point that touches it.
        layers: mask of scene.nodes.layers.
        among: (n,) bool by node id: the nodes that count, none of those beyond it; None for all.
        section: (p, 4) float64 planes about the frustum's origin, at most six, inside n . p + d >= 0. Outside of any of
            them nothing counts: a node is contained if all that is left of it is, and there is something left.

    Raises:
        ValueError: `among` is not (n,) bool.
    """
    candidates = index.cull(frustum, layers=layers)
    if among is not None:
        candidates = candidates[marks_of_nodes(index.nodes, among)[candidates]]
    return np.sort(_chosen(index, candidates, section, frustum.planes, frustum.origin, wholly=wholly))


def nodes_cut(index: SpatialIndex, candidates: np.ndarray, section: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Find the nodes that a section cuts: of which something is left, and something is not.

    Args:
        candidates: (k,) int32 nodes with meshes.
        section: (p, 4) float64 planes about `origin`, as for nodes_in_frustum.
        origin: (3,) float64, world.

    Returns:
        (c,) int32 of the candidates, in their order.
    """
    left = _chosen(index, candidates, NO_PLANES, section, origin, wholly=False)
    whole = _chosen(index, left, NO_PLANES, section, origin, wholly=True)
    return left[~np.isin(left, whole)]


def _chosen(
    index: SpatialIndex,
    candidates: np.ndarray,
    section: np.ndarray,
    planes: np.ndarray,
    origin: np.ndarray,
    *,
    wholly: bool,
) -> np.ndarray:
    """Return those of some nodes that the kernel chooses.

    Args:
        candidates: (k,) int32 nodes.
        section: (p, 4) planes about `origin`, outside of which nothing counts.
        planes: (q, 4) planes about `origin`; six at most.
        origin: (3,) world.
    """
    nodes, meshes = index.nodes, index.nodes.meshes
    rows = meshes.rows
    chosen = np.zeros(len(candidates), dtype=bool)
    choose_by_planes(
        candidates,
        np.concatenate([section, planes]),
        len(section),
        np.array(origin),  # a camera's cannot be written, a copy can: the kernel has one version for both
        nodes.world_from_local,
        nodes.mesh_ids,
        np.stack([rows["lower"], rows["upper"]], axis=1),
        np.stack([rows[f"first_{element}"] for element in _ELEMENTS], axis=1),
        np.stack([rows[f"{element}_count"] for element in _ELEMENTS], axis=1),
        meshes.vertices["position"],
        meshes.triangles["corners"],
        meshes.lines["ends"],
        meshes.points["vertex"],
        wholly,
        chosen,
    )
    return candidates[chosen]


_ELEMENTS = ("vertex", "triangle", "line", "point")
