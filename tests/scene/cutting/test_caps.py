"""The faces that close objects where planes cut them open: areas, owners, and where there are none."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import MeshData, Scene
from octoscope.scene.cutting.caps import Caps, caps_of
from octoscope.scene.cutting.contours import closed_lines
from octoscope.scene.mesh.primitives import sphere, torus
from tests.scene.builders import box
from tests.scene.cutting.test_fill import areas

Z_BELOW = (0.0, 0.0, -1.0, 0.2)  # keeps z < 0.2


def scene_of(*meshes: MeshData, **columns: object) -> Scene:
    scene = Scene()
    scene.add_nodes([str(i) for i in range(len(meshes))], mesh=[scene.meshes.add(mesh) for mesh in meshes], **columns)
    scene.update_world()
    return scene


def caps(scene: Scene, *planes: tuple[float, ...], origin: object = (0.0, 0.0, 0.0)) -> Caps:
    ids = np.flatnonzero(scene.mesh_ids >= 0).astype(np.int32)
    return caps_of(scene, ids, np.array(planes), np.asarray(origin, dtype=float))


def world_corners(scene: Scene, found: Caps) -> np.ndarray:
    matrices = scene.world_from_local[found.owners]
    return found.corners @ matrices[:, :3, :3].transpose(0, 2, 1) + matrices[:, None, :3, 3]


def area_of(found: Caps, node: int = 0) -> float:
    return float(areas(found.flat[found.owners == node]).sum())


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("scale", ((1.0, 1.0, 1.0), (2.0, 3.0, -1.0)))
def test_a_cut_box_gets_a_face_in_the_plane_that_looks_out(offset, scale):
    scene = scene_of(box(), translation=[np.full(3, offset)], scale=[scale])
    size = np.ptp(scene.meshes.mesh(0).positions, axis=0)
    found = caps(scene, Z_BELOW, origin=scene.world_spheres[0, :3])
    assert found.nodes.tolist() == [0]
    assert area_of(found) == pytest.approx(abs(size[0] * scale[0] * size[1] * scale[1]))
    corners = world_corners(scene, found)
    np.testing.assert_allclose(corners[..., 2], scene.world_spheres[0, 2] + 0.2, atol=1e-9 * (1.0 + offset))
    local = found.corners[:, 1:] - found.corners[:, :1]
    outward = np.cross(local[:, 0], local[:, 1]) @ np.diag(scale) * np.sign(np.prod(scale))
    assert (outward[:, 2] * np.prod(scale) / abs(np.prod(scale)) > 0.0).all()
    assert found.vertices.tolist()[0] in range(len(scene.meshes.vertices))


def test_two_planes_cut_each_others_faces():
    scene = scene_of(box())
    low, high = scene.meshes.mesh(0).positions.min(axis=0), scene.meshes.mesh(0).positions.max(axis=0)
    found = caps(scene, Z_BELOW, (-1.0, 0.0, 0.0, 0.1))
    x, y, z = np.minimum(high, (0.1, np.inf, 0.2)) - low
    assert area_of(found) == pytest.approx(x * y + y * z)
    assert (world_corners(scene, found)[..., 0] <= 0.1 + 1e-12).all()
    assert np.unique(found.planes).tolist() == [0, 1]


def test_round_meshes_have_the_areas_of_their_polygons():
    scene = scene_of(sphere(), torus(), translation=[(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    found = caps(scene, (0.0, 1.0, 0.0, 1e-3))  # off the vertices of their equators
    for node in (0, 1):
        corners = scene.meshes.mesh(node).positions
        radii = np.hypot(corners[:, 0], corners[:, 2])
        whole = np.pi * (radii.max() ** 2 - (0.0 if node == 0 else radii.min() ** 2))
        assert area_of(found, node) == pytest.approx(whole, rel=0.05)


@pytest.mark.parametrize("height", (-0.5, 0.0, 0.25, 0.5))
def test_planes_through_vertices_and_along_faces_do_no_harm(height):
    scene = scene_of(box(), sphere(), torus())
    for axis in range(3):
        plane = np.append(np.eye(3)[axis], -height)
        found = caps(scene, tuple(plane))
        assert np.isfinite(found.corners).all()
        corners = world_corners(scene, found)
        np.testing.assert_allclose(corners[..., axis], height, atol=1e-12)
        spheres = scene.world_spheres[found.owners]
        assert (np.linalg.norm(corners - spheres[:, None, :3], axis=2) <= spheres[:, 3:] + 1e-9).all()


def test_a_sheet_gets_no_face_and_neither_does_a_box_without_a_lid_where_it_is_open():
    closed = box()
    sheet = MeshData(closed.positions[:3], np.array([(0, 1, 2)]), None, np.zeros(3, dtype=int))
    lid = closed.positions[closed.triangles].mean(axis=1)[:, 2] > closed.positions[:, 2].max() - 1e-9
    assert 0 < lid.sum() < len(lid)
    open_box = MeshData(closed.positions, closed.triangles[~lid], None, closed.material_ids)
    scene = scene_of(sheet, open_box)
    assert caps(scene, (1.0, 0.0, 0.0, 0.1)).nodes.tolist() == []  # across the opening: a line that does not close
    found = caps(scene, Z_BELOW)  # below it the walls go all round
    assert found.nodes.tolist() == [1]


def test_a_mesh_whose_triangles_turn_either_way_is_filled_all_the_same():
    closed = box()
    rng = np.random.default_rng(0)
    turned = np.where(rng.random(len(closed.triangles))[:, None] < 0.5, closed.triangles, closed.triangles[:, ::-1])
    mixed = MeshData(closed.positions, turned, None, closed.material_ids)
    separate = MeshData(
        closed.positions[closed.triangles].reshape(-1, 3),
        np.arange(3 * len(closed.triangles)).reshape(-1, 3),
        None,
        np.zeros(3 * len(closed.triangles), dtype=int),
    )
    scene = scene_of(closed, mixed, separate, translation=[(9.0 * i, 0.0, 0.0) for i in range(3)])
    found = caps(scene, Z_BELOW)
    assert [area_of(found, node) for node in range(3)] == pytest.approx([area_of(found)] * 3)


def test_of_objects_within_each_other_the_smaller_one_is_at_a_point():
    scene = scene_of(box(), box(), scale=[(4.0, 4.0, 4.0), (1.0, 1.0, 1.0)])
    found = caps(scene, Z_BELOW)
    assert found.node_at(0, np.array((0.0, 0.0, 0.2))) == 1
    size = np.ptp(scene.meshes.mesh(0).positions, axis=0)
    assert found.node_at(0, np.array((1.2 * size[0], 0.0, 0.2))) == 0
    assert found.node_at(0, np.array((2.2 * size[0], 0.0, 0.2))) == -1
    assert area_of(found, 0) + area_of(found, 1) == pytest.approx(16.0 * size[0] * size[1])


def test_flat_nodes_and_infinite_ones_are_left_out():
    scene = scene_of(*[box()] * 3, scale=[(1.0, 1.0, 0.0), (1.0, 1e-12, 1.0), (1.0, 1.0, 1.0)])
    assert caps(scene, (1.0, 0.0, 0.0, 0.1)).nodes.tolist() == [2]


def with_gaps(data: MeshData, gap: float) -> MeshData:
    """Every triangle on vertices of its own, each moved by up to half of a gap along each axis."""
    moved = data.positions[data.triangles].reshape(-1, 3)
    moved = moved + np.random.default_rng(7).uniform(-gap / 2.0, gap / 2.0, moved.shape)
    count = len(moved)
    return MeshData(moved, np.arange(count).reshape(-1, 3), None, np.zeros(count, dtype=int))


@pytest.mark.parametrize("scale", (1e-3, 1.0, 1e4))
@pytest.mark.parametrize("data", (box(), sphere(0.5, 12, 6), torus(0.5, 0.2, 10, 6)), ids=("box", "ball", "ring"))
def test_outlines_that_almost_close_are_filled(data, scale):
    places = [(0.0, 9.0 * scale * number, 0.0) for number in range(3)]
    scene = scene_of(data, with_gaps(data, 2e-4), with_gaps(data, 0.05), scale=[(scale,) * 3] * 3, translation=places)
    for plane in ((0.1, 0.0, -0.9, 0.03), (0.9, 0.0, 0.2, 0.01)):
        normal = np.array(plane[:3]) / np.linalg.norm(plane[:3])
        found = caps(scene, (*normal, scale * plane[3]))
        assert area_of(found, 0) > 0.0
        assert area_of(found, 1) == pytest.approx(area_of(found, 0), rel=0.01)
        assert area_of(found, 2) < 0.5 * area_of(found, 0), "these are no gaps, but pieces that lie beside each other"


def test_a_bridge_goes_the_way_of_the_lines_that_it_joins():
    """A square of four lines, whose last one ends a little beside where the first begins."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 1e-4)])
    lines = np.column_stack([corners[:-1], corners[1:]])
    owners = np.zeros(4, dtype=np.int64)
    for turned in (lines, lines[:, [2, 3, 0, 1]]):
        closed, like, agree = closed_lines(turned, owners, 1)
        assert agree.all() and like[:4].tolist() == [0, 1, 2, 3] and like[4] in (0, 3)
        np.testing.assert_array_equal(closed[:4], turned)
        assert {tuple(closed[4, :2]), tuple(closed[4, 2:])} == {(0.0, 0.0), (0.0, 1e-4)}
    wide = lines.copy()
    wide[-1, 3] = 0.01
    assert not len(closed_lines(wide, owners, 1)[0])
    assert not len(closed_lines(lines, np.array([0, 0, 0, 1]), 2)[0]), "the last is another object's"
    assert not len(closed_lines(np.empty((0, 4)), np.empty(0, dtype=np.int64), 0)[0])
