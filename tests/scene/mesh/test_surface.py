"""Area, volume and boxes of nodes, against trimesh and against plain sums over corners moved to the world."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import MeshData, Scene
from octoscope.scene.measuring import Lengths, Measurer, NodeFigures, size_rows
from tests.oracles import random_quaternion
from tests.scene.builders import ball, box, mesh_of, quad, random_scene

SEEDS = st.integers(0, 2**32 - 1)


def measured_apart(mesh: MeshData) -> NodeFigures:
    """The figures of all objects that are made of the halves of a mesh's triangles."""
    scene = Scene()
    for triangles in np.array_split(mesh.triangles, 2):
        scene.add_node("half", mesh=scene.meshes.add(replace(mesh, triangles=triangles)))
    scene.update_world()
    return Measurer(scene).measure(scene.ids)


def measured(mesh: MeshData, **placing: object) -> NodeFigures:
    scene = Scene()
    node = scene.add_node("it", mesh=scene.meshes.add(mesh), **placing)
    scene.update_world()
    return Measurer(scene).measure([node.id])


def world_corners(scene: Scene, node_id: int) -> np.ndarray:
    """(t, 3, 3)."""
    mesh = scene.meshes.mesh(scene.mesh_ids[node_id])
    matrix = scene.world_from_local[node_id]
    return (mesh.positions @ matrix[:3, :3].T + matrix[:3, 3])[mesh.triangles]


def plain_area(corners: np.ndarray) -> float:
    a, b, c = corners.transpose(1, 0, 2)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def plain_volume(corners: np.ndarray) -> float:
    return abs(float(np.linalg.det(corners - corners.reshape(-1, 3).mean(axis=0)).sum() / 6.0))


@pytest.mark.parametrize("mesh", (box(), ball(), ball(20, 30)), ids=("box", "ball", "fine ball"))
def test_area_and_volume_are_those_that_trimesh_finds(mesh):
    other = trimesh.Trimesh(mesh.positions, mesh.triangles, process=False)
    assert other.is_watertight
    figures = measured(mesh)
    assert figures.is_watertight
    assert figures.area == pytest.approx(other.area, rel=1e-12)
    assert figures.volume == pytest.approx(other.volume, rel=1e-12)


@given(seed=SEEDS)
@settings(max_examples=30)
def test_every_node_of_a_random_scene_measures_what_its_corners_in_the_world_do(seed):
    scene = random_scene(seed, 40)
    scene.update_world()
    measurer = Measurer(scene)
    leaves = np.setdiff1d(np.arange(len(scene)), scene.parents)
    for node in leaves[scene.mesh_ids[leaves] >= 0]:
        figures = measurer.measure([node])
        corners = world_corners(scene, node)
        size = float(np.ptp(corners, axis=(0, 1)).max())
        far = float(np.abs(corners).max()) * 1e-15  # what the oracle's own corners are rounded by
        assert figures.area == pytest.approx(plain_area(corners), rel=1e-9, abs=(1e-12 * size + 50 * far) * size)
        assert figures.objects == figures.solids == 1
        np.testing.assert_allclose(figures.lower, corners.min(axis=(0, 1)), atol=1e-9 * size + 10 * far)
        np.testing.assert_allclose(figures.upper, corners.max(axis=(0, 1)), atol=1e-9 * size + 10 * far)
        if figures.volume is not None:
            tolerance = (1e-12 * size + 50 * far) * size**2
            assert figures.volume == pytest.approx(plain_volume(corners), rel=1e-9, abs=tolerance)


@given(seed=SEEDS, far=st.sampled_from((0.0, 1.0, 1e3, 1e6)))
def test_turning_and_moving_changes_neither_area_nor_volume_nor_the_own_sides(seed, far):
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.1, 3.0, 3) * rng.choice((-1.0, 1.0), 3)
    placed = measured(
        ball(5, 6), scale=scale, rotation=random_quaternion(rng, 1)[0], translation=far * rng.normal(size=3)
    )
    still = measured(ball(5, 6), scale=np.abs(scale))
    assert placed.area == pytest.approx(still.area, rel=1e-12)
    assert placed.volume == pytest.approx(still.volume, rel=1e-12)
    np.testing.assert_allclose(placed.own_sides, still.own_sides, rtol=1e-12)


@pytest.mark.parametrize("offset", (1e3, 1e6, 1e9))
def test_a_mesh_whose_own_numbers_lie_far_away_keeps_its_volume(offset):
    shape = box()
    figures = measured(mesh_of(shape.positions + offset, shape.triangles))
    assert figures.volume == 8.0 and figures.area == 24.0, "its corners are exact there: so are the figures"
    np.testing.assert_array_equal(figures.own_sides, (2, 2, 2))


def test_a_mirrored_or_inside_out_box_has_a_volume_above_zero():
    assert measured(box(), scale=(-1, 2, 3)).volume == pytest.approx(48.0)
    shape = box()
    assert measured(mesh_of(shape.positions, shape.triangles[:, ::-1])).volume == pytest.approx(8.0)


def test_a_box_that_is_flat_in_the_world_encloses_nothing_and_has_two_sides():
    figures = measured(box(), scale=(1, 0, 1))
    assert figures.volume == 0.0
    assert figures.area == pytest.approx(8.0)
    np.testing.assert_array_equal(figures.own_sides, (2, 0, 2))


