"""Meshing: a file's statements become a MeshBatch, its objects distributed to threads."""

from __future__ import annotations

from concurrent.futures import Executor
from itertools import pairwise

import numpy as np

from octoscope.scene.formats.obj.block_arrays import MISSING
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.mesh_kernels import (
    counts_before,
    finish_made_normals,
    write_faces,
    write_lines_and_points,
    write_vertices,
)
from octoscope.scene.formats.obj.object_tree import ObjectTree
from octoscope.scene.formats.obj.vertices import Chains, Columns, Elements, Unified, index_range, unify
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import empty_columns
from octoscope.scene.system.read_limits import current_limits

_LEAST_PIECE = 1024  # vertices or faces; fewer are done sooner than handed to another thread
_FACE_PIECES = 16  # for each thread: large polygons, which take longer than triangles, often follow each other
_VERTEX_BYTES = 80  # in a batch, and on the way there; Collected.peak_bytes has them for one at each position
_BYTE_COLOR = 2.0  # a file with a colour so large has colours up to 255; one just above 1 is only bright


def mesh_batch(file: Collected, tree: ObjectTree, executor: Executor, threads: int) -> tuple[MeshBatch, np.ndarray]:
    """Make meshes, also empty ones, of a tree, using up the file's numbers; and (6, 2) faults as in Unified."""
    first = tree.first
    first_corners, _ = counts_before(file.face_sizes.values, first[:, 0].copy())  # one layout, one kernel to load
    shares = _shares(first_corners + first[:, 1] + first[:, 2], threads)
    parts = _unified(file, tree, first_corners, shares, executor)
    counts = np.concatenate([np.empty((0, 4), dtype=np.int64), *(part.counts for part in parts)])
    offsets = np.concatenate([np.zeros((1, 4), dtype=np.int64), np.cumsum(counts, axis=0)])
    current_limits().take(_VERTEX_BYTES * max(int(offsets[-1, 0]) - len(file.positions), 0))
    batch = _empty_batch(tree, counts)
    color_scale = 1.0 if file.largest_color >= _BYTE_COLOR else 255.0
    made = [bool((part.normal < MISSING).any()) for part in parts]

    def fill_vertices(piece: tuple[int, int, int]) -> None:
        number, begin, end = piece
        part, first_vertex = parts[number], offsets[shares[number], 0]
        own = slice(first_vertex + begin, first_vertex + end)
        write_vertices(
            part.position[begin:end],
            part.uv[begin:end],
            part.normal[begin:end],
            part.material[begin:end],
            file.positions.values,
            file.uvs.values,
            file.normals.values,
            file.colors.values,
            color_scale,
            batch.positions[own],
            batch.uvs[own],
            batch.normals[own],
            batch.colors[own],
            batch.material_ids[own],
            batch.source_vertices[own],
        )

    def fill_faces(piece: tuple[int, int, int], corner: int, triangle: int) -> None:
        number, begin, end = piece
        first_object = shares[number]
        write_faces(
            begin,
            end,
            corner,
            triangle,
            first_object,
            first,
            file.corners.values,
            file.face_sizes.values,
            offsets,
            parts[number].normal,
            batch.positions,
            batch.normals,
            batch.triangles,
            batch.edges,
        )
        if made[number]:
            own = slice(*offsets[[first_object, shares[number + 1]], 0])
            part = parts[number]
            finish_made_normals(part.counts, part.position, part.normal, batch.normals[own])

    ranges = [(0, len(part.position)) for part in parts]
    list(executor.map(fill_vertices, _pieces(ranges, [threads] * len(parts))))
    for column in (file.positions, file.uvs, file.normals, file.colors):
        column.release()
    ranges = list(zip(first[shares[:-1], 0].tolist(), first[shares[1:], 0].tolist(), strict=True))
    # The faces around a vertex add to the normal that is made for it: not two threads at once.
    pieces = _pieces(ranges, [1 if any_made else _FACE_PIECES * threads for any_made in made])
    before = counts_before(file.face_sizes.values, np.array([begin for _, begin, _ in pieces], dtype=np.int64))
    list(executor.map(fill_faces, pieces, *before))
    if len(batch.lines) or len(batch.points):
        write_lines_and_points(first, file.lines.values, file.points.values, offsets, batch.lines, batch.points)
    return batch, _all_faults(parts)


