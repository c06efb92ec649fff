"""Mends of meshes: functions of a MeshBatch that return another, and which of its meshes have changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene.checks.triangle_defects import FLAT, SOUND, triangle_defects
from octoscope.scene.geometry.ranges import ranges, unique_rows
from octoscope.scene.geometry.triangulation import triangulate_all
from octoscope.scene.mending.holes import loops_of
from octoscope.scene.mending.welding import welded
from octoscope.scene.mending.winding import turned_triangles
from octoscope.scene.mesh.data import MeshBatch, reversed_triangles
from octoscope.scene.mesh.layout import ALL_EDGES
from octoscope.scene.mesh.manifold import OPEN, edge_defects
from octoscope.scene.mesh.vertex_clustering import cluster_vertices

Mended = tuple[MeshBatch, np.ndarray]  # and (m,) bool
_OUTER_BORDER = -0.5  # cosine between the normals of a polygon over a loop and of the triangles beside it
_CELLS_RATIO = 1.02  # numbers of cells that differ by less are as good as the same
_MOST_CELLS = 2**20  # along an axis, that cluster_vertices can number


def flipped(batch: MeshBatch) -> Mended:
    """Turn all triangles over, with their normals."""
    triangles, edges = _turned(batch, np.ones(len(batch.triangles), dtype=np.bool_))
    normals = np.where(batch.normals != 0.0, -batch.normals, batch.normals)
    return replace(batch, triangles=triangles, edges=edges, normals=normals), batch.triangle_counts > 0


def facing_outward(batch: MeshBatch) -> Mended:
    """Turn those triangles over that do not look outward as `turned_triangles` has it.

    Normals that then look to the back of the triangles around them are reversed.
    """
    _, vertex_counts, _, triangle_counts = _ranges(batch)
    is_turned = turned_triangles(vertex_counts, triangle_counts, batch.positions, batch.triangles)
    is_changed = np.bincount(_mesh_of_triangles(batch)[is_turned], minlength=len(batch)) > 0
    triangles, edges = _turned(batch, is_turned)
    turned = replace(batch, triangles=triangles, edges=edges)
    faces = _summed(turned.rows_of("triangle"), _areas(turned), len(batch.positions))
    is_behind = (faces * batch.normals).sum(axis=1) < 0.0
    is_behind &= is_changed[batch.mesh_of_vertices]
    return replace(turned, normals=np.where(is_behind[:, None], -batch.normals, batch.normals)), is_changed


def without_bad_triangles(batch: MeshBatch) -> Mended:
    """Leave out triangles without an area, and those that are there twice.

    Triangles whose corners lie in a line stay where they keep a mesh closed; so does the last thing that a mesh shows.
    """
    defects = triangle_defects(*_ranges(batch), batch.positions, batch.triangles)
    kept = defects == SOUND
    opens = _edges(_with_triangles(batch, kept))[0] > _edges(batch)[0]
    kept |= (defects == FLAT) & opens[_mesh_of_triangles(batch)]
    result = _with_triangles(batch, kept)
    return result, (result.triangle_counts < batch.triangle_counts) & _shows(result)


def welded_vertices(batch: MeshBatch, distance: float) -> Mended:
    """Bring vertices within a distance of each other to one place; those that are equal then become one vertex.

    Vertices that differ in normal, texture coordinates, colour or material stay apart, at the same place. Triangles and
    lines that have shrunk to less are left out.

    Args:
        distance: above 0, of the mesh's own units.
    """
    stands_for = welded(batch.vertex_counts.astype(np.int64), batch.positions, distance)
    mesh_of_vertices = batch.mesh_of_vertices
    columns = batch.of_vertices(np.arange(len(stands_for)))
    for name in ("positions", "source_vertices"):
        columns[name] = columns[name][stands_for]
    has_moved = (columns["positions"] != batch.positions).any(axis=1)
    kept, vertex_of = unique_rows(mesh_of_vertices, *(part for each in columns.values() for part in _parts(each)))
    triangles, lines = vertex_of[batch.rows_of("triangle")], vertex_of[batch.rows_of("line")]
    is_triangle, is_line = (
        (places != np.roll(places, 1, axis=1)).all(axis=1)
        for places in (stands_for[batch.rows_of("triangle")], stands_for[batch.rows_of("line")])
    )
    result = _regrouped(
        batch,
        {name: column[kept] for name, column in columns.items()},
        mesh_of_vertices[kept],
        triangles[is_triangle],
        batch.edges[is_triangle],
        lines[is_line],
        vertex_of[batch.rows_of("point")],
    )
    moves = np.bincount(mesh_of_vertices[has_moved], minlength=len(batch)) > 0
    return result, (moves | (result.vertex_counts < batch.vertex_counts)) & _shows(result)


def with_holes_filled(batch: MeshBatch, most_edges: int) -> Mended:
    """Close holes of up to so many edges with flat faces, cut to triangles in the plane that fits best.

    The outer border of a sheet is no hole: a polygon over it would look to the back of the triangles beside it. A hole
    that touches another one at a point is left as it is. The new faces have the texture coordinates, colours and
    materials of the vertices around.
    """
    edges = _edges(batch)[1]
    sizes, corners = loops_of(edges, len(batch.positions), most_edges)
    is_hole = _are_holes(batch, sizes, corners)
    corners, sizes = corners[np.repeat(is_hole, sizes)], sizes[is_hole]
    count = len(batch.positions)
    filled, sides = triangulate_all(batch.positions[corners], sizes, np.arange(len(corners)))
    columns = batch.of_vertices(np.append(np.arange(count), corners))
    columns["normals"][count:] = 0.0  # flat
    mesh_of_vertices = batch.mesh_of_vertices
    result = _regrouped(
        batch,
        columns,
        np.append(mesh_of_vertices, mesh_of_vertices[corners]),
        np.concatenate([batch.rows_of("triangle"), count + filled]),
        np.append(batch.edges, sides),
        batch.rows_of("line"),
        batch.rows_of("point"),
    )
    return result, result.triangle_counts > batch.triangle_counts


def decimated(batch: MeshBatch, cell: float) -> Mended:
    """Draw together vertices that lie in one cell of a grid, as `cluster_vertices` does; what stays keeps all it has.

    Args:
        cell: the side of a cell, as a share of the longest side of the mesh's box: above 0.
    """
    return _with_cells(batch, np.full(len(batch), np.clip(round(1.0 / cell), 1, _MOST_CELLS)))


def decimated_to(batch: MeshBatch, share: float) -> Mended:
    """Decimate each mesh, as `decimated`, by the smallest cells with which at most a share of its triangles stay."""
    few, many = np.ones(len(batch)), np.full(len(batch), float(_MOST_CELLS))  # cells of which there are few enough
    while ((many > few + 1.0) & (many > _CELLS_RATIO * few)).any():
        tried = np.round(np.sqrt(few * many))
        fits = _clustered(batch, tried)[0] <= share * batch.triangle_counts
        few, many = np.where(fits, tried, few), np.where(fits, many, tried)
    return _with_cells(batch, few)


def _clustered(batch: MeshBatch, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cluster vertices of each mesh in (m,) cells along its longest side; return (m,) counts, and all triangles."""
    first_vertices, vertex_counts, _, triangle_counts = _ranges(batch)
    lower = np.minimum.reduceat(batch.positions, first_vertices)
    sides = (np.maximum.reduceat(batch.positions, first_vertices) - lower).max(axis=1, keepdims=True)
    most = cells.max()
    margins = 0.5 * sides * (most / cells[:, None] - 1.0)  # so that `most` cells of its own size fit into each box
    counts, errors = np.zeros((len(batch), 1), dtype=np.int64), np.zeros((len(batch), 1))
    made = np.empty_like(batch.triangles)
    written = cluster_vertices(
        first_vertices,
        vertex_counts,
        triangle_counts,
        lower - margins,
        lower + sides + margins,
        batch.positions,
        batch.material_ids,
        batch.triangles,
        np.array([most], dtype=np.int64),
        1.0,
        False,
        counts,
        errors,
        made,
    )
    return counts[:, 0], made[:written]


