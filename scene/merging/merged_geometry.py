"""MergedGeometry: triangles, lines and points of many objects in one set of arrays, in world coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import BinaryIO, NamedTuple

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.layout import COLUMNS_OF

# The columns of meshes that tiles have, and their own.
_MESH_COLUMNS = tuple(column for column in COLUMNS_OF["vertex"] if column.name != "source_vertices")
_ELEMENT_COLUMNS = ("triangles", "lines", "points")


class Counts(NamedTuple):
    """Numbers of elements, by kind."""

    triangles: int
    lines: int
    points: int


@dataclass(frozen=True, eq=False)
class MergedGeometry:
    """Elements and their vertices. Every vertex belongs to one object, and so do the elements between its vertices."""

    positions: np.ndarray  # (v, 3) float64, world, Y up
    normals: np.ndarray  # (v, 3) float32, as in MeshData
    uvs: np.ndarray  # (v, 2) float32, as in MeshData
    colors: np.ndarray  # (v, 4) uint8, as in MeshData
    material_ids: np.ndarray  # (v,) int32
    objects: np.ndarray  # (v,) int32, the object of each vertex
    triangles: np.ndarray  # (t, 3) int32, vertices
    lines: np.ndarray  # (l, 2) int32, vertices
    points: np.ndarray  # (p, 1) int32, vertices
    second_uvs: np.ndarray | None = None  # (v, 2) float32, as in MeshBatch

    @classmethod
    def of(cls, batch: MeshBatch, objects: np.ndarray) -> MergedGeometry:
        """Combine the meshes of a batch, in world coordinates, that belong to (m,) objects."""
        triangles, lines, points = (batch.rows_of(each).astype(np.int32) for each in ("triangle", "line", "point"))
        return cls(
            **{column.name: getattr(batch, column.name) for column in _MESH_COLUMNS},
            objects=np.repeat(objects, batch.vertex_counts).astype(np.int32),
            triangles=triangles,
            lines=lines,
            points=points[:, None],
        )

    @classmethod
    def merged(cls, parts: Sequence[MergedGeometry]) -> MergedGeometry:
        """Merge geometries, one or more."""
        if len(parts) == 1:
            return parts[0]
        firsts = np.cumsum([0, *(len(part.positions) for part in parts)])
        columns = {"objects": np.concatenate([part.objects for part in parts])}
        for column in _MESH_COLUMNS:
            given = [(getattr(part, column.name), len(part.positions)) for part in parts]
            if any(rows is not None for rows, _ in given):
                whole = [column.zeros(count) if rows is None else rows for rows, count in given]
                columns[column.name] = np.concatenate(whole)
        for name in _ELEMENT_COLUMNS:
            elements = [getattr(part, name) + np.int32(first) for part, first in zip(parts, firsts, strict=False)]
            columns[name] = np.concatenate(elements)
        return cls(**columns)

    @property
    def elements(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Triangles, lines and points."""
        return self.triangles, self.lines, self.points

    @property
    def counts(self) -> Counts:
        """The numbers of triangles, lines and points."""
        return Counts(len(self.triangles), len(self.lines), len(self.points))

    @property
    def element_count(self) -> int:
        """The number of triangles, lines and points together."""
        return sum(self.counts)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        columns = (getattr(self, column.name) for column in fields(self))
        return sum(column.nbytes for column in columns if column is not None)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper corner of the box around all vertices, (3,) each; there must be some."""
        return self.positions.min(axis=0), self.positions.max(axis=0)

    def centers(self) -> np.ndarray:
        """Return the means of the corners of triangles, then lines, then points: (element_count, 3) float64."""
        sums = [sum(self.positions[column] for column in rows.T) / rows.shape[1] for rows in self.elements]
        return np.concatenate(sums)

    def taken(self, chosen: np.ndarray) -> MergedGeometry:
        """Return some of the elements with the vertices that they use; the order of vertices stays.

        Args:
            chosen: (k,) int, ascending: elements as `centers` counts them.
        """
        borders = np.searchsorted(chosen, np.cumsum([0, *self.counts]))
        rows = [
            elements[chosen[begin:end] - first]
            for elements, first, begin, end in zip(
                self.elements, np.cumsum([0, *self.counts[:2]]), borders[:-1], borders[1:], strict=True
            )
        ]
        return self.with_elements(*rows)

    def with_elements(self, triangles: np.ndarray, lines: np.ndarray, points: np.ndarray) -> MergedGeometry:
        """Return other elements between the same vertices, without the vertices that none of them uses."""
        is_used = np.zeros(len(self.positions), dtype=np.bool_)
        for rows in (triangles, lines, points):
            is_used[rows] = True
        used = np.flatnonzero(is_used)
        numbers = np.empty(len(is_used), dtype=np.int32)  # those of others stay unset: few may be used of many
        numbers[used] = np.arange(len(used), dtype=np.int32)
        return MergedGeometry(
            **self.of_vertices(used), triangles=numbers[triangles], lines=numbers[lines], points=numbers[points]
        )

    def of_vertices(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return some rows of all columns of vertices that it has, by name; `rows` are indices or flags."""
        return self.mesh_columns(rows) | {"objects": self.objects[rows]}

    def mesh(self) -> MeshData:
        """Return all of it as one mesh."""
        columns = self.mesh_columns(slice(None))
        return MeshData(**columns, triangles=self.triangles, lines=self.lines, points=self.points[:, 0])

    def mesh_columns(self, rows: np.ndarray | slice) -> dict[str, np.ndarray]:
        """Return some rows of the columns of vertices that meshes have, too, by name, of those that it has."""
        columns = {column.name: getattr(self, column.name) for column in _MESH_COLUMNS}
        return {name: column[rows] for name, column in columns.items() if column is not None}

    def by_object(self) -> MergedGeometry:
        """Return the same with vertices, and elements of each kind, sorted by object."""
        order = np.argsort(self.objects, kind="stable")
        numbers = np.empty(len(order), dtype=np.int32)
        numbers[order] = np.arange(len(order), dtype=np.int32)
        columns = self.of_vertices(order)
        for name in _ELEMENT_COLUMNS:
            rows = numbers[getattr(self, name)]
            columns[name] = rows[np.argsort(columns["objects"][rows[:, 0]], kind="stable")]
        return MergedGeometry(**columns)

    def renumbered(self, objects: np.ndarray | None, materials: np.ndarray) -> MergedGeometry:
        """Return the same with other numbers.

        Args:
            objects: (n,) int32, the number of each object; None: they keep theirs.
            materials: (m,) int32, the number of each material.
        """
        numbers = self.objects if objects is None else objects[self.objects]
        return replace(self, objects=numbers, material_ids=materials[self.material_ids])

    def turned(self, begin: UpAxis, end: UpAxis) -> MergedGeometry:
        """Return the same in a world that `turn_between` has turned."""
        if begin == end:
            return self
        turn = turn_between(begin, end)
        normals = (self.normals @ turn.T).astype(np.float32)
        return replace(self, positions=self.positions @ turn.T, normals=normals)

    def save(self, file: BinaryIO) -> None:
        """Write the arrays to a file, to be read by `load`."""
        for column in fields(self):
            array = getattr(self, column.name)
            array = np.zeros(()) if array is None else np.ascontiguousarray(array)
            # Not by np.save, whose error does not say why a file cannot be written.
            np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
            file.write(array.data)

    @classmethod
    def load(cls, file: BinaryIO) -> MergedGeometry:
        """Read the arrays from a file that `save` has written."""
        arrays = {column.name: np.load(file, allow_pickle=False) for column in fields(cls)}
        return cls(**{name: array for name, array in arrays.items() if array.ndim})
