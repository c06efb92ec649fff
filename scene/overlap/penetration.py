"""Measure how deep objects reach into each other, in which direction, and where."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.geometry.bounded import unit_of
from octoscope.scene.overlap.region_query import Objects, triangles_in_box

_MOST_NORMALS = 64  # of each object's triangles: directions that are tried
_MOST_CORNERS = 9  # of a triangle that is cut by the six sides of a box


@kernel
def find_depths(
    objects: Objects,
    trees: BvhArrays,
    pairs: np.ndarray,
    is_inside: np.ndarray,
    cancelled: np.ndarray,
    measured: np.ndarray,
) -> None:
    """Write depth, normal and point of pairs of objects that cross.

    The depth is the least way by which the smaller one, by its box, gets clear of the part of the other one's surface
    that lies in this box: along the world's axes, normals of their triangles there, and directions across an axis of
    either. So legs of a table are as deep in a floor as they have sunk, however large the floor is; and boxes as deep
    as the axes say that can separate them (Gottschalk, Lin, Manocha, "OBBTree", 1996).

    Args:
        trees: the triangle trees of the meshes, as find_contacts takes them.
        pairs: (m, 2) int32, rows of `objects`.
        is_inside: (m,) bool: whether one lies inside the other: then it is the way out of that one's own box.
        cancelled: (1,) uint8; as soon as it is not 0 the rest is left out.
        measured: (m, 7) float64, written: depth; normal, along which the second object would have to move; a point,
            the middle of the box that the two parts have in common; world.
    """
    region = np.empty((2, 3))
    middle = np.empty(3)
    directions = np.empty((12 + 2 * _MOST_NORMALS, 3))
    ends = np.empty((2, 2))
    boxes = np.empty((2, 2, 3))
    for i in range(len(pairs)):
        if cancelled[0] != 0:
            return
        a, b = int(np.int64(pairs[i, 0])), int(np.int64(pairs[i, 1]))
        smaller = a if _size(objects.boxes[a]) <= _size(objects.boxes[b]) else b
        box = objects.boxes[smaller]
        for axis in range(3):
            middle[axis] = box[0, axis] / 2.0 + box[1, axis] / 2.0
        unit = unit_of(_size(box))
        for axis in range(3):
            for end in range(2):
                region[end, axis] = (box[end, axis] - middle[axis]) * unit
        if is_inside[i]:
            points, others = _box_corners(objects, a, middle, unit), _box_corners(objects, b, middle, unit)
            outer = objects.world_from_local[a + b - smaller]
            count = _add_crossed_axes(outer, outer, directions)  # the normals of its box
        else:
            first, _ = triangles_in_box(objects, trees, a, middle, unit, region, 0.0)
            second, _ = triangles_in_box(objects, trees, b, middle, unit, region, 0.0)
            points, others = _cut(first, region), _cut(second, region)
            count = _add_crossed_axes(objects.world_from_local[a], objects.world_from_local[b], directions)
            count = _add_normals(first, directions, count)
            count = _add_normals(second, directions, count)
        least = np.inf
        measured[i, 0] = 0.0
        measured[i, 1], measured[i, 2], measured[i, 3] = 1.0, 0.0, 0.0
        for direction in directions[:count]:
            _project(points, direction, ends[0])
            _project(others, direction, ends[1])
            forward, back = ends[0, 1] - ends[1, 0], ends[1, 1] - ends[0, 0]
            if min(forward, back) < least:
                least = min(forward, back)
                sign = 1.0 if forward <= back else -1.0
                measured[i, 0] = max(least, 0.0) / unit
                for axis in range(3):
                    measured[i, 1 + axis] = sign * direction[axis]
        _enclose_all(points, region, boxes[0])
        _enclose_all(others, region, boxes[1])
        for axis in range(3):
            lower, upper = max(boxes[0, 0, axis], boxes[1, 0, axis]), min(boxes[0, 1, axis], boxes[1, 1, axis])
            measured[i, 4 + axis] = (lower / 2.0 + upper / 2.0) / unit + middle[axis]


@borrowing_kernel
def _size(box: np.ndarray) -> float:
    """Return the length of the sides of a box (2, 3), all three together."""
    return (box[1, 0] - box[0, 0]) + (box[1, 1] - box[0, 1]) + (box[1, 2] - box[0, 2])


@kernel
def _box_corners(objects: Objects, row: int, middle: np.ndarray, unit: float) -> np.ndarray:
    """Return the corners (8, 3) of an object's own box, in the frame of `middle` and `unit`."""
    corners = np.empty((8, 3))
    matrix, lower, upper = objects.world_from_local[row], objects.lower[row], objects.upper[row]
    for corner in range(8):
        for axis in range(3):
            along = matrix[axis, 3] - middle[axis]
            for k in range(3):
                along += matrix[axis, k] * (upper[k] if corner >> k & 1 else lower[k])
            corners[corner, axis] = along * unit
    return corners


