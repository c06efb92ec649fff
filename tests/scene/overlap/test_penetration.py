"""Depths of overlaps, against the separating axes of boxes, and by moving one of them out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope import Scene, find_overlaps
from tests import oracles
from tests.scene.builders import ball, box, mesh_of

pytestmark = pytest.mark.usefixtures("strict_floats")


def depth_of_boxes(scene: Scene) -> float:
    """The least way by which box 1 gets out of box 0, by all axes that can separate boxes."""
    corners = [oracles.transformed(scene.world_from_local[node], box().positions) for node in (0, 1)]
    axes = [scene.world_from_local[node, :3, :3].T for node in (0, 1)]
    directions = [*axes[0], *axes[1], *(np.cross(one, other) for one in axes[0] for other in axes[1])]
    ways = []
    for direction in directions:
        length = np.linalg.norm(direction)
        if length > 1e-9:
            a, b = (each @ (direction / length) for each in corners)
            ways += [a.max() - b.min(), b.max() - a.min()]
    return min(ways)


@given(seed=st.integers(0, 2**32 - 1), offset=st.sampled_from((0.0, 1e6)))
@settings(max_examples=25, deadline=None)
def test_boxes_that_dip_into_each_other_are_as_deep_as_their_separating_axes_say(seed, offset):
    rng = np.random.default_rng(seed)
    scene = Scene()
    mesh = scene.meshes.add(box())
    for _ in range(2):
        scene.add_node("box", mesh=mesh, rotation=oracles.random_quaternion(rng), scale=rng.uniform(0.5, 2.0, 3))
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    near, far = 0.0, 20.0  # where along the way they just touch
    for _ in range(60):
        scene.set_translations([0, 1], [np.full(3, offset), offset + 0.5 * (near + far) * way])
        scene.update_world()
        near, far = (0.5 * (near + far), far) if depth_of_boxes(scene) > 0.0 else (near, 0.5 * (near + far))
    scene.set_translations([1], [offset + (near - rng.uniform(0.01, 0.05)) * way])
    scene.update_world()
    overlaps = find_overlaps(scene)
    assert overlaps.crossing.tolist() == [[0, 1]]
    assert overlaps.depths == pytest.approx([depth_of_boxes(scene)], rel=1e-6, abs=1e-8 if offset else 1e-12)
    # The second one gets out along the normal by that way, and no sooner.
    normal, start = overlaps.normals[0], scene.translations[1].copy()
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    for share, crosses in ((0.98, True), (1.02, False)):
        scene.set_translations([1], [start + share * overlaps.depths[0] * normal])
        scene.update_world()
        assert (len(find_overlaps(scene).crossing) == 1) == crosses
    lower, upper = (np.array([scene.bounds(node)[end] for node in (0, 1)]) for end in (0, 1))
    assert (overlaps.points[0] >= lower.max(axis=0) - 0.2).all() and (
        overlaps.points[0] <= upper.min(axis=0) + 0.2
    ).all()


def pair(mesh, other, **transform) -> tuple[float, np.ndarray, np.ndarray]:
    scene = Scene()
    scene.add_node("a", mesh=scene.meshes.add(mesh))
    scene.add_node("b", mesh=scene.meshes.add(other), **transform)
    scene.update_world()
    overlaps = find_overlaps(scene)
    assert len(overlaps.crossing) == 1 == len(overlaps.depths)
    return float(overlaps.depths[0]), overlaps.normals[0], overlaps.points[0]


def test_balls_are_as_deep_as_their_radii_say():
    depth, normal, point = pair(ball(40, 60), ball(40, 60), translation=(1.2, 1.1, 0.9))
    distance = np.linalg.norm((1.2, 1.1, 0.9))
    assert depth == pytest.approx(2.0 - distance, rel=0.1)
    assert normal @ np.array((1.2, 1.1, 0.9)) / distance > 0.98
    np.testing.assert_allclose(point, (0.6, 0.55, 0.45), atol=0.05)


def test_a_leg_that_has_sunk_into_the_floor_of_a_room_is_as_deep_as_it_has_sunk():
    room = box()
    depth, normal, point = pair(room, box(), scale=(0.1, 0.1, 0.3), translation=(0.2, 0.0, -0.72))
    assert depth == pytest.approx(0.02) and normal.tolist() == [0.0, 0.0, 1.0]
    np.testing.assert_allclose(point, (0.2, 0.0, -0.99), atol=0.02)


def test_a_beam_right_through_is_as_deep_as_the_way_out_to_the_side():
    depth, _, _ = pair(box(), box(), scale=(0.1, 0.2, 5.0))
    assert depth == pytest.approx(1.1)


def test_there_is_a_row_for_each_crossing_pair_in_their_order(monkeypatch):
    monkeypatch.setattr("octoscope.scene.overlap.search._PORTION", 1)
    scene = Scene()
    mesh = scene.meshes.add(box())
    places = [0.0, 1.9, 3.7, 5.4]
    for place in places:
        scene.add_node("box", mesh=mesh, translation=(place, 0.0, 0.0))
    scene.update_world()
    overlaps = find_overlaps(scene)
    assert overlaps.crossing.tolist() == [[0, 1], [1, 2], [2, 3]]
    np.testing.assert_allclose(overlaps.depths, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(overlaps.points[:, 0], [0.95, 2.8, 4.55])
    assert find_overlaps(Scene()).depths.shape == (0,) and find_overlaps(Scene()).points.shape == (0, 3)


def test_an_object_inside_another_is_as_deep_as_its_way_out_and_in_none_that_faces_inward():
    scene = Scene()
    scene.add_node("solid", mesh=scene.meshes.add(box()), scale=(3.0, 2.0, 2.0))
    scene.add_node("in it", mesh=scene.meshes.add(ball()), translation=(0.0, 0.4, 0.1), scale=(0.5, 0.5, 0.5))
    scene.update_world()
    overlaps = find_overlaps(scene)
    assert overlaps.crossing.tolist() == [[0, 1]] and overlaps.inside.tolist() == [True]
    assert overlaps.depths == pytest.approx([2.0 - 0.4 + 0.5]) and overlaps.normals.tolist() == [[0.0, 1.0, 0.0]]
    assert overlaps.points[0] == pytest.approx((0.0, 0.4, 0.1), abs=1e-12)
    for mesh in (mesh_of(box().positions, box().triangles[:, ::-1]), mesh_of(box().positions, box().triangles[1:])):
        scene.set_meshes([0], scene.meshes.add(mesh))  # a room, and what has a hole
        scene.update_world()
        assert len(find_overlaps(scene).crossing) == 0
