"""The contents of files of simple formats (PLY, STL, OFF, 3MF): meshes, and nodes that show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.formats.nested_nodes import nested
from octoscope.scene.formats.ply_elements import mesh_of_elements
from octoscope.scene.geometry.affine import factorize
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.system.read_limits import current_limits, read_counted
from octoscope.scene.system.report import Problems, nothing_to_show
from octoscope.scene.system.text_file import ReadError, printable

_LARGEST_BYTES = 4 * 2**30
# That each takes in a scene, and on the way there, beside its vertices.
NODE_BYTES = 1700
_MESH_BYTES = 3000


class Parts(NamedTuple):
    """The contents of a file."""

    vertex_count: int  # as the file states it
    meshes: list[tuple[str, MeshData]]  # (name, mesh)
    nodes: list[tuple[str, int, np.ndarray]]  # (name, index of the mesh, world_from_local)
    material: Material = DEFAULT_MATERIAL  # of all meshes
    dependencies: frozenset[Path] = frozenset()  # the other files that were read
    length_unit: str = NO_UNIT  # as in FileContent


def read_simple(path: Path, read: Callable[[bytes, Path, Problems], Parts]) -> FileContent:
    """Read a file by a function of its bytes, its path, and what receives problems."""
    problems = Problems(path)
    data = read_counted(path, largest_bytes=_LARGEST_BYTES)
    if not data:
        raise ReadError(path, "the file is empty; export it again")
    with np.errstate(all="ignore"):  # NaN and infinity are left out and reported
        return _content(path, read(data, path, problems), problems)


def mesh_of_triangles(read: dict[str, np.ndarray], problems: Problems) -> MeshData:
    """Make a mesh of vertices and faces, or of points where there are no faces."""
    positions = np.array(read["vertices"], dtype=np.float64).reshape(-1, 3)
    triangles = np.asarray(read.get("faces", ()), dtype=np.int64).reshape(-1, 3)
    columns = {"x": positions[:, 0], "y": positions[:, 1], "z": positions[:, 2]}
    face = {"vertex_indices": triangles} if len(triangles) else {}
    return mesh_of_elements(columns, face, {}, problems=problems)


def one_mesh(path: Path, vertex_count: int, mesh: MeshData, material: Material = DEFAULT_MATERIAL) -> Parts:
    """Return a mesh that a node of the file's name shows."""
    name = printable(path.stem)
    return Parts(vertex_count, [(name, mesh)], [(name, 0, np.eye(4))], material)


def _content(path: Path, parts: Parts, problems: Problems) -> FileContent:
    shown = [
        index
        for index, (_, mesh) in enumerate(parts.meshes)
        if any(elements is not None and len(elements) for elements in (mesh.triangles, mesh.lines, mesh.points))
    ]
    row_of = {index: row for row, index in enumerate(shown)}
    nodes = [(name, row_of[index], matrix) for name, index, matrix in parts.nodes if index in row_of]
    if not nodes:
        raise nothing_to_show(path, problems)
    current_limits().take(NODE_BYTES * len(nodes) + _MESH_BYTES * len(shown))
    matrices = np.array([matrix for _, _, matrix in nodes], dtype=np.float64)
    if not np.isfinite(matrices).all():
        problems.report("transform", "a transform that is not finite", "ignored")
        matrices[~np.isfinite(matrices).all(axis=(1, 2))] = np.eye(4)
    columns = nested(
        np.arange(len(nodes)),
        np.full(len(nodes), -1),
        np.array([printable(name) for name, _, _ in nodes], dtype=np.dtypes.StringDType()),
        np.array([row for _, row, _ in nodes]),
        matrices[:, :3, 3],
        factorize(matrices[:, :3, :3]),
        problems,
    )
    names = [printable(parts.meshes[index][0]) for index in shown]
    meshes = [parts.meshes[index][1] for index in shown]
    return FileContent(
        printable(path.name),
        parts.vertex_count,
        columns.names,
        columns.parents,
        columns.meshes.astype(np.int32),
        MeshBatch.of(meshes, names),
        [parts.material],
        columns.translations,
        columns.rotations,
        columns.scales,
        np.full(len(columns.names), -1, dtype=np.int32),
        problems=list(problems),
        dependencies=parts.dependencies,
        length_unit=parts.length_unit,
    )
