"""Read files piece by piece: geometry in world coordinates, on disk, with what is said of its objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.bake import baked, baking_matrices
from octoscope.scene.content import FileOutline
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.formats.export import exported_nodes, nodes_to_bake, note_left_out
from octoscope.scene.formats.readers import ReadOptions, memory_per_byte, parts_reader
from octoscope.scene.formats.tiles.repeats import Repeats
from octoscope.scene.loading.load import opened
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.material import Material
from octoscope.scene.project.journal import journal_path
from octoscope.scene.system.atomic_file import WriteError
from octoscope.scene.system.paths import stat_of
from octoscope.scene.system.report import LoadReport
from octoscope.scene.system.text_file import printable
from octoscope.scene.tiling.pieces import Piece, save_geometry


class SourceJob(NamedTuple):
    """A file to be read."""

    path: Path
    number: int
    is_only: bool  # there is no other
    folder: Path
    piece_vertices: int  # about how many vertices a piece may have
    max_memory_bytes: int  # that reading may take
    up_axis: UpAxis | None  # as for `load`


class SourcePiece(NamedTuple):
    """A piece of a source, its lower and upper corner, (3,) float64, and its number of elements."""

    piece: Piece
    bounds: tuple[np.ndarray, np.ndarray]
    elements: int


@dataclass(frozen=True, eq=False)
class Source:
    """The content of a file without its geometry, which lies in pieces on disk."""

    names: np.ndarray  # (n,) StringDType of its nodes
    parents: np.ndarray  # (n,) int32, -1 at the top
    materials: list[Material]
    objects: np.ndarray  # (k,) int64 the node of each object of the pieces
    shown: int  # how many of the nodes are shown
    pieces: list[SourcePiece]
    notes: list[str]  # a line for each thing that tiles cannot hold
    repeats: Repeats
    report: LoadReport
    stamps: dict[Path, tuple[int, int, int] | None]  # of all files that it was made of, when they were read

    @property
    def is_current(self) -> bool:
        """True if none of its files has changed since it was read."""
        return all(stat_of(path) == stamp for path, stamp in self.stamps.items())


def read_source(job: SourceJob) -> Source:
    """Read a file and write its geometry to pieces."""
    stamp = stat_of(job.path)  # before reading: one that is replaced meanwhile has changed
    read = parts_reader(job.path)
    source = _read_whole(job) if read is None or not _is_large(job) else _read_in_parts(job, read)
    source.stamps[job.path] = stamp
    return source


def _is_large(job: SourceJob) -> bool:
    """Tell whether a file may take more memory than there is, if it is read whole."""
    if not job.path.is_file():
        return False
    return job.path.stat().st_size * memory_per_byte(job.path) > job.max_memory_bytes


def _read_whole(job: SourceJob) -> Source:
    scene = opened(job.path, options=ReadOptions(job.max_memory_bytes), up_axis=job.up_axis)
    scene.update_world()
    notes: list[str] = []
    parents = scene.parents.astype(np.int32)
    ids = np.empty(0, dtype=np.int64)
    try:
        nodes = exported_nodes(scene)
        if job.is_only:
            parents = np.full(scene.row_count, -1, dtype=np.int32)
            parents[nodes.ids] = np.where(nodes.parents >= 0, nodes.ids[nodes.parents], -1)
        note_left_out(scene, nodes, notes)
        ids = nodes_to_bake(scene, nodes, notes)
    except WriteError as error:
        notes.append(str(error))
    pieces: list[SourcePiece] = []
    # As many nodes to a piece as their vertices allow.
    vertices = np.cumsum(scene.meshes.rows["vertex_count"][scene.mesh_ids[ids]])
    borders = np.flatnonzero(np.diff(vertices // job.piece_vertices, prepend=-1))
    for chosen in np.split(ids, borders[1:]) if len(ids) else ():
        _write(MergedGeometry.of(baked(scene, chosen, up_axis="y"), chosen), job, pieces)
    ids = np.sort(ids)
    repeats = Repeats.of(ids, scene.mesh_ids[ids], baking_matrices(scene, ids, up_axis="y"))
    objects = np.arange(scene.row_count)
    materials = list(scene.materials)
    of_sources = (each.dependencies for each in scene.loaded_sources.values())
    read = {*scene.report.opened, *scene.sources, journal_path(job.path), *chain.from_iterable(of_sources)}
    stamps = {Path(path): stat_of(path) for path in read}  # None: not there, such as the journal of what is no project
    return Source(
        scene.names.copy(), parents, materials, objects, len(ids), pieces, notes, repeats, scene.report, stamps
    )


def _read_in_parts(job: SourceJob, read_in_parts: Callable[..., FileOutline]) -> Source:
    """Read a file part by part; its nodes are numbered as those of a scene, where the first is the file's."""
    pieces: list[SourcePiece] = []

    def take(batch: MeshBatch, meshes: np.ndarray, up_axis: UpAxis = job.up_axis or "y") -> None:
        geometry = MergedGeometry.of(batch, meshes)
        if geometry.element_count:
            _write(geometry.turned(up_axis, "y"), job, pieces)

    read = read_in_parts(job.path, take, folder=job.folder, part_elements=job.piece_vertices // 2)
    top = printable(job.path.name)
    names = np.concatenate([np.array([top], dtype=np.dtypes.StringDType()), read.node_names])
    parents = np.where(read.node_parents >= 0, read.node_parents + 1, -1 if job.is_only else 0)
    report = LoadReport([job.path], read.vertex_count, problems=read.problems)
    parents = np.concatenate([[-1], parents]).astype(np.int32)
    shown = int((read.node_of_mesh >= 0).sum())
    objects, stamps = read.node_of_mesh + 1, {path: stat_of(path) for path in read.dependencies}
    return Source(names, parents, read.materials, objects, shown, pieces, [], Repeats.none(), report, stamps)


def _write(geometry: MergedGeometry, job: SourceJob, pieces: list[SourcePiece]) -> None:
    parts = -(-geometry.element_count * 2 // job.piece_vertices)  # of a mesh that is larger than a piece
    for chosen in np.array_split(np.arange(geometry.element_count), max(parts, 1)):
        piece = geometry if parts <= 1 else geometry.taken(chosen)
        path = job.folder / f"{job.number}_{len(pieces)}"
        save_geometry(piece, path)
        pieces.append(SourcePiece(Piece(path, job.number), piece.bounds(), piece.element_count))
