"""Make a mesh of the elements of a PLY file: polygons, colours, texture coordinates, edges, or points alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.geometry.normals import unit_normals
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.geometry.triangulation import triangulate_all
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems


class Lists(NamedTuple):
    """Lists of different lengths."""

    lengths: np.ndarray  # (n,)
    items: np.ndarray  # those of all lists, one behind the other


Column = Any  # np.ndarray, of lists of one length (n, length), or Lists
Columns = Mapping[str, Column]

CORNER_UVS = "texcoord"
# What these take until the mesh is in a scene.
_VERTEX_BYTES = 105
_COLUMN_BYTES = 15  # for each column of the vertices
_CORNER_BYTES = 32
_UV_CORNER_BYTES = 200  # of a corner with texture coordinates of its own
_CORNER_NAMES = ("vertex_indices", "vertex_index")
_UV_NAMES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))


def _no_line(_name: str, _row: int) -> None:
    """Know of no lines."""


def mesh_of_elements(
    vertex: Columns,
    face: Columns,
    edge: Columns,
    *,
    problems: Problems,
    line_of: Callable[[str, int], int | None] = _no_line,
) -> MeshData:
    """Make a mesh of columns by name; vertices that no element refers to are left out.

    Args:
        vertex: x, y, z and others, (v,) each.
        face: lists of corners, and of `texcoord` where corners have texture coordinates of their own; or nothing.
        edge: vertex1, vertex2; or nothing.
    """
    count = len(vertex["x"])
    current_limits().take(count * (_VERTEX_BYTES + _COLUMN_BYTES * len(vertex)))
    sizes, corners, uvs_of_corners = _polygons(face)
    current_limits().take(len(corners) * (_CORNER_BYTES if uvs_of_corners is None else _UV_CORNER_BYTES))
    positions = np.stack([vertex[axis] for axis in "xyz"], axis=1).astype(np.float64)
    lines = np.empty((0, 2), dtype=np.int64)
    if edge:
        lines = np.stack([edge["vertex1"], edge["vertex2"]], axis=1).astype(np.int64)
    finite: np.ndarray = np.all(np.isfinite(positions), axis=1)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    whole = (np.bincount(owners[~_sound(corners, finite)], minlength=len(sizes)) == 0) & (sizes > 2)
    sound_lines = _sound(lines.ravel(), finite).reshape(-1, 2).all(axis=1)
    for name, flags in (("face", ~whole), ("edge", ~sound_lines)):
        if flags.any():
            line = line_of(name, int(np.argmax(flags)))
            what = f"{name}s that refer to no finite vertex"
            problems.report("mesh-data", what, "skipped", line=line, count=int(flags.sum()))
    of_whole = np.repeat(whole, sizes)
    sizes, corners, lines = sizes[whole], corners[of_whole], lines[sound_lines]
    uvs = _uvs(vertex)
    if uvs_of_corners is not None and len(uvs_of_corners) == len(of_whole) and len(corners):
        problems.report("edge", "edges beside texture coordinates of corners", "left out", count=len(lines))
        lines = lines[:0]
        uvs_of_corners = uvs_of_corners[of_whole]
        firsts, numbers = unique_rows(corners, *uvs_of_corners.view(np.uint32).T)
        rows, uvs, corners = corners[firsts], uvs_of_corners[firsts], numbers
    else:
        rows = np.arange(count)
    triangles, edges = triangulate_all(positions[rows], sizes, corners)
    points = np.flatnonzero(finite) if not len(triangles) and not len(lines) else np.empty(0, dtype=np.int64)
    used = np.zeros(len(rows), dtype=np.bool_)
    for numbers in (triangles, lines, points):
        used[numbers.ravel()] = True
    row_of = np.cumsum(used) - 1
    rows = rows[used]
    normals = _columns(vertex, ("nx", "ny", "nz"))
    colors = _colors(vertex)
    return MeshData(
        positions[rows],
        row_of[triangles],
        None if normals is None else unit_normals(normals)[rows],
        np.zeros(len(rows), dtype=np.int32),
        None if uvs is None else uvs[used],
        None if colors is None else colors[rows],
        rows,
        edges,
        row_of[lines],
        row_of[points],
    )


def _columns(columns: Columns, names: tuple[str, ...]) -> np.ndarray | None:
    if not all(name in columns for name in names):
        return None
    return np.stack([columns[name] for name in names], axis=1)


def _uvs(vertex: Columns) -> np.ndarray | None:
    for names in _UV_NAMES:
        uvs = _columns(vertex, names)
        if uvs is not None:
            return _finite_uvs(uvs)
    return None


def _finite_uvs(uvs: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.nan_to_num(uvs.astype(np.float32), posinf=0.0, neginf=0.0)


def _colors(vertex: Columns) -> np.ndarray | None:
    """Return (v, 4) uint8 colours, from numbers of any type."""
    names = ("red", "green", "blue")
    given = _columns(vertex, (*names, "alpha") if "alpha" in vertex else names)
    if given is None:
        return None
    if given.dtype.kind == "f":
        given = np.clip(np.nan_to_num(given, nan=1.0), 0.0, 1.0) * 255.0
    else:
        given = given * (255.0 / np.iinfo(given.dtype).max)
    colors = np.full((len(given), 4), 255, dtype=np.uint8)
    colors[:, : given.shape[1]] = np.clip(given.round(), 0.0, 255.0)
    return colors


def _polygons(face: Columns) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return how many corners each polygon has, all corners, and texture coordinates of corners if there are any."""
    if not face:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), None
    sizes, corners = _lists(face[corners_of(face)])
    corners = corners.astype(np.int64)
    if CORNER_UVS not in face:
        return sizes, corners, None
    uv_sizes, uvs = _lists(face[CORNER_UVS])
    if (uv_sizes != 2 * sizes).any():
        return sizes, corners, None
    return sizes, corners, np.ascontiguousarray(_finite_uvs(uvs).reshape(-1, 2))


def corners_of(names: Iterable[str]) -> str:
    """Return the name of the lists of corners among those of a face's lists, of which there is one at least."""
    names = list(names)
    return next((name for name in _CORNER_NAMES if name in names), names[0])


def _lists(column: Column) -> Lists:
    if isinstance(column, Lists):
        return column
    return Lists(np.full(len(column), column.shape[1]), column.ravel())


def _sound(numbers: np.ndarray, finite: np.ndarray) -> np.ndarray:
    """Tell which numbers are indices of finite vertices."""
    inside = (numbers >= 0) & (numbers < len(finite))
    inside[inside] = finite[numbers[inside]]
    return inside
