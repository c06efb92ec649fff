"""Numbers at the ends of what floats hold, and nodes that scale them back to ordinary sizes: answers stay right."""

from __future__ import annotations

import math

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import Scene
from octoscope.scene.bvh.traverse import DEEPEST
from octoscope.scene.geometry.bounded import bin_of, unit_of
from octoscope.scene.measuring import Measurer, size_rows
from octoscope.scene.spatial.frustum_kernels import any_touches
from octoscope.scene.spatial.frustum_select import nodes_in_frustum
from tests.scene.builders import ball, box, mesh_of

SIZES = (1e-320, 1e-310, 1e-160, 1e-43, 1e-13, 1.0, 1e13, 1e160, 1e300)


def scene_of(size: float, *, scale: float) -> Scene:
    """A ball of so large a mesh, scaled, in a scene with a box of ordinary size."""
    scene = Scene()
    scene.add_node("box", mesh=scene.meshes.add(box()), translation=(20.0, 0.0, 0.0))
    mesh = ball(8, 12)
    scene.add_node("ball", mesh=scene.meshes.add(mesh_of(mesh.positions * size, mesh.triangles)), scale=[scale] * 3)
    scene.update_world()
    return scene


@pytest.mark.parametrize("size", SIZES)
def test_a_bin_is_one_of_them_whatever_is_asked(size):
    assert [bin_of(place, 7) for place in (-math.inf, -size, -0.0, 0.0, math.nan)] == [0] * 5
    assert bin_of(math.inf, 7) == bin_of(1e300, 7) == bin_of(7.0, 7) == 6
    assert bin_of(6.999, 7) == 6 and bin_of(1.0, 7) == 1


@pytest.mark.parametrize("size", (*SIZES, 5e-324, 1.7e308, 0.0, math.inf, math.nan))
def test_a_unit_is_a_power_of_two_that_can_be_multiplied_and_divided_by(size):
    unit = unit_of(size)
    assert math.frexp(unit)[0] == 0.5 and 0.0 < 1.0 / unit < math.inf
    if 1e-290 < size < 1e290:
        assert 0.5 <= size * unit < 1.0


@pytest.mark.parametrize("away", (0.0, 2.0, 1e6, 1e15))
@pytest.mark.parametrize("size", (1e-90, 1e-43, 1e-13, 1.0, 1e13, 1e90))  # beyond, third powers vanish or overflow
def test_a_mesh_of_any_size_that_is_scaled_to_an_ordinary_one_is_hit(size, away):
    scene = scene_of(size, scale=1.0 / size)
    directions = np.array([(0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (0.36, 0.48, 0.8)])
    hits = scene.raycast_many(-away * directions, directions)
    assert hits.nodes.tolist() == [1, 1, 1]
    for direction, t in zip(directions, hits.t, strict=True):
        hit = scene.raycast(-away * direction, direction)
        assert hit.t == t == pytest.approx(away + (1.0 if away == 0.0 else -1.0), rel=0.1)
        assert np.linalg.norm(hit.normal) == pytest.approx(1.0)
        assert abs(hit.normal @ direction) > 0.7


@pytest.mark.parametrize("size", SIZES[:5])
def test_rays_past_a_mesh_that_is_next_to_nothing_end(size):
    """Its tree is looked at in its own size, from which the ray begins farther away than float32 tells apart."""
    scene = scene_of(size, scale=1.0)
    rng = np.random.default_rng(1)
    directions = np.concatenate([np.eye(3), -np.eye(3), rng.normal(size=(60, 3))])
    for away in (0.0, size, 1.0, 30.0, 1e16):
        origins = -away * directions
        scene.raycast_many(origins, directions)
        for origin, direction in zip(origins[:12], directions[:12], strict=True):
            for hit in scene.raycast_all(origin, direction):
                assert np.isfinite([hit.t, *hit.point, *hit.normal, *hit.barycentric]).all()


@pytest.mark.parametrize("scale", SIZES)
def test_hits_have_unit_normals_where_products_underflow(scale):
    scene = scene_of(1e-150, scale=scale)
    for hit in scene.raycast_all((0.0, 0.0, -9.0), (0.0, 0.0, 1.0)):
        assert np.linalg.norm(hit.normal) == pytest.approx(1.0) and np.isfinite(hit.barycentric).all()


def test_a_tree_is_no_deeper_than_walks_have_room_for():
    """No box has a surface here, so that dividing by cost takes only a sixteenth off each time."""
    count = 20_000
    positions = np.zeros((3 * count, 3))
    positions[:, 0] = np.arange(3 * count)
    triangles = np.arange(3 * count, dtype=np.int32).reshape(-1, 3)
    scene = Scene()
    scene.add_node("line", mesh=scene.meshes.add(mesh_of(positions, triangles)))
    assert scene.raycast_many([(1e6, 0.0, 0.0)], (-1.0, 0.0, 0.0)).nodes.tolist() == [-1]
    nodes = scene.rays._trees.arrays().nodes
    depth = np.zeros(len(nodes), dtype=int)
    numbers, counts = nodes.view(np.int32)[:, 6], nodes.view(np.int32)[:, 7]
    for node in range(len(nodes)):  # parents before children
        for child in np.flatnonzero((nodes[node, 0] <= nodes[node, 3]) & (counts[node] == 0)):
            depth[numbers[node, child]] = depth[node] + 1
    assert depth.max() > 10 and 7 * (depth.max() + 1) < DEEPEST
    assert scene.raycast_all((1e6, 0.0, 0.0), (-1.0, 0.0, 0.0)) == []


def test_a_triangle_that_planes_cut_keeps_within_its_room_whatever_the_numbers_are():
    """Interpreted, an index out of bounds raises."""
    rng = np.random.default_rng(2)
    values = np.array([0.0, 1e-320, 1.0, -1.0, 1e154, -1e154, 1e200, -1e200, 1e308, -1e308, 1.7e308])
    polygon, distances = np.empty((2, 192, 3)), np.empty(192)
    elements = np.array([(0, 1, 2)])
    with np.errstate(all="ignore"):
        for _ in range(100):
            planes, vertices = rng.choice(values, (6, 4)), rng.choice(values, (3, 3))
            any_touches.py_func(planes, vertices, elements, 3, polygon, distances)


@pytest.mark.parametrize("size", (1e-320, 1e-160, 1e160, 1e300, 1.7e308))
@pytest.mark.parametrize("scale", (1e-300, 1.0, 1e8))
def test_what_is_measured_and_chosen_of_it_is_said_without_complaint(size, scale):
    scene = scene_of(size, scale=scale)
    measurer = Measurer(scene)
    with np.errstate(all="raise", under="ignore"):
        for ids in ([1], [0, 1], [1, 0]):
            assert all(text for _, text in size_rows(measurer.measure(ids)))
    nodes_in_frustum(scene.index, Frustum.from_matrix(np.diag((0.01, 0.01, 0.01, 1.0))))
