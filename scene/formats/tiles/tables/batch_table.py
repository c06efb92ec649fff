"""Batch tables of 3D Tiles 1.0: the properties of objects in b3dm, i3dm and pnts (OGC 18-053r2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from octoscope.scene.formats.tiles.tables.property_table import PropertyTable

_KINDS = {
    "BYTE": "i1",
    "UNSIGNED_BYTE": "u1",
    "SHORT": "<i2",
    "UNSIGNED_SHORT": "<u2",
    "INT": "<i4",
    "UNSIGNED_INT": "<u4",
    "FLOAT": "<f4",
    "DOUBLE": "<f8",
}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_HIERARCHY = "3DTILES_batch_table_hierarchy"


def batch_table(document: Mapping[str, Any], binary: bytes, count: int) -> PropertyTable:
    """Make the table of so many objects from its JSON and bytes; columns that are broken are left out."""
    columns: dict[str, Any] = {}
    for name, column in document.items():
        if isinstance(column, list):
            columns[name] = column
        elif isinstance(column, Mapping) and name not in ("extensions", "extras"):
            values = column_in(column, binary, count)
            if values is not None:
                columns[name] = values
    extensions = document.get("extensions")
    hierarchy = extensions.get(_HIERARCHY) if isinstance(extensions, Mapping) else document.get("HIERARCHY")
    if isinstance(hierarchy, Mapping):
        columns |= _of_classes(hierarchy, binary, count)
    return PropertyTable(count, columns)


def column_in(described: Mapping[str, Any], binary: bytes, count: int, kind: str | None = None) -> np.ndarray | None:
    """Return a column of the binary part, (n,) or (n, width); None where it is broken or leads outside.

    Args:
        kind: its component type where it does not say it.
    """
    dtype = _KINDS.get(str(described.get("componentType", kind)))
    width, offset = _WIDTHS.get(str(described.get("type", "SCALAR"))), described.get("byteOffset")
    if dtype is None or width is None or type(offset) is not int:
        return None
    if not 0 <= offset <= len(binary) - count * width * np.dtype(dtype).itemsize:
        return None
    values = np.frombuffer(binary, dtype=dtype, count=count * width, offset=offset)
    return values if width == 1 else values.reshape(count, width)


def _of_classes(hierarchy: Mapping[str, Any], binary: bytes, count: int) -> dict[str, list[object]]:
    """Return what a hierarchy says of the first `count` of its instances: each is of a class, which has columns."""
    found: dict[str, list[object]] = {}
    try:
        ids = hierarchy["classIds"]
        whole = int(hierarchy["instancesLength"])
        numbers = column_in(ids, binary, whole, "UNSIGNED_SHORT") if isinstance(ids, Mapping) else np.array(ids)
        assert numbers is not None
        count = min(count, len(numbers))  # a few bytes can claim any
        for number, described in enumerate(hierarchy["classes"]):
            rows = np.flatnonzero(numbers == number)
            for name, column in described.get("instances", {}).items():
                length = int(described["length"])
                values = column_in(column, binary, length) if isinstance(column, Mapping) else column
                if values is not None:
                    whole_column = found.setdefault(name, [None] * count)
                    for place, row in enumerate(rows[rows < count].tolist()):
                        whole_column[row] = np.asarray(values[place]).tolist()
            for row in rows[rows < count].tolist():
                found.setdefault("class", [None] * count)[row] = str(described.get("name", ""))
    except (KeyError, TypeError, ValueError, IndexError, AssertionError, AttributeError):
        return {}
    return found
