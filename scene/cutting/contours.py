"""Contours: the lines along which a plane cuts the triangles of meshes, and which of them enclose something.

Two triangles at one side of a mesh compute the same point on it, bit by bit, also where a file has its vertices twice.
So the contour of a closed mesh closes exactly. Gaps far smaller than the contour, such as files have where parts were
rounded, are bridged. What does not close has no inside: it is left out.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

_WIDEST_GAP = 1e-3  # that is bridged, as a share of the diagonal of all contours of an object in a plane
_LOOKED_AT = 8  # loose ends beside each other, of which the nearest is found


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


def closed_lines(lines: np.ndarray, owners: np.ndarray, owner_count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the lines that enclose something, and bridge small gaps between them.

    Args:
        lines: (s, 4) as cut_lines returns them.
        owners: (s,) int64 indices of their nodes.

    Returns:
        (c, 4) float64 lines with a length that are part of closed contours; (c,) int64 indices of the lines that they
        are, or, where they bridge a gap, of one beside it; and (owner_count,) bool: whether the directions of a node's
        lines agree, so that what they run around is inside. Else inside is what an odd number of lines surrounds.
    """
    pairs, places, owners_of_points = _points_of(lines, owners)
    bridging, beside = _bridges(pairs, places, owners_of_points, owner_count)
    pairs = np.concatenate([pairs, bridging])
    agree = np.ones(owner_count, dtype=bool)
    agree[owners_of_points[_surplus(pairs, len(places)) != 0]] = False
    is_closed = pairs[:, 0] != pairs[:, 1]
    drop_open(pairs, len(places), is_closed)
    closed = np.concatenate([lines, places[bridging].reshape(-1, 4)])[is_closed]
    return closed, np.concatenate([np.arange(len(lines)), beside])[is_closed], agree


def _bridges(
    pairs: np.ndarray, places: np.ndarray, owners_of_points: np.ndarray, owner_count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Bridge the small gaps of contours, from each loose end to the nearest one of the same node.

    Args:
        pairs: as of `_points_of`, like the next two.

    Returns:
        (b, 2) int64 points at both ends of each bridge, in the direction of the lines that it joins; and (b,) int64
        indices of a line beside it.
    """
    has_length = pairs[:, 0] != pairs[:, 1]
    loose = np.flatnonzero(np.bincount(pairs[has_length].ravel(), minlength=len(places)) % 2)
    if not len(loose):
        return np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.int64)
    loose = loose[np.lexsort((places[loose, 0], owners_of_points[loose]))]
    lower, upper = np.full((owner_count, 2), np.inf), np.full((owner_count, 2), -np.inf)
    np.minimum.at(lower, owners_of_points, places)
    np.maximum.at(upper, owners_of_points, places)
    found = [np.empty((0, 3))]
    for step in range(1, min(_LOOKED_AT, len(loose) - 1) + 1):
        first, second = loose[:-step], loose[step:]
        gaps = np.hypot(*(places[first] - places[second]).T)
        of = owners_of_points[first]
        is_near = (of == owners_of_points[second]) & (gaps <= _WIDEST_GAP * np.hypot(*(upper - lower)[of].T))
        found.append(np.column_stack([gaps, first, second])[is_near])
    near = np.concatenate(found)
    near = np.concatenate([near, near[:, [0, 2, 1]]])
    near = near[np.argsort(-near[:, 0], kind="stable")]
    partners = np.full(len(places), -1)
    partners[near[:, 1].astype(np.int64)] = near[:, 2].astype(np.int64)  # of several the nearest is written last
    first = np.flatnonzero(partners >= 0)
    first = first[(partners[partners[first]] == first) & (first < partners[first])]
    second = partners[first]
    goes_back = _surplus(pairs, len(places))[first] > 0  # more lines begin there than end
    begins, ends = np.where(goes_back, second, first), np.where(goes_back, first, second)
    beside = np.zeros(len(places), dtype=np.int64)
    beside[pairs] = np.arange(len(pairs))[:, None]
    return np.column_stack([begins, ends]), beside[begins]


def _points_of(lines: np.ndarray, owners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number the points at which lines of a node begin and end.

    Returns:
        (s, 2) int64 numbers of the points at both ends, (p, 2) float64 the points, and (p,) int64 their nodes.
    """
    ends = lines.reshape(-1, 2)
    owners_of_ends = np.repeat(owners, 2)
    order = np.lexsort((ends[:, 1], ends[:, 0], owners_of_ends))
    is_new = np.ones(len(ends), dtype=bool)
    if len(ends):
        is_new[1:] = (np.diff(ends[order], axis=0) != 0.0).any(axis=1) | (np.diff(owners_of_ends[order]) != 0)
    points = np.empty(len(ends), dtype=np.int64)
    points[order] = np.cumsum(is_new) - 1
    return points.reshape(-1, 2), ends[order][is_new], owners_of_ends[order][is_new]


def _surplus(pairs: np.ndarray, point_count: int) -> np.ndarray:
    """Return (point_count,) int64: how many more lines begin at a point than end there."""
    return np.bincount(pairs[:, 0], minlength=point_count) - np.bincount(pairs[:, 1], minlength=point_count)


@kernel
def drop_open(pairs: np.ndarray, point_count: int, is_closed: np.ndarray) -> None:
    """Drop chains of lines between points at which an odd number of lines end, until there is no such point.

    Args:
        pairs: (s, 2) int64, the points at the ends of each line.
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
    for loose_ends_alone in (True, False):  # first those: a chain that hangs on a closed contour leaves it whole
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
