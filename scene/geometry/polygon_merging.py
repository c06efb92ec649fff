"""Merge triangles that were cut from polygons into polygons again."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.triangulation import are_concave


def merge_polygons(
    triangles: np.ndarray, edges: np.ndarray, triangle_counts: np.ndarray, positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Join consecutive triangles that share a side inside a polygon.

    A polygon begins with the first corner of its first triangle; a concave one, whose triangles may begin anywhere,
    with its corner of the lowest vertex.

    Args:
        triangle_counts: (m,) triangles of each mesh; no polygon reaches into the next mesh.

    Returns:
        sizes (p,) and corners (sum of sizes,) of the polygons, int64; and how many belong to each mesh, (m,) int64.
    """
    sizes = np.empty(len(triangles), dtype=np.int64)
    corners = np.empty(3 * len(triangles), dtype=np.int64)
    polygon_counts = np.empty(len(triangle_counts), dtype=np.int64)
    count, corner_count = _merge(triangles, edges, triangle_counts, len(positions), sizes, corners, polygon_counts)
    sizes, corners = sizes[:count], corners[:corner_count]
    large = np.flatnonzero(sizes > 3)
    if len(large):
        firsts = (np.cumsum(sizes) - sizes)[large]
        turned = are_concave(positions, corners, firsts, sizes[large])
        _begin_with_lowest(corners, firsts[turned], sizes[large][turned])
    return sizes, corners, polygon_counts


@kernel
def _merge(
    triangles: np.ndarray,
    edges: np.ndarray,
    triangle_counts: np.ndarray,
    vertex_count: int,
    sizes: np.ndarray,
    corners: np.ndarray,
    polygon_counts: np.ndarray,
) -> tuple[int, int]:
    """Fill sizes, corners and polygon_counts; return how many polygons and corners there are."""
    following = np.empty(vertex_count, np.int64)
    stamps = np.full(vertex_count, -1, np.int64)
    polygon = 0
    corner = 0
    triangle = 0
    for mesh in range(len(triangle_counts)):
        end = triangle + triangle_counts[mesh]
        first_polygon = polygon
        while triangle < end:
            # n triangles of one polygon have 2 (n - 1) sides inside it.
            inside = _sides_inside(edges[triangle])
            n = 1
            while inside > 2 * (n - 1) and triangle + n < end:
                inside += _sides_inside(edges[triangle + n])
                n += 1
            is_polygon = n > 1 and inside == 2 * (n - 1)
            if is_polygon:
                is_polygon = _follow(triangles, edges, triangle, n, following, stamps, corners, corner)
            if is_polygon:
                sizes[polygon] = n + 2
                polygon += 1
                corner += n + 2
            else:
                for i in range(triangle, triangle + n):
                    sizes[polygon] = 3
                    polygon += 1
                    for k in range(3):
                        corners[corner] = triangles[i, k]
                        corner += 1
            triangle += n
        polygon_counts[mesh] = polygon - first_polygon
    return polygon, corner


@kernel
def _sides_inside(edges: int) -> int:
    """Count the sides of a triangle that lie inside its polygon."""
    return 3 - (edges & 1) - (edges >> 1 & 1) - (edges >> 2 & 1)


@kernel
def _follow(
    triangles: np.ndarray,
    edges: np.ndarray,
    first: int,
    n: int,
    following: np.ndarray,
    stamps: np.ndarray,
    corners: np.ndarray,
    corner: int,
) -> bool:
    """Write the n + 2 corners of the polygon that n triangles make; return whether their outer sides are one loop."""
    for i in range(first, first + n):
        for k in range(3):
            if edges[i] >> k & 1:
                vertex = triangles[i, k]
                if stamps[vertex] == first:  # two sides begin here
                    return False
                stamps[vertex] = first
                following[vertex] = triangles[i, (k + 1) % 3]
    vertex = triangles[first, 0]
    for k in range(n + 2):
        if stamps[vertex] != first or (k > 0 and vertex == triangles[first, 0]):
            return False
        corners[corner + k] = vertex
        vertex = following[vertex]
    return vertex == triangles[first, 0]


@kernel
def _begin_with_lowest(corners: np.ndarray, firsts: np.ndarray, sizes: np.ndarray) -> None:
    """Rotate the corners of each of these polygons until the lowest vertex comes first."""
    for i in range(len(firsts)):
        polygon = corners[firsts[i] : firsts[i] + sizes[i]]
        lowest = np.argmin(polygon)
        turned = np.concatenate((polygon[lowest:], polygon[:lowest]))
        polygon[:] = turned
