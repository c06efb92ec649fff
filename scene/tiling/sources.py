"""Read files piece by piece: geometry in world coordinates, on disk, with what is said of its objects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scene.bake import baked
from scene.formats.export import ExportedNodes, WriteError, exported_nodes, nodes_to_bake, note_left_out
from scene.formats.tiles.geometry import TileGeometry
from scene.loading.load import load
from scene.mesh.material import Material
from scene.scene import Scene
from scene.system.report import LoadReport
from scene.tiling.pieces import Piece, save_geometry
from scene.up_axis import UpAxis


class SourceJob(NamedTuple):
    """A file to be read.

    Attributes:
        path: of the file.
        number: of the source.
        is_only: there is no other.
        folder: for its pieces.
        piece_vertices: about how many vertices a piece may have.
        max_memory_bytes: that reading may take; None: most of what is free.
        up_axis: as for `load`.
    """

    path: Path
    number: int
    is_only: bool
    folder: Path
    piece_vertices: int
    max_memory_bytes: int | None
    up_axis: UpAxis | None


@dataclass(frozen=True, eq=False)
class Source:
    """What a file holds, without its geometry.

    Attributes:
        names: (n,) StringDType of its nodes.
        parents: (n,) int32, -1 at the top.
        materials: of the file.
        objects: how many of its nodes are shown.
        pieces: its geometry.
        bounds: (p, 2, 3) float64 the lower and upper corner of each piece.
        elements: (p,) int64 how many elements each piece has.
        notes: a line for each thing that tiles cannot hold.
        report: of opening it.
    """

    names: np.ndarray
    parents: np.ndarray
    materials: list[Material]
    objects: int
    pieces: list[Piece]
    bounds: np.ndarray
    elements: np.ndarray
    notes: list[str]
    report: LoadReport


def read_source(job: SourceJob) -> Source:
    """Read a file and write its geometry to pieces.

    Raises:
        ReadError: the file cannot be opened.
    """
    scene = load(job.path, max_memory_bytes=job.max_memory_bytes, up_axis=job.up_axis)
    scene.update_world()
    notes: list[str] = []
    parents = scene.parents.astype(np.int32)
    ids = np.empty(0, dtype=np.int64)
    try:
        nodes = exported_nodes(scene)
        if not job.is_only:
            nodes = ExportedNodes(scene.ids, np.empty(0, dtype=np.int64))
        else:
            parents = np.full(scene.row_count, -1, dtype=np.int32)
            parents[nodes.ids] = np.where(nodes.parents >= 0, nodes.ids[nodes.parents], -1)
        note_left_out(scene, nodes, notes)
        ids = nodes_to_bake(scene, nodes, notes)
    except WriteError as error:
        notes.append(str(error))
    pieces, bounds, elements = _write_pieces(scene, ids, job)
    return Source(
        scene.names.copy(),
        parents,
        list(scene.materials),
        len(ids),
        pieces,
        bounds,
        elements,
        notes,
        scene.report,
    )


def _write_pieces(scene: Scene, ids: np.ndarray, job: SourceJob) -> tuple[list[Piece], np.ndarray, np.ndarray]:
    """Write the meshes of nodes to pieces: as many nodes to each as their vertices allow."""
    vertices = np.cumsum(scene.meshes.rows["vertex_count"][scene.mesh_ids[ids]])
    borders = np.flatnonzero(np.diff(vertices // job.piece_vertices, prepend=-1))
    pieces, bounds, elements = [], [], []
    for begin, end in zip(borders.tolist(), [*borders[1:].tolist(), len(ids)], strict=True):
        geometry = TileGeometry.of(baked(scene, ids[begin:end], up_axis="y"), ids[begin:end])
        pieces.append(Piece(job.folder / f"{job.number}_{begin}", job.number))
        save_geometry(geometry, pieces[-1].path)
        bounds.append(geometry.bounds())
        elements.append(geometry.element_count)
    return pieces, np.array(bounds).reshape(-1, 2, 3), np.array(elements, dtype=np.int64)
