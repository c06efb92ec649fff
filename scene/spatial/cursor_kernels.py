"""Kernels of near_cursor and snapping: what is drawn nearest to the cursor, of each node, of each side."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel


@kernel
def nearest_in_picture(
    ids: np.ndarray,
    world_from_local: np.ndarray,
    mesh_ids: np.ndarray,
    first_vertices: np.ndarray,
    elements: np.ndarray,
    positions: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    origin: np.ndarray,
    pixels_from_relative: np.ndarray,
    cursor: np.ndarray,
    half_widths: np.ndarray,
    tolerance: float,
    section: np.ndarray,
    found: np.ndarray,
    vertices: np.ndarray,
) -> None:
    """Write a row for each node: distance in pixels or inf, depth in clip space, share and relative point; and ends."""
    pair = np.empty(2, dtype=np.int64)
    ends = np.empty((2, 3))
    projected = np.empty((2, 4))
    for i in range(len(ids)):
        node = ids[i]
        mesh = mesh_ids[node]
        first = first_vertices[mesh]
        found[i, 0] = found[i, 1] = np.inf
        lines_begin, lines_count, points_begin, points_count = elements[mesh]
        for element in range(lines_count + points_count):
            is_point = element >= lines_count
            for end in range(2):
                if is_point:
                    pair[end] = points[points_begin + element - lines_count]
                else:
                    pair[end] = lines[lines_begin + element, end]
                _project(
                    world_from_local[node], positions[first + pair[end]], origin, pixels_from_relative, ends[end],
                    projected[end],
                )  # fmt: skip
            low, high = _seen_part(projected, ends, section)
            if low > high or not (is_point or (ends[0] != ends[1]).any()):  # a line without a length is not drawn
                continue
            share, aside, across = _nearest_share(projected, low, high, cursor)
            if is_point:
                distance = max(0.0, max(aside, across) - half_widths[1])
            else:
                distance = max(0.0, np.sqrt(aside * aside + across * across) - half_widths[0])
            if not distance <= tolerance:
                continue
            depth = projected[0, 2] + share * (projected[1, 2] - projected[0, 2])
            w = projected[0, 3] + share * (projected[1, 3] - projected[0, 3])
            depth /= w
            if distance < found[i, 0] or (distance == found[i, 0] and depth < found[i, 1]):
                found[i, 0] = distance
                found[i, 1] = depth
                found[i, 2] = share
                vertices[i] = pair
                for axis in range(3):
                    found[i, 3 + axis] = ends[0, axis] + share * (ends[1, axis] - ends[0, axis])


@kernel
def nearest_shares(
    projected: np.ndarray, ends: np.ndarray, section: np.ndarray, cursor: np.ndarray, found: np.ndarray
) -> None:
    """Write where each side is nearest to the cursor in the picture.

    Args:
        projected: (s, 2, 4) ends of sides in homogeneous pixels; z is clip space's.
        ends: (s, 2, 3) the same about the origin of the planes.
        section: (p, 4) planes, outside of which nothing is drawn.
        cursor: (2,) pixels.
        found: (s, 2), written: share of the side's length, and distance in pixels, inf for one that is not drawn.
    """
    for i in range(len(found)):
        low, high = _seen_part(projected[i], ends[i], section)
        found[i, 1] = np.inf
        if low <= high:
            found[i, 0], aside, across = _nearest_share(projected[i], low, high, cursor)
            found[i, 1] = np.sqrt(aside * aside + across * across)


@kernel
def _project(
    matrix: np.ndarray,
    position: np.ndarray,
    origin: np.ndarray,
    pixels_from_relative: np.ndarray,
    relative: np.ndarray,
    projected: np.ndarray,
) -> None:
    for row in range(3):
        relative[row] = (
            matrix[row, 0] * position[0]
            + matrix[row, 1] * position[1]
            + matrix[row, 2] * position[2]
            + (matrix[row, 3] - origin[row])
        )
    for row in range(4):
        projected[row] = (
            pixels_from_relative[row, 0] * relative[0]
            + pixels_from_relative[row, 1] * relative[1]
            + pixels_from_relative[row, 2] * relative[2]
            + pixels_from_relative[row, 3]
        )


@kernel
def _seen_part(projected: np.ndarray, ends: np.ndarray, section: np.ndarray) -> tuple[float, float]:
    """Return the part of a line between the near and the far plane, and inside a section's planes.

    Args:
        projected: (2, 4) its ends in clip space.
        ends: (2, 3) its ends, about the origin of the planes.
        section: (p, 4).

    Returns:
        where it begins and ends, as shares of the length; 1 and 0 for nothing.
    """
    low, high = 0.0, 1.0
    for plane in range(2 + len(section)):
        if plane < 2:
            sign = 1.0 - 2.0 * plane
            begin = projected[0, 3] + sign * projected[0, 2]
            end = projected[1, 3] + sign * projected[1, 2]
        else:
            normal = section[plane - 2]
            begin = normal[0] * ends[0, 0] + normal[1] * ends[0, 1] + normal[2] * ends[0, 2] + normal[3]
            end = normal[0] * ends[1, 0] + normal[1] * ends[1, 1] + normal[2] * ends[1, 2] + normal[3]
        if begin < 0.0 and end < 0.0:
            return 1.0, 0.0
        if begin < 0.0:
            low = max(low, begin / (begin - end))
        elif end < 0.0:
            high = min(high, begin / (begin - end))
    return low, high


@kernel
def _nearest_share(projected: np.ndarray, low: float, high: float, cursor: np.ndarray) -> tuple[float, float, float]:
    """Find the share of a line's length that is nearest to the cursor in the picture, and its distances in x and y."""
    w_low = projected[0, 3] + low * (projected[1, 3] - projected[0, 3])
    w_high = projected[0, 3] + high * (projected[1, 3] - projected[0, 3])
    x = (projected[0, 0] + low * (projected[1, 0] - projected[0, 0])) / w_low
    y = (projected[0, 1] + low * (projected[1, 1] - projected[0, 1])) / w_low
    along_x = (projected[0, 0] + high * (projected[1, 0] - projected[0, 0])) / w_high - x
    along_y = (projected[0, 1] + high * (projected[1, 1] - projected[0, 1])) / w_high - y
    square = along_x * along_x + along_y * along_y
    part = 0.0
    if square > 0.0:
        part = min(1.0, max(0.0, ((cursor[0] - x) * along_x + (cursor[1] - y) * along_y) / square))
    aside, across = abs(x + part * along_x - cursor[0]), abs(y + part * along_y - cursor[1])
    # Equal steps in the picture are not equal steps along the line: perspective.
    whole = (1.0 - part) * w_high + part * w_low
    return low + (high - low) * (part * w_low / whole if whole > 0.0 else 0.0), aside, across
