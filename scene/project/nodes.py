"""Nodes from a list of objects of JSON: values that make no sense are reported and replaced."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from octoscope.scene.geometry.forest import nodes_in_cycles
from octoscope.scene.project.fields import is_list_of, is_numbers, replace_lone_surrogates, report_unknown
from octoscope.scene.project.node_columns import MOST_OCCURRENCES, NodeColumns, References
from octoscope.scene.system.report import Problems

_REFERENCE_FIELDS = frozenset({"file", "object", "occurrence", "embedded"})
NODE_FIELDS = frozenset(
    {"name", "children", "translation", "rotation", "scale", "mesh", "material", "hidden", "unselectable"}
)
_Objects = list[dict[str, Any]]


def read_nodes(
    written: list[object], problems: Problems, *, file_count: int, mesh_count: int, material_count: int
) -> NodeColumns:
    """Return the columns of a file's list of nodes; the counts tell which references are valid."""
    if is_list_of(written, dict):
        nodes = written
    else:
        wrong = [number for number, node in enumerate(written) if type(node) is not dict]
        _report(problems, "node", "nodes that are not objects", "empty nodes instead", wrong)
        nodes = [node if type(node) is dict else {} for node in written]
    report_unknown(nodes, NODE_FIELDS, problems)
    return NodeColumns(
        _names(nodes, problems),
        _parents(nodes, problems),
        _transforms(nodes, "translation", (0.0, 0.0, 0.0), problems),
        _transforms(nodes, "rotation", (0.0, 0.0, 0.0, 1.0), problems),
        _transforms(nodes, "scale", (1.0, 1.0, 1.0), problems),
        _materials(nodes, material_count, problems),
        _flags(nodes, "hidden", problems),
        _flags(nodes, "unselectable", problems),
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


def _references(nodes: _Objects, file_count: int, mesh_count: int, problems: Problems) -> References:
    """Return the references of nodes to meshes; those that make no sense are reported."""
    holders, values = _with_field(nodes, "mesh")
    ids = _int64(holders)
    written = values if is_list_of(values, dict) else [value if type(value) is dict else {} for value in values]
    embedded = _ids([value.get("embedded", -1) for value in written], mesh_count)
    files = _ids([value.get("file", -1) for value in written], file_count)
    occurrences = _ids([value.get("occurrence", 0) for value in written], MOST_OCCURRENCES)
    names, named = _object_names([value.get("object") for value in written])
    is_embedded = embedded >= 0
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
    return References(
        ids[is_embedded],
        embedded[is_embedded],
        ids[in_file],
        files[in_file],
        names[in_file],
        occurrences[in_file],
    )


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
