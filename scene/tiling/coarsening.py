"""Simplify the geometry of a tile by clustering vertices (scene.mesh.vertex_clustering), object by object."""

from __future__ import annotations

import numpy as np

from scene.formats.tiles.geometry import TileGeometry
from scene.geometry.ranges import ranges, unique_rows
from scene.mesh.vertex_clustering import cluster_vertices

_MOST_CELLS = 2**20  # of an object's grid along each axis: three times as many bits fit in a cell's key
# Objects smaller than this share of the error are left out. Programs usually show errors of up to 16 pixels, and
# objects of that size would be missed.
_LEFT_OUT = 0.25
_MOST_TRIANGLES = 0.9  # of what an object had: fewer saved are not worth being off
_LARGE = 256  # triangles of an object for which more than one attempt is made
# How many times finer than the error its grid is, and whether thin parts are kept.
_ATTEMPTS = ((1, True), (4, True), (16, True), (1, False))


def coarsened(geometry: TileGeometry, error: float) -> tuple[TileGeometry, float]:
    """Simplify every object of a geometry up to an error, and leave out those that are much smaller than it.

    Vertices that stay keep all that they have. Thin parts stay, except where they would keep an object of many
    triangles from being simplified at all: such an object may lose parts thinner than the error.

    Args:
        geometry: not empty; its objects in any order.
        error: how far anything may be off, world units.

    Returns:
        the simplified geometry, which may be empty; how far anything is off: the longest way that a vertex went, or
        the size of the largest object that was left out.
    """
    geometry = geometry.by_object()
    owners, firsts, counts = np.unique(geometry.objects, return_index=True, return_counts=True)
    lower = np.minimum.reduceat(geometry.positions, firsts)
    upper = np.maximum.reduceat(geometry.positions, firsts)
    sizes = np.linalg.norm(upper - lower, axis=1)
    stays = sizes > _LEFT_OUT * error
    off = float(sizes[~stays].max(initial=0.0))
    row_of_vertex = np.repeat(np.arange(len(owners)), counts)
    triangles = geometry.triangles[stays[row_of_vertex[geometry.triangles[:, 0]]]]
    triangle_rows = row_of_vertex[triangles[:, 0]]
    triangle_counts = np.bincount(triangle_rows, minlength=len(owners))
    # The grid whose cells' diagonals are at most the error: powers of two, so that few calls simplify all objects.
    grids = 2 ** np.ceil(np.log2(np.maximum(sizes / error, 2.0))).astype(np.int64)
    grids = np.minimum(grids, _MOST_CELLS)
    made, kept = [], np.ones(len(triangles), dtype=np.bool_)
    for cells in np.unique(grids[stays & (triangle_counts > 0)]).tolist():
        rows = np.flatnonzero((grids == cells) & stays & (triangle_counts > 0))
        for finer, keeps_lines in _ATTEMPTS:
            of_rows = ranges(np.searchsorted(triangle_rows, rows), triangle_counts[rows])
            written, errors, is_simpler = _clustered(
                geometry,
                rows,
                (firsts, counts, lower, upper),
                triangles[of_rows],
                triangle_counts,
                min(cells * finer, _MOST_CELLS),
                keeps_lines,
            )
            made.append(written)
            off = max(off, float(errors[is_simpler].max(initial=0.0)))
            kept[of_rows[np.repeat(is_simpler, triangle_counts[rows])]] = False
            rows = rows[~is_simpler & (triangle_counts[rows] >= _LARGE)]
            if len(rows) == 0:
                break
    lines, points, moved = _snapped(geometry, lower[row_of_vertex], stays[row_of_vertex], error)
    simplified = geometry.with_elements(np.concatenate([triangles[kept], *made]), lines, points)
    return simplified, max(off, moved)


def _clustered(
    geometry: TileGeometry,
    rows: np.ndarray,
    columns: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    triangles: np.ndarray,
    triangle_counts: np.ndarray,
    cells: int,
    keeps_lines: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cluster the vertices of some objects in grids of so many cells along each axis.

    Args:
        geometry: sorted by object.
        rows: (k,) which of the objects.
        columns: (n,) first vertices and their counts, (n, 3) lower and upper corners, of all objects.
        triangles: (t, 3) of those objects.
        triangle_counts: (n,) of all objects.
        cells: along each axis.
        keeps_lines: as for `cluster_vertices`.

    Returns:
        (s, 3) int32 triangles; (k,) how far a vertex went; (k,) bool, whether the object has become simpler: the
        triangles are of those alone.
    """
    firsts, counts, lower, upper = columns
    made_counts = np.zeros((len(rows), 1), dtype=np.int64)
    errors = np.zeros((len(rows), 1))
    made = np.empty((len(triangles), 3), dtype=np.int32)
    bases = np.repeat(firsts[rows], triangle_counts[rows])
    written = cluster_vertices(
        firsts[rows],
        counts[rows],
        triangle_counts[rows],
        lower[rows],
        upper[rows],
        geometry.positions,
        geometry.materials,
        (triangles - bases[:, None]).astype(np.int32),
        np.array([cells]),
        _MOST_TRIANGLES,
        keeps_lines,
        made_counts,
        errors,
        made,
    )
    bases = np.repeat(firsts[rows], made_counts[:, 0])
    return (made[:written] + bases[:, None]).astype(np.int32), errors[:, 0], made_counts[:, 0] > 0


def _snapped(
    geometry: TileGeometry, lower: np.ndarray, stays: np.ndarray, error: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Draw lines and points between the first of the vertices in each cell of an object and material, each once.

    Args:
        geometry: sorted by object.
        lower: (v, 3) the lowest corner of each vertex's object.
        stays: (v,) bool, whether the vertex's object stays.
        error: the diagonal of a cell, world units.

    Returns:
        (l, 2) int32 lines, (p, 1) int32 points, and the longest way that a vertex of one went.
    """
    lines, points = geometry.lines[stays[geometry.lines[:, 0]]], geometry.points[stays[geometry.points[:, 0]]]
    used = np.unique(np.concatenate([lines.ravel(), points.ravel()]))
    cells = np.floor((geometry.positions[used] - lower[used]) / (error / np.sqrt(3.0)))
    first_of_kind, kinds = unique_rows(geometry.objects[used], geometry.materials[used], *cells.T)
    stands_for = used[first_of_kind][kinds].astype(np.int32)
    ways = geometry.positions[stands_for] - geometry.positions[used]
    lines = stands_for[np.searchsorted(used, lines)].reshape(-1, 2)
    points = stands_for[np.searchsorted(used, points)].reshape(-1, 1)
    lines = np.unique(np.sort(lines[lines[:, 0] != lines[:, 1]], axis=1), axis=0)
    return lines, np.unique(points, axis=0), float(np.linalg.norm(ways, axis=1).max(initial=0.0))