@kernel
def _cut(triangles: np.ndarray, region: np.ndarray) -> np.ndarray:
    """Return the corners (k, 3) of triangles (t, 3, 3) that are cut by a box (2, 3)."""
    points = np.empty((_MOST_CORNERS * len(triangles), 3))
    count = 0
    polygon = np.empty((_MOST_CORNERS + 3, 3))
    other = np.empty((_MOST_CORNERS + 3, 3))
    for triangle in triangles:
        polygon[:3] = triangle
        size = 3
        for axis in range(3):
            size = _cut_by(polygon, size, axis, region[0, axis], 1.0, other)
            size = _cut_by(other, size, axis, region[1, axis], -1.0, polygon)
        points[count : count + size] = polygon[:size]
        count += size
    return points[:count]


@borrowing_kernel
def _cut_by(polygon: np.ndarray, size: int, axis: int, bound: float, sign: float, out: np.ndarray) -> int:
    """Keep the part of a convex polygon on one side of a plane (Sutherland and Hodgman, 1974); return its corners."""
    count = 0
    for corner in range(size):
        after = corner + 1 if corner + 1 < size else 0
        here, there = sign * (polygon[corner, axis] - bound), sign * (polygon[after, axis] - bound)
        if here >= 0.0:
            for k in range(3):
                out[count, k] = polygon[corner, k]
            count += 1
        if (here > 0.0 > there) or (here < 0.0 < there):
            share = here / (here - there)
            for k in range(3):
                out[count, k] = polygon[corner, k] + share * (polygon[after, k] - polygon[corner, k])
            out[count, axis] = bound
            count += 1
    return count


@borrowing_kernel
def _add_crossed_axes(first: np.ndarray, second: np.ndarray, directions: np.ndarray) -> int:
    """Write the world's axes, and those that are normal to an axis of either object: boxes' edges run along these."""
    for axis in range(3):
        for k in range(3):
            directions[axis, k] = 1.0 if axis == k else 0.0
    count = 3
    for i in range(3):
        for j in range(3):
            x, y, z = first[0, i], first[1, i], first[2, i]
            u, v, w = second[0, j], second[1, j], second[2, j]
            count = _add(directions, count, y * w - z * v, z * u - x * w, x * v - y * u)
    return count


@borrowing_kernel
def _add_normals(triangles: np.ndarray, directions: np.ndarray, count: int) -> int:
    """Add normals of triangles (t, 3, 3): of all of them, or of as many as are tried, evenly."""
    tried = min(len(triangles), _MOST_NORMALS)
    for i in range(tried):
        triangle = i * len(triangles) // tried
        a, b, c = triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        count = _add(directions, count, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
    return count


@borrowing_kernel
def _add(directions: np.ndarray, count: int, x: float, y: float, z: float) -> int:
    """Add a direction as a unit vector, if it has a length."""
    length = np.sqrt(x * x + y * y + z * z)
    if not 0.0 < length < np.inf:
        return count
    directions[count, 0], directions[count, 1], directions[count, 2] = x / length, y / length, z / length
    return count + 1


@borrowing_kernel
def _project(points: np.ndarray, direction: np.ndarray, ends: np.ndarray) -> None:
    ends[0], ends[1] = np.inf, -np.inf
    x, y, z = direction[0], direction[1], direction[2]
    for point in range(len(points)):
        along = points[point, 0] * x + points[point, 1] * y + points[point, 2] * z
        ends[0], ends[1] = min(ends[0], along), max(ends[1], along)


@borrowing_kernel
def _enclose_all(points: np.ndarray, region: np.ndarray, box: np.ndarray) -> None:
    """Write the box around points; the region where there are none."""
    for axis in range(3):
        box[0, axis], box[1, axis] = region[0, axis], region[1, axis]
        if len(points):
            box[0, axis], box[1, axis] = np.inf, -np.inf
        for point in range(len(points)):
            box[0, axis] = min(box[0, axis], points[point, axis])
            box[1, axis] = max(box[1, axis], points[point, axis])
