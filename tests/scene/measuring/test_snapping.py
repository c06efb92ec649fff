"""Snapping: which place of a triangle is meant by a cursor beside it, in pictures with and without perspective."""

from __future__ import annotations

import math

import numpy as np
import pytest

from octoscope.scene import MeshData, Scene
from octoscope.scene.measuring import Snap
from octoscope.scene.measuring.snapping import sides_of, snaps_near
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.points import Rectangle
from octoscope.viewer.frame.projection import ViewProjection, pixels_from_clip
from tests.scene.builders import QUAD_CORNERS, random_scales

SIZE = (640, 480)
CAMERAS = {
    "front": Camera(np.zeros(3), yaw_rad=0.0, pitch_rad=0.0, distance=8.0),
    "orthographic": Camera(np.zeros(3), yaw_rad=0.3, pitch_rad=0.2, distance=8.0, orthographic=True),
    "grazing": Camera(np.zeros(3), yaw_rad=1.2, pitch_rad=0.3, distance=8.0),
}


def quad_scene(**placing: object) -> Scene:
    """A square of half size 1 that two triangles make; the diagonal is none of its own sides."""
    scene = Scene()
    edges = np.array([0b011, 0b110], dtype=np.uint8)
    triangles = np.array([(0, 1, 2), (0, 2, 3)])
    mesh = scene.meshes.add(MeshData(QUAD_CORNERS, triangles, None, np.zeros(4, int), edges=edges))
    scene.add_node("quad", mesh=mesh, **placing)
    scene.update_world()
    return scene


def matrix_of(camera: Camera) -> np.ndarray:
    return ViewProjection.of_size(camera, SIZE).pixels_from_relative


def pixel(camera: Camera, point: np.ndarray) -> np.ndarray:
    x, y, _, w = matrix_of(camera) @ (*(point - camera.position), 1.0)
    return np.array((x, y)) / w


def snapped(scene: Scene, camera: Camera, cursor: np.ndarray, tolerance_px: float = 8.0) -> Snap | None:
    ray = camera.ray_through(tuple(cursor / SIZE), SIZE[0] / SIZE[1])
    hit = scene.raycast(*ray)
    if hit is None:
        return None
    return snap(hit, tuple(cursor), matrix_of(camera), camera.position, tolerance_px)


def snap(hit, cursor: tuple[float, float], matrix: np.ndarray, origin: np.ndarray, reach_px: float) -> Snap:
    """Snap a cursor on a triangle to that triangle alone."""
    sides = sides_of(hit.node.scene, np.array([(hit.node.id, hit.triangle)]))
    return next(snaps_near(hit.node.scene, sides, cursor, matrix, origin, reach_px), Snap.of(hit))


def at_local(scene: Scene, x: float, y: float) -> np.ndarray:
    return (scene.world_from_local[0] @ (x, y, 0.0, 1.0))[:3]


@pytest.mark.parametrize("camera", ("front", "orthographic", "grazing"))
@pytest.mark.parametrize(
    ("meant", "beside", "kind"),
    (
        ((1.0, 1.0), (0.99, 0.98), "vertex"),
        ((-1.0, 1.0), (-0.98, 0.99), "vertex"),
        ((0.0, -1.0), (0.01, -0.98), "edge midpoint"),
        ((1.0, 0.0), (0.98, -0.01), "edge midpoint"),
        ((0.5, 1.0), (0.5, 0.99), "edge"),
        ((0.3, 0.3), (0.3, 0.3), "face"),  # on the diagonal, which is no side
        ((0.0, 0.0), (0.0, 0.0), "face"),
    ),
)
def test_what_is_near_the_cursor_is_snapped_to(camera, meant, beside, kind):
    camera, scene = CAMERAS[camera], quad_scene()
    cursor = pixel(camera, at_local(scene, *beside))
    found = snapped(scene, camera, cursor)
    assert found.kind == kind and found.node_id == 0
    if kind == "edge":  # of the side, what is nearest to the cursor in the picture
        samples = [pixel(camera, at_local(scene, x, 1.0)) for x in np.linspace(-1, 1, 20001)]
        nearest = np.linspace(-1, 1, 20001)[np.linalg.norm(samples - cursor, axis=1).argmin()]
        np.testing.assert_allclose(found.point, (nearest, 1.0, 0.0), atol=2e-4)
    else:
        np.testing.assert_allclose(found.point, at_local(scene, *meant), atol=1e-12)
    np.testing.assert_allclose(scene.world_from_local[0][:3, :3] @ found.local_point, found.point, atol=1e-12)


