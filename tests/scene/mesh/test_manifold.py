"""Watertight meshes, and reports on others, against a dictionary of edges."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import MeshData, Scene, load
from octoscope.scene.measuring import Measurer
from octoscope.scene.mesh.manifold import FLIPPED, NON_MANIFOLD, OPEN, edge_defects
from tests.scene.builders import ball, box, mesh_of, quad


def faults_of(*meshes: MeshData, most: int = 0, listed: np.ndarray | None = None) -> list[list[int]]:
    """open, flipped, non-manifold, unbalanced edges of each."""
    listed = np.empty((0, 4), dtype=np.int32) if listed is None else listed
    pool = Scene().meshes
    for mesh in meshes:
        pool.add(mesh)
    rows = pool.rows
    columns = (rows[name] for name in ("first_vertex", "vertex_count", "first_triangle", "triangle_count"))
    bits = pool.vertices["position"].view(np.uint64)
    return edge_defects(*columns, bits, pool.triangles["corners"], most, listed).tolist()


def sides_of(mesh: MeshData) -> Counter:
    """The number of triangles that have a side, by its ends in their order."""
    places = list(map(tuple, (mesh.positions + 0.0).tolist()))
    sides = Counter()
    for triangle in mesh.triangles:
        corners = [places[corner] for corner in triangle]
        if len(set(corners)) == 3:
            sides.update((corners[k], corners[(k + 1) % 3]) for k in range(3))
    return sides


def counted(mesh: MeshData) -> list[int]:
    """The same by a dictionary."""
    sides = sides_of(mesh)
    found = [0, 0, 0, 0]
    for a, b in {(min(side), max(side)) for side in sides}:
        up, down = sides[a, b], sides[b, a]
        found[0] += up + down == 1
        found[1] += up + down == 2 and up != down
        found[2] += up + down > 2
        found[3] += up != down
    return found


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_faults_are_those_that_a_dictionary_of_edges_finds(seed):
    rng = np.random.default_rng(seed)
    meshes = []
    for _ in range(3):  # behind each other in one pool
        shape = (box(), ball(4, 5), quad())[rng.integers(3)]
        triangles = rng.permutation(np.concatenate([shape.triangles, shape.triangles[: rng.integers(3)]]))
        turned = rng.random(len(triangles)) < rng.choice((0.0, 0.1))
        triangles[turned] = triangles[turned, ::-1]
        triangles = triangles[rng.random(len(triangles)) >= rng.choice((0.0, 0.1))]
        if len(triangles) == 0:
            continue
        positions = shape.positions[triangles].reshape(-1, 3)  # a seam along every side
        positions[rng.random(positions.shape) < 0.5] += 0.0
        positions = np.where((positions == 0.0) & (rng.random(positions.shape) < 0.5), -0.0, positions)
        meshes.append(mesh_of(positions, np.arange(len(positions)).reshape(-1, 3)))
    assert faults_of(*meshes) == [counted(mesh) for mesh in meshes]
    for most in (1, 10_000):
        room = sum(min(count, most) for mesh in meshes for count in counted(mesh)[:3])
        listed = np.full((room + 1, 4), -1, dtype=np.int32)
        faults_of(*meshes, most=most, listed=listed)
        assert (listed[:-1] >= 0).all() and (listed[-1] == -1).all(), "as many as there are"
        assert len({(row, kind, *sorted(ends)) for row, kind, *ends in listed.tolist()}) == room + 1
        for row, kind, *ends in listed[:-1].tolist():
            a, b = (tuple((meshes[row].positions[end] + 0.0).tolist()) for end in ends)
            up, down = sides_of(meshes[row])[a, b], sides_of(meshes[row])[b, a]
            assert kind == (NON_MANIFOLD if up + down > 2 else OPEN if up + down == 1 else FLIPPED)
            assert kind != OPEN or up == 1, "in the direction of its triangle"


def test_what_is_watertight_agrees_with_trimesh():
    closed = ball(6, 7)
    holed = mesh_of(closed.positions, closed.triangles[1:])
    for mesh, is_watertight in ((closed, True), (box(), True), (holed, False), (quad(), False)):
        assert trimesh.Trimesh(mesh.positions, mesh.triangles).is_watertight == is_watertight
        assert (not any(faults_of(mesh)[0])) == is_watertight


def test_what_is_wrong_is_told_apart():
    shape = box()
    flipped = shape.triangles.copy()
    flipped[0] = flipped[0, ::-1]
    assert faults_of(mesh_of(shape.positions, shape.triangles[1:]))[0] == [3, 0, 0, 3]
    assert faults_of(mesh_of(shape.positions, flipped))[0] == [0, 3, 0, 3]
    fins = np.concatenate([shape.triangles, shape.triangles[:1]])
    assert faults_of(mesh_of(shape.positions, fins))[0] == [0, 0, 3, 3]


def test_boxes_that_share_an_edge_enclose_a_volume_and_are_not_manifold():
    shape = box()
    both = mesh_of(
        np.concatenate([shape.positions, shape.positions + np.array((2.0, 2.0, 0.0))]),
        np.concatenate([shape.triangles, shape.triangles + 8]),
    )
    assert faults_of(both)[0] == [0, 0, 1, 0]
    scene = Scene()
    scene.add_node("both", mesh=scene.meshes.add(both))
    scene.update_world()
    figures = Measurer(scene).measure([0])
    assert figures.volume == pytest.approx(16.0) and not figures.is_watertight and figures.non_manifold_edges == 1


def test_triangles_without_an_area_that_have_a_corner_twice_open_nothing():
    shape = box()
    thin = np.concatenate([shape.triangles, [(0, 0, 1), (2, 2, 2)]])
    assert faults_of(mesh_of(shape.positions, thin))[0] == [0, 0, 0, 0]


def test_a_fan_of_a_hundred_thousand_triangles_about_one_corner_is_counted():
    count = 100_000
    angles = np.arange(count) * 2.0 * np.pi / count
    rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count)])
    around = np.arange(count)
    triangles = np.column_stack([np.zeros(count, int), 1 + around, 1 + (around + 1) % count])
    assert faults_of(mesh_of(np.vstack([(0, 0, 1), rim]), triangles))[0] == [count, 0, 0, count]


def test_the_seams_of_an_obj_are_no_holes(tmp_path):
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += [f"vn {' '.join(str(side * (axis == k)) for k in range(3))}" for axis in range(3) for side in (-1, 1)]
    quads = ((1, 3, 7, 5), (2, 6, 8, 4), (1, 5, 6, 2), (3, 4, 8, 7), (1, 2, 4, 3), (5, 7, 8, 6))
    lines += [f"f {' '.join(f'{corner}//{normal}' for corner in face)}" for normal, face in enumerate(quads, start=1)]
    path = tmp_path / "box.obj"
    path.write_text("\n".join(lines))
    scene = load(path)
    assert scene.meshes.rows["vertex_count"][0] == 24, "each corner has three normals"
    figures = Measurer(scene).measure([0])
    assert figures.is_watertight and figures.volume == pytest.approx(1.0)
