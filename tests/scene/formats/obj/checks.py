"""Checks of what the OBJ reader made of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene import FileContent, MeshData, ReadError
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.system.report import Problem


def tree(file: FileContent) -> list[str]:
    """Every node as "above/name", those without a mesh in brackets, in the file's order."""
    paths: list[str] = []
    for name, parent, mesh in zip(file.node_names, file.node_parents, file.node_meshes, strict=True):
        shown = str(name) if mesh >= 0 else f"[{name}]"
        paths.append(shown if parent < 0 else f"{paths[parent]}/{shown}")
    return paths


def area(mesh: MeshData) -> float:
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def segments(mesh: MeshData) -> list[list[list[float]]]:
    """The ends of the lines."""
    return mesh.positions[mesh.lines].tolist()


def only_problem(file: FileContent) -> Problem:
    (problem,) = file.problems
    return problem


def kinds(file: FileContent) -> dict[str, int]:
    """Return the count of each kind of problem."""
    return {problem.kind: problem.count for problem in file.problems}


def assert_says_what_is_wrong_in_one_line(error: ReadError, path: Path) -> None:
    message = str(error)
    assert message.startswith(f"{path}: ")
    assert message.isprintable()
    assert len(message) - len(str(path)) > 20


def assert_sound(file: FileContent) -> None:
    """Whatever a file held: what was made of it can be shown, and every problem is said in one line."""
    count = len(file.meshes)
    assert count > 0
    assert sorted(file.node_meshes[file.node_meshes >= 0].tolist()) == list(range(count))
    assert (file.node_parents < np.arange(len(file.node_names))).all() and (file.node_parents >= -1).all()
    assert all(isinstance(name, str) for name in file.node_names.tolist())
    Meshes().extend(file.meshes)  # refuses what is not finite, empty, or an index out of range
    batch = file.meshes
    assert np.isfinite(batch.normals).all() and np.isfinite(batch.uvs).all()
    lengths = np.linalg.norm(batch.normals, axis=1)
    assert ((lengths == 0.0) | (abs(lengths - 1.0) < 1e-5)).all()
    assert ((batch.material_ids >= 0) & (batch.material_ids < len(file.materials))).all()
    assert ((batch.source_vertices >= 0) & (batch.source_vertices < file.vertex_count + len(batch.positions))).all()
    assert (batch.edges <= 7).all()
    for problem in file.problems:
        assert str(problem).isprintable() and problem.kind and problem.what and problem.count > 0
        assert problem.line is None or problem.line > 0


def assert_same(one: FileContent, other: FileContent) -> None:
    """Bit for bit."""
    assert one.vertex_count == other.vertex_count
    assert tree(one) == tree(other)
    assert one.problems == other.problems
    assert [material.name for material in one.materials] == [material.name for material in other.materials]
    for name, column in vars(one.meshes).items():
        np.testing.assert_array_equal(column, getattr(other.meshes, name), err_msg=name)