def test_beyond_the_tolerance_the_face_itself_is_meant():
    scene, camera = quad_scene(), CAMERAS["front"]
    corner = pixel(camera, (1.0, 1.0, 0.0))
    for pixels, kind in ((5.0, "vertex"), (7.0, "edge"), (9.0, "face")):
        assert snapped(scene, camera, corner + np.array((-pixels, pixels)), 8.0).kind == kind


@pytest.mark.parametrize("yaw", (1.2, -1.2))
def test_a_side_that_passes_behind_the_eye_is_snapped_to_before_it(yaw):
    scene = quad_scene(scale=(40, 40, 1))
    camera = Camera(np.array((0.0, 40.0, 0.0)), yaw_rad=yaw, pitch_rad=0.1, distance=1.5, near=0.01)
    for end in (-40.0, 40.0):
        behind = matrix_of(camera) @ (*((end, 40.0, 0.0) - camera.position), 1.0)
        assert (behind[3] < 0.0) == (end * yaw > 0.0)
    found = snapped(scene, camera, pixel(camera, (-0.2, 39.99, 0.0)))
    assert found.kind == "edge"
    np.testing.assert_allclose(found.point, (-0.2, 40.0, 0.0), atol=0.05)
    assert found.point[1] == pytest.approx(40.0, abs=1e-9)


@pytest.mark.parametrize("far", (1e3, 1e6))
def test_far_from_the_origin_a_corner_is_the_meshs_own_to_the_bit(far):
    offset = np.array((far, -far, far))
    turned = (0.0, 0.0, math.sin(0.2), math.cos(0.2))
    scene = quad_scene(translation=offset, rotation=turned, scale=(2, -1, 3))
    camera = Camera(offset, yaw_rad=0.2, pitch_rad=0.1, distance=9.0)
    for corner in QUAD_CORNERS:
        world = at_local(scene, *corner[:2])
        inwards = at_local(scene, *(0.98 * corner[:2]))
        found = snapped(scene, camera, pixel(camera, inwards))
        assert found.kind == "vertex"
        assert found.local_point.tolist() == corner.tolist()
        np.testing.assert_allclose(found.point, world, rtol=1e-15)


def test_coordinates_of_1e12_leave_the_place_in_the_picture_exact_to_a_thousandth_of_a_pixel():
    offset = np.array((1e12, -1e12, 1e12))
    camera = Camera(offset, yaw_rad=0.7, pitch_rad=0.4, distance=8.0)
    scene = quad_scene(translation=offset)  # whole numbers: its corners are exact in the world too
    corner = pixel(camera, at_local(scene, 1.0, 1.0))
    hit = scene.raycast(*camera.ray_through(tuple(pixel(camera, at_local(scene, 0.9, 0.9)) / SIZE), SIZE[0] / SIZE[1]))
    for beside_px, is_near in ((5.0 - 1e-3, True), (5.0 + 1e-3, False)):
        for direction in np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False):
            cursor = corner + beside_px * np.array((np.cos(direction), np.sin(direction)))
            found = snap(hit, tuple(cursor), matrix_of(camera), camera.position, 5.0)
            assert (found.kind == "vertex") == is_near, (beside_px, direction)


