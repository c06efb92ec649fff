"""Cast a ray at one mesh: through its tree of boxes, or past every triangle.

Boxes are tested in float32, eight at once; triangles in float64. Rounding makes no box missed: the ray begins where it
enters the mesh, so that numbers are small; it keeps from every plane a slack that covers what float32 lost; and far
planes are moved out by the bound of Ize, "Robust BVH Ray Traversal", 2013. There is no division by zero and so no NaN:
a direction that lies in a plane is moved out of it by less than that slack.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import HitBuffer, MeshArrays, RayQuery
from octoscope.scene.bvh.build import COUNT, FIRST, cube_of
from octoscope.scene.bvh.simd import enter_boxes, fetch, lowest_bit
from octoscope.scene.bvh.triangle import MISSED, ShearedRay, cross_triangle, sheared_ray

DEEPEST = 512  # rows of a stack: seven wait on each of the 40 uneven levels, 27 halved ones, and one of leaves

_SLACK = 2.0**-20  # in the mesh's cube: eight times what float32 loses there
_FAR_SLACK = 2.0**-46  # times the distance to the mesh: what float64 loses over it
_LEAST = 1e-20  # a direction's component
_FARTHEST = 2.0**44  # distance to the mesh, in its cube: beyond, the slack would be as large as the mesh


class MeshStack(NamedTuple):
    """Scratch of a walk through a mesh."""

    rows: np.ndarray  # (6,) int64, as enter_boxes takes it
    ray: np.ndarray  # (9,) float32, as enter_boxes takes it
    near: np.ndarray  # (8,) float32, as enter_boxes takes it
    waiting: np.ndarray  # (DEEPEST, 2) int32: a node and 0, or the first row of a leaf and how many it has
    entered: np.ndarray  # (DEEPEST,) float32: where the ray enters each that waits


@kernel
def new_mesh_stack() -> MeshStack:
    """Allocate a stack, to be used for one mesh after the other."""
    return MeshStack(
        np.empty(6, np.int64),
        np.empty(9, np.float32),
        np.empty(8, np.float32),
        np.empty((DEEPEST, 2), np.int32),
        np.empty(DEEPEST, np.float32),
    )


@borrowing_kernel
def record_hit(
    found: HitBuffer,
    count: int,
    query: RayQuery,
    t: float,
    t_best: float,
    u: float,
    v: float,
    w: float,
    node: int,
    triangle: int,
) -> tuple[int, float]:
    """Record a crossing with 0 <= t <= t_best; return how many hits there are, with those without room; and t_best.

    Of two at the same t the one of the lower node and triangle is nearer, so that the order of testing does not matter.
    """
    if query.every:
        row = count
        if row >= len(found.values):  # the count tells that there is no room
            return count + 1, t_best
    else:
        row = 0
        farther = node > found.ids[0, 0] or (node == found.ids[0, 0] and triangle > found.ids[0, 1])
        if count and t == t_best and farther:
            return count, t_best
        t_best = t
        count = 0
    found.values[row, 0] = t
    found.values[row, 1] = u
    found.values[row, 2] = v
    found.values[row, 3] = w
    found.ids[row, 0] = node
    found.ids[row, 1] = triangle
    return count + 1, t_best


@borrowing_kernel
def _test_triangle(
    ray: ShearedRay,
    positions: np.ndarray,
    a: int,
    b: int,
    c: int,
    node: int,
    triangle: int,
    query: RayQuery,
    t_best: float,
    found: HitBuffer,
    count: int,
) -> tuple[int, float]:
    """Test the triangle with corners in rows a, b and c of `positions`; returns the number of hits, and t_best."""
    t, u, v, w = cross_triangle(ray, positions, a, b, c, query.back_faces)
    if 0.0 <= t <= t_best and t < MISSED:
        return record_hit(found, count, query, t, t_best, u, v, w, node, triangle)
    return count, t_best


@borrowing_kernel
def test_all(
    ray: ShearedRay,
    meshes: MeshArrays,
    mesh: int,
    node: int,
    query: RayQuery,
    t_best: float,
    found: HitBuffer,
    count: int,
) -> tuple[int, float]:
    """Test every triangle of a mesh; returns the number of hits, and t_best."""
    first_vertex = meshes.first_vertex[mesh]
    first_triangle = meshes.first_triangle[mesh]
    positions, corners = meshes.positions, meshes.corners
    for triangle in range(meshes.triangle_count[mesh]):
        row = first_triangle + triangle
        a, b, c = first_vertex + corners[row, 0], first_vertex + corners[row, 1], first_vertex + corners[row, 2]
        count, t_best = _test_triangle(ray, positions, a, b, c, node, triangle, query, t_best, found, count)
    return count, t_best


@borrowing_kernel
def enter_mesh(
    origin: np.ndarray, direction: np.ndarray, meshes: MeshArrays, mesh: int, t_best: float, local: np.ndarray
) -> int:
    """Transform a ray from a mesh's frame to the mesh's cube, where it begins when it enters the mesh's box.

    Args:
        local: (12,) float64, written: 0 to 2 the origin in the cube, 3 to 5 the direction, of unit length, 6 the t of
            that origin, 7 lengths in the cube for one t, 8 the length until it leaves the box, 9 slack.

    Returns:
        1 when it meets the box before t_best, 0 when not, -1 when numbers are too large or small to tell.
    """
    lower, upper = meshes.lower[mesh], meshes.upper[mesh]
    x, y, z, scale = cube_of(lower, upper)
    longest = 0.0
    farthest = 0.0
    for axis in range(3):
        local[axis] = (origin[axis] - (x if axis == 0 else (y if axis == 1 else z))) * scale
        local[3 + axis] = direction[axis] * scale
        longest = max(longest, abs(local[3 + axis]))
        farthest = max(farthest, abs(local[axis]))
    if not (1e-100 < longest < 1e100 and farthest < _FARTHEST):
        return -1
    slack = _SLACK + farthest * _FAR_SLACK
    near, far = 0.0, t_best
    for axis in range(3):
        half = (upper[axis] / 2.0 - lower[axis] / 2.0) * scale + slack
        start, along = local[axis], local[3 + axis]
        if along == 0.0:
            if abs(start) > half:
                return 0
            continue
        t_a = (-half - start) / along
        t_b = (half - start) / along
        near = max(near, min(t_a, t_b))
        far = min(far, max(t_a, t_b))
    if not (near <= far and near < np.inf):
        return 0
    length = longest * np.sqrt((local[3] / longest) ** 2 + (local[4] / longest) ** 2 + (local[5] / longest) ** 2)
    for axis in range(3):
        local[axis] += near * local[3 + axis]
        local[3 + axis] /= length
    local[6] = near
    local[7] = length
    local[8] = 4.0 + 4.0 * slack
    local[9] = slack
    return 1


@borrowing_kernel
def walk_mesh(
    ray: ShearedRay,
    local: np.ndarray,
    positions: np.ndarray,
    first_vertex: int,
    nodes: np.ndarray,
    integers: np.ndarray,
    first_node: int,
    leaves: np.ndarray,
    first_leaf: int,
    node: int,
    query: RayQuery,
    t_best: float,
    found: HitBuffer,
    count: int,
    stack: MeshStack,
) -> tuple[int, float]:
    """Test the triangles of a mesh that has a tree, nearest boxes first; return how many hits there are, and t_best.

    It takes single columns rather than bundles: a call hands over every word of every array, for each ray.
    """
    _write_box_ray(local, stack)
    limit = _limit(t_best, local)
    waiting, entered = stack.waiting, stack.entered
    waiting[0, 0], waiting[0, 1] = 0, 0
    entered[0] = np.float32(0.0)
    top = 1
    while top > 0:
        top -= 1
        if entered[top] > limit:  # a nearer hit was found since it was pushed
            continue
        first, in_leaf = waiting[top, 0], waiting[top, 1]
        if in_leaf == 0:
            top = _push_children(nodes, integers, first_node, leaves, first_leaf, first_node + first, limit, stack, top)
            continue
        for row in range(first_leaf + first, first_leaf + first + in_leaf):
            a, b, c = first_vertex + leaves[row, 0], first_vertex + leaves[row, 1], first_vertex + leaves[row, 2]
            triangle = np.int64(leaves[row, 3])
            count, t_best = _test_triangle(ray, positions, a, b, c, node, triangle, query, t_best, found, count)
        limit = _limit(t_best, local)
    return count, t_best


@borrowing_kernel
def _write_box_ray(local: np.ndarray, stack: MeshStack) -> None:
    """Write a ray as enter_boxes takes it.

    On each axis that is the row of the near and of the far planes, and an origin that stands off from either by the
    slack.
    """
    rows, small, slack = stack.rows, stack.ray, local[9]
    for axis in range(3):
        along = local[3 + axis]
        if abs(along) < _LEAST:
            along = _LEAST
        small[axis] = np.float32(1.0 / along)
        forwards = along > 0.0
        rows[axis] = axis if forwards else axis + 3
        rows[axis + 3] = axis + 3 if forwards else axis
        small[axis + 3] = np.float32(local[axis] + (slack if forwards else -slack))
        small[axis + 6] = np.float32(local[axis] - (slack if forwards else -slack))


@borrowing_kernel
def _push_children(
    nodes: np.ndarray,
    integers: np.ndarray,
    first_node: int,
    leaves: np.ndarray,
    first_leaf: int,
    row: int,
    limit: np.float32,
    stack: MeshStack,
    top: int,
) -> int:
    """Push the children that the ray enters of the node in a row, the nearest on top; returns the new top."""
    waiting, entered, near = stack.waiting, stack.entered, stack.near
    entered_bits: int = enter_boxes(nodes, row, stack.rows, stack.ray, limit, near)
    # stubs count the typing context, which numba itself gives.
    bottom = top
    while entered_bits:
        child = lowest_bit(entered_bits)
        entered_bits &= entered_bits - 1
        enter = near[child]
        back = top
        while back > bottom and entered[back - 1] < enter:
            entered[back] = entered[back - 1]
            waiting[back, 0], waiting[back, 1] = waiting[back - 1, 0], waiting[back - 1, 1]
            back -= 1
        entered[back] = enter
        first, in_leaf = integers[row, FIRST, child], integers[row, COUNT, child]
        waiting[back, 0], waiting[back, 1] = first, in_leaf
        top += 1
        if in_leaf == 0:
            fetch(nodes, first_node + first)
        else:
            fetch(leaves, first_leaf + first)
    return top


@borrowing_kernel
def _limit(t_best: float, local: np.ndarray) -> np.float32:
    """Convert t_best to the cube, as float32, never too small."""
    length = (t_best - local[6]) * local[7]
    return np.float32(min(length * (1.0 + 2.0**-20) + local[9], local[8]))


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
    """Test every triangle of a mesh, as test_all, with the corners in the world's axes about the ray's origin.

    For nodes that are squeezed so much that their own frame is too inexact.
    Rounding is relative to the coordinates' size then; in the node's frame it would be multiplied by how much the node
    is squeezed. A corner that triangles share is the same number for each, so that no ray slips between them.
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
