"""Nodes of a project as columns, and these as JSON: a line each, or packed arrays where there are very many.

People read and compare lines; ten thousand of them nobody reads, and packed they are a third of the size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from octoscope.scene.geometry.forest import nodes_in_cycles
from octoscope.scene.project.packing import pack, unpack
from octoscope.scene.system.json_fields import (
    MalformedError,
    is_list_of,
    is_numbers,
    object_in,
    replace_lone_surrogates,
    report_unknown,
    texts_in,
)
from octoscope.scene.system.report import Problems

MOST_OCCURRENCES = 2**31 - 1
_LARGEST_NUMBER = 2**31 - 1
_FLAGS = ("hidden", "unselectable", "file_root")
_NUMBERS = ("order", "instance")


@dataclass
class References:
    """The meshes that nodes refer to."""

    embedded_nodes: np.ndarray  # (e,) int64 nodes that show a mesh of the project file
    embedded: np.ndarray  # (e,) int64 index of each in the project file's meshes
    nodes: np.ndarray  # (k,) int64 nodes that refer to a mesh of another file
    files: np.ndarray  # (k,) int64 index of each in the list of files
    names: np.ndarray  # (k,) StringDType names of the meshes
    occurrences: np.ndarray  # (k,) int64: number of the mesh among those of its name
    shown: np.ndarray  # (k,) bool: the node shows the mesh; else the mesh's file says what the node is


@dataclass
class FileNodes:
    """Columns of n nodes; valid whatever the file holds."""

    names: np.ndarray  # (n,) StringDType
    parents: np.ndarray  # (n,) int32, -1 at the top; without cycles
    translations: np.ndarray  # (n, 3) float64, finite
    rotations: np.ndarray  # (n, 4) float64, finite, not of length 0
    scales: np.ndarray  # (n, 3) float64, finite
    materials: np.ndarray  # (n,) int64 in the file's list of materials, or -1
    hidden: np.ndarray  # (n,) bool
    unselectable: np.ndarray  # (n,) bool
    orders: np.ndarray  # (n,) int32
    instances: np.ndarray  # (n,) int32
    file_root: np.ndarray  # (n,) bool
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
    *((flag, np.uint8, np.array(0)) for flag in _FLAGS),
    *((f"{field}s", np.int32, np.array(0)) for field in _NUMBERS),
)
_REFERENCES = ("embedded_nodes", "embedded", "nodes", "files", "occurrences", "shown")
PACKED_FIELDS = frozenset({"names", "references", *(name for name, _, _ in _PACKED)})


def node_lines(columns: FileNodes) -> list[dict[str, Any]]:
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
    of_files = (getattr(meshes, name).tolist() for name in ("nodes", "files", "names", "occurrences", "shown"))
    for node, file, name, occurrence, is_shown in zip(*of_files, strict=True):
        reference = {"file": file, "object": name} | ({"occurrence": occurrence} if occurrence else {})
        lines[node]["mesh" if is_shown else "file_mesh"] = reference
    for node in np.flatnonzero(columns.materials >= 0).tolist():
        lines[node]["material"] = int(columns.materials[node])
    for flag in _FLAGS:
        for node in np.flatnonzero(getattr(columns, flag)).tolist():
            lines[node][flag] = True
    for field in _NUMBERS:
        values = getattr(columns, f"{field}s")
        for node in np.flatnonzero(values).tolist():
            lines[node][field] = int(values[node])
    return lines


def pack_nodes(columns: FileNodes) -> Iterator[tuple[str, object]]:
    """Yield the fields of an object for JSON, column by column."""
    yield "names", columns.names.tolist()
    for name, dtype, row in _PACKED:
        column = np.ascontiguousarray(getattr(columns, name), dtype=dtype)
        if column.tobytes() != np.broadcast_to(row.astype(dtype), column.shape).tobytes():
            yield name, pack(column)
    references = {name: pack(getattr(columns.references, name).astype(np.int64)) for name in _REFERENCES}
    yield "references", {**references, "objects": columns.references.names.tolist()}


def unpack_nodes(written: dict[str, object], *, file_count: int, mesh_count: int, material_count: int) -> FileNodes:
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
    for flag in _FLAGS:
        columns[flag] = columns[flag] != 0
    text = np.dtypes.StringDType()
    references = _unpack_references(written.get("references"), count, file_count, mesh_count)
    return FileNodes(names=np.array(names, dtype=text), references=references, **columns)


def _unpack_references(written: object, node_count: int, file_count: int, mesh_count: int) -> References:
    fields = object_in(written, "'references' is not an object")
    arrays = {name: unpack(fields.get(name), np.int64, ()) for name in _REFERENCES[:-1]}
    # Older projects refer to nothing that is not shown.
    arrays["shown"] = unpack(fields["shown"], np.int64, ()) if "shown" in fields else np.ones_like(arrays["nodes"])
    objects = texts_in(fields.get("objects"), "'objects' is not a list of strings")
    if len(arrays["embedded"]) != len(arrays["embedded_nodes"]) or {
        len(objects),
        *(len(arrays[name]) for name in ("nodes", "files", "occurrences", "shown")),
    } != {len(objects)}:
        raise MalformedError("'references' do not fit each other")
    limits = (node_count, mesh_count, node_count, file_count, MOST_OCCURRENCES, 2)
    for name, limit in zip(_REFERENCES, limits, strict=True):
        _require_ids(arrays[name], 0, limit, name)
    arrays["shown"] = arrays["shown"] > 0
    showing = np.concatenate([arrays["embedded_nodes"], arrays["nodes"][arrays["shown"]]])
    if len(np.unique(showing)) != len(showing):
        raise MalformedError("nodes with two meshes")
    return References(names=np.array(objects, dtype=np.dtypes.StringDType()), **arrays)


def _require_ids(ids: np.ndarray, least: int, count: int, name: str) -> None:
    if ((ids < least) | (ids >= count)).any():
        raise MalformedError(f"'{name}' refers to what is not there")


_REFERENCE_FIELDS = frozenset({"file", "object", "occurrence", "embedded"})
NODE_FIELDS = frozenset(
    {"name", "children", "translation", "rotation", "scale", "mesh", "file_mesh", "material", *_NUMBERS, *_FLAGS}
)
_Objects = list[dict[str, Any]]


def read_nodes(
    written: list[object], problems: Problems, *, file_count: int, mesh_count: int, material_count: int
) -> FileNodes:
    """Return the columns of a file's list of nodes; the counts tell which references are valid."""
    if is_list_of(written, dict):
        nodes = written
    else:
        wrong = [number for number, node in enumerate(written) if type(node) is not dict]
        _report(problems, "node", "nodes that are not objects", "empty nodes instead", wrong)
        nodes = [node if type(node) is dict else {} for node in written]
    report_unknown(nodes, NODE_FIELDS, problems)
    return FileNodes(
        _names(nodes, problems),
        _parents(nodes, problems),
        _transforms(nodes, "translation", (0.0, 0.0, 0.0), problems),
        _transforms(nodes, "rotation", (0.0, 0.0, 0.0, 1.0), problems),
        _transforms(nodes, "scale", (1.0, 1.0, 1.0), problems),
        _materials(nodes, material_count, problems),
        _flags(nodes, "hidden", problems),
        _flags(nodes, "unselectable", problems),
        _numbers(nodes, "order", problems),
        _numbers(nodes, "instance", problems),
        _flags(nodes, "file_root", problems),
        _references(nodes, file_count, mesh_count, problems),
    )


