"""Polygons of more than three corners: which are concave, and how those fall into triangles.

A fan from the first corner is right for a convex polygon and covers ground outside a concave one.
"""

from __future__ import annotations

import numpy as np

from octree.jit import kernel


def concave(points: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Which polygons turn both ways.

    Args:
        points: (n, 3) float64, the corners of all polygons, one polygon after the other.
        counts: (p,) corners of each polygon, at least 3.

    Returns:
        (p,) bool; False for polygons without an area.
    """
    firsts = np.cumsum(counts) - counts
    following = np.arange(1, len(points) + 1)
    following[firsts + counts - 1] = firsts
    previous = np.empty_like(following)
    previous[following] = np.arange(len(points))
    owner = np.repeat(np.arange(len(counts)), counts)
    about_first = points - points[firsts][owner]
    # Newell's normal, as in Sutherland et al., "A Characterization of Ten Hidden-Surface Algorithms", 1974.
    normals = np.add.reduceat(np.cross(about_first, about_first[following]), firsts)
    turns = np.cross(points - points[previous], points[following] - points)
    along = (turns * normals[owner]).sum(axis=1)
    size = np.maximum.reduceat(np.abs(about_first).max(axis=1), firsts)
    return np.minimum.reduceat(along, firsts) < -1e-12 * size**2 * np.linalg.norm(normals, axis=1)


def triangulate(points: np.ndarray) -> np.ndarray:
    """Cut one polygon into triangles in its own plane, by ears (Meisters, "Polygons have ears", 1975).

    Args:
        points: (n, 3) float64 corners, n at least 3, in order.

    Returns:
        (n - 2, 3) int64 corner numbers, wound as the polygon is. A polygon that crosses itself gets triangles too,
        though no triangulation of it is right.
    """
    points = points - points[0]
    normal = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    dropped = int(np.abs(normal).argmax())
    flat = np.ascontiguousarray(np.delete(points, dropped, axis=1))
    # Without one of its axes the polygon may run the other way around; the ears must lie to the left.
    mirrored = (normal[dropped] < 0.0) != (dropped == 1)
    if mirrored:
        flat[:, 0] *= -1.0
    return _clip_ears(flat)


@kernel
def _clip_ears(points):
    """(n - 2, 3) corner numbers of a polygon's ears; points (n, 2), counter-clockwise."""
    n = len(points)
    triangles = np.empty((n - 2, 3), np.int64)
    before = np.empty(n, np.int64)
    after = np.empty(n, np.int64)
    for i in range(n):
        before[i] = (i - 1) % n
        after[i] = (i + 1) % n
    here = 0
    failures = 0
    count = 0
    while count < n - 2:
        a = before[here]
        c = after[here]
        # When no ear is left the polygon crosses itself: any corner will do, so that this ends.
        if failures >= n - count or _is_ear(points, a, here, c, after):
            triangles[count, 0] = a
            triangles[count, 1] = here
            triangles[count, 2] = c
            count += 1
            after[a] = c
            before[c] = a
            failures = 0
            here = a
        else:
            failures += 1
            here = c
    return triangles


@kernel
def _is_ear(points, a, b, c, after):
    """Whether the corner b turns left and no other corner lies in its triangle."""
    if _turn(points, a, b, c) <= 0.0:
        return False
    other = after[c]
    while other != a:
        if (
            _turn(points, a, b, other) >= 0.0
            and _turn(points, b, c, other) >= 0.0
            and _turn(points, c, a, other) >= 0.0
            and not _same(points, other, a)
            and not _same(points, other, b)
            and not _same(points, other, c)
        ):
            return False
        other = after[other]
    return True


@kernel
def _turn(points, a, b, c):
    return (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        points[c, 0] - points[a, 0]
    )


@kernel
def _same(points, a, b):
    return points[a, 0] == points[b, 0] and points[a, 1] == points[b, 1]
