"""Meshes: the triangles, lines and points of all meshes of a scene, pooled in one set of arrays.

A mesh is a range of each; a hundred thousand of them are rows in a table. Nodes share a mesh by its id. The pool only
grows, so that a copy elsewhere (on the graphics card) sees by its length what is new.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from octree.jit import kernel
from scene.columns import Columns

NO_MESH = -1
ALL_EDGES = 0b111
WHITE = 255


@dataclass(frozen=True, eq=False)
class MeshData:
    """One mesh as a reader or a generator gives it; local units.

    Attributes:
        positions: (v, 3) float, finite.
        triangles: (t, 3) int, indices into the positions.
        normals: (v, 3) float unit normals, or None: each triangle is then shaded flat. A zero row means the same
            for the triangles at that vertex.
        material_ids: (v,) int, a material for each vertex.
        uvs: (v, 2) float texture coordinates, (0, 0) at an image's lower left, or None.
        colors: (v, 4) uint8 sRGB and opacity, which multiply the material's, or None: white.
        source_vertices: (v,) int, the vertex's number in its file, from 0; vertices that differ only in normal,
            texture coordinates or material share it. None: every vertex is its own.
        edges: (t,) uint8, bit k set where the side from corner k to the next was a side of the polygon that the
            triangle was cut from, or None: all were.
        lines: (l, 2) int, indices into the positions, or None. points: (p,) int, likewise.
    """

    positions: np.ndarray
    triangles: np.ndarray
    normals: np.ndarray | None
    material_ids: np.ndarray
    uvs: np.ndarray | None = None
    colors: np.ndarray | None = None
    source_vertices: np.ndarray | None = None
    edges: np.ndarray | None = None
    lines: np.ndarray | None = None
    points: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class MeshBatch:
    """Many meshes in one set of arrays, each mesh's part behind the one before; indices count within a mesh.

    Attributes:
        vertex_counts, triangle_counts, line_counts, point_counts: (m,) int.
        names: (m,) StringDType, what the file calls them; with a number among equals they find a mesh again.
        the others: as in MeshData, with arrays in place of None.
    """

    vertex_counts: np.ndarray
    triangle_counts: np.ndarray
    line_counts: np.ndarray
    point_counts: np.ndarray
    names: np.ndarray
    positions: np.ndarray
    normals: np.ndarray
    uvs: np.ndarray
    colors: np.ndarray
    material_ids: np.ndarray
    source_vertices: np.ndarray
    triangles: np.ndarray
    edges: np.ndarray
    lines: np.ndarray
    points: np.ndarray

    def __len__(self) -> int:
        return len(self.vertex_counts)

    @property
    def nbytes(self) -> int:
        """Of all arrays."""
        return sum(getattr(self, column.name).nbytes for column in fields(self))

    def mesh(self, number: int) -> MeshData:
        """One of them; views."""
        vertices, triangles, lines, points = (
            slice(int(counts[:number].sum()), int(counts[: number + 1].sum()))
            for counts in (self.vertex_counts, self.triangle_counts, self.line_counts, self.point_counts)
        )
        return MeshData(
            self.positions[vertices],
            self.triangles[triangles],
            self.normals[vertices],
            self.material_ids[vertices],
            self.uvs[vertices],
            self.colors[vertices],
            self.source_vertices[vertices],
            self.edges[triangles],
            self.lines[lines],
            self.points[points],
        )

    @classmethod
    def of(cls, meshes: list[MeshData], names: list[str]) -> MeshBatch:
        """Put meshes into one batch; what a mesh leaves out gets its default.

        Raises:
            ValueError: an array has the wrong shape or kind.
        """
        parts = [_whole(mesh) for mesh in meshes]

        def joined(column: str, dtype: type, *shape: int) -> np.ndarray:
            arrays = [np.empty((0, *shape), dtype=dtype), *(part[column] for part in parts)]
            return np.concatenate(arrays).astype(dtype, copy=False)

        def counts(column: str) -> np.ndarray:
            return np.array([len(part[column]) for part in parts], dtype=np.int64)

        return cls(
            counts("positions"),
            counts("triangles"),
            counts("lines"),
            counts("points"),
            np.array(names, dtype=np.dtypes.StringDType()),
            joined("positions", np.float64, 3),
            joined("normals", np.float32, 3),
            joined("uvs", np.float32, 2),
            joined("colors", np.uint8, 4),
            joined("material_ids", np.int32),
            joined("source_vertices", np.int32),
            joined("triangles", np.int32, 3),
            joined("edges", np.uint8),
            joined("lines", np.int32, 2),
            joined("points", np.int32),
        )


class Meshes:
    """All meshes of a scene.

    Columns by mesh id (`rows`): first_vertex, vertex_count, and the same for triangle, line and point; lower and
    upper (3,) the local box, sphere (4,) the local bounding sphere (centre, radius); source, the file it came from
    (its place in Scene.sources) or -1, name, what that file calls it, and occurrence, its number among those of the
    same source and name.
    Columns by vertex (`vertices`): position (3,) float64 local, normal (3,) and uv (2,) float32, color (4,) uint8,
    material int32, source_vertex int32.
    Columns by triangle (`triangles`): corners (3,) int32, counted from the mesh's first vertex, edges uint8.
    By line (`lines`): ends (2,) int32. By point (`points`): vertex int32. All as in MeshData.
    """

    def __init__(self) -> None:
        self.rows = Columns(
            first_vertex=(np.int64, ()),
            vertex_count=(np.int64, ()),
            first_triangle=(np.int64, ()),
            triangle_count=(np.int64, ()),
            first_line=(np.int64, ()),
            line_count=(np.int64, ()),
            first_point=(np.int64, ()),
            point_count=(np.int64, ()),
            lower=(np.float64, (3,)),
            upper=(np.float64, (3,)),
            sphere=(np.float64, (4,)),
            source=(np.int32, ()),
            name=(np.dtypes.StringDType(), ()),
            occurrence=(np.int32, ()),
        )
        self.vertices = Columns(
            position=(np.float64, (3,)),
            normal=(np.float32, (3,)),
            uv=(np.float32, (2,)),
            color=(np.uint8, (4,)),
            material=(np.int32, ()),
            source_vertex=(np.int32, ()),
        )
        self.triangles = Columns(corners=(np.int32, (3,)), edges=(np.uint8, ()))
        self.lines = Columns(ends=(np.int32, (2,)))
        self.points = Columns(vertex=(np.int32, ()))

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, mesh: MeshData, *, first_material: int = 0) -> int:
        """Append a mesh and return its id; its material ids count from `first_material` on.

        Raises:
            ValueError: nothing to show in it, wrong shapes, an index out of range or a position that is not finite.
        """
        return self.extend(MeshBatch.of([mesh], [""]), first_material=first_material).start

    def extend(self, batch: MeshBatch, *, first_material: int = 0, source: int = -1) -> range:
        """Append meshes and return their ids; their material ids count from `first_material` on.

        Into an empty pool the arrays go as they are, uncopied: a caller who changes them afterwards changes meshes.

        Raises:
            ValueError: as `add`; nothing was added.
        """
        if first_material:
            batch.material_ids[:] += first_material
        bounds = np.empty((len(batch), 10))
        fault = _bounds_or_fault(
            batch.vertex_counts,
            batch.triangle_counts,
            batch.line_counts,
            batch.point_counts,
            batch.positions,
            batch.triangles,
            batch.lines,
            batch.points,
            bounds,
        )
        if fault:
            raise ValueError(_FAULTS[fault])
        vertices = self.vertices.adopt(
            len(batch.positions),
            position=batch.positions,
            normal=batch.normals,
            uv=batch.uvs,
            color=batch.colors,
            material=batch.material_ids,
            source_vertex=batch.source_vertices,
        )
        triangles = self.triangles.adopt(len(batch.triangles), corners=batch.triangles, edges=batch.edges)
        lines = self.lines.adopt(len(batch.lines), ends=batch.lines)
        points = self.points.adopt(len(batch.points), vertex=batch.points)
        return self.rows.append(
            len(batch),
            first_vertex=_firsts(batch.vertex_counts, vertices.start),
            vertex_count=batch.vertex_counts,
            first_triangle=_firsts(batch.triangle_counts, triangles.start),
            triangle_count=batch.triangle_counts,
            first_line=_firsts(batch.line_counts, lines.start),
            line_count=batch.line_counts,
            first_point=_firsts(batch.point_counts, points.start),
            point_count=batch.point_counts,
            lower=bounds[:, 0:3],
            upper=bounds[:, 3:6],
            sphere=bounds[:, 6:10],
            source=source,
            name=batch.names,
            occurrence=_occurrences(batch.names),
        )

    def positions_of(self, mesh_id: int) -> np.ndarray:
        """(v, 3) float64 local positions of one mesh, a view."""
        return self._part(mesh_id, "vertex", self.vertices["position"])

    def triangles_of(self, mesh_id: int) -> np.ndarray:
        """(t, 3) int32 triangles of one mesh, a view."""
        return self._part(mesh_id, "triangle", self.triangles["corners"])

    def mesh(self, mesh_id: int) -> MeshData:
        """One mesh; views."""
        return MeshData(
            self.positions_of(mesh_id),
            self.triangles_of(mesh_id),
            self._part(mesh_id, "vertex", self.vertices["normal"]),
            self._part(mesh_id, "vertex", self.vertices["material"]),
            self._part(mesh_id, "vertex", self.vertices["uv"]),
            self._part(mesh_id, "vertex", self.vertices["color"]),
            self._part(mesh_id, "vertex", self.vertices["source_vertex"]),
            self._part(mesh_id, "triangle", self.triangles["edges"]),
            self._part(mesh_id, "line", self.lines["ends"]),
            self._part(mesh_id, "point", self.points["vertex"]),
        )

    def _part(self, mesh_id: int, element: str, column: np.ndarray) -> np.ndarray:
        first = self.rows[f"first_{element}"][mesh_id]
        return column[first : first + self.rows[f"{element}_count"][mesh_id]]


def _whole(mesh: MeshData) -> dict[str, np.ndarray]:
    """A mesh's arrays, with defaults for those it leaves out, and their shapes and kinds as they must be."""
    positions = np.asarray(mesh.positions, dtype=np.float64)
    triangles = np.asarray(mesh.triangles)
    if positions.ndim != 2 or positions.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ValueError(f"positions (v, 3) and triangles (t, 3) needed, not {positions.shape}, {triangles.shape}")
    vertex_count, triangle_count = len(positions), len(triangles)
    defaults = {
        "normals": np.zeros((vertex_count, 3), dtype=np.float32),
        "uvs": np.zeros((vertex_count, 2), dtype=np.float32),
        "colors": np.full((vertex_count, 4), WHITE, dtype=np.uint8),
        "source_vertices": np.arange(vertex_count, dtype=np.int32),
        "edges": np.full(triangle_count, ALL_EDGES, dtype=np.uint8),
        "lines": np.empty((0, 2), dtype=np.int32),
        "points": np.empty(0, dtype=np.int32),
    }
    arrays = {"positions": positions, "triangles": triangles, "material_ids": np.asarray(mesh.material_ids)}
    for name, default in defaults.items():
        given = getattr(mesh, name)
        arrays[name] = default if given is None else np.asarray(given)
        if arrays[name].shape[1:] != default.shape[1:]:
            raise ValueError(f"{name} of shape (n, {default.shape[1:]}) needed, not {arrays[name].shape}")
    for name in ("triangles", "material_ids", "source_vertices", "edges", "lines", "points"):
        if arrays[name].dtype.kind not in "iu":
            raise ValueError(f"{name.replace('_', ' ')} must be integers")
    for count, names in (
        (vertex_count, ("normals", "uvs", "colors", "material_ids", "source_vertices")),
        (triangle_count, ("edges",)),
    ):
        for name in names:
            if len(arrays[name]) != count:
                raise ValueError(f"{count} {name.replace('_', ' ')} needed, not {len(arrays[name])}")
    return arrays


