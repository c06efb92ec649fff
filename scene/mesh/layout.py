"""The columns of meshes: one table that batches, the pool of a scene, readers and project files follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.geometry.ranges import ranges

ALL_EDGES = 0b111
WHITE = 255
ELEMENTS = ("vertex", "triangle", "line", "point")

# Values of columns that are left out, besides a number for all rows.
_NEEDED = "needed"  # none: the column may not be left out
_NUMBERED = "numbered"  # the index of each row in its mesh
_NO_ROWS = "no rows"  # the element does not occur
_ABSENT = "absent"  # zero, and no array: None where no mesh has it


class MeshColumn(NamedTuple):
    """A column of meshes."""

    name: str  # in MeshData, MeshBatch and project files
    pool_name: str  # in the tables of Meshes
    element: str  # the one of ELEMENTS that has a row in it
    dtype: type  # of its numbers
    row_shape: tuple[int, ...]  # the shape of a row
    default: int | str  # the number that all rows have where it is left out, or one of the words above

    @property
    def is_optional(self) -> bool:
        """True if it is None where no mesh has it: meshes without it pay nothing."""
        return self.default == _ABSENT

    def empty(self, count: int) -> np.ndarray:
        """Make room for so many rows, to be filled."""
        return np.empty((count, *self.row_shape), dtype=self.dtype)

    def zeros(self, count: int) -> np.ndarray:
        """Return so many rows of zeros."""
        return np.zeros((count, *self.row_shape), dtype=self.dtype)

    def default_rows(self, counts: np.ndarray) -> np.ndarray | None:
        """Return the column of meshes that leave it out, of (m,) rows each; None: it is needed, or optional."""
        if self.default in (_NEEDED, _ABSENT):
            return None
        if self.default == _NUMBERED:
            return ranges(np.zeros_like(counts), counts).astype(self.dtype)
        if self.default == _NO_ROWS:
            return self.empty(0)
        return np.full((int(counts.sum()), *self.row_shape), self.default, dtype=self.dtype)


COLUMNS = (
    MeshColumn("positions", "position", "vertex", np.float64, (3,), _NEEDED),
    MeshColumn("normals", "normal", "vertex", np.float32, (3,), 0),
    MeshColumn("uvs", "uv", "vertex", np.float32, (2,), 0),
    MeshColumn("second_uvs", "second_uv", "vertex", np.float32, (2,), _ABSENT),
    MeshColumn("colors", "color", "vertex", np.uint8, (4,), WHITE),
    MeshColumn("material_ids", "material", "vertex", np.int32, (), _NEEDED),
    MeshColumn("source_vertices", "source_vertex", "vertex", np.int32, (), _NUMBERED),
    MeshColumn("triangles", "corners", "triangle", np.int32, (3,), _NEEDED),
    MeshColumn("edges", "edges", "triangle", np.uint8, (), ALL_EDGES),
    MeshColumn("lines", "ends", "line", np.int32, (2,), _NO_ROWS),
    MeshColumn("points", "vertex", "point", np.int32, (), _NO_ROWS),
)
COLUMNS_OF = {element: tuple(column for column in COLUMNS if column.element == element) for element in ELEMENTS}


def empty_columns(**counts: int) -> dict[str, np.ndarray]:
    """Make room for so many rows of each of ELEMENTS: the columns of a MeshBatch, without optional ones."""
    return {column.name: column.empty(counts[column.element]) for column in COLUMNS if not column.is_optional}
