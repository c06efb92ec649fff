"""Find objects that lie inside others, whose surfaces they do not meet."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.geometry.bounded import unit_of
from octoscope.scene.geometry.triangle_pairs import APART
from octoscope.scene.overlap.region_query import Objects, triangles_in_box

INSIDE = 3  # beside the kinds of triangle_pairs


@kernel
def mark_outer(objects: Objects, pairs: np.ndarray, is_outer: np.ndarray) -> None:
    """Mark the objects, (n,) bool, in whose box a vertex of the other one of a pair, (m, 2) int32, lies."""
    point = np.empty(3)
    for i in range(len(pairs)):
        a, b = int(np.int64(pairs[i, 0])), int(np.int64(pairs[i, 1]))
        is_outer[a] |= _is_in_box(objects, b, a, point)
        is_outer[b] |= _is_in_box(objects, a, b, point)


@kernel
def find_inside(
    objects: Objects,
    trees: BvhArrays,
    pairs: np.ndarray,
    is_container: np.ndarray,
    cancelled: np.ndarray,
    kinds: np.ndarray,
) -> None:
    """Write INSIDE for pairs that are apart, of which one object lies inside the other one.

    Args:
        trees, pairs, cancelled, kinds: as find_contacts takes them.
        is_container: (n,) bool: rows of objects whose mesh bounds a volume.
    """
    for i in range(len(pairs)):
        a, b = int(np.int64(pairs[i, 0])), int(np.int64(pairs[i, 1]))
        if kinds[i] != APART or cancelled[0] != 0:
            continue
        if (is_container[a] and _is_within(objects, trees, b, a)) or (
            is_container[b] and _is_within(objects, trees, a, b)
        ):
            kinds[i] = INSIDE


@borrowing_kernel
def _is_in_box(objects: Objects, inner: int, outer: int, point: np.ndarray) -> bool:
    """Write a vertex (3,) of a triangle of an object; return whether it lies in the box of another one."""
    matrix, box = objects.world_from_local[inner], objects.boxes[outer]
    vertex = objects.first_vertex[inner] + objects.corners[objects.first_triangle[inner], 0]
    is_in = True
    for axis in range(3):
        point[axis] = matrix[axis, 3]
        for other in range(3):
            point[axis] += matrix[axis, other] * objects.positions[vertex, other]
        is_in &= (box[0, axis] <= point[axis]) & (point[axis] <= box[1, axis])
    return is_in


@kernel
def _is_within(objects: Objects, trees: BvhArrays, inner: int, outer: int) -> bool:
    """Decide whether a vertex of an object is enclosed by the faces of another one that look outward.

    The winding number is the count of faces that a ray along X leaves through, less those that it enters through. Each
    edge is decided in the same way for both of its faces, so that no ray slips between them. What is scaled flat has no
    inside, and is in none.
    """
    point = np.empty(3)
    if objects.facing[inner] == 0 or not _is_in_box(objects, inner, outer, point):
        return False
    box = objects.boxes[outer]
    unit = unit_of((box[1, 0] - box[0, 0]) + (box[1, 1] - box[0, 1]) + (box[1, 2] - box[0, 2]))
    region = np.zeros((2, 3))
    region[1, 0] = (box[1, 0] - point[0]) * unit
    triangles, _ = triangles_in_box(objects, trees, outer, point, unit, region, 0.0)
    winding = 0
    for triangle in triangles:
        turns = 0
        along = area = 0.0
        for corner in range(3):
            p, q = triangle[corner], triangle[(corner + 1) % 3]
            cross = p[1] * q[2] - q[1] * p[2]
            if p[2] < 0.0 <= q[2]:
                turns += int(cross > 0.0)
            elif q[2] < 0.0 <= p[2]:
                turns -= int(cross < 0.0)
            area += cross
            along += cross * triangle[(corner + 2) % 3, 0]
        if turns != 0 and along * area > 0.0:  # it is hit, before the point
            winding += turns
    return winding * objects.facing[outer] > 0
