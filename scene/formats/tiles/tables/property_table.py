"""Property tables: columns of numbers, strings and lists, as EXT_structural_metadata and 3D Metadata have them.

The values of a column are bytes in buffer views. Strings and lists of various lengths stand one behind the other, and
offsets tell where each begins ("3D Metadata Specification", OGC 22-025r4, binary table format).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

_COMPONENT_TYPES = {
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT16": np.int16,
    "UINT16": np.uint16,
    "INT32": np.int32,
    "UINT32": np.uint32,
    "INT64": np.int64,
    "UINT64": np.uint64,
    "FLOAT32": np.float32,
    "FLOAT64": np.float64,
}
_TYPE_NAMES = {np.dtype(kind): name for name, kind in _COMPONENT_TYPES.items()}
_PARTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}  # numbers in a value
_NAMES = "name", "title", "label", "id"  # of properties that name a feature, the likeliest first
_OFFSET = "UINT32"  # the type of offsets where none is stated, too


class Lists(NamedTuple):
    """A list for each row."""

    values: np.ndarray  # (v,) of all rows, one behind the other
    counts: np.ndarray  # (n,) int64, how many each row has


# (n,) numbers, bool or StringDType, (n, k) or (n, k, l) of them, or lists of them
Column = np.ndarray | Lists
Columns = Mapping[str, Column]


@dataclass(frozen=True, eq=False)
class PropertyTable:
    """The properties of features, in columns of one length."""

    count: int
    # by the name of the property
    columns: Columns | Mapping[str, Sequence[object]] = field(default_factory=dict)
    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # their types, where a schema says them

    def row(self, number: int) -> dict[str, object]:
        """Return the properties of a feature by name, as values that JSON has."""
        found: dict[str, object] = {}
        for name, column in self.columns.items():
            kind = self.properties.get(name, {})
            value = _value(column, number)
            found[name] = kind.get("default") if value is None or value == kind.get("noData", ()) else value
        defaults = {name: kind["default"] for name, kind in self.properties.items() if "default" in kind}
        return {name: value for name, value in (defaults | found).items() if value is not None}

    def names(self, rows: np.ndarray) -> list[str]:
        """Return what (k,) features are called."""
        named = [name for name, kind in self.properties.items() if kind.get("semantic") == "NAME"]
        named += [name for like in _NAMES for name in self.columns if name.lower() == like]
        column = next((self.columns[name] for name in named if name in self.columns), None)
        values = [None if column is None else _value(column, row) for row in rows.tolist()]
        pairs = zip(values, rows.tolist(), strict=True)
        return [f"feature {row}" if value in (None, "") else str(value) for value, row in pairs]


class PackedTable(NamedTuple):
    """A property table in the form in which a glTF file holds it."""

    properties: dict[str, dict[str, object]]  # of the class, by name: their types
    values: dict[str, dict[str, object]]  # of the table, by name: which buffer views hold their values
    views: list[np.ndarray]  # (b,) uint8 each, the bytes of the buffer views


def pack_table(columns: Columns, first_view: int) -> PackedTable:
    """Convert columns to the JSON and the bytes of a table, whose first buffer view has the number `first_view`."""
    packed = PackedTable({}, {}, [])

    def add(array: np.ndarray) -> int:
        packed.views.append(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
        return first_view + len(packed.views) - 1

    for name, column in columns.items():
        values = column.values if isinstance(column, Lists) else column
        table: dict[str, object] = {}
        kind: dict[str, object]
        if isinstance(values.dtype, np.dtypes.StringDType):
            texts = [text.encode(errors="replace") for text in values.tolist()]
            kind = {"type": "STRING"}
            table["values"] = add(np.frombuffer(b"".join(texts) or b"\0", dtype=np.uint8))
            table["stringOffsets"] = add(_offsets(np.array([len(text) for text in texts], dtype=np.int64)))
        else:
            kind = {"type": "SCALAR", "componentType": _TYPE_NAMES[values.dtype]}
            table["values"] = add(values if values.size else np.zeros(1, dtype=values.dtype))
            if values.ndim == 2:
                kind |= {"array": True, "count": values.shape[1]}
        if isinstance(column, Lists):
            kind["array"] = True
            table["arrayOffsets"] = add(_offsets(column.counts))
        packed.properties[name] = kind
        packed.values[name] = table
    return packed


def _offsets(counts: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)


def unpack_table(
    properties: Mapping[str, Mapping[str, Any]],
    table: Mapping[str, Mapping[str, Any]],
    count: int,
    view: Callable[[object], np.ndarray],
    enums: Mapping[str, Mapping[str, Any]] | None = None,
) -> Columns:
    """Read the columns of a table; those of unknown kinds are left out.

    Vectors and matrices are rows of numbers, matrices column by column; values of enumerations are their names.

    Args:
        view: returns the bytes of a buffer view, (b,) uint8.
        enums: of the schema, by name.
    """
    columns: dict[str, Column] = {}
    for name, kind in properties.items():
        if name not in table:
            continue
        own, type_ = table[name], kind.get("type")
        enum = (enums or {}).get(str(kind.get("enumType"))) if type_ == "ENUM" else None
        component = _COMPONENT_TYPES.get(
            str(kind.get("componentType") if enum is None else enum.get("valueType", "UINT16"))
        )
        parts = _PARTS.get(str(type_), 1)
        if type_ not in ("STRING", "BOOLEAN") and (component is None or (type_ not in _PARTS and enum is None)):
            continue
        is_list = kind.get("array") is True
        width = kind.get("count") if is_list else None  # of lists that are all as long
        if width is not None and (type(width) is not int or width < 0):
            raise ValueError(f"'{name}' has no number of values")
        total = count if width is None else count * width
        if is_list and width is None:
            offsets = _read_offsets(view(own.get("arrayOffsets")), own.get("arrayOffsetType", _OFFSET), count)
            counts, total = np.diff(offsets), int(offsets[-1])
        data = view(own.get("values"))
        if type_ == "STRING":
            values = _texts(name, data, view(own.get("stringOffsets")), own.get("stringOffsetType", _OFFSET), total)
        elif type_ == "BOOLEAN":
            values = np.unpackbits(_numbers(data, np.dtype(np.uint8), -(-total // 8)), bitorder="little")[:total] > 0
        else:
            values = _scaled(_numbers(data, np.dtype(component), total * parts), kind, own, parts)
            if enum is not None:
                values = _named(values, enum)
        shape = [count, *([] if width is None else [width]), *([] if parts == 1 else [parts])]
        if is_list and width is None:
            columns[name] = Lists(values if parts == 1 else values.reshape(-1, parts), counts)
        else:
            columns[name] = values.reshape(shape)
    return columns


def _texts(name: str, data: np.ndarray, offset_data: np.ndarray, kind: object, count: int) -> np.ndarray:
    offsets = _read_offsets(offset_data, kind, count)
    if offsets[-1] > len(data):
        raise ValueError(f"the strings of '{name}' lead outside their bytes")
    whole, borders = data.tobytes(), offsets.tolist()
    texts = [whole[a:b].decode(errors="replace") for a, b in pairwise(borders)]
    return np.array(texts, dtype=np.dtypes.StringDType())


def _scaled(values: np.ndarray, kind: Mapping[str, Any], own: Mapping[str, Any], parts: int) -> np.ndarray:
    """Return numbers as they are meant: whole ones that stand for 0 to 1, and those with a scale and an offset."""
    if kind.get("normalized") is True and values.dtype.kind in "iu":
        values = np.maximum(values / float(np.iinfo(values.dtype).max), -1.0)
    for key, function in (("scale", np.multiply), ("offset", np.add)):
        given = own.get(key, kind.get(key))
        if given is not None:
            by = np.array(given, dtype=np.float64).ravel()
            if len(by) and len(values) % len(by) == 0 and np.isfinite(by).all():
                values = function(values, np.tile(by, len(values) // len(by)))
    return values


def _named(values: np.ndarray, enum: Mapping[str, Any]) -> np.ndarray:
    names = {each["value"]: str(each["name"]) for each in enum["values"]}
    return np.array([names.get(value, str(value)) for value in values.tolist()], dtype=np.dtypes.StringDType())


def _read_offsets(data: np.ndarray, kind: object, count: int) -> np.ndarray:
    offsets = _numbers(data, np.dtype(_COMPONENT_TYPES.get(str(kind), np.uint32)), count + 1).astype(np.int64)
    if offsets[0] < 0 or (np.diff(offsets) < 0).any():
        raise ValueError("offsets that descend")
    return offsets


def _numbers(data: np.ndarray, kind: np.dtype[np.generic], count: int) -> np.ndarray:
    if len(data) < count * kind.itemsize:
        raise ValueError(f"{len(data):,} bytes where {count * kind.itemsize:,} are stated")
    return np.frombuffer(data.tobytes()[: count * kind.itemsize], dtype=kind)


def _value(column: object, row: int) -> object:
    """Return a value of a column as JSON has it; None where there is none."""
    if isinstance(column, Lists):
        end = int(column.counts[: row + 1].sum())
        return column.values[end - int(column.counts[row]) : end].tolist()
    value = column[row] if isinstance(column, (np.ndarray, Sequence)) and row < len(column) else None
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
