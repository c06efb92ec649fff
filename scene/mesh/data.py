"""Meshes as data: one mesh, or many in one set of arrays, as readers and generators make and writers take them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from octoscope.guesses import made_by
from octoscope.scene.mesh.layout import COLUMNS, COLUMNS_OF, ELEMENTS, MeshColumn


def counted(**counts: int) -> str:
    """Return counts as text, by their plural, without those that are zero: "2 meshes, 1,024 triangles"."""
    singular = {"meshes": "mesh", "processes": "process", "vertices": "vertex"}
    texts = [
        f"{count:,} {plural if count > 1 else singular.get(plural, plural.removesuffix('s'))}"
        for plural, count in counts.items()
        if count
    ]
    return ", ".join(texts) or "empty"


@made_by("scene.add_mesh(name, vertices, faces) needs no more")
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
        second_uvs: (v, 2) float, a second set of them, which some maps of materials are looked up by, or None: zero.
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
    second_uvs: np.ndarray | None = None

    def __repr__(self) -> str:
        lines, points = (0 if elements is None else len(elements) for elements in (self.lines, self.points))
        counts = counted(vertices=len(self.positions), triangles=len(self.triangles), lines=lines, points=points)
        return f"MeshData({counts})"


@dataclass(frozen=True, eq=False, repr=False)
class MeshBatch:
    """Many meshes in one set of arrays, each mesh's part behind the one before; indices count within a mesh."""

    vertex_counts: np.ndarray  # (m,) int
    triangle_counts: np.ndarray  # (m,) int
    line_counts: np.ndarray  # (m,) int
    point_counts: np.ndarray  # (m,) int
    names: np.ndarray  # (m,) StringDType, the names in the file; with a number among equals they find a mesh again
    # as in MeshData; so are the following ones, with arrays in place of None, except for second_uvs
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
    second_uvs: np.ndarray | None = None
    # (m,) int, the line of its file where each one begins, 0 where that is not known; None: nowhere
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

    @property
    def counts(self) -> dict[str, np.ndarray]:
        """The (m,) rows that each mesh has of each element, by the names in ELEMENTS."""
        return {element: getattr(self, f"{element}_counts") for element in ELEMENTS}

    @property
    def mesh_of_vertices(self) -> np.ndarray:
        """The mesh of each vertex, (v,)."""
        return np.repeat(np.arange(len(self)), self.vertex_counts)

    def rows_of(self, element: str) -> np.ndarray:
        """Return the indices of "triangle", "line" or "point", which count within meshes, as rows of the vertices."""
        indices = getattr(self, COLUMNS_OF[element][0].name)
        firsts = np.repeat(np.cumsum(self.vertex_counts) - self.vertex_counts, self.counts[element])
        return indices + firsts.reshape(-1, *(1,) * (indices.ndim - 1))

    def mesh(self, index: int) -> MeshData:
        """Return one of the meshes, as views."""
        parts = {
            element: slice(int(counts[:index].sum()), int(counts[: index + 1].sum()))
            for element, counts in self.counts.items()
        }
        return MeshData(**{column.name: getattr(self, column.name)[parts[column.element]] for column in self._given})

    def of_vertices(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return some rows of all columns of vertices that it has, by name."""
        return {each.name: getattr(self, each.name)[rows] for each in self._given if each.element == "vertex"}

    @property
    def _given(self) -> list[MeshColumn]:
        return [column for column in COLUMNS if getattr(self, column.name) is not None]

    @classmethod
    def with_defaults(cls, names: np.ndarray, counts: list[np.ndarray], **columns: np.ndarray) -> MeshBatch:
        """Make a batch of columns; those that are left out get their defaults."""
        counts_of = dict(zip(ELEMENTS, counts, strict=True))
        for column in COLUMNS:
            default = None if column.name in columns else column.default_rows(counts_of[column.element])
            if default is not None:
                columns[column.name] = default
        return cls(names=names, **{f"{element}_counts": each for element, each in counts_of.items()}, **columns)

    @classmethod
    def of(cls, meshes: list[MeshData], names: list[str]) -> MeshBatch:
        """Combine meshes to a batch; what a mesh leaves out gets its default.

        Raises:
            ValueError: an array has the wrong shape or kind.
        """
        parts = [_whole(mesh) for mesh in meshes]
        columns: dict[str, np.ndarray] = {}
        for column in COLUMNS:
            arrays = [part.get(column.name) for part in parts]
            if column.is_optional and all(array is None for array in arrays):
                continue
            counts = [len(part[COLUMNS_OF[column.element][0].name]) for part in parts]
            whole = [
                column.zeros(count) if array is None else array for array, count in zip(arrays, counts, strict=True)
            ]
            columns[column.name] = np.concatenate([column.zeros(0), *whole]).astype(column.dtype, copy=False)
        for element, (first, *_) in COLUMNS_OF.items():
            columns[f"{element}_counts"] = np.array([len(part[first.name]) for part in parts], dtype=np.int64)
        return cls(names=np.array(names, dtype=np.dtypes.StringDType()), **columns)


def _whole(mesh: MeshData) -> dict[str, np.ndarray]:
    """Return a mesh's arrays by name, with defaults for those that it leaves out and that are not optional."""
    arrays: dict[str, np.ndarray] = {}
    for column in COLUMNS:
        name, given = column.name.replace("_", " "), getattr(mesh, column.name)
        first = COLUMNS_OF[column.element][0].name  # whose length tells how many of the element there are
        counts = np.array([len(arrays.get(first, ()))])
        array = column.default_rows(counts) if given is None else np.asarray(given)
        if array is None and column.is_optional:
            continue
        if array is None:
            raise ValueError(f"a mesh needs {name}")
        if array.ndim != 1 + len(column.row_shape) or array.shape[1:] != column.row_shape:
            shape = ", ".join([column.element[0], *map(str, column.row_shape)])
            raise ValueError(f"{name} of shape ({shape}) needed, not {array.shape}")
        if issubclass(column.dtype, np.integer) and array.dtype.kind not in "iu":
            raise ValueError(f"{name} must be integers")
        if first in arrays and len(array) != counts[0]:
            raise ValueError(f"{counts[0]} {name} needed, not {len(array)}")
        arrays[column.name] = array
    return arrays


def reversed_triangles(triangles: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles (t, 3) wound in the other direction, and which of their sides are the polygon's, (t,) uint8."""
    # Side 0 was side 2, and 1 still is 1.
    return triangles[:, [0, 2, 1]], (edges & 2) | (edges >> 2) & 1 | (edges & 1) << 2