def _unified(
    file: Collected, tree: ObjectTree, first_corners: np.ndarray, shares: list[int], executor: Executor
) -> list[Unified]:
    """Find the vertices of each share of the objects, on as many threads; the file's elements are rewritten."""
    columns = file.corners.values, file.face_sizes.values, file.lines.values, file.points.values
    elements = Elements(tree.first, first_corners, *columns)
    positions = file.positions.values
    of_file = elements, positions, file.all_finite, len(file.uvs), len(file.normals)
    materials, smoothing = ((each.first, each.value) for each in (tree.materials, tree.smoothing))

    def unified(first_object: int, last_object: int) -> Unified:
        begin, end = tree.first[[first_object, last_object]]
        first_corner, last_corner = first_corners[[first_object, last_object]]
        room = int(last_corner - first_corner + (end - begin) @ (0, 2, 1))
        lowest, highest = index_range(
            elements.corners[first_corner:last_corner, 0],
            elements.lines[begin[1] : end[1]],
            elements.points[begin[2] : end[2]],
            len(positions),
        )
        span = max(highest - lowest + 1, 0)
        vertices = Columns(*(np.empty(room, dtype=np.int32) for _ in range(4)))
        older, order, rank = np.empty((3, room), dtype=np.int32)
        chains = Chains(lowest, np.zeros(span, dtype=np.int32), np.empty(span, dtype=np.int32), older)
        counts = np.zeros((last_object - first_object, 4), dtype=np.int64)
        faults = np.zeros((6, 2), dtype=np.int64)
        scratch = chains, vertices, order, rank
        count = unify(first_object, last_object, *of_file, materials, smoothing, *scratch, counts, faults)
        position, uv, normal, material = (column[:count] for column in vertices)
        return Unified(position, uv, normal, material, counts, faults)

    return list(executor.map(unified, shares[:-1], shares[1:]))


def _empty_batch(tree: ObjectTree, counts: np.ndarray) -> MeshBatch:
    """Make room for meshes with these counts, (m, 4) as in Unified; the arrays are to be filled."""
    vertices, triangles, lines, points = counts.sum(axis=0).tolist()
    return MeshBatch(
        vertex_counts=counts[:, 0].copy(),
        triangle_counts=counts[:, 1].copy(),
        line_counts=counts[:, 2].copy(),
        point_counts=counts[:, 3].copy(),
        names=tree.mesh_names,
        **empty_columns(vertex=vertices, triangle=triangles, line=lines, point=points),
        source_lines=tree.mesh_lines,
    )


def _all_faults(parts: list[Unified]) -> np.ndarray:
    """Add up the faults of all parts, (6, 2) int64 as in Unified."""
    faults = sum((part.faults for part in parts), np.zeros((6, 2), dtype=np.int64))
    for kind in range(len(faults)):
        met = [part.faults[kind, 1] for part in parts if part.faults[kind, 0]]
        faults[kind, 1] = min(met, default=0)
    return faults


def _pieces(ranges: list[tuple[int, int]], counts: list[int]) -> list[tuple[int, int, int]]:
    """Cut each range into equal pieces, at most as many as `counts` says: (index of the range, begin, end)."""
    pieces = []
    for number, ((begin, end), most) in enumerate(zip(ranges, counts, strict=True)):
        count = min(most, (end - begin) // _LEAST_PIECE + 1)
        borders = [begin + (end - begin) * k // count for k in range(count + 1)]
        pieces += [(number, *piece) for piece in pairwise(borders)]
    return pieces


def _shares(work: np.ndarray, threads: int) -> list[int]:
    """Distribute objects in equal shares of the work, which is given cumulated; returns the borders."""
    wanted = work[-1] * np.arange(1, threads) // threads
    borders = np.searchsorted(work, wanted)
    return sorted({0, *borders.tolist(), len(work) - 1})  # np.unique would import numpy.ma, which takes 15 ms
