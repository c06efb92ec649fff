"""Find the sides of polygons that were cut into triangles."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel


@kernel
def sides_once(
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    point_of: np.ndarray,
    corners: np.ndarray,
    edges: np.ndarray,
    counts: np.ndarray,
) -> np.ndarray:
    """List the sides of polygons, lower end first, each once: (e, 2) int32.

    Vertices of one mesh at one point are one end: a hard edge or a seam has two of them. Sides are sorted by their
    lower end, and each upper end remembers the lower end that it was last listed with, so that the time is linear.

    Args:
        first_vertices, vertex_counts, first_triangles, triangle_counts: (m,) int64.
        point_of: (v,) int, equal for vertices at one point.
        counts: (m,) int64, written: how many sides each mesh has.
    """
    vertex_at = np.full(point_of.max() + 1 if len(point_of) else 0, -1, np.int64)
    most = vertex_counts.max()
    same = np.empty(most, np.int32)
    stops = np.empty(most + 1, np.int64)
    met_with = np.full(most, -1, np.int64)
    others = np.empty(3 * triangle_counts.max(), np.int32)
    ends = np.empty((3 * len(corners), 2), np.int32)
    total = 0
    for mesh in range(len(counts)):
        first = first_vertices[mesh]
        count = vertex_counts[mesh]
        triangles = range(first_triangles[mesh], first_triangles[mesh] + triangle_counts[mesh])
        for vertex in range(count):
            point = point_of[first + vertex]
            if vertex_at[point] < first:  # an earlier mesh's
                vertex_at[point] = first + vertex
            same[vertex] = vertex_at[point] - first
        stops[: count + 1] = 0
        for triangle in triangles:
            for k in range(3):
                a = same[corners[triangle, k]]
                b = same[corners[triangle, (k + 1) % 3]]
                if a != b and edges[triangle] >> k & 1:
                    stops[min(a, b) + 1] += 1
        for vertex in range(count):
            stops[vertex + 1] += stops[vertex]
        for triangle in triangles:
            for k in range(3):
                a = same[corners[triangle, k]]
                b = same[corners[triangle, (k + 1) % 3]]
                if a != b and edges[triangle] >> k & 1:
                    others[stops[min(a, b)]] = max(a, b)
                    stops[min(a, b)] += 1
        begin = total
        start = 0
        for vertex in range(count):
            for i in range(start, stops[vertex]):
                if met_with[others[i]] != first + vertex:
                    met_with[others[i]] = first + vertex
                    ends[total, 0] = vertex
                    ends[total, 1] = others[i]
                    total += 1
            start = stops[vertex]
        counts[mesh] = total - begin
    return ends[:total].copy()
