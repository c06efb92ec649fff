"""Kernels of frustum_select: nodes' triangles, lines and points against planes."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

# Of a triangle that twelve planes have cut, a frustum's and a section's: each adds one corner; where numbers overflow,
# half as many as there are.
_MOST_CORNERS = int(3 * 1.5**12) + 1


@kernel
def choose_by_planes(
    ids: np.ndarray,
    planes: np.ndarray,
    section_count: int,
    origin: np.ndarray,
    world_from_local: np.ndarray,
    mesh_ids: np.ndarray,
    boxes: np.ndarray,
    firsts: np.ndarray,
    counts: np.ndarray,
    positions: np.ndarray,
    triangles: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    wholly: bool,
    chosen: np.ndarray,
) -> None:
    """Write to `chosen`, (k,) bool, which nodes are inside planes about an origin, or touch what these enclose.

    The first planes, `section_count` of them, are those of a section.
    """
    local_planes = np.empty((len(planes), 4))
    polygon = np.empty((2, _MOST_CORNERS, 3))
    distances = np.empty(_MOST_CORNERS)
    for i in range(len(ids)):
        node = ids[i]
        mesh = mesh_ids[node]
        for plane in range(len(planes)):
            for column in range(4):
                total = planes[plane, 3] if column == 3 else 0.0
                for row in range(3):
                    below = origin[row] if column == 3 else 0.0
                    total += planes[plane, row] * (world_from_local[node, row, column] - below)
                local_planes[plane, column] = total
        side = _side_of_box(local_planes, boxes[mesh])
        if side != 0:
            chosen[i] = side > 0
            continue
        vertices = positions[firsts[mesh, 0] : firsts[mesh, 0] + counts[mesh, 0]]
        corners = triangles[firsts[mesh, 1] : firsts[mesh, 1] + counts[mesh, 1]]
        ends = lines[firsts[mesh, 2] : firsts[mesh, 2] + counts[mesh, 2]]
        if wholly and section_count > 0:
            seen = 0
            for elements, size in ((corners, 3), (ends, 2)):
                found = _seen_inside(local_planes, section_count, vertices, elements, size, polygon, distances)
                seen = -1 if seen < 0 or found < 0 else seen + found
            for k in range(firsts[mesh, 3], firsts[mesh, 3] + counts[mesh, 3]):
                if seen >= 0 and _is_inside(local_planes[:section_count], vertices[points[k]]):
                    seen = seen + 1 if _is_inside(local_planes, vertices[points[k]]) else -1
            chosen[i] = seen > 0
            continue
        if wholly:
            chosen[i] = True
            for vertex in vertices:
                if not _is_inside(local_planes, vertex):
                    chosen[i] = False
                    break
            continue
        chosen[i] = any_touches(local_planes, vertices, corners, 3, polygon, distances) or any_touches(
            local_planes, vertices, ends, 2, polygon, distances
        )
        for k in range(firsts[mesh, 3], firsts[mesh, 3] + counts[mesh, 3]):
            if chosen[i] or _is_inside(local_planes, vertices[points[k]]):
                chosen[i] = True
                break


@kernel
def _side_of_box(planes: np.ndarray, box: np.ndarray) -> int:
    """Compare a box, (2, 3), with planes: 1, it is inside all; -1, it is outside of one; 0, neither is sure."""
    inside = True
    for plane in range(len(planes)):
        nearest = farthest = planes[plane, 3]
        for axis in range(3):
            a = planes[plane, axis] * box[0, axis]
            b = planes[plane, axis] * box[1, axis]
            nearest += min(a, b)
            farthest += max(a, b)
        if farthest < 0.0:
            return -1
        inside &= nearest >= 0.0
    return 1 if inside else 0


@kernel
def _distance(planes: np.ndarray, plane: int, point: np.ndarray) -> float:
    return planes[plane, 0] * point[0] + planes[plane, 1] * point[1] + planes[plane, 2] * point[2] + planes[plane, 3]


@kernel
def _is_inside(planes: np.ndarray, point: np.ndarray) -> bool:
    plane = 0
    while plane < len(planes) and _distance(planes, plane, point) >= 0.0:
        plane += 1
    return plane == len(planes)


@kernel
def any_touches(
    planes: np.ndarray,
    vertices: np.ndarray,
    elements: np.ndarray,
    size: int,
    polygon: np.ndarray,
    distances: np.ndarray,
) -> bool:
    """Tell whether a part of any triangle (size 3) or line (size 2) lies inside all planes.

    `polygon`, (2, most, 3), and `distances` are scratch.
    """
    for k in range(len(elements)):  # noqa: SIM110  (numba knows no generators)
        if _clip(planes, vertices, elements[k], size, polygon, distances)[0] > 0:
            return True
    return False


@kernel
def _seen_inside(
    planes: np.ndarray,
    section_count: int,
    vertices: np.ndarray,
    elements: np.ndarray,
    size: int,
    polygon: np.ndarray,
    distances: np.ndarray,
) -> int:
    """Count the triangles (size 3) or lines (size 2) of which a section leaves a part.

    Args:
        planes: (p, 4), those of the section first.
        vertices: (v, 3).
        elements: (e, size) indices of them.
        polygon: scratch, as for `any_touches`.
        distances: scratch.

    Returns:
        the count, or -1 if any such part is not wholly inside the other planes.
    """
    seen = 0
    for k in range(len(elements)):
        count, source = _clip(planes[:section_count], vertices, elements[k], size, polygon, distances)
        for corner in range(count):
            if not _is_inside(planes[section_count:], polygon[source, corner]):
                return -1
        seen += count > 0
    return seen


@kernel
def _clip(
    planes: np.ndarray,
    vertices: np.ndarray,
    corners: np.ndarray,
    size: int,
    polygon: np.ndarray,
    distances: np.ndarray,
) -> tuple[int, int]:
    """Cut from a triangle (size 3) or line (size 2) what is outside of any plane, by one plane after the other.

    Source: Sutherland and Hodgman, "Reentrant polygon clipping", 1974.

    Returns:
        the number of corners that remain, and in which half of `polygon`, (2, most, 3), they are.
    """
    for corner in range(size):
        for axis in range(3):
            polygon[0, corner, axis] = vertices[corners[corner], axis]
    count = size
    source = 0
    for plane in range(len(planes)):
        outside = 0
        for corner in range(count):
            distances[corner] = _distance(planes, plane, polygon[source, corner])
            outside += distances[corner] < 0.0
        if outside == count:
            return 0, source
        if outside == 0:
            continue
        kept = 0
        target = 1 - source
        for corner in range(count):
            following = (corner + 1) % count
            a = distances[corner]
            b = distances[following]
            if a >= 0.0:
                polygon[target, kept] = polygon[source, corner]
                kept += 1
            if (a >= 0.0) != (b >= 0.0):
                part = a / (a - b)
                for axis in range(3):
                    begin = polygon[source, corner, axis]
                    polygon[target, kept, axis] = begin + part * (polygon[source, following, axis] - begin)
                kept += 1
        count = kept
        source = target
    return count, source
