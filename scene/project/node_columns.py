"""Nodes of a project as columns, and these as JSON: a line each, or packed arrays where there are very many.

People read and compare lines; ten thousand of them nobody reads, and packed they are a third of the size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from octoscope.scene.geometry.forest import nodes_in_cycles
from octoscope.scene.project.fields import MalformedError, object_in, texts_in
from octoscope.scene.project.packing import pack, unpack

MOST_LINES = 10_000  # more nodes are written packed
MOST_OCCURRENCES = 2**31 - 1


@dataclass
class References:
    """The meshes that nodes refer to."""

    embedded_nodes: np.ndarray  # (e,) int64 nodes that show a mesh of the project file
    embedded: np.ndarray  # (e,) int64 index of each in the project file's meshes
    nodes: np.ndarray  # (k,) int64 nodes that show a mesh of another file
    files: np.ndarray  # (k,) int64 index of each in the list of files
    names: np.ndarray  # (k,) StringDType names of the meshes
    occurrences: np.ndarray  # (k,) int64: number of the mesh among those of its name


@dataclass
class NodeColumns:
    """Columns of n nodes; valid whatever the file holds."""

    names: np.ndarray  # (n,) StringDType
    parents: np.ndarray  # (n,) int32, -1 at the top; without cycles
    translations: np.ndarray  # (n, 3) float64, finite
    rotations: np.ndarray  # (n, 4) float64, finite, not of length 0
    scales: np.ndarray  # (n, 3) float64, finite
    materials: np.ndarray  # (n,) int64 in the file's list of materials, or -1
    hidden: np.ndarray  # (n,) bool
    unselectable: np.ndarray  # (n,) bool
    references: References  # the meshes


_NOT_MOVED = {
    "translation": np.array([0.0, 0.0, 0.0]),
    "rotation": np.array([0.0, 0.0, 0.0, 1.0]),
    "scale": np.array([1.0, 1.0, 1.0]),
}
# Of each node: column, type and default row. A column of defaults is left out of the file.
_PACKED: tuple[tuple[str, DTypeLike, np.ndarray], ...] = (
    ("parents", np.int32, np.array(-1)),
    *((f"{field}s", np.float64, row) for field, row in _NOT_MOVED.items()),
    ("materials", np.int64, np.array(-1)),
    ("hidden", np.uint8, np.array(0)),
    ("unselectable", np.uint8, np.array(0)),
)
_REFERENCES = ("embedded_nodes", "embedded", "nodes", "files", "occurrences")
PACKED_FIELDS = frozenset({"names", "references", *(name for name, _, _ in _PACKED)})


def node_lines(columns: NodeColumns) -> list[dict[str, Any]]:
    """Return an object for JSON for each node, without what is as it is where a node has no such field."""
    lines: list[dict[str, Any]] = [{"name": name} if name else {} for name in columns.names.tolist()]
    for child, parent in enumerate(columns.parents.tolist()):
        if parent >= 0:
            lines[parent].setdefault("children", []).append(child)
    for field, row in _NOT_MOVED.items():
        values = np.ascontiguousarray(getattr(columns, f"{field}s"))
        moved = (values.view(np.uint64) != row.view(np.uint64)).any(axis=1)  # -0.0 is not 0.0
        for node, value in zip(np.flatnonzero(moved).tolist(), values[moved].tolist(), strict=True):
            lines[node][field] = value
    meshes = columns.references
    for node, number in zip(meshes.embedded_nodes.tolist(), meshes.embedded.tolist(), strict=True):
        lines[node]["mesh"] = {"embedded": number}
    of_files = (getattr(meshes, name).tolist() for name in ("nodes", "files", "names", "occurrences"))
    for node, file, name, occurrence in zip(*of_files, strict=True):
        lines[node]["mesh"] = {"file": file, "object": name} | ({"occurrence": occurrence} if occurrence else {})
    for node in np.flatnonzero(columns.materials >= 0).tolist():
        lines[node]["material"] = int(columns.materials[node])
    for flag in ("hidden", "unselectable"):
        for node in np.flatnonzero(getattr(columns, flag)).tolist():
            lines[node][flag] = True
    return lines


def pack_nodes(columns: NodeColumns) -> Iterator[tuple[str, object]]:
    """Yield the fields of an object for JSON, column by column."""
    yield "names", columns.names.tolist()
    for name, dtype, row in _PACKED:
        column = np.ascontiguousarray(getattr(columns, name), dtype=dtype)
        if column.tobytes() != np.broadcast_to(row.astype(dtype), column.shape).tobytes():
            yield name, pack(column)
    references = {name: pack(getattr(columns.references, name).astype(np.int64)) for name in _REFERENCES}
    yield "references", {**references, "objects": columns.references.names.tolist()}


def unpack_nodes(written: dict[str, object], *, file_count: int, mesh_count: int, material_count: int) -> NodeColumns:
    """Return the columns of an object with the fields of `pack_nodes`; the counts tell which references are valid."""
    names = texts_in(written.get("names"), "'names' is not a list of strings")
    count = len(names)
    columns = {}
    for name, dtype, row in _PACKED:
        values = (
            unpack(written[name], dtype, row.shape) if name in written else np.full((count, *row.shape), row, dtype)
        )
        if len(values) != count:
            raise MalformedError(f"'{name}' does not fit 'names'")
        columns[name] = values
    _require_ids(columns["parents"], -1, count, "parents")
    _require_ids(columns["materials"], -1, material_count, "materials")
    if len(nodes_in_cycles(columns["parents"], np.arange(count))):
        raise MalformedError("'parents' go in a circle")
    if not all(np.isfinite(columns[f"{field}s"]).all() for field in _NOT_MOVED):
        raise MalformedError("transforms are not all finite")
    if not (columns["rotations"] != 0.0).any(axis=1).all():
        raise MalformedError("'rotations' of length zero")
    for flag in ("hidden", "unselectable"):
        columns[flag] = columns[flag] != 0
    text = np.dtypes.StringDType()
    references = _unpack_references(written.get("references"), count, file_count, mesh_count)
    return NodeColumns(names=np.array(names, dtype=text), references=references, **columns)


def _unpack_references(written: object, node_count: int, file_count: int, mesh_count: int) -> References:
    fields = object_in(written, "'references' is not an object")
    arrays = {name: unpack(fields.get(name), np.int64, ()) for name in _REFERENCES}
    objects = texts_in(fields.get("objects"), "'objects' is not a list of strings")
    if len(arrays["embedded"]) != len(arrays["embedded_nodes"]) or {
        len(objects),
        *(len(arrays[name]) for name in ("nodes", "files", "occurrences")),
    } != {len(objects)}:
        raise MalformedError("'references' do not fit each other")
    limits = (node_count, mesh_count, node_count, file_count, MOST_OCCURRENCES)
    for name, limit in zip(_REFERENCES, limits, strict=True):
        _require_ids(arrays[name], 0, limit, name)
    if len(np.unique(shown := np.concatenate([arrays["embedded_nodes"], arrays["nodes"]]))) != len(shown):
        raise MalformedError("nodes with two meshes")
    return References(names=np.array(objects, dtype=np.dtypes.StringDType()), **arrays)


def _require_ids(ids: np.ndarray, least: int, count: int, name: str) -> None:
    if ((ids < least) | (ids >= count)).any():
        raise MalformedError(f"'{name}' refers to what is not there")
