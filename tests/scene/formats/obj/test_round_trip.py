"""A random model, written down in whatever way OBJ allows, is read back as it was."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octoscope.scene import MeshData, read_obj
from octoscope.scene.formats.mtl.statements import material_name
from octoscope.scene.formats.obj import blocks
from tests.scene.formats.obj.checks import assert_same, assert_sound, kinds, tree
from tests.scene.formats.obj.obj_model import Corner, Model, Section, models, text_of, tree_of

many = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


Vertex = tuple[Corner, int, str]  # with a smoothing group and a material


def assert_mesh_is(mesh: MeshData, section: Section, model: Model, materials: list[str]) -> None:
    polygons: list[list[Vertex]] = [
        [(corner, smoothing if corner[2] is None else 0, material) for corner in corners]
        for corners, material, smoothing in section.faces
    ]
    lines: list[Vertex] = [
        ((vertex, None, None), 0, material) for line, material in section.lines for vertex in twice(line)
    ]
    points: list[Vertex] = [((vertex, None, None), 0, material) for vertex, material in section.points]
    # In the order of their positions in the file, and at one position in that of their first use.
    vertices = sorted(dict.fromkeys(chain(*polygons, lines, points)), key=lambda vertex: vertex[0][0])
    number = {vertex: k for k, vertex in enumerate(vertices)}
    assert len(mesh.positions) == len(vertices)
    for k, (corner, smoothing, material) in enumerate(vertices):
        assert_vertex_is(mesh, k, corner, model)
        assert materials[mesh.material_ids[k]] == (material_name(material) or "default")
        if corner[2] is None and smoothing == 0:
            assert (mesh.normals[k] == 0.0).all()
    triangles = iter(zip(mesh.triangles.tolist(), mesh.edges.tolist(), strict=True))
    for polygon in polygons:
        assert_cut_from([next(triangles) for _ in polygon[2:]], [number[vertex] for vertex in polygon])
    assert next(triangles, None) is None
    assert mesh.lines.ravel().tolist() == [number[vertex] for vertex in lines]
    assert mesh.points.tolist() == [number[vertex] for vertex in points]


def twice(line: list[int]) -> list[int]:
    """The ends of a line's segments."""
    return [vertex for pair in pairwise(line) for vertex in pair]


def assert_cut_from(triangles: list[tuple[list[int], int]], polygon: list[int]) -> None:
    """The sides that are marked are the polygon's, and all sides, in their direction, add up to these."""
    outline = Counter(zip(polygon, polygon[1:] + polygon[:1], strict=True))
    sides, marked = Counter(), Counter()
    for corners, edges in triangles:
        for k, side in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
            sides[side] += 1
            marked[side] += edges >> k & 1
    assert +marked == outline
    assert directed(sides) == directed(outline)


def directed(sides: Counter) -> Counter:
    """Return the sides that are left after those in opposite directions cancel out."""
    left = Counter(sides)
    left.subtract({(b, a): count for (a, b), count in sides.items()})
    return +left


def assert_vertex_is(mesh: MeshData, vertex: int, corner: Corner, model: Model) -> None:
    position, uv, normal = corner
    assert mesh.source_vertices[vertex] == position
    assert mesh.positions[vertex].tobytes() == np.array(model.positions[position]).tobytes()
    assert mesh.uvs[vertex].tolist() == ([0.0, 0.0] if uv is None else list(model.uvs[uv]))
    if normal is not None:
        direction = np.array(model.normals[normal])
        direction /= np.abs(direction).max() or 1.0
        direction /= np.linalg.norm(direction) or 1.0
        np.testing.assert_allclose(mesh.normals[vertex], direction, atol=1e-6)
    color = (1.0, 1.0, 1.0) if model.colors[position] is None else model.colors[position]
    assert mesh.colors[vertex].tolist() == [*(int(255 * value + 0.5) for value in color), 255]


@many
@given(model=models(), seed=st.integers(0, 2**32))
def test_a_model_is_read_back_as_it_was(tmp_path_factory, model, seed):
    path = tmp_path_factory.getbasetemp() / "model.obj"
    text = text_of(model, seed)
    path.write_bytes(text.encode())
    file = read_obj(path)
    assert_sound(file)
    meshes = model.meshes()
    assert file.vertex_count == len(model.positions)
    assert tree(file) == tree_of(meshes, "model")
    assert set(kinds(file)) <= {"material-unknown", "empty-object"}
    materials = [material.name for material in file.materials]
    for number, section in enumerate(meshes):
        assert_mesh_is(file.meshes.mesh(number), section, model, materials)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for name, line in zip(file.meshes.names.tolist(), file.meshes.source_lines.tolist(), strict=True):
        assert line == 0 or lines[line - 1].split()[:1] in (["o"], ["g"]), (name, line, lines)


@many
@given(
    model=models(),
    seeds=st.tuples(st.integers(0, 2**32), st.integers(0, 2**32)),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]),
    is_packed=st.booleans(),
    block_bytes=st.sampled_from([64, 100, 256, 1000]),
    threads=st.integers(1, 5),
)
def test_a_model_is_the_same_however_it_is_written_packed_and_cut_into_blocks(
    tmp_path_factory, model, seeds, encoding, is_packed, block_bytes, threads
):
    path = tmp_path_factory.getbasetemp() / "same.obj"
    path.write_bytes(text_of(model, seeds[0]).encode())
    first = read_obj(path, threads=1)
    data = text_of(model, seeds[1]).encode(encoding)
    path.write_bytes(gzip.compress(data) if is_packed else data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK_BYTES", block_bytes)
        second = read_obj(path, threads=threads)
    for file in (first, second):  # lines are the layout's
        file.problems[:] = []
        file.meshes.source_lines[:] = 0
    assert_same(first, second)
