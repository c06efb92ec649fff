"""Test triangles in the world's frame, for nodes that are squeezed so much that their own frame is too inexact."""

from __future__ import annotations

import numpy as np

from octree.jit import borrowing_kernel
from scene.bvh.arrays import HitBuffer, MeshArrays, RayQuery
from scene.bvh.traverse import record_hit
from scene.bvh.triangle import MISSED, cross_triangle, sheared_ray


@borrowing_kernel
def test_all_in_world(
    matrix: np.ndarray,
    is_mirrored: bool,
    origin: np.ndarray,
    direction: np.ndarray,
    meshes: MeshArrays,
    mesh: int,
    node: int,
    query: RayQuery,
    t_best: float,
    found: HitBuffer,
    count: int,
    zero: np.ndarray,
    corners: np.ndarray,
) -> tuple[int, float]:
    """Test every triangle of a mesh, as traverse.test_all, with the corners in the world's axes about the ray's origin.

    Rounding is relative to the coordinates' size then; in the node's frame it would be multiplied by how much the node
    is squeezed. A corner that triangles share is the same number for each, so that no ray slips between them.

    Args:
        matrix: (4, 4) world_from_local.
        is_mirrored: whether the matrix mirrors.
        origin: (3,) float64 world.
        direction: (3,) float64 world.
        meshes: of the scene.
        mesh: its id.
        node: id of the scene's node that shows it.
        query: the ray's options.
        t_best: the nearest hit so far.
        found: written.
        count: how many hits it has.
        zero: (3,), scratch.
        corners: (3, 3), scratch.

    Returns:
        how many hits there are, and t_best.
    """
    for axis in range(3):
        zero[axis] = 0.0
    ray = sheared_ray(zero, direction)
    first_vertex, first_triangle = meshes.first_vertex[mesh], meshes.first_triangle[mesh]
    # A node that mirrors reverses the winding; the front stays the front, so two corners change places.
    second, third = (2, 1) if is_mirrored else (1, 2)
    for triangle in range(meshes.triangle_count[mesh]):
        for corner in range(3):
            vertex = first_vertex + meshes.corners[first_triangle + triangle, corner]
            x, y, z = meshes.positions[vertex, 0], meshes.positions[vertex, 1], meshes.positions[vertex, 2]
            for axis in range(3):
                transformed = matrix[axis, 0] * x + matrix[axis, 1] * y + matrix[axis, 2] * z
                corners[corner, axis] = transformed + (matrix[axis, 3] - origin[axis])
        t, u, v, w = cross_triangle(ray, corners, 0, second, third, query.back_faces)
        if is_mirrored:
            v, w = w, v
        if 0.0 <= t <= t_best and t < MISSED:
            count, t_best = record_hit(found, count, query, t, t_best, u, v, w, node, triangle)
    return count, t_best
