"""Find the triangles that are to be turned so that a mesh's faces all look outward."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.mesh.manifold import merge_equal_points, sort_sides, table_size


@kernel
def turned_triangles(
    vertex_counts: np.ndarray, triangle_counts: np.ndarray, positions: np.ndarray, corners: np.ndarray
) -> np.ndarray:
    """Return (t,) bool which triangles of meshes to turn.

    A surface is what is connected by edges of two triangles: these get one winding. A closed surface then looks
    outward, by its volume. One whose box lies within that of another closed one may be the wall of a hollow: it keeps
    the winding that most of its area has, and so does an open one, of which nothing tells what is outside.

    Args:
        vertex_counts, triangle_counts: (m,) int64 of meshes that stand one behind the other.
        positions: (v, 3) float64.
        corners: (t, 3) int32, counted from the mesh's first vertex.
    """
    is_turned = np.zeros(len(corners), np.bool_)
    most, most_triangles = vertex_counts.max(), triangle_counts.max()
    table = np.empty(table_size(most), np.int32)
    same = np.empty(most, np.int32)
    stops = np.empty(most + 1, np.int64)
    others = np.empty(3 * most_triangles, np.int32)
    owners = np.empty(3 * most_triangles, np.int32)
    numbers = np.zeros((most, 2), np.int64)
    neighbours = np.empty((most_triangles, 3), np.int32)
    surfaces = np.empty(most_triangles, np.int32)
    stack = np.empty(most_triangles, np.int32)
    first_vertex = first_triangle = 0
    for mesh in range(len(vertex_counts)):
        points = positions[first_vertex : first_vertex + vertex_counts[mesh]]
        own = corners[first_triangle : first_triangle + triangle_counts[mesh]]
        turned = is_turned[first_triangle : first_triangle + triangle_counts[mesh]]
        first_vertex += vertex_counts[mesh]
        first_triangle += triangle_counts[mesh]
        if len(own) == 0:
            continue
        merge_equal_points(points.view(np.uint64), table[: table_size(len(points))], same)
        sort_sides(own, same[: len(points)], stops, others, owners)
        _find_neighbours(stops[: len(points)], others, owners, numbers, neighbours[: len(own)])
        count = _unite_windings(neighbours[: len(own)], stack, surfaces, turned)
        _turn_outward(points, own, same, neighbours, surfaces, count, turned)
    return is_turned


@kernel
def _find_neighbours(
    stops: np.ndarray, others: np.ndarray, owners: np.ndarray, numbers: np.ndarray, neighbours: np.ndarray
) -> None:
    """Write the neighbours of triangles across edges that two of them have; the arguments are those of `sort_sides`.

    Args:
        numbers: (v, 2) int64 scratch, all 0 before and after: of the sides of one lower end by the upper one, how many
            there are, and the first of them.
        neighbours: (t, 3) int32, written: twice the triangle, plus 1 if it has the edge in the same direction; or -1.
    """
    neighbours[:] = -1
    start = 0
    for stop in stops:
        for side in range(start, stop):
            upper = others[side] >> 1
            numbers[upper, 0] += 1
            if numbers[upper, 0] == 1:
                numbers[upper, 1] = side
        for side in range(start, stop):
            upper = others[side] >> 1
            one = numbers[upper, 1]
            if numbers[upper, 0] == 2 and one != side:
                agrees = int((others[one] & 1) == (others[side] & 1))
                _add_neighbour(neighbours, owners[one], 2 * owners[side] + agrees)
                _add_neighbour(neighbours, owners[side], 2 * owners[one] + agrees)
        for side in range(start, stop):
            numbers[others[side] >> 1, 0] = 0
        start = stop


@kernel
def _add_neighbour(neighbours: np.ndarray, triangle: int, neighbour: int) -> None:
    place = 0
    while neighbours[triangle, place] >= 0:
        place += 1
    neighbours[triangle, place] = neighbour


@kernel
def _unite_windings(neighbours: np.ndarray, stack: np.ndarray, surfaces: np.ndarray, turned: np.ndarray) -> int:
    """Give each surface the winding of its first triangle; write the surfaces' numbers, and return how many there are.

    Where a surface has but one side, as a Möbius strip, an edge remains at which windings differ.
    """
    surfaces[: len(neighbours)] = -1
    count = 0
    for first in range(len(neighbours)):
        if surfaces[first] >= 0:
            continue
        surfaces[first] = count
        stack[0] = first
        waiting = 1
        while waiting > 0:
            waiting -= 1
            triangle = stack[waiting]
            for neighbour in neighbours[triangle]:
                other = neighbour >> 1
                if neighbour >= 0 and surfaces[other] < 0:
                    surfaces[other] = count
                    turned[other] = turned[triangle] != bool(neighbour & 1)
                    stack[waiting] = other
                    waiting += 1
        count += 1
    return count


@kernel
def _turn_outward(
    points: np.ndarray,
    corners: np.ndarray,
    same: np.ndarray,
    neighbours: np.ndarray,
    surfaces: np.ndarray,
    count: int,
    turned: np.ndarray,
) -> None:
    """Turn whole surfaces; each has one winding after the triangles in `turned` (t,) are, which is written."""
    volumes = np.zeros(count)
    areas = np.zeros(count)  # of triangles that keep their winding, less that of those that do not
    is_closed = np.ones(count, np.bool_)
    boxes = np.empty((count, 2, 3))
    boxes[:, 0], boxes[:, 1] = np.inf, -np.inf
    x, y, z = points[corners[0, 0]]
    for triangle in range(len(corners)):
        i, j, k = corners[triangle]
        surface = surfaces[triangle]
        a, b, c = points[i], points[j], points[k]
        for axis in range(3):
            boxes[surface, 0, axis] = min(boxes[surface, 0, axis], a[axis], b[axis], c[axis])
            boxes[surface, 1, axis] = max(boxes[surface, 1, axis], a[axis], b[axis], c[axis])
        is_closed[surface] &= neighbours[triangle].min() >= 0
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        sign = -1.0 if turned[triangle] else 1.0
        areas[surface] += sign * np.sqrt(nx * nx + ny * ny + nz * nz)
        volumes[surface] += sign * ((a[0] - x) * nx + (a[1] - y) * ny + (a[2] - z) * nz)
    is_wrong = np.empty(count, np.bool_)
    for surface in range(count):
        by_volume = is_closed[surface]
        if by_volume and volumes[surface] < 0.0:
            for other in range(count):
                if is_closed[other] and other != surface:
                    by_volume &= not (
                        (boxes[other, 0] <= boxes[surface, 0]).all() and (boxes[other, 1] >= boxes[surface, 1]).all()
                    )
        is_wrong[surface] = volumes[surface] < 0.0 if by_volume else areas[surface] < 0.0
    for triangle in range(len(corners)):
        turned[triangle] ^= is_wrong[surfaces[triangle]]
