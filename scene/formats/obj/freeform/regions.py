"""Regions: what trimming loops leave of a surface's range of parameters, as triangles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octoscope.scene.formats.obj.freeform.refining import divided, edges_of
from octoscope.scene.geometry.triangulation import triangulate_all

_SAME = 1e-9  # of a range of parameters
_MOST_TIMES = 9  # that an edge is divided
_MOST_TURNS = 1000  # of diagonals, one after the other


def region_triangles(
    outer: np.ndarray, holes: Sequence[np.ndarray], steps: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Cut a polygon with holes into triangles.

    Args:
        outer, holes: (n, 2) float64 each, closed, of either orientation.
        steps: (2,) float64, how far a triangle may reach along u and v.

    Returns:
        (p, 2) float64 points, and (t, 3) int64 triangles, counter-clockwise.
    """
    polygon = _turned(outer, 1.0)
    for hole in sorted(holes, key=lambda points: -points[:, 0].max()):
        polygon = _with_hole(polygon, _turned(hole, -1.0), holes)
    scaled = np.column_stack([(polygon - polygon.min(axis=0)) / steps, np.zeros(len(polygon))])
    triangles, _ = triangulate_all(scaled, np.array([len(scaled)]), np.arange(len(scaled)))
    a, b, c = scaled[triangles].swapaxes(0, 1)
    areas = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    # A bridge to a hole has the same points twice.
    points, rows, numbers = np.unique(polygon, axis=0, return_index=True, return_inverse=True)
    triangles = _delaunay(scaled[rows, :2], numbers.reshape(-1)[triangles[areas > 0.0]])
    for _ in range(_MOST_TIMES):
        ends, edges = edges_of(triangles)
        is_long = (np.abs(points[ends[:, 1]] - points[ends[:, 0]]) > steps).any(axis=1)
        if not is_long.any():
            break
        middles = np.full(len(ends), -1)
        middles[is_long] = len(points) + np.arange(np.count_nonzero(is_long))
        points = np.concatenate([points, points[ends[is_long]].mean(axis=1)])
        triangles = _delaunay(points / steps, divided(triangles, middles[edges], points / steps))
    return points, triangles


def closed_loop(pieces: Sequence[np.ndarray], domain: np.ndarray) -> tuple[np.ndarray, float]:
    """Join curves that lie end to end to a loop within a domain, u0, u1, v0, v1.

    Returns:
        (n, 2) float64, no point twice in a row; and the widest gap between two ends, as a share of the domain.
    """
    size = np.array([domain[1] - domain[0], domain[3] - domain[2]])
    gaps = [
        np.abs((piece[0] - before[-1]) / size).max()
        for before, piece in zip((pieces[-1], *pieces), pieces, strict=False)
    ]
    points = np.clip(np.concatenate(pieces), domain[[0, 2]], domain[[1, 3]])
    is_new = (np.abs((points - np.roll(points, 1, axis=0)) / size) > _SAME).any(axis=1)
    return points[is_new], max(gaps)


def _delaunay(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Turn the diagonals of (t, 3) triangles, but for those at the border, until no small angle can be made larger.

    Source: Lawson, "Software for C1 surface interpolation", 1977; as many diagonals at once as share no triangle.
    """
    for _ in range(_MOST_TURNS):
        begins, ends, apexes = (np.roll(triangles, -k, axis=1).ravel() for k in range(3))
        order = np.lexsort((np.maximum(begins, ends), np.minimum(begins, ends)))
        first, second = order[:-1], order[1:]
        is_shared = (begins[first] == ends[second]) & (ends[first] == begins[second])
        first, second = first[is_shared], second[is_shared]
        a, b, c, d = begins[first], ends[first], apexes[first], apexes[second]
        cosines, sines = zip(_angle(points, c, a, b), _angle(points, d, b, a), strict=True)
        scale = np.hypot(cosines[0], sines[0]) * np.hypot(cosines[1], sines[1])
        is_flat = sines[0] * cosines[1] + cosines[0] * sines[1] < -_SAME * scale
        rows = np.flatnonzero(is_flat & (first // 3 != second // 3))
        best = np.full(len(triangles), len(first))
        for halves in (first, second):
            np.minimum.at(best, halves[rows] // 3, rows)
        rows = rows[(best[first[rows] // 3] == rows) & (best[second[rows] // 3] == rows)]
        if len(rows) == 0:
            break
        triangles[first[rows] // 3] = np.stack([a[rows], d[rows], c[rows]], axis=1)
        triangles[second[rows] // 3] = np.stack([d[rows], b[rows], c[rows]], axis=1)
    return triangles


def _angle(points: np.ndarray, at: np.ndarray, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return cosine and sine, times the lengths of its sides, of angles from one point to another."""
    x, y = (points[begin] - points[at]).T
    other_x, other_y = (points[end] - points[at]).T
    return x * other_x + y * other_y, x * other_y - y * other_x


def _turned(loop: np.ndarray, sign: float) -> np.ndarray:
    """Return a loop counter-clockwise, for a sign of 1, or clockwise."""
    following = np.roll(loop, -1, axis=0)
    area = (loop[:, 0] * following[:, 1] - loop[:, 1] * following[:, 0]).sum()
    return loop if area * sign > 0.0 else loop[::-1]


def _with_hole(polygon: np.ndarray, hole: np.ndarray, holes: Sequence[np.ndarray]) -> np.ndarray:
    """Return a polygon that goes into a hole and back, along a bridge that crosses no line."""
    start = int(hole[:, 0].argmax())
    corner = hole[start]
    begins = np.concatenate([polygon, *holes])
    ends = np.concatenate([np.roll(loop, -1, axis=0) for loop in (polygon, *holes)])
    order = np.argsort(np.linalg.norm(polygon - corner, axis=1), kind="stable")
    at = next((int(k) for k in order if not _crosses(corner, polygon[k], begins, ends)), int(order[0]))
    around = np.roll(hole, -start, axis=0)
    return np.concatenate([polygon[: at + 1], around, around[:1], polygon[at:]])


def _crosses(begin: np.ndarray, end: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> bool:
    """Tell whether a segment crosses one of others; those that only touch it do not."""

    def side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        return np.sign((b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0])

    across = side(begin, end, begins) * side(begin, end, ends) < 0
    return bool((across & (side(begins, ends, begin) * side(begins, ends, end) < 0)).any())