def brute_force(scene: Scene, hit, cursor: np.ndarray, pixels_from_world: np.ndarray, tolerance_px: float):
    """The kind that is meant and where, (3,) local, by looking at a thousand points of each side one by one."""
    mesh, matrix = scene.meshes.mesh(scene.mesh_ids[hit.node.id]), scene.world_from_local[hit.node.id]
    corners = mesh.positions[mesh.triangles[hit.triangle]]
    sides = [(corners[k], corners[(k + 1) % 3]) for k in range(3) if int(mesh.edges[hit.triangle]) >> k & 1]
    steps = np.linspace(0.0, 1.0, 1001)[:, None]
    candidates = {
        "vertex": corners,
        "edge midpoint": np.array([(a + b) / 2.0 for a, b in sides]).reshape(-1, 3),
        "edge": np.concatenate([a + steps * (b - a) for a, b in sides] or [np.empty((0, 3))]),
    }
    for kind, points in candidates.items():
        clip = (pixels_from_world @ matrix @ np.column_stack([points, np.ones(len(points))]).T).T
        before_the_eye = clip[:, 3] > 0.0
        places = clip[before_the_eye, :2] / clip[before_the_eye, 3:]
        distances = np.hypot(*(places - cursor).T)
        if len(distances) and distances.min() <= tolerance_px:
            return kind, points[before_the_eye][distances.argmin()], distances.min()
    # The hit itself: the weights of the corners that make the point of the world make the local one.
    world_corners = (matrix[:3, :3] @ corners.T).T + matrix[:3, 3]
    weights = np.linalg.lstsq(np.vstack([world_corners.T, np.ones(3)]), np.append(hit.point, 1.0), rcond=None)[0]
    return "face", weights @ corners, 0.0


@pytest.mark.parametrize("flat_axis", (None, 0, 1, 2))
@pytest.mark.parametrize("seed", range(8))
def test_what_is_snapped_to_is_what_looking_at_every_place_finds(seed, flat_axis):
    """Loose triangles in nodes that are turned, stretched, mirrored, and squeezed flat along an axis."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    meshes = [
        scene.meshes.add(
            MeshData(
                rng.normal(size=(9, 3)),
                np.arange(9).reshape(3, 3),
                None,
                np.zeros(9, int),
                edges=rng.integers(0, 8, 3).astype(np.uint8),
            )
        )
        for _ in range(8)
    ]
    scales = random_scales(rng, 8, zeros=0.0)
    if flat_axis is not None:
        scales[:, flat_axis] *= 1e-10  # where the inverse of a node's matrix says nothing about places
    scene.add_nodes(
        [""] * 8,
        mesh=meshes,
        translation=rng.normal(size=(8, 3)),
        rotation=rng.normal(size=(8, 4)),
        scale=scales,
    )
    camera = CAMERAS[("front", "orthographic", "grazing")[seed % 3]]
    matrix = pixels_from_clip(Rectangle(0.0, 0.0, *SIZE)) @ camera.clip_from_world(SIZE[0] / SIZE[1])
    found_kinds = set()
    for cursor in rng.uniform((200.0, 120.0), (440.0, 360.0), (60, 2)):
        hit = scene.raycast(*camera.ray_through(tuple(cursor / SIZE), SIZE[0] / SIZE[1]))
        if hit is None:
            continue
        found = snap(hit, tuple(cursor), matrix_of(camera), camera.position, 12.0)
        kind, place, distance_px = brute_force(scene, hit, cursor, matrix, 12.0)
        if found.kind != kind:  # only where the thousand points fall just short of the nearest
            assert found.kind == "edge" and brute_force(scene, hit, cursor, matrix, 12.5)[0] == "edge"
            continue
        found_kinds.add(kind)
        world = scene.world_from_local[hit.node.id] @ np.append(found.local_point, 1.0)
        np.testing.assert_allclose(found.point, world[:3], rtol=1e-9, atol=1e-9)
        if kind == "edge":
            x, y = pixel(camera, found.point)
            assert np.hypot(x - cursor[0], y - cursor[1]) <= distance_px + 1e-6
        elif kind == "face":
            np.testing.assert_allclose(found.point, hit.point, rtol=1e-12)
            np.testing.assert_allclose(world[:3], hit.point, rtol=1e-9, atol=1e-9)
            corners = scene.meshes.mesh(scene.mesh_ids[hit.node.id]).positions[3 * hit.triangle : 3 * hit.triangle + 3]
            shares = np.linalg.lstsq(np.vstack([corners.T, np.ones(3)]), np.append(found.local_point, 1.0), rcond=None)
            assert shares[0].min() > -1e-9
            np.testing.assert_allclose(shares[0] @ corners, found.local_point, atol=1e-9)  # in the triangle's plane
            if flat_axis is None:
                np.testing.assert_allclose(found.local_point, place, rtol=1e-7, atol=1e-7)
        else:
            np.testing.assert_allclose(found.local_point, place, rtol=1e-12)
    assert "face" in found_kinds
