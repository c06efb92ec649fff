"""Building the trees of many meshes in one call."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.bvh.build import ROWS, WIDTH, build


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
        mesh_ids: (k,) int64. The others are columns of Meshes. firsts: (k, 2) int32, written: each one's first node,
            and its first place in the leaves.

    Returns:
        nodes, leaves: as scene.bvh.build.build, each counting from its own first.
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
    node = place = 0
    for number in range(len(mesh_ids)):
        mesh = mesh_ids[number]
        firsts[number, 0], firsts[number, 1] = node, place
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
        leaves[place : place + len(own_leaves)] = own_leaves
        node, place = needed, place + len(own_leaves)
    return nodes[:node], leaves
