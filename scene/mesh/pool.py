"""Meshes: the triangles, lines and points of all meshes of a scene, pooled in one set of arrays.

A mesh is a range of each; a hundred thousand of them are rows in a table. Nodes share a mesh by its id. The pool only
grows, so that a copy elsewhere (on the graphics card) sees by its length what is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.mesh.batch_bounds import FAULTS, bounds_or_fault
from octoscope.scene.mesh.data import MeshBatch, MeshData, counted
from octoscope.scene.mesh.layout import COLUMNS_OF, ELEMENTS
from octoscope.scene.mesh.table import ColumnTable, new_version

NO_MESH = -1
NO_PLACE = -1  # of a mesh that its file has no longer
UNTIL_UNUSED, KEPT, FREED = range(3)  # lifetimes of meshes; see Meshes


class Meshes:
    """All meshes of a scene.

    Columns by mesh id (`rows`): first_vertex, vertex_count, and the same for triangle, line and point; lower and
    upper (3,) the local box, sphere (4,) the local bounding sphere (centre, radius); source, the file it came from
    (its index in Scene.sources) or -1, source_line, the line on which it begins there, or 0: unknown; name, in that
    file, place, its index among the file's meshes, or NO_PLACE, and occurrence, that among those of the same name;
    lifetime: UNTIL_UNUSED of one that scene.nodes.unused_meshes may free, KEPT, or FREED: one point is left of it.
    Columns by vertex (`vertices`), triangle, line and point: the pool names of COLUMNS in scene.mesh.layout;
    optional ones once a mesh has them.
    """

    def __init__(self) -> None:
        self.version = new_version()  # another one whenever there are more meshes; see scene.mesh.table.new_version
        self.rows = ColumnTable(
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
            source_line=(np.int32, ()),
            name=(np.dtypes.StringDType(), ()),
            occurrence=(np.int32, ()),
            place=(np.int32, ()),
            lifetime=(np.int8, ()),
        )
        self.vertices, self.triangles, self.lines, self.points = (
            ColumnTable(
                **{
                    column.pool_name: (column.dtype, column.row_shape)
                    for column in COLUMNS_OF[element]
                    if not column.is_optional
                }
            )
            for element in ELEMENTS
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Meshes({counted(meshes=len(self), **self.element_counts)})"

    @property
    def element_counts(self) -> dict[str, int]:
        """Numbers of triangles, lines and points."""
        return {"triangles": len(self.triangles), "lines": len(self.lines), "points": len(self.points)}

    def add(self, mesh: MeshData, *, first_material: int = 0, lifetime: int = KEPT) -> int:
        """Append a mesh, whose material ids count from `first_material` on; its id stays valid for good if it is KEPT.

        Raises:
            ValueError: nothing to show in it, wrong shapes, an index out of range or a position that is not finite.
        """
        return self.extend(MeshBatch.of([mesh], [""]), first_material=first_material, lifetime=lifetime).start

    def extend(
        self, batch: MeshBatch, *, first_material: int = 0, source: int = -1, lifetime: int = UNTIL_UNUSED
    ) -> range:
        """Append meshes.

        Into an empty pool the arrays go as they are, uncopied: a caller who changes them afterwards changes meshes.

        Args:
            source: index of their file in Scene.sources, or -1.

        Raises:
            ValueError: as `add`; nothing was added.
        """
        with self.all_or_nothing():
            return self._extend(batch, first_material, source, lifetime)

    def _extend(self, batch: MeshBatch, first_material: int, source: int, lifetime: int) -> range:
        bounds = np.empty((len(batch), 10))
        fault = bounds_or_fault(
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
            raise ValueError(FAULTS[fault])
        counts = batch.counts
        ranges_of: dict[str, np.ndarray] = {}
        for element, table in self._elements.items():
            columns = {}
            for column in COLUMNS_OF[element]:
                array = getattr(batch, column.name)
                if array is not None:
                    columns[column.pool_name] = array
                    table.add_column(column.pool_name, column.dtype, column.row_shape)
            if element == "vertex" and first_material:
                columns["material"] = columns["material"] + np.int32(first_material)
            rows = table.adopt(len(getattr(batch, COLUMNS_OF[element][0].name)), **columns)
            ranges_of[f"first_{element}"] = _firsts(counts[element], rows.start)
            ranges_of[f"{element}_count"] = counts[element]
        ids = self.rows.append(  # last: what it says of a mesh is there
            len(batch),
            **ranges_of,
            lower=bounds[:, 0:3],
            upper=bounds[:, 3:6],
            sphere=bounds[:, 6:10],
            source=source,
            source_line=0 if batch.source_lines is None else batch.source_lines,
            name=batch.names,
            occurrence=occurrences_of(batch.names),
            place=np.arange(len(batch)),
            lifetime=lifetime,
        )
        self.version = new_version()
        return ids

    @property
    def _tables(self) -> dict[str, ColumnTable]:
        return {name: getattr(self, name) for name in ("rows", "vertices", "triangles", "lines", "points")}

    def frozen(self) -> Meshes:
        """Return a pool of the meshes that there are now, uncopied; what is added to either later is its own."""
        other = Meshes.__new__(Meshes)
        for name, table in self._tables.items():
            setattr(other, name, table.frozen())
        other.version = self.version
        return other

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Take back what was appended within a block that ends with an exception."""
        before = self.frozen()
        try:
            yield
        except BaseException:
            self.take(before)
            raise

    def take(self, other: Meshes) -> None:
        """Become what a `frozen` copy of this pool is now, with what was appended there and not what was here."""
        for name, table in other._tables.items():
            setattr(self, name, table)
        self.version = other.version

    @property
    def _elements(self) -> dict[str, ColumnTable]:
        return dict(zip(ELEMENTS, (self.vertices, self.triangles, self.lines, self.points), strict=True))

    @property
    def nbytes(self) -> int:
        """Memory of the geometry of all meshes."""
        return sum(table.nbytes for table in self._elements.values())

    def nbytes_each(self, mesh_ids: np.ndarray) -> np.ndarray:
        """Memory of the geometry of each of (k,) meshes: (k,) int64."""
        sizes = np.zeros(len(mesh_ids), dtype=np.int64)
        for element, table in self._elements.items():
            sizes += table.nbytes // max(len(table), 1) * self.rows[f"{element}_count"][mesh_ids].astype(np.int64)
        return sizes

    def nbytes_of(self, mesh_ids: np.ndarray) -> int:
        """Memory of the geometry of (k,) meshes."""
        return int(self.nbytes_each(mesh_ids).sum())

    def without_geometry_of(self, mesh_ids: np.ndarray) -> Meshes:
        """Return a pool in which (k,) meshes are freed: a point each; all keep their ids.

        No mesh is ever empty: who goes over all of them need not think of that.
        """
        is_point = np.zeros(len(self), dtype=np.bool_)
        is_point[mesh_ids] = True
        pool = Meshes()
        rows = pool.rows = self.rows.copy()
        rows["lifetime"][mesh_ids] = FREED
        for element, table in self._elements.items():
            columns = {name: table[name] for name in table.names}
            firsts, counts = rows[f"first_{element}"], rows[f"{element}_count"]
            counts[is_point] = element in ("vertex", "point")
            if element == "point":
                firsts[is_point] = len(table)  # where a point at the first vertex is added to the column
                columns = {"vertex": np.append(columns["vertex"], np.int32(0))}
            kept = ranges(firsts, counts)
            for name in table.names:
                pool._elements[element].add_column(name, table[name].dtype, table[name].shape[1:])
            pool._elements[element].adopt(len(kept), **{name: column[kept] for name, column in columns.items()})
            firsts[:] = _firsts(counts, 0)
        pool.vertices["material"][rows["first_vertex"][mesh_ids]] = 0
        return pool

    def copy_of(self, pool: Meshes, mesh_ids: np.ndarray) -> range:
        """Append meshes of another pool, or of this one, with their names, sources and lifetimes."""
        ids = self.extend(pool.batch(mesh_ids))
        for name in ("source", "source_line", "occurrence", "place", "lifetime"):
            self.rows[name][ids.start : ids.stop] = pool.rows[name][mesh_ids]
        return ids

    def find(self, mesh_ids: np.ndarray, names: np.ndarray, occurrences: np.ndarray) -> np.ndarray:
        """Find meshes among (m,) ids by name and number among meshes of that name; return (k,) int64 ids, or -1."""
        if len(mesh_ids) == 0:
            return np.full(len(names), -1, dtype=np.int64)
        _, codes = np.unique(np.concatenate([self.rows["name"][mesh_ids], names]), return_inverse=True)
        keys = codes.astype(np.int64) << 32 | np.concatenate([self.rows["occurrence"][mesh_ids], occurrences])
        there, wanted = keys[: len(mesh_ids)], keys[len(mesh_ids) :]
        order = np.argsort(there)
        found = np.searchsorted(there, wanted, sorter=order)
        found = order[np.minimum(found, len(order) - 1)]
        return np.where(there[found] == wanted, mesh_ids[found], -1)

    def hold(self, mesh_ids: np.ndarray, batch: MeshBatch, material_ids: np.ndarray) -> bool:
        """Return whether (m,) meshes are those of a batch, in its order, whose materials have (n,) ids here."""
        rows = self.rows
        if len(mesh_ids) != len(batch) or not np.array_equal(rows["name"][mesh_ids], batch.names):
            return False
        for element, table in self._elements.items():
            counts = rows[f"{element}_count"][mesh_ids]
            if not np.array_equal(counts, batch.counts[element]):
                return False
            places = ranges(rows[f"first_{element}"][mesh_ids], counts)
            for column in COLUMNS_OF[element]:
                given = getattr(batch, column.name)
                wanted = column.zeros(len(places)) if given is None else given
                wanted = material_ids[wanted] if column.pool_name == "material" else wanted
                held = table[column.pool_name][places] if column.pool_name in table.names else column.zeros(len(places))
                if not np.array_equal(held, wanted):
                    return False
        return True

    def batch(self, mesh_ids: np.ndarray, **others: np.ndarray) -> MeshBatch:
        """Copy some meshes, in the order of (m,) mesh ids; `others` are columns that take the place of the pool's."""
        columns = others
        for element, table in self._elements.items():
            counts = columns[f"{element}_counts"] = self.rows[f"{element}_count"][mesh_ids]
            rows = ranges(self.rows[f"first_{element}"][mesh_ids], counts)
            for column in COLUMNS_OF[element]:
                if column.name not in columns and column.pool_name in table.names:
                    columns[column.name] = table[column.pool_name][rows]
                    if column.is_optional and not columns[column.name].any():
                        del columns[column.name]
        return MeshBatch(names=self.rows["name"][mesh_ids], **columns)

    def mesh(self, mesh_id: int) -> MeshData:
        """Return one mesh, as views."""
        return MeshData(
            **{
                column.name: self._part(mesh_id, element, table[column.pool_name])
                for element, table in self._elements.items()
                for column in COLUMNS_OF[element]
                if column.pool_name in table.names
            }
        )

    def _part(self, mesh_id: int, element: str, column: np.ndarray) -> np.ndarray:
        first = self.rows[f"first_{element}"][mesh_id]
        return column[first : first + self.rows[f"{element}_count"][mesh_id]]


def _firsts(counts: np.ndarray, first: int) -> np.ndarray:
    return first + np.cumsum(counts) - counts


def occurrences_of(names: np.ndarray) -> np.ndarray:
    """Count for each name how many equal ones stand before it: (m,) int32."""
    if len(names) < 2:
        return np.zeros(len(names), dtype=np.int32)
    order = np.argsort(names, kind="stable")
    in_order = names[order]
    begins = np.concatenate([[True], in_order[1:] != in_order[:-1]])
    firsts = np.flatnonzero(begins)
    occurrences = np.empty(len(names), dtype=np.int32)
    occurrences[order] = np.arange(len(names)) - np.repeat(firsts, np.diff(firsts, append=len(names)))
    return occurrences
