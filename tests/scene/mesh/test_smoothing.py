"""Smooth normals split at sharp edges: each corner against a search that walks from triangle to triangle."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.primitives import cylinder
from octoscope.scene.mesh.smoothing import lacks_normals, smoothed
from tests.scene.builders import ball, box, mesh_of

SEEDS = st.integers(0, 2**32 - 1)


def batch_of(*meshes: MeshData) -> MeshBatch:
    return MeshBatch.of(list(meshes), [f"mesh {number}" for number in range(len(meshes))])


def corner_normals(batch: MeshBatch, mesh: int = 0) -> np.ndarray:
    """Return (t, 3, 3): the normal at each corner."""
    data = batch.mesh(mesh)
    return data.normals[data.triangles]


def searched(mesh: MeshData, angle_rad: float) -> np.ndarray:
    """Return what `corner_normals` should be: at each corner, a search over sides from its triangle."""
    points = [[tuple(mesh.positions[vertex].tolist()) for vertex in triangle] for triangle in mesh.triangles.tolist()]
    faces = []
    for a, b, c in np.array(points):
        cross = np.cross((b - a) / (np.linalg.norm(b - a) or 1.0), (c - a) / (np.linalg.norm(c - a) or 1.0))
        faces.append(cross / (np.linalg.norm(cross) or 1.0))
    with_side = defaultdict(list)
    for number, corners in enumerate(points):
        for k in range(3):
            with_side[frozenset((corners[k], corners[(k + 1) % 3]))].append(number)
    smooth = defaultdict(set)  # by triangle: (side, other triangle)
    for side, (*some,) in with_side.items():
        if len(some) == 2 and len(side) == 2:
            one, other = some
            between = math.atan2(np.linalg.norm(np.cross(faces[one], faces[other])), faces[one] @ faces[other])
            if between <= angle_rad + 1e-9 and faces[one].any() and faces[other].any():
                smooth[one].add((side, other))
                smooth[other].add((side, one))
    normals = np.zeros((len(points), 3, 3))
    for number, corners in enumerate(points):
        for k, point in enumerate(corners):
            found, waiting = {number}, [number]
            while waiting:
                for side, other in smooth[waiting.pop()]:
                    if point in side and other not in found:
                        found.add(other)
                        waiting.append(other)
            total = np.zeros(3)
            for each in found:
                for j in range(3):
                    if points[each][j] == point:
                        u, v = (np.subtract(points[each][(j + step) % 3], point) for step in (1, 2))
                        total += faces[each] * math.atan2(np.linalg.norm(np.cross(u, v)), u @ v)
            normals[number, k] = total / (np.linalg.norm(total) or 1.0)
    return normals


def rough_sheet(seed: int) -> MeshData:
    """A grid whose points are moved, with vertices that are repeated here and there, holes and turned triangles."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(5.0), np.arange(4.0))
    positions = np.stack([x.ravel(), y.ravel(), rng.normal(size=20) * rng.uniform(0.0, 1.0)], axis=1)
    first = (np.arange(3)[:, None] * 5 + np.arange(4)).ravel()
    triangles = np.concatenate(
        [np.stack(each, axis=1) for each in ((first, first + 1, first + 6), (first, first + 6, first + 5))]
    )
    triangles = triangles[rng.random(len(triangles)) < 0.9]
    turned = rng.random(len(triangles)) < 0.1
    triangles[turned] = triangles[turned][:, ::-1]
    repeated = rng.random(20) < 0.4
    copies = np.cumsum(repeated) + 19
    takes = rng.random(triangles.shape) < 0.5
    triangles = np.where(takes & repeated[triangles], copies[triangles], triangles)
    return mesh_of(np.concatenate([positions, positions[repeated]]), triangles)


@given(seed=SEEDS, degrees=st.sampled_from([0.0, 5.0, 20.0, 30.0, 60.0, 90.0, 180.0]))
def test_each_corner_has_the_mean_of_those_that_a_search_reaches(seed, degrees):
    mesh = rough_sheet(seed)
    if len(mesh.triangles) == 0:
        return
    found = corner_normals(smoothed(batch_of(mesh), math.radians(degrees)))
    np.testing.assert_allclose(found, searched(mesh, math.radians(degrees)), atol=1e-5)


def test_a_box_stays_sharp_at_30_degrees_and_is_round_at_90():
    sharp = smoothed(batch_of(box()), math.radians(30.0))
    assert len(sharp.positions) == 24
    faces = {tuple(np.abs(normal).round(6).tolist()) for normal in sharp.normals}
    assert faces == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    round_ = smoothed(batch_of(box()), math.radians(90.0))
    assert len(round_.positions) == 8
    np.testing.assert_allclose(round_.normals, round_.positions / math.sqrt(3.0), atol=1e-6)