def _firsts(counts: np.ndarray, first: int) -> np.ndarray:
    return first + np.cumsum(counts) - counts


def _occurrences(names: np.ndarray) -> np.ndarray:
    """(m,) int32: how many of the same name stand before."""
    if len(names) < 2:
        return np.zeros(len(names), dtype=np.int32)
    order = np.argsort(names, kind="stable")
    begins = np.concatenate([[True], names[order][1:] != names[order][:-1]])
    firsts = np.flatnonzero(begins)
    occurrences = np.empty(len(names), dtype=np.int32)
    occurrences[order] = np.arange(len(names)) - np.repeat(firsts, np.diff(firsts, append=len(names)))
    return occurrences


_FAULTS = (
    "",
    "a mesh needs at least one triangle, line or point",
    "a triangle's, line's or point's index is outside the mesh's positions",
    "a mesh's positions must be finite",
)


@kernel
def _bounds_or_fault(
    vertex_counts, triangle_counts, line_counts, point_counts, positions, triangles, lines, points, bounds
):
    """Write each mesh's box and sphere (lower, upper, centre, radius) to `bounds`, (m, 10); a number of _FAULTS.

    The sphere lies about the box's middle. Sizes are measured in units of the largest offset first, so that squares
    neither vanish nor overflow.
    """
    vertex = triangle = line = point = 0
    for mesh in range(len(vertex_counts)):
        last_vertex = vertex + vertex_counts[mesh]
        count = vertex_counts[mesh]
        if triangle_counts[mesh] + line_counts[mesh] + point_counts[mesh] == 0:
            return 1
        for i in range(triangle, triangle + triangle_counts[mesh]):
            for k in range(3):
                if not 0 <= triangles[i, k] < count:
                    return 2
        for i in range(line, line + line_counts[mesh]):
            for k in range(2):
                if not 0 <= lines[i, k] < count:
                    return 2
        for i in range(point, point + point_counts[mesh]):
            if not 0 <= points[i] < count:
                return 2
        for axis in range(3):
            lower = np.inf
            upper = -np.inf
            for i in range(vertex, last_vertex):
                value = positions[i, axis]
                if not -np.inf < value < np.inf:
                    return 3
                lower = min(lower, value)
                upper = max(upper, value)
            bounds[mesh, axis] = lower
            bounds[mesh, 3 + axis] = upper
            bounds[mesh, 6 + axis] = lower / 2.0 + upper / 2.0
        largest = 0.0
        for i in range(vertex, last_vertex):
            for axis in range(3):
                largest = max(largest, abs(positions[i, axis] - bounds[mesh, 6 + axis]))
        square = 0.0
        if largest > 0.0:
            for i in range(vertex, last_vertex):
                x = (positions[i, 0] - bounds[mesh, 6]) / largest
                y = (positions[i, 1] - bounds[mesh, 7]) / largest
                z = (positions[i, 2] - bounds[mesh, 8]) / largest
                square = max(square, x * x + y * y + z * z)
        bounds[mesh, 9] = largest * np.sqrt(square) * (1.0 + 1e-15)
        vertex = last_vertex
        triangle += triangle_counts[mesh]
        line += line_counts[mesh]
        point += point_counts[mesh]
    return 0
