"""Meshes: the triangles of all meshes of a scene, pooled in one set of arrays.

A mesh is a range of vertices and a range of triangles; a hundred thousand of them are rows in a table. Nodes share
a mesh by its id. The pool only grows, so that a copy elsewhere (on the graphics card) sees by its length what is new.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scene.columns import Columns

NO_MESH = -1


@dataclass(frozen=True, eq=False)
class MeshData:
    """One mesh as a reader or a generator gives it; local units.

    Attributes:
        positions: (v, 3) float, finite.
        triangles: (t, 3) int, indices into the positions.
        normals: (v, 3) float unit normals, or None: each triangle is then shaded flat. A zero row means the same
            for the triangles at that vertex.
        material_ids: (v,) int, a material of the scene for each vertex.
        uvs: (v, 2) float texture coordinates, (0, 0) at an image's lower left, or None.
    """

    positions: np.ndarray
    triangles: np.ndarray
    normals: np.ndarray | None
    material_ids: np.ndarray
    uvs: np.ndarray | None = None


class Meshes:
    """All meshes of a scene.

    Columns by mesh id (`rows`): first_vertex, vertex_count, first_triangle, triangle_count, lower and upper (3,)
    the local box, sphere (4,) the local bounding sphere (centre, radius).
    Columns by vertex (`vertices`): position (3,) float64 local, normal (3,) and uv (2,) float32,
    material int32.
    Columns by triangle (`triangles`): corners (3,) int32, counted from the mesh's first vertex.
    """

    def __init__(self) -> None:
        self.rows = Columns(
            first_vertex=(np.int64, ()),
            vertex_count=(np.int64, ()),
            first_triangle=(np.int64, ()),
            triangle_count=(np.int64, ()),
            lower=(np.float64, (3,)),
            upper=(np.float64, (3,)),
            sphere=(np.float64, (4,)),
        )
        self.vertices = Columns(
            position=(np.float64, (3,)), normal=(np.float32, (3,)), uv=(np.float32, (2,)), material=(np.int32, ())
        )
        self.triangles = Columns(corners=(np.int32, (3,)))

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, mesh: MeshData, *, first_material: int = 0) -> int:
        """Append a mesh and return its id; its material ids count from `first_material` on.

        Raises:
            ValueError: no triangles, wrong shapes, an index out of range or a position that is not finite.
        """
        positions = np.asarray(mesh.positions, dtype=np.float64)
        triangles = np.asarray(mesh.triangles)
        material_ids = np.asarray(mesh.material_ids) + first_material
        if positions.ndim != 2 or positions.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
            raise ValueError(f"positions (v, 3) and triangles (t, 3) needed, not {positions.shape}, {triangles.shape}")
        if triangles.dtype.kind not in "iu" or material_ids.dtype.kind not in "iu":
            raise ValueError("triangles and material ids must be integers")
        if len(triangles) == 0:
            raise ValueError("a mesh needs at least one triangle")
        if triangles.min() < 0 or triangles.max() >= len(positions):
            raise ValueError(f"a triangle's index is outside 0 to {len(positions) - 1}")
        if not np.isfinite(positions).all():
            raise ValueError("a mesh's positions must be finite")
        lower, upper, sphere = bounds_of(positions)
        vertices = self.vertices.append(
            len(positions),
            position=positions,
            normal=0.0 if mesh.normals is None else mesh.normals,
            uv=0.0 if mesh.uvs is None else mesh.uvs,
            material=material_ids,
        )
        corners = self.triangles.append(len(triangles), corners=triangles)
        row = self.rows.append(
            1,
            first_vertex=vertices.start,
            vertex_count=len(vertices),
            first_triangle=corners.start,
            triangle_count=len(corners),
            lower=lower,
            upper=upper,
            sphere=sphere,
        )
        return row.start

    def positions_of(self, mesh_id: int) -> np.ndarray:
        """(v, 3) float64 local positions of one mesh, a view."""
        first = self.rows["first_vertex"][mesh_id]
        return self.vertices["position"][first : first + self.rows["vertex_count"][mesh_id]]

    def triangles_of(self, mesh_id: int) -> np.ndarray:
        """(t, 3) int32 triangles of one mesh, a view."""
        first = self.rows["first_triangle"][mesh_id]
        return self.triangles["corners"][first : first + self.rows["triangle_count"][mesh_id]]


def bounds_of(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Box (lower, upper) and sphere (centre x, y, z, radius) of (v, 3) positions; the sphere about the box's middle."""
    lower, upper = positions.min(axis=0), positions.max(axis=0)
    middle = lower / 2.0 + upper / 2.0
    offsets = positions - middle
    largest = np.abs(offsets).max() or 1.0  # first, so that squares neither vanish nor overflow
    radius = largest * np.sqrt(((offsets / largest) ** 2).sum(axis=1).max())
    return lower, upper, np.append(middle, radius * (1.0 + 1e-15))
