"""Meshes that come from no file, from and to JSON: all of them in one set of packed arrays."""

from __future__ import annotations

import numpy as np

from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import COLUMNS, ELEMENTS
from octoscope.scene.project.packing import pack, unpack
from octoscope.scene.system.json_fields import MalformedError, texts_in

FIELDS = {"names", *(f"{element}_counts" for element in ELEMENTS), *(column.name for column in COLUMNS)}


def meshes_to_json(batch: MeshBatch) -> dict[str, object]:
    """Return meshes as an object for JSON; columns that hold only their defaults are left out."""
    written: dict[str, object] = {"names": batch.names.tolist()}
    for element in ELEMENTS:
        written[f"{element}_counts"] = pack(getattr(batch, f"{element}_counts").astype(np.int64))
    for column in COLUMNS:
        array, default = getattr(batch, column.name), column.default_rows(batch.counts[column.element])
        if array is not None and (default is None or array.tobytes() != default.tobytes()):
            written[column.name] = pack(array)
    return written


def meshes_from_json(written: dict[str, object], material_count: int) -> MeshBatch:
    """Return the meshes in a JSON object, materials by their places in the list beside it; ValueError if damaged."""
    names = texts_in(written.get("names"), "'names' is not a list of strings")
    arrays = {f"{element}_counts": _unpacked(written, f"{element}_counts", np.int64, ()) for element in ELEMENTS}
    sizes = {}
    for element in ELEMENTS:
        counts = arrays[f"{element}_counts"]
        if len(counts) != len(names) or ((counts < 0) | (counts > 2**31)).any():
            raise MalformedError(f"'{element}_counts' does not fit 'names'")
        sizes[element] = int(counts.sum())
    for column in COLUMNS:
        name, element = column.name, column.element
        if name in written:
            array: np.ndarray | None = _unpacked(written, name, column.dtype, column.row_shape)
        else:
            array = column.default_rows(arrays[f"{element}_counts"])
        if array is None and column.is_optional:
            continue
        if array is None:
            raise MalformedError(f"'{name}' is missing")
        if len(array) != sizes[element]:
            raise MalformedError(f"'{name}' does not fit '{element}_counts'")
        if not np.isfinite(array).all():
            raise MalformedError(f"'{name}' are not all finite")
        arrays[name] = array
    materials = arrays["material_ids"]
    if ((materials < 0) | (materials >= material_count)).any():
        raise MalformedError("'material_ids' that are in no list of materials")
    return MeshBatch(names=np.array(names, dtype=np.dtypes.StringDType()), **arrays)


def _unpacked(written: dict[str, object], name: str, dtype: type, row_shape: tuple[int, ...]) -> np.ndarray:
    try:
        return unpack(written.get(name), dtype, row_shape)
    except ValueError as error:
        raise MalformedError(f"'{name}': {error}") from None