def test_a_ball_is_smooth_and_keeps_its_vertices():
    mesh = ball(24, 36)
    made = smoothed(batch_of(mesh), math.radians(30.0))
    assert len(made.positions) == len(mesh.positions)
    assert (made.triangles == mesh.triangles).all()
    assert (made.normals * made.positions).sum(axis=1).min() > 0.999


def test_a_cylinders_side_is_smooth_and_its_rim_is_sharp():
    plain = replace(cylinder(segments=24), normals=None)
    made = corner_normals(smoothed(batch_of(plain), math.radians(30.0)))
    corners = plain.positions[plain.triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    is_cap = np.abs(faces[:, 1]) > 1e-9
    assert np.abs(made[is_cap][..., 1]).min() > 0.999
    radial = corners[~is_cap] * (1.0, 0.0, 1.0)
    radial /= np.linalg.norm(radial, axis=2, keepdims=True)
    np.testing.assert_allclose(made[~is_cap], radial, atol=1e-5)


def test_it_does_not_matter_whether_a_file_repeats_its_vertices():
    mesh = ball(8, 12)
    loose = mesh_of(mesh.positions[mesh.triangles].reshape(-1, 3), np.arange(mesh.triangles.size).reshape(-1, 3))
    one, other = (corner_normals(smoothed(batch_of(each), math.radians(40.0))) for each in (mesh, loose))
    np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("size", [1e-200, 1e-12, 1.0, 1e12, 1e150])
def test_size_does_not_matter(size):
    mesh = ball(6, 9)
    expected = corner_normals(smoothed(batch_of(mesh), math.radians(50.0)))
    large = replace(mesh, positions=size * mesh.positions)
    np.testing.assert_allclose(corner_normals(smoothed(batch_of(large), math.radians(50.0))), expected, atol=1e-5)


def test_everything_else_of_a_vertex_goes_along():
    rng = np.random.default_rng(1)
    mesh = replace(
        box(),
        uvs=rng.random((8, 2)),
        colors=rng.integers(0, 256, (8, 4), dtype=np.uint8),
        material_ids=np.arange(8, dtype=np.int32),
        source_vertices=np.arange(8, dtype=np.int32)[::-1],
        lines=np.array([(0, 7), (3, 4)]),
        points=np.array([5, 2]),
    )
    before = batch_of(ball(3, 4), mesh, mesh)
    after = smoothed(before, math.radians(30.0), chosen=np.array([False, True, False]))
    assert len(after) == 3 and after.vertex_counts.tolist() == [len(ball(3, 4).positions), 24, 8]
    for number in range(3):
        old, new = before.mesh(number), after.mesh(number)
        for name in ("positions", "uvs", "colors", "material_ids", "source_vertices"):
            mine, theirs = getattr(new, name), getattr(old, name)
            for element in ("triangles", "lines", "points"):
                assert (mine[getattr(new, element)] == theirs[getattr(old, element)]).all(), name
        assert (new.edges == old.edges).all()
    assert not after.mesh(0).normals.any() and not after.mesh(2).normals.any(), "they were not chosen"


def test_triangles_without_area_and_meshes_without_triangles_have_no_normal():
    flat = mesh_of(np.array([(0.0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 0, 0)]), [(0, 1, 2), (2, 3, 3)])
    assert not smoothed(batch_of(flat), 1.0).normals.any()
    cloud = replace(mesh_of(np.eye(3), np.empty((0, 3), dtype=int)), points=np.arange(3))
    assert smoothed(batch_of(cloud, box()), 1.0).points.tolist() == [0, 1, 2]


def test_meshes_that_lack_normals_are_known():
    some = np.zeros((8, 3))
    some[3] = (0, 1, 0)
    cloud = replace(mesh_of(np.eye(3), np.empty((0, 3), dtype=int)), points=np.arange(3))
    assert lacks_normals(batch_of(box(), replace(box(), normals=some), cloud)).tolist() == [True, False, False]


def test_meshes_that_are_not_chosen_stay_as_they_are():
    before = batch_of(replace(box(), normals=np.eye(8, 3)), ball(3, 4))
    after = smoothed(before, 1.0, chosen=np.zeros(2, dtype=bool))
    for name in ("positions", "normals", "triangles", "vertex_counts"):
        assert (getattr(after, name) == getattr(before, name)).all(), name
