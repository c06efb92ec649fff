"""Simplify merged geometry by clustering vertices (scene.mesh.vertex_clustering)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.geometry.ranges import ranges, unique_rows
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.vertex_clustering import cluster_vertices

_MOST_CELLS = 2**20  # of an object's grid along each axis: three times as many bits fit in a cell's key
_MOST_TRIANGLES = 0.9  # of what an object had: fewer saved are not worth being off
_LARGE = 256  # triangles of an object for which more than one attempt is made
# How many times finer than the error its grid is, and whether thin parts are kept.
_ATTEMPTS = ((1, True), (4, True), (16, True), (1, False))


def simplify(geometry: MergedGeometry, error: float) -> tuple[MergedGeometry, float]:
    """Simplify a geometry up to an error.

    Objects larger than the error are simplified each by itself. Thin parts of them stay, except where they would keep
    an object of many triangles from being simplified at all: such an object may lose parts thinner than the error.
    Objects smaller than it are simplified together: what they make up stays, such as ground of many pieces, and those
    that stand alone are left out. Vertices that stay keep all that they have.

    Args:
        geometry: not empty; its objects in any order.
        error: how far anything may be off, world units.

    Returns:
        the simplified geometry, which may be empty; how far anything is off: the longest way that a vertex went, or
        the size of the largest object that was left out.
    """
    geometry = geometry.by_object()
    objects, firsts, counts = np.unique(geometry.objects, return_index=True, return_counts=True)
    lower = np.minimum.reduceat(geometry.positions, firsts)
    upper = np.maximum.reduceat(geometry.positions, firsts)
    sizes = np.linalg.norm(upper - lower, axis=1)
    is_large = sizes > error
    of_large = np.repeat(is_large, counts)
    parts, off = [], 0.0
    for chosen in (of_large, ~of_large):
        part = geometry.with_elements(*(rows[chosen[rows[:, 0]]] for rows in geometry.elements))
        if part.element_count:
            simplified, moved = (_simplify_each if chosen is of_large else _simplify_together)(part, error)
            parts.append(simplified)
            off = max(off, moved)
    made = MergedGeometry.merged(parts)
    is_gone = ~np.isin(objects, made.objects)
    return made, max(off, float(sizes[is_gone].max(initial=0.0)))


def _simplify_each(geometry: MergedGeometry, error: float) -> tuple[MergedGeometry, float]:
    """Simplify every object by itself; `geometry` is sorted by object, the return value is that of `simplify`."""
    firsts, counts = np.unique(geometry.objects, return_index=True, return_counts=True)[1:]
    meshes = _Meshes.of(geometry, firsts, counts)
    # The grid whose cells' diagonals are at most the error: powers of two, so that few calls simplify all objects.
    diagonals = np.sqrt(3.0) * (meshes.upper - meshes.lower)[:, 0]
    grids = np.minimum(2 ** np.ceil(np.log2(np.maximum(diagonals / error, 2.0))).astype(np.int64), _MOST_CELLS)
    made, kept = [], np.ones(len(geometry.triangles), dtype=np.bool_)
    off = 0.0
    has_triangles = meshes.triangle_counts > 0
    for cells in np.unique(grids[has_triangles]).tolist():
        rows = np.flatnonzero((grids == cells) & has_triangles)
        for finer, keeps_lines in _ATTEMPTS:
            of_rows = ranges(meshes.first_triangles[rows], meshes.triangle_counts[rows])
            written, errors, is_simpler = _clustered(
                geometry, meshes, rows, geometry.triangles[of_rows], min(cells * finer, _MOST_CELLS), keeps_lines
            )
            made.append(written)
            off = max(off, float(errors[is_simpler].max(initial=0.0)))
            kept[of_rows[np.repeat(is_simpler, meshes.triangle_counts[rows])]] = False
            rows = rows[~is_simpler & (meshes.triangle_counts[rows] >= _LARGE)]
            if len(rows) == 0:
                break
    lines, points, moved = _snapped(geometry, geometry.objects, np.repeat(meshes.lower, counts, axis=0), error)
    simplified = geometry.with_elements(np.concatenate([geometry.triangles[kept], *made]), lines, points)
    return simplified, max(off, moved)


def _simplify_together(geometry: MergedGeometry, error: float) -> tuple[MergedGeometry, float]:
    """Simplify all objects as if they were one; arguments and return value are those of `simplify`."""
    count = len(geometry.positions)
    meshes = _Meshes.of(geometry, np.zeros(1, dtype=np.int64), np.array([count]))
    cells = int(min(np.sqrt(3.0) * (meshes.upper - meshes.lower)[0, 0] / error, _MOST_CELLS - 1))
    triangles, off = geometry.triangles, 0.0
    if len(triangles):
        triangles, errors, is_simpler = _clustered(
            geometry, meshes, np.zeros(1, dtype=np.int64), triangles, 1 + cells, False, most_triangles=1.0
        )
        off = float(errors[is_simpler].max(initial=0.0))
    same = np.zeros(count, dtype=np.int32)
    lines, points, moved = _snapped(geometry, same, np.broadcast_to(meshes.lower, (count, 3)), error)
    return _with_own_vertices(geometry, triangles, lines, points), max(off, moved)


def _with_own_vertices(
    geometry: MergedGeometry, triangles: np.ndarray, lines: np.ndarray, points: np.ndarray
) -> MergedGeometry:
    """Return other elements of a geometry, each of the object of its first vertex, with copies of the others."""
    borders = np.cumsum([triangles.size, lines.size])
    vertices = np.concatenate([rows.ravel() for rows in (triangles, lines, points)])
    owners = np.concatenate(
        [np.repeat(geometry.objects[rows[:, 0]], rows.shape[1]) for rows in (triangles, lines, points)]
    )
    firsts, numbers = unique_rows(vertices, owners)
    corners = np.split(numbers.astype(np.int32), borders)
    used = vertices[firsts]
    return MergedGeometry(
        **{**geometry.of_vertices(used), "objects": owners[firsts]},
        triangles=corners[0].reshape(-1, 3),
        lines=corners[1].reshape(-1, 2),
        points=corners[2].reshape(-1, 1),
    )


class _Meshes(NamedTuple):
    """Meshes whose vertices, and whose triangles, stand one behind the other in a geometry, in columns (m,)."""

    first_vertices: np.ndarray  # int64
    vertex_counts: np.ndarray  # int64
    first_triangles: np.ndarray  # int64
    triangle_counts: np.ndarray  # int64
    lower: np.ndarray  # (m, 3) float64 corner of a cube around the mesh, so that cells of its grid are cubes
    upper: np.ndarray  # (m, 3) float64

    @classmethod
    def of(cls, geometry: MergedGeometry, firsts: np.ndarray, counts: np.ndarray) -> _Meshes:
        """Find the triangles of meshes of which the vertices are given, and cubes around them."""
        first_triangles = np.searchsorted(
            np.searchsorted(firsts, geometry.triangles[:, 0], side="right") - 1, np.arange(len(firsts) + 1)
        )
        lower = np.minimum.reduceat(geometry.positions, firsts)
        extents = np.maximum.reduceat(geometry.positions, firsts) - lower
        upper = lower + extents.max(axis=1, keepdims=True)
        return cls(firsts, counts, first_triangles[:-1], np.diff(first_triangles), lower, upper)


def _clustered(
    geometry: MergedGeometry,
    meshes: _Meshes,
    rows: np.ndarray,
    triangles: np.ndarray,
    cells: int,
    keeps_lines: bool,
    most_triangles: float = _MOST_TRIANGLES,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cluster the vertices of some meshes in grids of so many cells along each axis.

    Args:
        rows: (k,) which of the meshes.
        triangles: (t, 3) of those.

    Returns:
        (s, 3) int32 triangles; (k,) how far a vertex went; (k,) bool, whether the mesh has become simpler: the
        triangles are of those alone.
    """
    made_counts = np.zeros((len(rows), 1), dtype=np.int64)
    errors = np.zeros((len(rows), 1))
    made = np.empty((len(triangles), 3), dtype=np.int32)
    bases = np.repeat(meshes.first_vertices[rows], meshes.triangle_counts[rows])
    written = cluster_vertices(
        meshes.first_vertices[rows],
        meshes.vertex_counts[rows],
        meshes.triangle_counts[rows],
        meshes.lower[rows],
        meshes.upper[rows],
        geometry.positions,
        geometry.material_ids,
        (triangles - bases[:, None]).astype(np.int32),
        np.array([cells]),
        most_triangles,
        keeps_lines,
        made_counts,
        errors,
        made,
    )
    bases = np.repeat(meshes.first_vertices[rows], made_counts[:, 0])
    return (made[:written] + bases[:, None]).astype(np.int32), errors[:, 0], made_counts[:, 0] > 0


