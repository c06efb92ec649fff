"""Meshes that come from no file, from and to JSON: all of them in one set of packed arrays."""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.mesh.data import ALL_EDGES, WHITE, MeshBatch
from octoscope.scene.project.fields import MalformedError, texts_in
from octoscope.scene.project.packing import pack, unpack

# Columns of MeshBatch: type, shape of a row, and the element that has a row.
_COLUMNS = {
    "positions": (np.float64, (3,), "vertex"),
    "normals": (np.float32, (3,), "vertex"),
    "uvs": (np.float32, (2,), "vertex"),
    "colors": (np.uint8, (4,), "vertex"),
    "material_ids": (np.int32, (), "vertex"),
    "source_vertices": (np.int32, (), "vertex"),
    "triangles": (np.int32, (3,), "triangle"),
    "edges": (np.uint8, (), "triangle"),
    "lines": (np.int32, (2,), "line"),
    "points": (np.int32, (), "point"),
}
_ELEMENTS = ("vertex", "triangle", "line", "point")
FIELDS = {"names", *(f"{element}_counts" for element in _ELEMENTS), *_COLUMNS}


def meshes_to_json(batch: MeshBatch) -> dict[str, object]:
    """Return meshes as an object for JSON; columns that hold only their defaults are left out."""
    written: dict[str, object] = {"names": batch.names.tolist()}
    for element in _ELEMENTS:
        written[f"{element}_counts"] = pack(getattr(batch, f"{element}_counts").astype(np.int64))
    for name in _COLUMNS:
        column, default = getattr(batch, name), _default(name, batch.vertex_counts, batch.triangle_counts)
        if default is None or column.tobytes() != default.tobytes():
            written[name] = pack(column)
    return written


def meshes_from_json(written: dict[str, object], material_count: int) -> MeshBatch:
    """Return the meshes in a JSON object; their material ids are indices in the list of materials beside it.

    Raises:
        ValueError: malformed or damaged; `Meshes.extend` checks the rest.
    """
    names = texts_in(written.get("names"), "'names' is not a list of strings")
    arrays = {f"{element}_counts": _unpacked(written, f"{element}_counts", np.int64, ()) for element in _ELEMENTS}
    sizes = {}
    for element in _ELEMENTS:
        counts = arrays[f"{element}_counts"]
        if len(counts) != len(names) or ((counts < 0) | (counts > 2**31)).any():
            raise MalformedError(f"'{element}_counts' does not fit 'names'")
        sizes[element] = int(counts.sum())
    for name, (dtype, row_shape, element) in _COLUMNS.items():
        if name in written:
            arrays[name] = _unpacked(written, name, dtype, row_shape)
        else:
            default = _default(name, arrays["vertex_counts"], arrays["triangle_counts"])
            if default is None:
                raise MalformedError(f"'{name}' is missing")
            arrays[name] = default
        if len(arrays[name]) != sizes[element]:
            raise MalformedError(f"'{name}' does not fit '{element}_counts'")
    for name in ("normals", "uvs"):
        if not np.isfinite(arrays[name]).all():
            raise MalformedError(f"'{name}' are not all finite")
    materials = arrays["material_ids"]
    if ((materials < 0) | (materials >= material_count)).any():
        raise MalformedError("'material_ids' that are in no list of materials")
    return MeshBatch(names=np.array(names, dtype=np.dtypes.StringDType()), **arrays)


def _unpacked(written: dict[str, object], name: str, dtype: type, row_shape: tuple[int, ...]) -> np.ndarray:
    try:
        return unpack(written.get(name), dtype, row_shape)
    except ValueError as error:
        raise MalformedError(f"'{name}': {error}") from None


def _default(name: str, vertex_counts: np.ndarray, triangle_counts: np.ndarray) -> np.ndarray | None:
    """Return the values of a column that is not in the file, or None if the file must have it."""
    dtype, row_shape, element = _COLUMNS[name]
    if name == "source_vertices":
        return ranges(np.zeros_like(vertex_counts), vertex_counts).astype(dtype)
    if name in ("normals", "uvs", "colors", "edges", "lines", "points"):
        fill = {"colors": WHITE, "edges": ALL_EDGES}.get(name, 0)
        count = {"vertex": vertex_counts.sum(), "triangle": triangle_counts.sum()}.get(element, 0)
        return np.full((count, *row_shape), fill, dtype=dtype)
    return None