def _names(nodes: _Objects, problems: Problems) -> np.ndarray:
    names = [node.get("name", "") for node in nodes]
    try:
        if is_list_of(names, str):
            return np.array(names, dtype=np.dtypes.StringDType())
    except UnicodeEncodeError:
        pass
    wrong = [number for number, name in enumerate(names) if type(name) is not str]
    _report(problems, "node-name", "nodes with a name that is not text", "no name instead", wrong)
    whole = [replace_lone_surrogates(name) if type(name) is str else "" for name in names]
    halves = [number for number, name in enumerate(names) if type(name) is str and name != whole[number]]
    _report(problems, "node-name", "nodes with unpaired surrogates in their names", "replaced", halves)
    return np.array(whole, dtype=np.dtypes.StringDType())


def _parents(nodes: _Objects, problems: Problems) -> np.ndarray:
    """Return (n,) int32 from the lists of children; a child that two nodes list belongs to the first."""
    holders, given = _with_field(nodes, "children")
    if is_list_of(given, list):
        lists = given
    else:
        wrong = [holder for holder, children in zip(holders, given, strict=True) if type(children) is not list]
        _report(problems, "node-children", "nodes with children that are not a list", "none instead", wrong)
        lists = [children if type(children) is list else [] for children in given]
    children = _ids(list(chain.from_iterable(lists)), len(nodes))
    above = np.repeat(_int64(holders), _int64(map(len, lists)))
    there = children >= 0
    _report(problems, "node-children", "children that do not exist", "left out", above[~there])
    children, above = children[there], above[there]
    listed = np.arange(len(children))
    first_listed = np.zeros(len(nodes), dtype=np.int64)
    first_listed[children[::-1]] = listed[
        ::-1
    ]  # of several assignments to one child the last, the first in the file, stays
    again = children[first_listed[children] != listed]
    _report(problems, "node-children", "children that are listed twice", "kept where they are listed first", again)
    parents = np.full(len(nodes), -1, dtype=np.int32)
    parents[children[::-1]] = above[::-1]
    circle = nodes_in_cycles(parents, np.arange(len(nodes)))
    _report(problems, "node-circle", "nodes that are their own ancestors", "moved to the root", np.sort(circle))
    parents[circle] = -1
    return parents


