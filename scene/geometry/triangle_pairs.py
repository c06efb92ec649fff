"""Decide whether two triangles are apart, touch or cross, by signs that are exact.

`corners`, (6, 3) float64, holds the corners of the first triangle in rows 0 to 2, of the second in rows 3 to 5.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.geometry.predicates import orientation, side_of_plane

APART, TOUCHES, CROSSES = 0, 1, 2
_PARALLEL = 1e-20  # squared sine between edges below which their cross product holds nothing but rounding


@kernel
def contact(corners: np.ndarray, facing: int) -> int:
    """Decide how two triangles meet (Guigue and Devillers, "Fast and Robust Triangle-Triangle Overlap Test", 2003).

    They cross where each reaches to both sides of the other's plane and they have more than one point in common; or
    where they lie in one plane, face the same way and have an area in common. Other triangles with a point in common
    touch. A triangle without area is no surface: it is apart from all.

    Args:
        facing: 1 where both face as they are wound, -1 where one of the two faces the other way.
    """
    side_0 = side_of_plane(corners, 3, 4, 5, 0)
    side_1 = side_of_plane(corners, 3, 4, 5, 1)
    side_2 = side_of_plane(corners, 3, 4, 5, 2)
    if side_0 == side_1 == side_2 != 0:
        return APART
    side_3 = side_of_plane(corners, 0, 1, 2, 3)
    side_4 = side_of_plane(corners, 0, 1, 2, 4)
    side_5 = side_of_plane(corners, 0, 1, 2, 5)
    if side_3 == side_4 == side_5 != 0:
        return APART
    if side_0 == side_1 == side_2 or side_3 == side_4 == side_5:
        return _contact_in_plane(corners, facing)
    # Each triangle meets the line in which the planes cross in an interval; its ends lie on the two edges from the
    # corner that is alone on its side. p, q, r and s, t, u are the corners, the lone ones first, in an order that makes
    # two signs tell whether the intervals overlap.
    first, upside_first = _lone_corner(side_0, side_1, side_2)
    second, upside_second = _lone_corner(side_3, side_4, side_5)
    p, q, r = first, (first + 1) % 3, (first + 2) % 3
    if upside_second < 0:
        q, r = r, q
    s, t, u = 3 + second, 3 + (second + 1) % 3, 3 + (second + 2) % 3
    if upside_first < 0:
        t, u = u, t
    begins = side_of_plane(corners, q, s, p, t)
    ends = side_of_plane(corners, p, s, r, u)
    if begins > 0 or ends > 0:
        return APART
    through_second = min(side_0, side_1, side_2) < 0 < max(side_0, side_1, side_2)
    through_first = min(side_3, side_4, side_5) < 0 < max(side_3, side_4, side_5)
    return CROSSES if begins < 0 and ends < 0 and through_first and through_second else TOUCHES


@borrowing_kernel
def _lone_corner(a: int, b: int, c: int) -> tuple[int, int]:
    """Find the corner that is alone on its side of a plane, and that side, 1 or -1; the signs are not all equal."""
    if a == b:
        lone, sign, other = 2, c, a
    elif a == c:
        lone, sign, other = 1, b, a
    elif b == c:
        lone, sign, other = 0, a, b
    elif a == 0:  # 0, 1 and -1 in some order: 0 goes with -1
        lone, sign, other = (1, b, a) if b > 0 else (2, c, a)
    elif b == 0:
        lone, sign, other = (0, a, b) if a > 0 else (2, c, b)
    else:
        lone, sign, other = (0, a, c) if a > 0 else (1, b, c)
    return lone, sign if sign != 0 else -other


@kernel
def _contact_in_plane(corners: np.ndarray, facing: int) -> int:
    """Do what `contact` does, for triangles in one plane, or of which one has no area."""
    u, v, largest = 0, 0, -1.0
    orientation_second = 0
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        area = abs(
            (corners[3, i] - corners[5, i]) * (corners[4, j] - corners[5, j])
            - (corners[3, j] - corners[5, j]) * (corners[4, i] - corners[5, i])
        )
        if area > largest:
            found = orientation(corners, 3, 4, 5, i, j)
            if found != 0:
                u, v, largest, orientation_second = i, j, area, found
    if orientation_second == 0:
        return APART
    orientation_first = orientation(corners, 0, 1, 2, u, v)
    if orientation_first == 0:
        return APART
    area_in_common = True
    for own, other, sign in ((0, 3, orientation_first), (3, 0, orientation_second)):
        for edge in range(3):
            innermost = -1
            for corner in range(3):
                side = sign * orientation(corners, own + edge, own + (edge + 1) % 3, other + corner, u, v)
                innermost = max(innermost, side)
            if innermost < 0:
                return APART
            area_in_common &= innermost > 0
    return CROSSES if area_in_common and orientation_first * orientation_second * facing > 0 else TOUCHES


@kernel
def meeting(corners: np.ndarray, scratch: np.ndarray, facing: int, rounding: float, tolerance: float) -> int:
    """Decide how two triangles meet whose corners are uncertain by `rounding`; with both distances 0 as `contact`.

    Triangles that face the same way and lie in one plane within rounding are one surface. Triangles that only rounding
    may have separated touch; so do those that cross no deeper than `tolerance` or rounding.
    """
    kind = contact(corners, facing)
    if rounding == 0.0 and (tolerance == 0.0 or kind != CROSSES):
        return kind
    normals, edges, direction = scratch[:2], scratch[2:8], scratch[8]
    for triangle in range(2):
        first = 3 * triangle
        for corner in range(3):
            for axis in range(3):
                edges[first + corner, axis] = corners[first + (corner + 1) % 3, axis] - corners[first + corner, axis]
        normal = normals[triangle]
        _cross(edges[first], edges[first + 1], normal)
        squares = _dot(edges[first], edges[first]) * _dot(edges[first + 1], edges[first + 1])
        if not _dot(normal, normal) > _PARALLEL * squares:  # no area but for rounding: which way it faces is chance
            return kind
    if (
        rounding > 0.0
        and _dot(normals[0], normals[1]) * facing > 0.0
        and (_thickness(corners, 3, normals[0], 0) <= rounding or _thickness(corners, 0, normals[1], 3) <= rounding)
    ):
        overlap = _overlap_in_planes(corners, normals, edges, direction, -rounding)
        return CROSSES if overlap > rounding else TOUCHES if overlap >= -rounding else APART
    if kind == TOUCHES:
        return TOUCHES
    overlap = _overlap_in_space(corners, normals, edges, direction, -rounding)
    if kind == CROSSES:
        return CROSSES if overlap > max(rounding, tolerance) else TOUCHES
    return TOUCHES if overlap >= -rounding else APART


@borrowing_kernel
def _overlap_in_planes(
    corners: np.ndarray, normals: np.ndarray, edges: np.ndarray, direction: np.ndarray, enough: float
) -> float:
    """Compute the least overlap along the normals of edges in their triangles' planes; any number if below `enough`."""
    least = np.inf
    for edge in range(6):
        _cross(normals[edge // 3], edges[edge], direction)
        least = min(least, _overlap(corners, direction))
        if least < enough:
            break
    return least


@borrowing_kernel
def _overlap_in_space(
    corners: np.ndarray, normals: np.ndarray, edges: np.ndarray, direction: np.ndarray, enough: float
) -> float:
    """Compute how far one triangle must be moved until the two do not cross; any number if below `enough`.

    That is the least overlap along the directions that can separate triangles: their normals, the cross products of
    their edges, and the normals of edges in their planes.
    """
    least = min(_overlap(corners, normals[0]), _overlap(corners, normals[1]))
    if least < enough:
        return least
    least = min(least, _overlap_in_planes(corners, normals, edges, direction, enough))
    for i in range(3):
        for j in range(3, 6):
            if least < enough:
                return least
            _cross(edges[i], edges[j], direction)
            squares = _dot(edges[i], edges[i]) * _dot(edges[j], edges[j])
            if _dot(direction, direction) > _PARALLEL * squares:
                least = min(least, _overlap(corners, direction))
    return least


@borrowing_kernel
def _thickness(corners: np.ndarray, first: int, normal: np.ndarray, origin: int) -> float:
    """Compute the largest distance of the triangle that begins at row `first` from a plane through row `origin`."""
    farthest = 0.0
    for corner in range(first, first + 3):
        distance = 0.0
        for axis in range(3):
            distance += (corners[corner, axis] - corners[origin, axis]) * normal[axis]
        farthest = max(farthest, abs(distance))
    return farthest / np.sqrt(_dot(normal, normal))


@borrowing_kernel
def _overlap(corners: np.ndarray, direction: np.ndarray) -> float:
    """Compute by how much the triangles' projections on a direction overlap; infinite for one of length zero."""
    length = np.sqrt(_dot(direction, direction))
    if length == 0.0:
        return np.inf
    first_low = second_low = np.inf
    first_high = second_high = -np.inf
    for corner in range(3):
        along = _dot(corners[corner], direction)
        first_low, first_high = min(first_low, along), max(first_high, along)
        along = _dot(corners[3 + corner], direction)
        second_low, second_high = min(second_low, along), max(second_high, along)
    return min(first_high - second_low, second_high - first_low) / length


@borrowing_kernel
def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@borrowing_kernel
def _cross(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
