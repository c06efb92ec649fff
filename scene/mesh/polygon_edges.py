"""The sides of the polygons that meshes were made from, without the diagonals that cut the polygons into triangles."""

from __future__ import annotations

import numpy as np

from octoscope.scene.mesh.polygon_sides import sides_once
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.mesh.table import ColumnTable


class PolygonEdges:
    """The sides of a pool's polygons, mesh by mesh, each once; made by `update`, and kept.

    Columns by mesh id (`rows`): first_edge, edge_count.
    By edge (`edges`): ends (2,) int32, counted from the mesh's first vertex, as in Meshes.lines.
    """

    def __init__(self, meshes: Meshes) -> None:
        self.meshes = meshes
        self.rows = ColumnTable(first_edge=(np.int64, ()), edge_count=(np.int64, ()))
        self.edges = ColumnTable(ends=(np.int32, (2,)))

    def update(self) -> None:
        """Add the meshes that are new in the pool."""
        meshes, done = self.meshes, len(self.rows)
        if done == len(meshes):
            return
        first_vertices, vertex_counts, first_triangles, triangle_counts = (
            meshes.rows[name][done:] for name in ("first_vertex", "vertex_count", "first_triangle", "triangle_count")
        )
        first_vertex, first_triangle = int(first_vertices[0]), int(first_triangles[0])
        counts = np.empty(len(meshes) - done, dtype=np.int64)
        ends = sides_once(
            first_vertices - first_vertex,
            vertex_counts,
            first_triangles - first_triangle,
            triangle_counts,
            _compact(meshes.vertices["source_vertex"][first_vertex:]),
            meshes.triangles["corners"][first_triangle:],
            meshes.triangles["edges"][first_triangle:],
            counts,
        )
        edges = self.edges.adopt(len(ends), ends=ends)
        self.rows.append(len(counts), first_edge=edges.start + np.cumsum(counts) - counts, edge_count=counts)


def _compact(source_vertices: np.ndarray) -> np.ndarray:
    """Return numbers from 0 that are equal where the given ones are, and at most four times as large as their count."""
    if len(source_vertices) == 0:
        return source_vertices
    if source_vertices.min() < 0 or source_vertices.max() >= 4 * len(source_vertices):
        return np.unique(source_vertices, return_inverse=True)[1].astype(source_vertices.dtype)
    return source_vertices
