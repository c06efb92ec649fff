"""Triangles of a node that is squeezed so much that its frame is no place to test them: in the world they are."""

from __future__ import annotations

import numpy as np

from octree.jit import borrowing_kernel
from scene.bvh.arrays import Found, MeshArrays, Question
from scene.bvh.traverse import take
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
    question: Question,
    t_best: float,
    found: Found,
    count: int,
    zero: np.ndarray,
    corners: np.ndarray,
) -> tuple[int, float]:
    """As walk.test_all, with every corner brought into the world, relative to the ray's origin.

    Rounding is a part of the coordinates' size then, and not that times how much the node is squeezed. A corner that
    triangles share is the same number for each, so that no ray slips between them.

    Args:
        matrix: (4, 4) world_from_local. origin, direction: (3,) float64 world. zero: (3,), written. corners: (3, 3),
            scratch.
    """
    for axis in range(3):
        zero[axis] = 0.0
    ray = sheared_ray(zero, direction)
    first_vertex, first_triangle = meshes.first_vertex[mesh], meshes.first_triangle[mesh]
    # A node that mirrors turns the winding around; which side is the front does not change.
    second, third = (2, 1) if is_mirrored else (1, 2)
    for triangle in range(meshes.triangle_count[mesh]):
        for corner in range(3):
            vertex = first_vertex + meshes.corners[first_triangle + triangle, corner]
            x, y, z = meshes.positions[vertex, 0], meshes.positions[vertex, 1], meshes.positions[vertex, 2]
            for axis in range(3):
                turned = matrix[axis, 0] * x + matrix[axis, 1] * y + matrix[axis, 2] * z
                corners[corner, axis] = turned + (matrix[axis, 3] - origin[axis])
        t, u, v, w = cross_triangle(ray, corners, 0, second, third, question.back_faces)
        if is_mirrored:
            v, w = w, v
        if 0.0 <= t <= t_best and t < MISSED:
            count, t_best = take(found, count, question, t, t_best, u, v, w, node, triangle)
    return count, t_best