def test_a_sheared_box_keeps_the_volume_that_its_determinant_says():
    scene = Scene()
    above = scene.add_node("above", scale=(1, 3, 1))
    child = scene.add_node("child", parent=above.id, mesh=scene.meshes.add(box()), rotation=(0, 0, 0.3, 1))
    scene.update_world()
    figures = Measurer(scene).measure([child.id])
    corners = world_corners(scene, child.id)
    assert figures.volume == pytest.approx(24.0)
    assert figures.area == pytest.approx(plain_area(corners))
    sides = np.linalg.norm(scene.world_from_local[child.id][:3, :3], axis=0) * 2.0
    np.testing.assert_allclose(figures.own_sides, sides)


# Several nodes.


def test_a_group_measures_all_that_is_below_it_and_each_node_once():
    scene = Scene()
    mesh = scene.meshes.add(box())
    group = scene.add_node("group")
    first = scene.add_node("first", parent=group.id, mesh=mesh)
    scene.add_node("second", parent=first.id, mesh=mesh, translation=(10, 0, 0))
    scene.add_node("other", mesh=mesh, translation=(0, 50, 0))
    scene.update_world()
    measurer = Measurer(scene)
    for ids in ([group.id], [group.id, first.id], [first.id]):
        figures = measurer.measure(ids)
        assert (figures.objects, figures.area, figures.volume) == (2, 48.0, 16.0)
        np.testing.assert_array_equal(figures.upper - figures.lower, (12, 2, 2))
    assert measurer.measure([]).objects == 0 and size_rows(measurer.measure([])) == []


def test_the_box_in_the_active_nodes_frame_lies_along_its_axes():
    scene = Scene()
    mesh = scene.meshes.add(box())
    turned = (0.0, 0.0, math.sin(0.3), math.cos(0.3))  # 0.6 rad about z
    group = scene.add_node("group", rotation=turned, translation=(1e6, 0, 0))
    ids = scene.add_nodes(["a", "b"], parent=group.id, mesh=mesh, translation=[(0, 0, 0), (8, 0, 0)], scale=(1, 2, 3))
    scene.update_world()
    np.testing.assert_allclose(Measurer(scene).measure(list(ids)).own_sides, (10, 4, 6), atol=1e-8)
    sheared = scene.add_node("c", parent=ids[0], mesh=mesh, rotation=(0, 0, 0.4, 1))
    scene.update_world()
    assert Measurer(scene).measure([ids[1], sheared.id]).own_sides is None


def test_nodes_whose_matrix_overflowed_do_not_count():
    scene = Scene()
    mesh = scene.meshes.add(box())
    far = scene.add_node("far", scale=(1e200, 1, 1))
    broken = scene.add_node("broken", parent=far.id, mesh=mesh, scale=(1e200, 1, 1))
    sound = scene.add_node("sound", mesh=mesh)
    scene.update_world()
    figures = Measurer(scene).measure([broken.id, sound.id])
    assert (figures.objects, figures.volume) == (1, 8.0)


def test_meshes_that_come_later_and_a_pool_that_is_replaced_are_measured():
    scene = Scene()
    scene.add_node("box", mesh=scene.meshes.add(box()))
    scene.update_world()
    measurer = Measurer(scene)
    assert measurer.measure([0]).area == 24.0
    scene.add_node("quad", mesh=scene.meshes.add(quad()))
    scene.update_world()
    assert measurer.measure([1]).area == 4.0
    pool = type(scene.meshes)()
    pool.add(quad())
    pool.add(box())
    scene.replace_meshes(pool, np.array([0, 1]))
    scene.update_world()
    assert [measurer.measure([node]).area for node in (0, 1)] == [4.0, 24.0]


def test_rows_for_a_person_say_sizes_and_whether_it_is_closed():
    assert size_rows(measured(box(), scale=(1, 2, 0.5))) == [
        ("size in the world", "2 x 4 x 1"),
        ("size in its own frame", "2 x 4 x 1"),
        ("area", "28.000"),
        ("volume", "8.000"),
        ("watertight", "yes"),
    ]
    rows = dict(size_rows(measured(quad())))
    assert rows["volume"] == "not closed" and rows["watertight"] == "no; edges: 4 open"
    assert dict(size_rows(measured_apart(box())))["volume"] == "not closed; each object counts by itself"
    points = MeshData(np.zeros((1, 3)), np.empty((0, 3), int), None, np.zeros(1, int), points=np.array([0]))
    assert size_rows(measured(points))[2:] == [("points", "1")]


@given(seed=SEEDS)
@settings(max_examples=20)
def test_lines_measure_the_sum_of_their_lengths_in_the_world(seed):
    rng, scene = np.random.default_rng(seed), Scene()
    total = 0.0
    for _ in range(3):
        lines, points = rng.integers(0, 8, (rng.integers(1, 6), 2)), np.arange(2)
        shape = MeshData(rng.normal(size=(8, 3)), np.empty((0, 3), int), None, np.zeros(8, int), None, lines=lines)
        mesh = scene.meshes.add(replace(shape, points=points))
        for parent in (-1, len(scene) - 1):
            matrix = rng.normal(size=(3, 3))
            placing = {"scale": np.abs(matrix[0]), "rotation": random_quaternion(rng, 1)[0], "translation": matrix[1]}
            node = scene.add_node("it", parent=parent, mesh=mesh, **placing)
            scene.update_world()
            world = shape.positions @ scene.world_from_local[node.id][:3, :3].T
            total += np.linalg.norm(world[lines[:, 0]] - world[lines[:, 1]], axis=1).sum()
    figures = Measurer(scene).measure(scene.ids)
    assert figures.length == pytest.approx(total, rel=1e-12) and figures.points == 12
    assert dict(size_rows(figures))["length"] == Lengths().text(total) and "area" not in dict(size_rows(figures))
