"""DetailLevels: coarser triangles over the same vertices, for objects that are drawn small.

Vertices are gathered in the cells of a grid over the mesh's box, and all of a cell and a material are drawn as the one
that lies farthest out (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering complex scenes", 1993).
So a level is nothing but other indices. Its vertices keep normals, colours and materials, and the longest way that a
vertex goes is how far anything is off.

Libraries on PyPI were tried. meshoptimizer's binding, whose indices would do as well, has no wheels.
fast-simplification moves vertices, knows no materials, and makes two triangles of a house, off by more than its radius.

Nothing else knows these triangles: picking, measuring, files and edits see the meshes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from octree.jit import kernel
from scene import Meshes
from scene.mesh.table import ColumnTable
from viewer.camera.camera import Camera
from viewer.frame.contribution import drawn_diameters

LEVELS = 6
MOST_OFF_PX = 0.5  # framebuffer pixels
_CELLS = (1024, 256, 64, 16, 4, 2)  # of the grid along each axis, from the finest level to the coarsest
_MOST_TRIANGLES = 0.75  # of a level, as a share of the finer one's


@dataclass(frozen=True, eq=False)
class Simplified:
    """Levels of some meshes, yet to be added.

    Attributes:
        first_row: of DetailLevels.rows, that they begin with.
        counts: (m * LEVELS,) int64 triangles of each level; 0 for one that is not worth it.
        errors: (m * LEVELS,) float32 how far anything is off, as a share of the radius of the mesh's sphere.
        corners: (t, 3) int32, counted from the mesh's first vertex, level by level.
    """

    first_row: int
    counts: np.ndarray
    errors: np.ndarray
    corners: np.ndarray


class DetailLevels:
    """The levels of a pool's meshes; like the pool they only grow.

    Attributes:
        meshes: the pool.

    Columns by mesh id times LEVELS plus level (`rows`): first_coarse, coarse_count, error as in Simplified.
    By triangle (`triangles`): corners (3,) int32, counted from the mesh's first vertex.
    """

    def __init__(self, meshes: Meshes) -> None:
        self.meshes = meshes
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
            camera: that draws them.
            height: of the picture, pixels.

        Returns:
            (k,) int64 rows of the levels; -1 for the mesh itself.
        """
        chosen = np.full(len(nodes), -1, dtype=np.int64)
        if len(self.rows):
            radii_px = drawn_diameters(nodes, spheres, camera, height) / 2.0
            _choose(mesh_ids, radii_px, self.rows["coarse_count"], self.rows["error"], chosen)
        return chosen


@kernel
def _choose(
    mesh_ids: np.ndarray, radii_px: np.ndarray, counts: np.ndarray, errors: np.ndarray, chosen: np.ndarray
) -> None:
    for i in range(len(mesh_ids)):
        first = mesh_ids[i] * LEVELS
        if first < len(counts):
            for row in range(first, first + LEVELS):
                if counts[row] > 0 and errors[row] * radii_px[i] <= MOST_OFF_PX:
                    chosen[i] = row


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
    count = len(rows["vertex_count"])
    counts = np.zeros((count, LEVELS), dtype=np.int64)
    errors = np.full((count, LEVELS), np.inf, dtype=np.float32)
    if count == 0:
        return Simplified(first_row, counts.ravel(), errors.ravel(), np.empty((0, 3), dtype=np.int32))
    mesh_of = np.repeat(np.arange(count), rows["vertex_count"])
    triangle_mesh = np.repeat(np.arange(count), rows["triangle_count"])
    positions, materials, corners = positions[: len(mesh_of)], materials[: len(mesh_of)], corners[: len(triangle_mesh)]
    first_vertex = rows["first_vertex"]
    lower, upper, radii = rows["lower"], rows["upper"], rows["sphere"][:, 3]
    extent = np.where(upper > lower, upper - lower, 1.0)
    in_box = (positions - lower[mesh_of]) / extent[mesh_of]
    outward = ((positions - ((lower + upper) / 2.0)[mesh_of]) ** 2).sum(axis=1)
    finer = rows["triangle_count"].copy()
    whole = corners + first_vertex[triangle_mesh][:, None]
    kept = []
    for level, cells in enumerate(_CELLS):
        x, y, z = (in_box * cells).astype(np.int64).clip(0, cells - 1).T
        cell = ((mesh_of * cells + x) * cells + y) * cells + z
        order = np.lexsort((-outward, materials, cell))
        begins = np.diff(cell[order], prepend=-1) != 0
        cell[order] = np.cumsum(begins) - 1  # from here on numbered without gaps
        begins |= np.diff(materials[order], prepend=0) != 0
        stands_for = np.empty(len(order), dtype=np.int64)
        stands_for[order] = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
        off = np.zeros(count)
        np.maximum.at(off, mesh_of, np.linalg.norm(positions - positions[stands_for], axis=1))
        errors[:, level] = off / np.where(radii > 0.0, radii, np.inf)
        a, b, c = cell[whole].T
        kinds = 0 + (a != b) + (b != c) + (c != a)  # of cells: 3 for a triangle, 2 for a line, 0 for a point
        left, lines = np.flatnonzero(kinds == 3), np.flatnonzero(kinds == 2)
        triangles = stands_for[whole[left]]
        _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
        left, triangles = left[np.sort(first)], triangles[np.sort(first)]
        own = np.bincount(triangle_mesh[left], minlength=count)
        # A line that no triangle ends at is a thin beam or a wire, which would vanish.
        is_used = np.zeros(len(positions), dtype=bool)
        is_used[cell[triangles]] = True
        vanishing = np.bincount(triangle_mesh[lines], ~is_used[cell[whole[lines]]].all(axis=1), minlength=count)
        is_worth_it = (own > 0) & (own <= _MOST_TRIANGLES * finer) & (vanishing == 0)
        finer = np.where(is_worth_it, own, finer)
        counts[:, level] = np.where(is_worth_it, own, 0)
        chosen = is_worth_it[triangle_mesh[left]]
        meshes = triangle_mesh[left][chosen]
        kept.append((meshes * LEVELS + level, triangles[chosen] - first_vertex[meshes][:, None]))
    level_of = np.concatenate([levels for levels, _ in kept])
    all_corners = np.concatenate([triangles for _, triangles in kept]).astype(np.int32)
    return Simplified(first_row, counts.ravel(), errors.ravel(), all_corners[np.argsort(level_of, kind="stable")])