def _with_cells(batch: MeshBatch, cells: np.ndarray) -> Mended:
    counts, made = _clustered(batch, cells)
    first_vertices, _, _, triangle_counts = _ranges(batch)
    is_changed = (counts > 0) & (counts < triangle_counts)
    stays = ~is_changed[_mesh_of_triangles(batch)]
    mesh_of_made = np.repeat(np.arange(len(batch)), counts)
    taken = is_changed[mesh_of_made]
    triangles = made[taken] + first_vertices[mesh_of_made[taken], None]
    result = _regrouped(
        batch,
        batch.of_vertices(np.arange(len(batch.positions))),
        batch.mesh_of_vertices,
        np.concatenate([batch.rows_of("triangle")[stays], triangles]),
        np.append(batch.edges[stays], np.full(len(triangles), ALL_EDGES, dtype=np.uint8)),
        batch.rows_of("line"),
        batch.rows_of("point"),
    )
    return result, is_changed


def _are_holes(batch: MeshBatch, sizes: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return which polygons have an area, and close a hole: (p,) bool."""
    if len(sizes) == 0:
        return np.empty(0, dtype=np.bool_)
    firsts, kinds = unique_rows(batch.mesh_of_vertices, *batch.positions.T)
    triangles = batch.rows_of("triangle")
    beside = _summed(kinds[triangles], _areas(batch), len(firsts))[kinds[corners]]
    beside /= np.maximum(np.linalg.norm(beside, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    begins = np.cumsum(sizes) - sizes
    ends = np.arange(1, len(corners) + 1)
    ends[begins + sizes - 1] = begins
    arms = batch.positions[corners] - np.repeat(batch.positions[corners[begins]], sizes, axis=0)
    normals = np.add.reduceat(np.cross(arms, arms[ends]), begins)
    lengths = np.linalg.norm(normals, axis=1)
    along = (normals * np.add.reduceat(beside, begins)).sum(axis=1)
    return (lengths > 0.0) & (along > _OUTER_BORDER * lengths * sizes)


def _turned(batch: MeshBatch, is_turned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles and edges, of which some (t,) are wound in the other direction."""
    triangles, edges = batch.triangles.copy(), batch.edges.copy()
    triangles[is_turned], edges[is_turned] = reversed_triangles(triangles[is_turned], edges[is_turned])
    return triangles, edges


def _areas(batch: MeshBatch) -> np.ndarray:
    """Return (t, 3) normals of triangles, as long as twice their areas."""
    a, b, c = batch.positions[batch.rows_of("triangle").T]
    return np.cross(b - a, c - a)


def _summed(corners: np.ndarray, vectors: np.ndarray, count: int) -> np.ndarray:
    """Return (count, 3) the sums of triangles' vectors (t, 3) at the numbers of their corners (t, 3)."""
    numbers = corners.ravel()
    return np.stack([np.bincount(numbers, np.repeat(part, 3), minlength=count) for part in vectors.T], axis=1)


def _ranges(batch: MeshBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the first vertex and the vertices of each mesh, and the same of triangles: (m,) int64 each."""
    vertex_counts, triangle_counts = batch.vertex_counts.astype(np.int64), batch.triangle_counts.astype(np.int64)
    return (
        np.cumsum(vertex_counts) - vertex_counts,
        vertex_counts,
        np.cumsum(triangle_counts) - triangle_counts,
        triangle_counts,
    )


def _edges(batch: MeshBatch) -> tuple[np.ndarray, np.ndarray]:
    """Return how many open edges each mesh has, (m,), and the rows of the ends of all of them, (k, 2) int64."""
    whole, bits = _ranges(batch), batch.positions.view(np.uint64)
    counts = edge_defects(*whole, bits, batch.triangles, 0, np.empty((0, 4), dtype=np.int32))
    listed = np.empty((int(counts[:, :3].sum()), 4), dtype=np.int32)
    edge_defects(*whole, bits, batch.triangles, len(listed), listed)
    listed = listed[listed[:, 1] == OPEN]
    return counts[:, OPEN], whole[0][listed[:, 0], None] + listed[:, 2:]


def _mesh_of_triangles(batch: MeshBatch) -> np.ndarray:
    return np.repeat(np.arange(len(batch)), batch.triangle_counts)


def _shows(batch: MeshBatch) -> np.ndarray:
    """Return which meshes have anything to show: (m,) bool."""
    return batch.triangle_counts + batch.line_counts + batch.point_counts > 0


def _parts(column: np.ndarray) -> np.ndarray:
    """Return the numbers of a column's rows as columns."""
    return column[None] if column.ndim == 1 else column.T


def _with_triangles(batch: MeshBatch, kept: np.ndarray) -> MeshBatch:
    """Return meshes with some of their triangles, and no vertices that nothing needs."""
    return _regrouped(
        batch,
        batch.of_vertices(np.arange(len(batch.positions))),
        batch.mesh_of_vertices,
        batch.rows_of("triangle")[kept],
        batch.edges[kept],
        batch.rows_of("line"),
        batch.rows_of("point"),
    )


def _regrouped(
    batch: MeshBatch,
    columns: dict[str, np.ndarray],
    mesh_of_vertices: np.ndarray,
    triangles: np.ndarray,
    edges: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
) -> MeshBatch:
    """Return a batch of the same meshes with other vertices, in any order, and elements, which have rows of these."""
    is_used = np.zeros(len(mesh_of_vertices), dtype=np.bool_)
    for rows in (triangles, lines, points):
        is_used[rows] = True
    used = np.flatnonzero(is_used)
    used = used[np.argsort(mesh_of_vertices[used], kind="stable")]
    vertex_counts = np.bincount(mesh_of_vertices[used], minlength=len(batch))
    index_in_mesh = np.empty(len(mesh_of_vertices), dtype=np.int64)
    index_in_mesh[used] = ranges(np.zeros(len(batch), dtype=np.int64), vertex_counts)
    made: dict[str, np.ndarray] = {"vertex_counts": vertex_counts}
    for element, rows in (("triangle", triangles), ("line", lines), ("point", points)):
        meshes = mesh_of_vertices[rows if rows.ndim == 1 else rows[:, 0]]
        order = np.argsort(meshes, kind="stable")
        made[f"{element}s"] = index_in_mesh[rows[order]].astype(np.int32)
        made[f"{element}_counts"] = np.bincount(meshes, minlength=len(batch))
        if rows is triangles:
            made["edges"] = edges[order]
    return replace(batch, **made, **{name: column[used] for name, column in columns.items()})
