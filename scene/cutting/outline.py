"""Outlines: the lines along which a plane cuts the triangles of meshes, and which of them enclose something.

Two triangles at one side of a mesh compute the same point on it, bit by bit, also where a file has its vertices twice.
So the outline of a closed mesh closes exactly, and what does not close has no inside: it is left out.
"""

from __future__ import annotations

import numpy as np

from octree.jit import kernel


@kernel
def cut_lines(
    mesh_ids: np.ndarray,
    plane_from_local: np.ndarray,
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cut the triangles of nodes with a plane.

    Args:
        mesh_ids: (m,) of the nodes.
        plane_from_local: (m, 3, 4) float64: to two coordinates in the plane, and the distance from it.
        first_vertices: by mesh, as of Meshes.rows, like the next three.
        vertex_counts: by mesh.
        first_triangles: by mesh.
        triangle_counts: by mesh.
        positions: (v, 3) float64 of the pool.
        corners: (t, 3) int32 of the pool.

    Returns:
        (s, 4) float64 lines, begin and end in the plane, those of a closed mesh around it in one direction; (s,) int64
        indices of their nodes, ascending; and (s,) int64 triangles of the pool.
    """
    lines = np.empty((256, 4))
    owners = np.empty(256, dtype=np.int64)
    triangles = np.empty(256, dtype=np.int64)
    count = 0
    most = 0
    for i in range(len(mesh_ids)):
        most = max(most, vertex_counts[mesh_ids[i]])
    depths = np.empty(most)
    for i in range(len(mesh_ids)):
        mesh = mesh_ids[i]
        first = first_vertices[mesh]
        matrix = plane_from_local[i]
        for k in range(vertex_counts[mesh]):
            depths[k] = _coordinate(matrix, 2, positions[first + k])
        for triangle in range(first_triangles[mesh], first_triangles[mesh] + triangle_counts[mesh]):
            a, b, c = corners[triangle]
            is_a, is_b, is_c = depths[a] >= 0.0, depths[b] >= 0.0, depths[c] >= 0.0
            if is_a == is_b and is_b == is_c:
                continue
            if count == len(owners):
                lines = np.concatenate((lines, np.empty((count, 4))))
                owners = np.concatenate((owners, np.empty(count, dtype=np.int64)))
                triangles = np.concatenate((triangles, np.empty(count, dtype=np.int64)))
            for k in range(3):
                begin = corners[triangle, k]
                end = corners[triangle, (k + 1) % 3]
                is_kept = depths[begin] >= 0.0
                if is_kept == (depths[end] >= 0.0):
                    continue
                # From the end that is kept to the other: so both triangles at this side compute the same.
                kept, other = (begin, end) if is_kept else (end, begin)
                share = depths[kept] / (depths[kept] - depths[other])
                for axis in range(2):
                    start = _coordinate(matrix, axis, positions[first + kept])
                    stop = _coordinate(matrix, axis, positions[first + other])
                    lines[count, axis if is_kept else 2 + axis] = start + share * (stop - start)
            owners[count] = i
            triangles[count] = triangle
            count += 1
    return lines[:count].copy(), owners[:count].copy(), triangles[:count].copy()


@kernel
def _coordinate(matrix: np.ndarray, row: int, point: np.ndarray) -> float:
    return matrix[row, 0] * point[0] + matrix[row, 1] * point[1] + matrix[row, 2] * point[2] + matrix[row, 3]


def closed_lines(lines: np.ndarray, owners: np.ndarray, owner_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the lines that enclose something.

    Args:
        lines: (s, 4) as cut_lines returns them.
        owners: (s,) int64 indices of their nodes.
        owner_count: number of nodes.

    Returns:
        (s,) bool: whether a line is part of a closed outline, and has a length; and (owner_count,) bool: whether the
        directions of a node's lines agree, so that what they run around is inside. Else inside is what an odd number
        of lines surrounds.
    """
    ends = lines.reshape(-1, 2)
    owners_of_ends = np.repeat(owners, 2)
    order = np.lexsort((ends[:, 1], ends[:, 0], owners_of_ends))
    is_new = np.ones(len(ends), dtype=bool)
    if len(ends):
        is_new[1:] = (np.diff(ends[order], axis=0) != 0.0).any(axis=1) | (np.diff(owners_of_ends[order]) != 0)
    points = np.empty(len(ends), dtype=np.int64)
    points[order] = np.cumsum(is_new) - 1
    pairs = points.reshape(-1, 2)
    point_count = int(is_new.sum())
    surplus = np.bincount(pairs[:, 0], minlength=point_count) != np.bincount(pairs[:, 1], minlength=point_count)
    agree = np.ones(owner_count, dtype=bool)
    agree[owners_of_ends[order][is_new][surplus]] = False
    is_closed = pairs[:, 0] != pairs[:, 1]
    drop_open(pairs, point_count, is_closed)
    return is_closed, agree


@kernel
def drop_open(pairs: np.ndarray, point_count: int, is_closed: np.ndarray) -> None:
    """Drop chains of lines between points at which an odd number of lines end, until there is no such point.

    Args:
        pairs: (s, 2) int64, the points at the ends of each line.
        point_count: number of points.
        is_closed: (s,) bool, the lines that count; set to False for those that are dropped.
    """
    degrees = np.zeros(point_count + 1, dtype=np.int64)
    for line in range(len(pairs)):
        if is_closed[line]:
            degrees[pairs[line, 0]] += 1
            degrees[pairs[line, 1]] += 1
    begins = np.zeros(point_count + 1, dtype=np.int64)
    for point in range(point_count):
        begins[point + 1] = begins[point] + degrees[point]
    nexts = begins[:point_count].copy()
    at_point = np.empty(begins[point_count], dtype=np.int64)
    for line in range(len(pairs)):
        if is_closed[line]:
            for end in range(2):
                point = pairs[line, end]
                at_point[nexts[point]] = line
                nexts[point] += 1
    nexts[:] = begins[:point_count]
    for loose_ends_alone in (True, False):  # first those: a chain that hangs on a closed outline leaves it whole
        for first in range(point_count):
            point = first
            is_open = degrees[point] == 1 if loose_ends_alone else degrees[point] % 2 == 1
            while is_open:
                while not is_closed[at_point[nexts[point]]]:
                    nexts[point] += 1
                line = at_point[nexts[point]]
                is_closed[line] = False
                degrees[point] -= 1
                point = pairs[line, 0] if pairs[line, 1] == point else pairs[line, 1]
                degrees[point] -= 1
                is_open = degrees[point] % 2 == 1  # else another chain ended here
