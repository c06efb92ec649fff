"""The space that a shadow map shows: all that is seen and may be in shadow, and as little else as possible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.look.lighting import world_light
from octoscope.viewer.frame.occluders import bounds_along, corners_in_sight, light_axes, shadow_views
from tests.viewer.scenes import add_box_mesh, view_of


def cameras(count: int) -> list[tuple[Camera, Frustum]]:
    rng = np.random.default_rng(5)
    found = []
    for number in range(count):
        camera = Camera(
            rng.normal(0.0, 3.0, 3),
            *rng.uniform(-1.5, 1.5, 3),
            distance=rng.uniform(0.5, 20.0),
            orthographic=bool(number % 2),
        ).with_depth_range(np.full(3, -8.0), np.full(3, 8.0))
        found.append((camera, Frustum.from_matrix(camera.clip_from_relative(1.5), camera.position)))
    return found


@pytest.mark.parametrize("flat", (False, True))
def test_corners_in_sight_hold_every_point_that_is_seen_of_a_box_and_none_beyond(flat: bool) -> None:
    rng = np.random.default_rng(6)
    held = 0
    for camera, frustum in cameras(40):
        lower, upper = np.sort(rng.normal(0.0, 4.0, (2, 3)), axis=0)
        if flat:
            upper[1] = lower[1]
        position = camera.position
        corners = corners_in_sight(frustum, (lower - position, upper - position), position)
        points = rng.uniform(lower, upper, (4000, 3))
        distances = (points - frustum.origin) @ frustum.planes[:, :3].T + frustum.planes[:, 3]
        seen = points[(distances >= 0.0).all(axis=1)] - position
        if not len(seen):
            continue
        held += 1
        for axes in (np.eye(3), light_axes(np.array((0.6, 0.0, 0.8)), camera.axes)):
            least, most = bounds_along(axes, corners)
            found = bounds_along(axes, seen)
            assert (found[0] >= least - 1e-6).all() and (found[1] <= most + 1e-6).all()
        slack = (corners + position - frustum.origin) @ frustum.planes[:, :3].T + frustum.planes[:, 3]
        assert slack.min() > -1e-6
        assert (corners + position > lower - 1e-6).all() and (corners + position < upper + 1e-6).all()
    assert held > 10


def test_where_nothing_of_a_box_is_seen_the_frustum_itself_is_the_space() -> None:
    camera, frustum = cameras(1)[0]
    behind = 1e3 * camera.axes[2]
    corners = corners_in_sight(frustum, (behind, behind + 1.0), camera.position)
    np.testing.assert_allclose(corners, frustum.corners + frustum.origin - camera.position)


def map_width(view, size: tuple[int, int] = (120, 90)) -> float:
    """Return how wide the maps of a view's picture are, world units."""
    (part,) = view.with_occluders(view.build_frames(size))
    occluders = part.frame.occluders
    axes = light_axes(part.frame.look.lighting.in_world(view.camera.axes), view.camera.axes)
    return max(each.width for each in shadow_views(axes, occluders.cascades[-1].corners, 4))


def test_a_map_of_a_small_part_of_a_large_floor_is_small() -> None:
    """The floor reaches a kilometre in all directions, and the camera's far plane lies below all of it."""
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_node("floor", mesh=mesh, translation=(0.0, -0.5, 0.0), scale=(2000.0, 1.0, 2000.0))
    scene.add_node("house", mesh=mesh, translation=(0.0, 5.0, 0.0), scale=(10.0, 10.0, 10.0))
    scene.update_world()
    view = view_of(scene, distance=60.0, pitch_rad=0.9, yaw_rad=0.4)
    view.settings.show_grid = False
    for light in (view.settings.lighting, world_light(30.0, 40.0)):
        view.settings.lighting = light
        assert map_width(view) < 150.0, "some sixty units are seen"


@pytest.mark.parametrize("yaw_rad", (0.0, 0.7, 2.0))
def test_maps_turn_with_the_camera_and_not_with_the_worlds_axes(yaw_rad: float) -> None:
    camera = Camera(np.zeros(3), yaw_rad, 0.5)
    to_light = np.array((-0.41, 0.6, 0.69))
    to_light /= np.linalg.norm(to_light)
    axes = light_axes(to_light @ camera.axes, camera.axes) @ camera.axes.T
    np.testing.assert_allclose(axes, light_axes(to_light, np.eye(3)), atol=1e-12)
    turned = light_axes(to_light @ replace(camera, up_axis="z").axes, replace(camera, up_axis="z").axes)
    np.testing.assert_allclose(turned @ replace(camera, up_axis="z").axes.T, axes, atol=1e-12)
