"""Meshes as data: one mesh, or many in one set of arrays, as readers and generators make and writers take them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

ALL_EDGES = 0b111
WHITE = 255


def counted(**counts: int) -> str:
    """Return counts as text, by their plural, without those that are zero: "2 meshes, 1,024 triangles"."""
    singular = {"meshes": "mesh", "vertices": "vertex"}
    texts = [
        f"{count:,} {plural if count > 1 else singular.get(plural, plural.removesuffix('s'))}"
        for plural, count in counts.items()
        if count
    ]
    return ", ".join(texts) or "empty"


@dataclass(frozen=True, eq=False, repr=False)
class MeshData:
    """One mesh as a reader or a generator makes it; local units.

    Attributes:
        positions: (v, 3) float, finite.
        triangles: (t, 3) int, indices into the positions.
        normals: (v, 3) float unit normals, or None: each triangle is then shaded flat. A zero row means the same
            for the triangles at that vertex.
        material_ids: (v,) int, a material for each vertex.
        uvs: (v, 2) float texture coordinates, (0, 0) at an image's lower left, or None.
        colors: (v, 4) uint8 sRGB and opacity, which multiply the material's, or None: white.
        source_vertices: (v,) int, the vertex's index in its file, from 0; vertices that differ only in normal,
            texture coordinates or material share it. None: every vertex is its own.
        edges: (t,) uint8, bit k set where the side from corner k to the next was a side of the polygon that the
            triangle was cut from, or None: all were.
        lines: (l, 2) int, indices into the positions, or None.
        points: (p,) int, indices into the positions, or None.
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

    def __repr__(self) -> str:
        lines, points = (0 if elements is None else len(elements) for elements in (self.lines, self.points))
        counts = counted(vertices=len(self.positions), triangles=len(self.triangles), lines=lines, points=points)
        return f"MeshData({counts})"


@dataclass(frozen=True, eq=False, repr=False)
class MeshBatch:
    """Many meshes in one set of arrays, each mesh's part behind the one before; indices count within a mesh.

    Attributes:
        vertex_counts: (m,) int.
        triangle_counts: (m,) int.
        line_counts: (m,) int.
        point_counts: (m,) int.
        names: (m,) StringDType, the names in the file; with a number among equals they find a mesh again.
        positions: as in MeshData; so are the following ones, with arrays in place of None.
        source_lines: (m,) int, the line of its file where each one begins, 0 where that is not known; None: nowhere.
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
    source_lines: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.vertex_counts)

    def __repr__(self) -> str:
        counts = counted(
            meshes=len(self),
            vertices=len(self.positions),
            triangles=len(self.triangles),
            lines=len(self.lines),
            points=len(self.points),
        )
        return f"MeshBatch({counts})"

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        columns = (getattr(self, column.name) for column in fields(self))
        return sum(column.nbytes for column in columns if column is not None)

    def mesh(self, index: int) -> MeshData:
        """Return one of the meshes, as views."""
        vertices, triangles, lines, points = (
            slice(int(counts[:index].sum()), int(counts[: index + 1].sum()))
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
        """Combine meshes to a batch; what a mesh leaves out gets its default.

        Args:
            meshes: the meshes.
            names: a name for each.

        Returns:
            the batch.

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


def _whole(mesh: MeshData) -> dict[str, np.ndarray]:
    """Return a mesh's arrays by name, with defaults for those that it leaves out.

    Raises:
        ValueError: an array has the wrong shape or kind.
    """
    positions = np.asarray(mesh.positions, dtype=np.float64)
    triangles = np.asarray(mesh.triangles)
    if positions.ndim != 2 or positions.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ValueError(f"positions (v, 3) and triangles (t, 3) needed, not {positions.shape}, {triangles.shape}")
    vertex_count, triangle_count = len(positions), len(triangles)
    defaults: dict[str, np.ndarray] = {
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
