"""Build the trees of many meshes in one call."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.bvh.build import ROWS, WIDTH, build


@kernel
def build_meshes(
    mesh_ids: np.ndarray,
    first_vertex: np.ndarray,
    vertex_count: np.ndarray,
    first_triangle: np.ndarray,
    triangle_count: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
    firsts: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Build the trees of meshes, one behind the other.

    Args:
        mesh_ids: (k,) int64.
        lower, upper: (meshes, 3) columns of Meshes.
        positions: (v, 3) float64, of all meshes.
        corners: (t, 3) int32, of all meshes.
        firsts: (k, 2) int32, written: each mesh's first node and first row of the leaves.

    Returns:
        nodes and leaves as scene.bvh.build.build; the indices of each mesh count from its own first.
    """
    if len(mesh_ids) == 1:
        mesh = mesh_ids[0]
        firsts[0, 0] = firsts[0, 1] = 0
        return build(
            positions[first_vertex[mesh] : first_vertex[mesh] + vertex_count[mesh]],
            corners[first_triangle[mesh] : first_triangle[mesh] + triangle_count[mesh]],
            lower[mesh],
            upper[mesh],
        )
    total = 0
    for mesh in mesh_ids:
        total += triangle_count[mesh]
    leaves = np.empty((total, 4), np.int32)
    nodes = np.empty((total // 8 + 16, ROWS, WIDTH), np.float32)
    node = leaf = 0
    for i in range(len(mesh_ids)):
        mesh = mesh_ids[i]
        firsts[i, 0], firsts[i, 1] = node, leaf
        own_nodes, own_leaves = build(
            positions[first_vertex[mesh] : first_vertex[mesh] + vertex_count[mesh]],
            corners[first_triangle[mesh] : first_triangle[mesh] + triangle_count[mesh]],
            lower[mesh],
            upper[mesh],
        )
        needed = node + len(own_nodes)
        if needed > len(nodes):
            longer = np.empty((2 * needed, ROWS, WIDTH), np.float32)
            longer[:node] = nodes[:node]
            nodes = longer
        nodes[node:needed] = own_nodes
        leaves[leaf : leaf + len(own_leaves)] = own_leaves
        node, leaf = needed, leaf + len(own_leaves)
    return nodes[:node], leaves
