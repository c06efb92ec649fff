"""DetailLevels: coarser triangles over the same vertices, for objects that are drawn small.

So a level is nothing but other indices (scene.mesh.vertex_clustering).

Nothing else knows these triangles: picking, measuring, files and edits see the meshes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from octoscope.scene import Meshes
from octoscope.scene.mesh.table import ColumnTable
from octoscope.scene.mesh.vertex_clustering import cluster_vertices
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.detail.level_choice import LEVELS, choose_levels
from octoscope.viewer.frame.detail.screen_size_culling import drawn_diameters

_CELLS = (1024, 256, 64, 16, 4, 2)  # of the grid along each axis, from the finest level to the coarsest
_MOST_TRIANGLES = 0.75  # of a level, as a share of the finer one's


@dataclass(frozen=True, eq=False)
class Simplified:
    """Levels of some meshes, yet to be added."""

    first_row: int  # of DetailLevels.rows, that they begin with
    counts: np.ndarray  # (m * LEVELS,) int64 triangles of each level; 0 for one that is not worth it
    errors: np.ndarray  # (m * LEVELS,) float32 how far anything is off, as a share of the radius of the mesh's sphere
    corners: np.ndarray  # (t, 3) int32, counted from the mesh's first vertex, level by level


class DetailLevels:
    """The levels of a pool's meshes; like the pool they only grow.

    Columns by mesh id times LEVELS plus level (`rows`): first_coarse, coarse_count, error as in Simplified.
    By triangle (`triangles`): corners (3,) int32, counted from the mesh's first vertex.
    """

    def __init__(self, meshes: Meshes) -> None:
        self.meshes = meshes  # the pool
        self.rows = ColumnTable(first_coarse=(np.int64, ()), coarse_count=(np.int64, ()), error=(np.float32, ()))
        self.triangles = ColumnTable(corners=(np.int32, (3,)))

    @property
    def is_complete(self) -> bool:
        """True if all meshes of the pool have their levels."""
        return len(self.rows) == LEVELS * len(self.meshes)

    def missing(self) -> Callable[[], Simplified]:
        """Return a function that makes the levels that are missing, for a thread beside the window's."""
        meshes, done = self.meshes, len(self.rows) // LEVELS
        names = ("first_vertex", "vertex_count", "first_triangle", "triangle_count", "lower", "upper", "sphere")
        rows = {name: meshes.rows[name][done:] for name in names}
        first_vertex, first_triangle = (int(rows[name][0]) if len(rows[name]) else 0 for name in (names[0], names[2]))
        positions, materials = (meshes.vertices[name][first_vertex:] for name in ("position", "material"))
        corners = meshes.triangles["corners"][first_triangle:]
        rows["first_vertex"] = rows["first_vertex"] - first_vertex
        return lambda: _simplified(LEVELS * done, rows, positions, materials, corners)

    def add(self, made: Simplified) -> None:
        """Add what a function of `missing` returned; of two of the same meshes the second is ignored."""
        if made.first_row != len(self.rows):
            return
        added = self.triangles.adopt(len(made.corners), corners=made.corners)
        firsts = added.start + np.cumsum(made.counts) - made.counts
        self.rows.append(len(made.counts), first_coarse=firsts, coarse_count=made.counts, error=made.errors)

    def chosen(
        self, nodes: np.ndarray, mesh_ids: np.ndarray, spheres: np.ndarray, camera: Camera, height: float
    ) -> np.ndarray:
        """Choose for nodes the coarsest level that is off by MOST_OFF_PX at most.

        Args:
            nodes: (k,) int32.
            mesh_ids: (k,) of the nodes.
            spheres: (n, 4) float64 by node id: centre and radius, world.
            height: of the picture, pixels.

        Returns:
            (k,) int64 rows of the levels; -1 for the mesh itself.
        """
        chosen = np.full(len(nodes), -1, dtype=np.int64)
        if len(self.rows):
            radii_px = drawn_diameters(nodes, spheres, camera, height) / 2.0
            choose_levels(mesh_ids, radii_px, self.rows["coarse_count"], self.rows["error"], chosen)
        return chosen


def _simplified(
    first_row: int, rows: dict[str, np.ndarray], positions: np.ndarray, materials: np.ndarray, corners: np.ndarray
) -> Simplified:
    """Make the levels of meshes.

    Args:
        first_row: as in Simplified.
        rows: columns of the meshes, as Meshes.rows, whose first_vertex counts from the first of `positions`.
        positions: (v, 3) float64 of all vertices, local.
        materials: (v,) int32.
        corners: (t, 3) int32 of all triangles, counted from the mesh's first vertex.
    """
    shape = len(rows["vertex_count"]), LEVELS
    counts, errors = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    clustered = np.empty((int(rows["triangle_count"].sum() / (1.0 - _MOST_TRIANGLES)), 3), dtype=np.int32)
    count = cluster_vertices(
        rows["first_vertex"],
        rows["vertex_count"],
        rows["triangle_count"],
        rows["lower"],
        rows["upper"],
        positions,
        materials,
        corners,
        np.array(_CELLS),
        _MOST_TRIANGLES,
        True,
        counts,
        errors,
        clustered,
    )
    radii = rows["sphere"][:, 3:]
    errors /= np.where(radii > 0.0, radii, np.inf)
    return Simplified(first_row, counts.ravel(), errors.ravel().astype(np.float32), clustered[:count].copy())
