"""World matrices and spheres against composition in float64 and numpy's singular values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from octoscope.scene import MeshData, Scene
from octoscope.scene.geometry.matrix_kernels import max_singular_value
from octoscope.scene.nodes.bounds import pivot_points
from tests import oracles
from tests.scene.builders import (
    add_random_nodes,
    assert_world_matrices_are_right,
    ball,
    box,
    local_matrices,
    mesh_of,
    random_scene,
    soup,
)

pytestmark = pytest.mark.usefixtures("strict_floats")


def quaternion(axis: tuple[float, float, float], degrees: float) -> np.ndarray:
    half = np.radians(degrees) / 2.0
    return np.append(np.sin(half) * np.array(axis), np.cos(half))


def assert_spheres_hold_their_meshes_tightly(scene: Scene) -> None:
    for node in np.flatnonzero(scene.mesh_ids >= 0):
        mesh, matrix = scene.mesh_ids[node], scene.world_from_local[node]
        center, radius = scene.world_spheres[node, :3], scene.world_spheres[node, 3]
        vertices = scene.meshes.mesh(mesh).positions
        rounding = 2.0**-48 * (np.abs(matrix[:3, :3]).sum() * np.abs(vertices).max() + np.abs(matrix[:3, 3]).max())
        distances = np.linalg.norm(oracles.transformed(matrix, vertices) - center, axis=1)
        assert distances.max() <= radius + rounding, f"a vertex of node {node} lies outside of its sphere"
        largest = oracles.max_singular_value(matrix) * scene.meshes.rows["sphere"][mesh, 3]
        assert radius <= (1.0 + 1e-6) * largest, f"the sphere of node {node} is too large"


@pytest.mark.parametrize("seed", range(8))
def test_random_trees_of_turned_scaled_mirrored_and_sheared_nodes(seed):
    scene = random_scene(seed)
    assert_world_matrices_are_right(scene)
    assert_spheres_hold_their_meshes_tightly(scene)


def test_a_node_is_scaled_then_turned_then_moved():
    scene = Scene()
    scene.add_node("a", translation=(1.0, 2.0, 3.0), rotation=quaternion((0, 0, 1), 90.0), scale=(10.0, 1.0, 1.0))
    np.testing.assert_allclose(oracles.transformed(scene["a"].world_from_local, np.array([(1.0, 0, 0)])), [(1, 12, 3)])


@pytest.mark.parametrize(
    ("name", "parent", "child"),
    [
        ("turned", {"rotation": quaternion((1, 0, 0), 90)}, {"rotation": quaternion((0, 1, 0), 90)}),
        ("sheared", {"scale": (1.0, 10.0, 1.0)}, {"rotation": quaternion((0, 0, 1), 45)}),
        ("sheared in space", {"scale": (9.0, 1.0, 1.0)}, {"rotation": quaternion((0.6, 0.0, 0.8), 50)}),
        ("mirrored", {"scale": (-1.0, 2.0, 1.0)}, {"rotation": quaternion((0, 0, 1), 30)}),
        ("flattened", {"scale": (3.0, 3.0, 0.0)}, {"rotation": quaternion((1, 0, 0), 20)}),
        ("shrunk to a point", {"scale": (0.0, 0.0, 0.0)}, {}),
        ("tiny", {"scale": (1e-150, 2e-150, 1e-150)}, {"rotation": quaternion((0, 0, 1), 45)}),
        ("huge", {"scale": (1e150, 2e150, 1e150)}, {"rotation": quaternion((0, 0, 1), 45)}),
        ("far away", {"translation": (1e9, -1e9, 1e9), "scale": (0.1, 3.0, 1.0)}, {"scale": (1.0, 0.1, 7.0)}),
    ],
)
def test_the_sphere_of_a_ball_below_a_parent_that_is(name, parent, child):
    scene = Scene()
    mesh = scene.meshes.add(ball())
    top = scene.add_node("parent", **parent)
    scene.add_node(name, parent=top.id, mesh=mesh, **child)
    assert_world_matrices_are_right(scene)
    assert_spheres_hold_their_meshes_tightly(scene)


def test_quarter_turns_about_two_axes_keep_the_radius_though_the_matrix_has_a_diagonal_of_zeros():
    scene = Scene()
    mesh = scene.meshes.add(box())
    top = scene.add_node("top", rotation=quaternion((1, 0, 0), 90))
    scene.add_node("box", parent=top.id, mesh=mesh, rotation=quaternion((0, 1, 0), 90))
    np.testing.assert_allclose(np.diag(scene["box"].world_from_local)[:3], 0.0, atol=1e-15)
    np.testing.assert_allclose(scene.world_spheres[1, 3], np.sqrt(3.0), rtol=1e-6)


@settings(max_examples=50)
@given(arrays(np.float64, (3, 3), elements=st.floats(-1e3, 1e3)))
def test_the_largest_stretch_is_the_largest_singular_value_and_never_less(matrix):
    assert_stretch_is_right(matrix)


def test_the_largest_stretch_of_turned_sheared_and_mirrored_matrices():
    rng = np.random.default_rng(0)
    for _ in range(500):
        assert_stretch_is_right(oracles.random_affine(rng))


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_stretch_where_two_or_three_singular_values_are_equal_or_zero(seed):
    rng = np.random.default_rng(seed)
    for values in ((1, 1, 1), (1, 1, 0), (1, 0, 0), (1, 1, 1 - 1e-9), (1, 1 - 1e-13, 0.5), (1, 1e-8, 1e-8)):
        for size in (1e-200, 1.0, 1e200):
            turned = oracles.random_rotation(rng) @ np.diag(values) @ oracles.random_rotation(rng)
            assert_stretch_is_right(turned * size)


def assert_stretch_is_right(matrix: np.ndarray) -> None:
    truth = oracles.max_singular_value(matrix)
    assert truth * (1.0 - 1e-15) <= max_singular_value(matrix) <= truth * (1.0 + 3e-7)


def test_a_chain_3_000_deep():
    count = 3_000
    rng = np.random.default_rng(0)
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["top"])
    for node in range(1, count):
        turn = quaternion((0.0, 0.6, 0.8), 0.1 * rng.normal())
        scene.add_nodes(["link"], parent=node - 1, translation=rng.normal(size=3), rotation=turn, mesh=mesh)
    expected = np.eye(4)
    for local in local_matrices(scene):
        expected = expected @ local
    np.testing.assert_allclose(scene.world_from_local[-1], expected, atol=1e-8)

    revision = scene.world_revision
    scene.set_translations(0, (100.0, 0.0, 0.0))
    assert len(scene.changed_since(revision)) == count
    np.testing.assert_allclose(scene.world_from_local[-1, :3, 3], expected[:3, 3] + (100.0, 0.0, 0.0), atol=1e-8)


def test_a_chain_3_000_deep_that_is_hung_below_a_node_made_after_it():
    count = 3_000
    scene = Scene()
    scene.add_nodes(["top"])
    for node in range(1, count):
        scene.add_nodes(["link"], parent=node - 1, translation=(1.0, 0.0, 0.0))
    late = scene.add_node("late", translation=(0.0, 5.0, 0.0))
    scene.set_parents(0, late.id)
    np.testing.assert_allclose(scene.world_from_local[count - 1, :3, 3], (count - 1.0, 5.0, 0.0))
    with pytest.raises(ValueError, match="its own ancestor"):
        scene.set_parents(late.id, count - 1)


def test_an_overflowing_transform_makes_no_sphere_and_spoils_no_other_node():
    scene = Scene()
    mesh = scene.meshes.add(box())
    top = scene.add_node("huge", mesh=mesh, scale=(1e200, 1e200, 1e200))
    scene.add_node("too large", parent=top.id, mesh=mesh, scale=(1e200, 1e200, 1e200), translation=(1e200, 0, 0))
    scene.add_node("sound", mesh=mesh)
    assert not np.isfinite(scene.world_spheres[1]).all()
    assert np.isfinite(scene.world_spheres[[0, 2]]).all()
    lower, upper = scene.bounds()
    np.testing.assert_array_equal(lower, np.full(3, -1e200))
    np.testing.assert_array_equal(upper, np.full(3, 1e200))
    np.testing.assert_array_equal(pivot_points(scene, scene.ids), scene.world_from_local[:, :3, 3])


@pytest.mark.parametrize("seed", range(5))
def test_bounds_hold_all_vertices_and_are_exact_where_nothing_is_turned(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed)
    upright = rng.normal(size=(3, 3)), rng.uniform(-2.0, 2.0, (3, 3))
    ids = np.array(scene.add_nodes(["upright"] * 3, mesh=(0, 1, 3), translation=upright[0], scale=upright[1]))
    lower, upper = scene.bounds()
    vertices = world_vertices(scene, np.flatnonzero(scene.mesh_ids >= 0))
    assert (lower <= vertices.min(axis=0) + 1e-9).all() and (upper >= vertices.max(axis=0) - 1e-9).all()
    lower, upper = scene.bounds(ids)
    vertices = world_vertices(scene, ids)
    np.testing.assert_allclose((lower, upper), (vertices.min(axis=0), vertices.max(axis=0)), rtol=1e-14, atol=1e-14)


def world_vertices(scene: Scene, nodes: np.ndarray) -> np.ndarray:
    parts = [
        oracles.transformed(scene.world_from_local[node], scene.meshes.mesh(scene.mesh_ids[node]).positions)
        for node in nodes
    ]
    return np.concatenate(parts)


def test_a_scene_without_meshes_has_no_bounds():
    scene = Scene()
    assert scene.bounds() is None
    scene.add_node("empty")
    assert scene.bounds() is None
    assert scene.bounds(np.empty(0, dtype=np.int32)) is None


@pytest.mark.parametrize("offset", (0.0, 1e6, 1e300))
def test_the_local_sphere_of_a_mesh_holds_its_vertices(offset):
    scene = Scene()
    mesh: MeshData = soup(np.random.default_rng(0), 50)
    scene.meshes.add(mesh_of(mesh.positions + offset, mesh.triangles))
    sphere = scene.meshes.rows["sphere"][0]
    distances = np.linalg.norm(scene.meshes.mesh(0).positions - sphere[:3], axis=1)
    assert distances.max() <= sphere[3] * (1.0 + 1e-12)


@pytest.mark.parametrize("offset", (1e3, 1e9, 1e16))
def test_far_out_a_sphere_holds_what_is_in_it_by_exact_arithmetic(offset):
    rng = np.random.default_rng(int(offset) % 97)
    scene = Scene()
    for number in range(40):
        size = 10.0 ** rng.uniform(-12.0, 0.0)
        mesh = scene.meshes.add(mesh_of(rng.normal(size=3) + size * rng.normal(size=(3, 3)), [(0, 1, 2)]))
        scene.add_node(str(number), mesh=mesh, translation=offset * rng.normal(size=3), scale=rng.uniform(0.5, 2.0, 3))
    scene.update_world()
    for node in range(len(scene)):
        matrix = [[Fraction(value) for value in row] for row in scene.world_from_local[node].tolist()]
        x, y, z, radius = (Fraction(value) for value in scene.world_spheres[node].tolist())
        for vertex in scene.meshes.mesh(scene.mesh_ids[node]).positions.tolist():
            at = [sum(a * Fraction(b) for a, b in zip(row, (*vertex, 1.0), strict=True)) for row in matrix[:3]]
            assert (at[0] - x) ** 2 + (at[1] - y) ** 2 + (at[2] - z) ** 2 <= radius**2


def test_growing_a_scene_keeps_what_was_there():
    rng = np.random.default_rng(0)
    scene = random_scene(0, 8)
    before = [column.copy() for column in (scene.names, scene.parents, scene.translations, scene.world_from_local)]
    revision = scene.world_revision
    added = add_random_nodes(scene, rng, 500)
    assert set(scene.changed_since(revision).tolist()) == set(added)
    after = scene.names, scene.parents, scene.translations, scene.world_from_local
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(new[: len(old)], old)
    assert_world_matrices_are_right(scene)
