"""Objects that a frustum touches or contains, against separating axes: convex bodies that do not touch have one."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import MeshData, Scene, SpatialIndex
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.spatial.frustum_select import nodes_in_frustum
from tests.oracles import random_camera
from tests.scene.builders import box, mesh_of, random_scene

EDGES = [(a, b) for a in range(8) for b in range(a) if (a ^ b) in (1, 2, 4)]  # of Frustum.corners


def gaps(frustum: Frustum, points: np.ndarray) -> np.ndarray:
    """(m,): how far apart a frustum and the hulls of (m, k, 3) points, k up to 3, lie, where it is most."""
    count, size, _ = points.shape
    axes = np.broadcast_to(frustum.planes[:, :3], (count, 6, 3))
    if size > 1:
        sides = np.roll(points, -1, axis=1) - points
        edges = np.array([frustum.corners[a] - frustum.corners[b] for a, b in EDGES])
        crossed = np.cross(sides[:, :, None], edges).reshape(count, -1, 3)
        normals = np.cross(sides[:, :1], sides[:, 1:2])
        axes = np.concatenate([axes, crossed, normals, np.cross(normals, sides)], axis=1)
    lengths = np.linalg.norm(axes, axis=2, keepdims=True)
    sound = lengths > 1e-12 * lengths.max(axis=1, keepdims=True)
    axes = axes / np.where(sound, lengths, 1.0)
    ours = points @ axes.transpose(0, 2, 1)
    theirs = frustum.corners @ axes.transpose(0, 2, 1)
    apart = np.maximum(ours.min(axis=1) - theirs.max(axis=1), theirs.min(axis=1) - ours.max(axis=1))
    return np.where(sound[..., 0], apart, -np.inf).max(axis=1)


def elements_of(scene: Scene, ids: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return for triangles, lines and points: (m,) their nodes, and their (m, k, 3) corners in the world."""
    found: list[tuple[list, list]] = [([], []), ([], []), ([], [])]
    for node in ids.tolist():
        mesh = scene.meshes.mesh(scene.mesh_ids[node])
        matrix = scene.world_from_local[node]
        world = mesh.positions @ matrix[:3, :3].T + matrix[:3, 3]
        for (owners, corners), element in zip(found, (mesh.triangles, mesh.lines, mesh.points[:, None]), strict=True):
            owners += [node] * len(element)
            corners += list(world[element])
    return [(np.array(owners), np.array(corners)) for owners, corners in found]


def sketch(rng: np.random.Generator) -> MeshData:
    """A triangle, two lines and a point, none of which has a vertex of another."""
    positions = rng.normal(size=(8, 3)) * 2.0
    return MeshData(
        positions,
        np.array([(0, 1, 2)]),
        None,
        np.zeros(8, dtype=np.int32),
        lines=np.array([(3, 4), (5, 6)]),
        points=np.array([7]),
    )


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_separating_axes(seed, offset):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 80)
    scene.add_nodes(["sketch"] * 30, mesh=scene.meshes.add(sketch(rng)), translation=8.0 * rng.normal(size=(30, 3)))
    top = np.flatnonzero(scene.parents < 0)
    scene.set_translations(top, scene.translations[top] + offset)
    scene.update_world()
    index = SpatialIndex(scene)
    ids = np.flatnonzero((scene.mesh_ids >= 0) & np.isfinite(scene.world_spheres).all(axis=1))
    elements = elements_of(scene, ids)
    tolerance = 1e-9 * (1.0 + offset)
    touched = held = 0
    for _ in range(8):
        about = scene.world_spheres[rng.choice(ids), :3]
        frustum = Frustum.from_matrix(random_camera(rng, about, 5.0))
        touching = nodes_in_frustum(index, frustum)
        wholly = nodes_in_frustum(index, frustum, wholly=True)
        assert (np.diff(touching) > 0).all() and (np.diff(wholly) > 0).all()
        nearest = np.full(len(scene), np.inf)
        for owners, points in elements:
            np.minimum.at(nearest, owners, gaps(frustum, points))
        clear = ids[np.abs(nearest[ids]) > tolerance]
        np.testing.assert_array_equal(np.isin(clear, touching), nearest[clear] < 0.0)
        for node in ids.tolist():
            corners = scene.meshes.mesh(scene.mesh_ids[node]).positions
            corners = corners @ scene.world_from_local[node, :3, :3].T + scene.world_from_local[node, :3, 3]
            inside = (corners @ frustum.planes[:, :3].T + frustum.planes[:, 3]).min()
            if abs(inside) > tolerance:
                assert (node in wholly) == (inside > 0.0)
        touched += len(touching)
        held += len(wholly)
    assert touched > held > 0


def looking_down(x: float, y: float, half: float) -> Frustum:
    """An upright prism about (x, y), from z = -10 to 10."""
    matrix = np.diag((1.0 / half, 1.0 / half, 0.1, 1.0))
    matrix[:2, 3] = -x / half, -y / half
    return Frustum.from_matrix(matrix)


def test_a_large_triangle_around_the_frustum_touches_it_and_one_beside_it_does_not():
    scene = Scene()
    scene.add_node("around", mesh=scene.meshes.add(mesh_of(100.0 * np.eye(3)[:, [0, 1, 2]] - 20.0, [(0, 1, 2)])))
    corner = mesh_of(np.array([(0.0, 0.0, 0.0), (8.0, 0.0, 0.0), (0.0, 8.0, 0.0)]), [(0, 1, 2)])
    scene.add_node("corner", mesh=scene.meshes.add(corner))
    scene.update_world()
    index = SpatialIndex(scene)
    assert 1 not in nodes_in_frustum(index, looking_down(7.0, 7.0, 1.0)), "in its box and sphere, not in its triangle"
    assert 1 in nodes_in_frustum(index, looking_down(3.0, 3.0, 1.0))
    assert 1 in nodes_in_frustum(index, looking_down(4.5, 4.5, 1.0)), "only its long side cuts through"


def test_layers_and_a_mask_leave_nodes_out():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(list("abcd"), mesh=mesh, hidden=[0, 1, 0, 0], unselectable=[0, 0, 1, 0])
    scene.update_world()
    index = SpatialIndex(scene)
    frustum = looking_down(0.0, 0.0, 5.0)
    assert nodes_in_frustum(index, frustum).tolist() == [0, 3]
    assert nodes_in_frustum(index, frustum, layers=SHOWN).tolist() == [0, 2, 3]
    among = np.array([False, True, True, True])
    assert nodes_in_frustum(index, frustum, wholly=True, among=among).tolist() == [3]


def test_an_empty_scene_has_nothing_in_it():
    scene = Scene()
    scene.update_world()
    assert nodes_in_frustum(SpatialIndex(scene), looking_down(0.0, 0.0, 1.0)).tolist() == []


def test_nodes_that_are_newer_than_the_marks_of_those_that_count_do_not_count():
    scene = Scene()
    mesh = scene.meshes.add(box())
    frustum = Frustum.from_matrix(np.eye(4) / (2.0, 2.0, 2.0, 1.0))
    scene.add_node("old", mesh=mesh)
    marks = np.ones(1, dtype=bool)
    scene.add_node("new", mesh=mesh)
    assert nodes_in_frustum(scene.index, frustum).tolist() == [0, 1]
    assert nodes_in_frustum(scene.index, frustum, among=marks).tolist() == [0]
    assert nodes_in_frustum(scene.index, frustum, among=np.array([1])).tolist() == [1], "or their ids"
    with pytest.raises(ValueError, match="by node id"):
        nodes_in_frustum(scene.index, frustum, among=np.ones((1, 1), dtype=bool))