def _transforms(nodes: _Objects, field: str, default: tuple[float, ...], problems: Problems) -> np.ndarray:
    width = len(default)
    numbers, rows = _with_field(nodes, field)
    ids = _int64(numbers)
    flat = _flat_numbers(rows, width)
    if flat is None:
        sound = [row if is_numbers(row, width) else [math.nan] * width for row in rows]
        flat = np.fromiter(chain.from_iterable(sound), dtype=np.float64)
    given = flat.reshape(-1, width)
    usable = np.isfinite(given).all(axis=1)
    count = {3: "three", 4: "four"}[width]
    _report(
        problems,
        f"node-{field}",
        f"nodes with a {field} that is not {count} finite numbers",
        "the default instead",
        ids[~usable],
    )
    if field == "rotation":
        turns = (given != 0.0).any(axis=1)
        _report(
            problems,
            "node-rotation",
            "nodes with a rotation of length zero",
            "no rotation is used",
            ids[usable & ~turns],
        )
        usable &= turns
    values = np.tile(np.array(default), (len(nodes), 1))
    values[ids[usable]] = given[usable]
    return values


def _flat_numbers(rows: list[object], width: int) -> np.ndarray | None:
    """Return (k * width,) float64, the numbers of k rows, or None if not every row is a list of `width` numbers."""
    if not is_list_of(rows, list) or not set(map(len, rows)) <= {width}:
        return None
    if not set(map(type, chain.from_iterable(rows))) <= {float, int}:
        return None
    try:
        return np.fromiter(chain.from_iterable(rows), dtype=np.float64)
    except OverflowError:  # an integer too large for a float
        return None


def _materials(nodes: _Objects, material_count: int, problems: Problems) -> np.ndarray:
    holders, values = _with_field(nodes, "material")
    materials = np.full(len(nodes), -1, dtype=np.int64)
    materials[holders] = _ids(values, material_count)
    wrong = _int64(holders)[materials[holders] < 0]
    _report(problems, "node-material", "nodes with a material that does not exist", "their meshes' own are used", wrong)
    return materials


def _flags(nodes: _Objects, field: str, problems: Problems) -> np.ndarray:
    holders, values = _with_field(nodes, field)
    wrong = [holder for holder, value in zip(holders, values, strict=True) if type(value) is not bool]
    _report(problems, f"node-{field}", f"nodes with a {field} that is neither true nor false", "false instead", wrong)
    flags = np.zeros(len(nodes), dtype=bool)
    flags[holders] = [value is True for value in values]
    return flags