def _snapped(
    geometry: MergedGeometry, groups: np.ndarray, lower: np.ndarray, error: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Draw lines and points between the first of the vertices in each cell of a group and material, each once.

    Args:
        groups: (v,) int32 the group of each vertex.
        lower: (v, 3) where the cells of each vertex's group begin.
        error: the diagonal of a cell, world units.

    Returns:
        (l, 2) int32 lines, (p, 1) int32 points, and the longest way that a vertex of one went.
    """
    used = np.unique(np.concatenate([geometry.lines.ravel(), geometry.points.ravel()]))
    cells = np.floor((geometry.positions[used] - lower[used]) / (error / np.sqrt(3.0)))
    first_of_kind, kinds = unique_rows(groups[used], geometry.material_ids[used], *cells.T)
    stands_for = used[first_of_kind][kinds].astype(np.int32)
    ways = geometry.positions[stands_for] - geometry.positions[used]
    lines = stands_for[np.searchsorted(used, geometry.lines)].reshape(-1, 2)
    points = stands_for[np.searchsorted(used, geometry.points)].reshape(-1, 1)
    lines = np.unique(np.sort(lines[lines[:, 0] != lines[:, 1]], axis=1), axis=0)
    return lines, np.unique(points, axis=0), float(np.linalg.norm(ways, axis=1).max(initial=0.0))
