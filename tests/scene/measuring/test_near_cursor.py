"""Lines and points near a cursor, against all lines and points of a scene projected one by one with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.measuring.near_cursor import lines_and_points_near
from octoscope.viewer.frame.projection import pixels_from_clip
from octoscope.viewer.frame.view import View
from tests.cases import quick
from tests.oracles import random_quaternion
from tests.viewer.scenes import add_mesh, view_of

SIZE = (320, 240)
TOLERANCE_PX, HALF_WIDTHS_PX = 12.0, (0.5, 2.0)


def wires(seed: int) -> Scene:
    """Nodes below each other, turned, stretched and mirrored, that share three meshes of lines and points."""
    rng, scene = np.random.default_rng(seed), Scene()
    meshes = []
    for lines, points in ((5, 0), (0, 4), (3, 2)):
        elements = {"lines": rng.integers(0, 8, (lines, 2)), "points": rng.integers(0, 8, points)}
        meshes.append(add_mesh(scene, rng.normal(size=(8, 3)), **elements))
    for count in (10, 40):
        scene.add_nodes(
            [f"wire {i}" for i in range(count)],
            parent=rng.integers(-1, 10, count) if len(scene) else -1,
            mesh=rng.choice(meshes, count),
            translation=rng.normal(0.0, 1.5, (count, 3)),
            rotation=random_quaternion(rng, count),
            scale=rng.lognormal(-0.3, 0.5, (count, 3)) * rng.choice((-1.0, 1.0), (count, 3)),
        )
    return scene


def elements_of(scene: Scene, node: int) -> list[tuple[bool, tuple[int, int]]]:
    """Return (is a point, the two end vertices) of each point and each line with a length of a node's mesh."""
    mesh = scene.meshes.mesh(scene.mesh_ids[node])
    lines = [(False, (int(a), int(b))) for a, b in mesh.lines if a != b]
    return lines + [(True, (int(vertex), int(vertex))) for vertex in mesh.points]


def nearest_of(ends: np.ndarray, is_point: bool, cursor: np.ndarray) -> tuple[float, float, np.ndarray] | None:
    """Distance in pixels, depth and place x, y of (2, 4) homogeneous ends in the picture; None: not near the cursor."""
    first, last = 0.0, 1.0
    for side in (ends[:, 3] + ends[:, 2], ends[:, 3] - ends[:, 2]):  # before the far plane, behind the near one
        if side.max() < 0.0:
            return None
        if side.min() < 0.0:
            crossing = side[0] / (side[0] - side[1])
            first, last = (max(first, crossing), last) if side[0] < 0.0 else (first, min(last, crossing))
    if first > last:
        return None
    seen = np.array([ends[0] + part * (ends[1] - ends[0]) for part in (first, last)])
    begin, end = seen[:, :3] / seen[:, 3:]
    along = end[:2] - begin[:2]
    part = float(np.clip((cursor - begin[:2]) @ along / (along @ along), 0.0, 1.0)) if along.any() else 0.0
    place = begin + part * (end - begin)  # depth after the division is even along a line of the picture
    off = np.abs(place[:2] - cursor)
    distance = off.max() - HALF_WIDTHS_PX[1] if is_point else np.hypot(*off) - HALF_WIDTHS_PX[0]
    return (max(distance, 0.0), place[2], place[:2]) if distance <= TOLERANCE_PX else None


def expected(view: View, pixels_from_world: np.ndarray, cursor: np.ndarray) -> dict[int, tuple]:
    """Return distance, depth and place in the picture of each node's nearest line or point, by node."""
    scene, found = view.scene, {}
    for node in range(len(scene)):
        corners = scene.meshes.mesh(scene.mesh_ids[node]).positions
        for is_point, vertices in elements_of(scene, node):
            local = np.column_stack([corners[list(vertices)], np.ones(2)])
            ends = local @ (pixels_from_world @ scene.world_from_local[node]).T
            near = nearest_of(ends, is_point, cursor)
            if near is not None and (node not in found or near[:2] < found[node][:2]):
                found[node] = near
    return found


@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize("seed", quick(range(4), 2))
def test_of_each_node_the_nearest_line_or_point_is_found_and_the_nodes_come_in_order(seed, orthographic):
    rng = np.random.default_rng(seed)
    view = view_of(
        wires(seed),
        yaw_rad=rng.uniform(-3.0, 3.0),
        pitch_rad=rng.uniform(-1.2, 1.2),
        distance=(12.0, 2.0)[seed % 2],  # from outside, and from among them: lines pass by the eye
        orthographic=orthographic,
    )
    view.build_frames(SIZE)
    picture, camera = view.snapshot, view.snapshot.camera
    pixels_from_world = pixels_from_clip(picture.projection.area) @ camera.clip_from_world(picture.aspect)
    compared = 0
    for cursor in rng.uniform(20.0, np.array(SIZE) - 20.0, (40, 2)):
        hits = lines_and_points_near(
            view.scene,
            picture.frustum,
            picture.projection.pixels_from_relative,
            tuple(cursor),
            TOLERANCE_PX,
            HALF_WIDTHS_PX,
            np.ones(len(view.scene), dtype=bool),
        )
        wanted = expected(view, pixels_from_world, cursor)
        assert sorted(wanted, key=lambda node: wanted[node][:2]) == [hit.node.id for hit in hits]
        for hit in hits:
            distance, depth, place = wanted[hit.node.id]
            assert hit.vertices in [vertices for _, vertices in elements_of(view.scene, hit.node.id)]
            np.testing.assert_allclose((hit.distance_px, hit.depth), (distance, depth), atol=1e-7)
            x, y, _, w = pixels_from_world @ (*hit.point, 1.0)
            np.testing.assert_allclose((x / w, y / w), place, atol=1e-6)
            begin, end = view.scene.meshes.mesh(view.scene.mesh_ids[hit.node.id]).positions[list(hit.vertices)]
            local = begin + hit.share * (end - begin)
            moved = view.scene.world_from_local[hit.node.id] @ (*local, 1.0)
            np.testing.assert_allclose(moved[:3], hit.point, atol=1e-9)
        compared += len(hits)
    assert compared > 10


def test_only_nodes_that_count_are_found():
    view = view_of(wires(0), distance=12.0)
    view.build_frames(SIZE)
    picture = view.snapshot
    among = np.arange(len(view.scene)) % 3 == 0
    arguments = (
        view.scene,
        picture.frustum,
        picture.projection.pixels_from_relative,
        (160.0, 120.0),
        60.0,
        HALF_WIDTHS_PX,
    )
    every = lines_and_points_near(*arguments, np.ones(len(view.scene), dtype=bool))
    some = lines_and_points_near(*arguments, among)
    assert [hit.node.id for hit in some] == [hit.node.id for hit in every if among[hit.node.id]]
    assert 0 < len(some) < len(every)