def _numbers(nodes: _Objects, field: str, problems: Problems) -> np.ndarray:
    holders, values = _with_field(nodes, field)
    sound = [type(value) is int and abs(value) <= _LARGEST_NUMBER for value in values]
    wrong = [holder for holder, is_sound in zip(holders, sound, strict=True) if not is_sound]
    _report(problems, f"node-{field}", f"nodes with an {field} that is not a whole number", "0 instead", wrong)
    numbers = np.zeros(len(nodes), dtype=np.int32)
    numbers[holders] = [
        value if isinstance(value, int) and is_sound else 0 for value, is_sound in zip(values, sound, strict=True)
    ]
    return numbers


def _references(nodes: _Objects, file_count: int, mesh_count: int, problems: Problems) -> References:
    """Return the references of nodes to meshes; those that make no sense are reported."""
    holders, values = _with_field(nodes, "mesh")
    stated, references = _with_field(nodes, "file_mesh")
    shown, values = np.arange(len(holders) + len(stated)) < len(holders), values + references
    ids = _int64(holders + stated)
    written = values if is_list_of(values, dict) else [value if type(value) is dict else {} for value in values]
    embedded = _ids([value.get("embedded", -1) for value in written], mesh_count)
    files = _ids([value.get("file", -1) for value in written], file_count)
    occurrences = _ids([value.get("occurrence", 0) for value in written], MOST_OCCURRENCES)
    names, named = _object_names([value.get("object") for value in written])
    is_embedded = shown & (embedded >= 0)
    in_file = ~is_embedded & (files >= 0) & (occurrences >= 0) & named
    wrong = np.flatnonzero(~is_embedded & ~in_file)
    _report(
        problems,
        "mesh-reference",
        "nodes with a mesh that is not a reference to a file's object or to a mesh of the project",
        "shown without a mesh",
        ids[wrong],
    )
    report_unknown(written, _REFERENCE_FIELDS, problems)
    of_files = (column[in_file] for column in (ids, files, names, occurrences, shown))
    return References(ids[is_embedded], embedded[is_embedded], *of_files)


def _object_names(names: list[object]) -> tuple[np.ndarray, np.ndarray]:
    """Return (k,) StringDType names, and (k,) bool: the name is one that a mesh can have."""
    try:
        if is_list_of(names, str):
            return np.array(names, dtype=np.dtypes.StringDType()), np.ones(len(names), dtype=bool)
    except UnicodeEncodeError:
        pass
    whole = [replace_lone_surrogates(name) if type(name) is str else None for name in names]
    named = np.array(
        [given is not None and given == name for name, given in zip(names, whole, strict=True)], dtype=bool
    )
    return np.array([name or "" for name in whole], dtype=np.dtypes.StringDType()), named


def _with_field(nodes: _Objects, field: str) -> tuple[list[int], list[object]]:
    """Return the indices of the nodes that have a field, and its values."""
    holders = [number for number, node in enumerate(nodes) if field in node]
    return holders, [nodes[holder][field] for holder in holders]


def _int64(values: Iterable[int]) -> np.ndarray:
    return np.fromiter(values, dtype=np.int64)


def _ids(values: list[object], count: int) -> np.ndarray:
    """Return (k,) int64 values; -1 for those that are not whole numbers from 0 to count - 1."""
    whole = values if is_list_of(values, int) else [value if type(value) is int else -1 for value in values]
    try:
        ids = _int64(whole)
    except OverflowError:
        ids = _int64(value if 0 <= value < count else -1 for value in whole)
    return np.where((ids >= 0) & (ids < count), ids, -1)


def _report(problems: Problems, kind: str, what: str, done: str, nodes: list[int] | np.ndarray) -> None:
    if len(nodes):
        first = f"the first is node {int(nodes[0])}" if len(nodes) > 1 else f"node {int(nodes[0])}"
        problems.report(kind, f"{what} ({first})", done, count=len(nodes))
