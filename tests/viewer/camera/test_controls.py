"""Gestures do to the picture what a person expects of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import box_corners
from tests.viewer.camera.test_camera import SIZE, project, random_camera
from tests.viewer.windows.window_boxes import project as project_to_pixels


@pytest.mark.parametrize("orthographic", [False, True])
def test_zoom_keeps_the_point_under_the_cursor(orthographic: bool) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        camera = random_camera(rng, orthographic=orthographic)
        target = camera.pivot + rng.normal(0.0, 0.2, 3)
        for steps in (1.0, -1.0, 4.5):
            zoomed = controls.zoom(camera, steps, target)
            assert np.allclose(project(zoomed, target)[:2], project(camera, target)[:2], atol=1e-9)
            assert (zoomed.distance < camera.distance) == (steps > 0.0)


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e7, 1e12])
def test_one_can_zoom_in_as_far_as_there_is_a_frustum_and_out_again(orthographic: bool, offset: float) -> None:
    lower, upper = np.full(3, offset), np.full(3, offset + 1.0)
    camera = replace(random_camera(np.random.default_rng(15), orthographic=orthographic), pivot=lower)
    for steps in (40.0,) * 12 + (-40.0,) * 24:
        camera = controls.zoom(camera, steps, camera.pivot + 0.01 * camera.distance).with_depth_range(lower, upper)
        Frustum.from_matrix(camera.clip_from_world(1.5))
    assert camera.distance > 1e10


@pytest.mark.parametrize("orthographic", [False, True])
def test_pan_moves_what_lies_at_the_pivots_depth_with_the_mouse(orthographic: bool) -> None:
    camera = random_camera(np.random.default_rng(2), orthographic=orthographic)
    panned = controls.pan(camera, 30.0, -12.0, SIZE[1])
    moved = (project(panned, camera.pivot) - project(camera, camera.pivot))[:2] * (SIZE[0] / 2, -SIZE[1] / 2)
    assert np.allclose(moved, (30.0, -12.0))


def test_orbit_keeps_the_horizon_level_and_stops_at_the_poles() -> None:
    camera = random_camera(np.random.default_rng(3), orthographic=False)
    for dx, dy in ((10.0, 5.0), (-400.0, 90.0), (3.0, 1e5), (0.0, -1e6)):
        camera = controls.orbit(camera, dx, dy)
        assert camera.axes[0][1] == 0.0, "the right of the picture stays level"
        assert abs(camera.pitch_rad) <= math.pi / 2
        assert np.allclose(project(camera, camera.pivot)[:2], 0.0)


def test_orbit_to_the_right_turns_the_scenes_front_to_the_right() -> None:
    camera = controls.look_from(random_camera(np.random.default_rng(4), orthographic=False), "front")
    toward_camera = camera.pivot + np.array((0.0, 0.0, 0.1))
    assert project(controls.orbit(camera, 40.0, 0.0), toward_camera)[0] > 0.0
    assert project(controls.orbit(camera, 0.0, 40.0), toward_camera)[1] < 0.0


def test_a_trackball_turns_about_the_pictures_own_axes_from_wherever_one_is() -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        camera = random_camera(rng, orthographic=False, rolled=True)
        for dx, dy in ((50.0, 0.0), (0.0, 50.0), (30.0, -40.0)):
            turned = controls.orbit(camera, dx, dy, trackball=True)
            assert np.allclose(project(turned, camera.pivot)[:2], 0.0)
            toward_camera = camera.pivot + 0.01 * camera.axes[2]
            x, y, _ = project(turned, toward_camera) * (SIZE[0], -SIZE[1], 0)
            assert (x, y) / np.hypot(x, y) == pytest.approx(np.array((dx, dy)) / 50.0, abs=0.02), "it follows the mouse"
            assert camera.axes[2] @ turned.axes[2] == pytest.approx(math.cos(50.0 * 0.007))
            assert np.allclose(controls.orbit(turned, -dx, -dy, trackball=True).axes, camera.axes, atol=1e-9)


def test_a_trackball_goes_over_the_poles_and_comes_round() -> None:
    camera = controls.look_from(random_camera(np.random.default_rng(9), orthographic=False), "front")
    step = math.tau / 0.007 / 90.0
    turned, highest = camera, 0.0
    for number in range(90):
        turned = controls.orbit(turned, 0.0, step, trackball=True)
        highest = max(highest, turned.pitch_rad)
        if number == 44:
            assert turned.axes[1][1] == pytest.approx(-1.0), "upside down behind the pole"
    assert highest > 1.5
    assert np.allclose(turned.axes, camera.axes, atol=1e-9)
    assert controls.orbit(camera, 0.0, 0.0, trackball=True) is camera


def test_back_on_the_turntable_the_horizon_is_level() -> None:
    rng = np.random.default_rng(10)
    for _ in range(20):
        camera = random_camera(rng, orthographic=False, rolled=True)
        level = controls.level(camera)
        assert level.axes[0][1] == 0.0 and np.array_equal(level.axes[2], camera.axes[2])
        assert controls.orbit(camera, 3.0, 4.0).axes[0][1] == 0.0
        assert controls.look_from(camera, "top").roll_rad == 0.0


@pytest.mark.parametrize("trackball", [False, True])
def test_looking_around_turns_about_the_camera_towards_the_mouse(trackball: bool) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        camera = controls.look_from(random_camera(rng, orthographic=False), "iso")
        ahead = camera.pivot
        for dx, dy in ((20.0, 0.0), (0.0, 20.0)):
            turned = controls.look_around(camera, dx, dy, trackball=trackball)
            assert np.allclose(turned.position, camera.position)
            x, y, _ = project(turned, ahead)
            assert (x < -0.01) == (dx > 0.0) and (y > 0.01) == (dy > 0.0), "what was ahead is left behind"
            assert np.allclose(project(turned, turned.pivot)[:2], 0.0)


@pytest.mark.parametrize("orthographic", [False, True])
def test_flying_leads_to_the_same_place_at_any_frame_rate(orthographic: bool) -> None:
    rng = np.random.default_rng(12)
    for _ in range(30):
        camera = random_camera(rng, orthographic=orthographic, rolled=True)
        direction, seconds, speed = rng.integers(-1, 2, 3), rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0)
        at_once = controls.fly(camera, direction, seconds, speed=speed)
        stepwise = camera
        for part in rng.dirichlet(np.ones(37)):
            stepwise = controls.fly(stepwise, direction, seconds * part, speed=speed)
        assert np.allclose(stepwise.pivot, at_once.pivot) and stepwise.distance == pytest.approx(at_once.distance)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_flying_moves_along_the_view_to_its_sides_and_up_in_the_world(axis: int) -> None:
    camera = random_camera(np.random.default_rng(13), orthographic=False)
    expected = (camera.axes[0], np.array((0.0, 1.0, 0.0)), -camera.axes[2])[axis]
    for sign in (1.0, -1.0):
        direction = sign * np.eye(3)[axis]
        flown = controls.fly(camera, direction, 0.5, speed=1.5)
        assert np.allclose(flown.position - camera.position, sign * 0.75 * camera.distance * expected)
        assert np.array_equal(flown.axes, camera.axes) and flown.distance == camera.distance
    askew = controls.fly(camera, (1.0, 0.0, 1.0), 1.0, speed=1.0)
    assert np.linalg.norm(askew.position - camera.position) == pytest.approx(camera.distance)
    assert np.array_equal(controls.fly(camera, (0.0, 0.0, 0.0), 1.0, speed=1.0).pivot, camera.pivot)


def test_flying_forward_with_parallel_rays_enlarges_the_picture() -> None:
    camera = random_camera(np.random.default_rng(14), orthographic=True)
    flown = controls.fly(camera, (0.0, 0.0, 1.0), 0.3, speed=1.0)
    assert flown.distance < camera.distance and np.array_equal(flown.pivot, camera.pivot)
    assert controls.fly(flown, (0.0, 0.0, -1.0), 0.3, speed=1.0).distance == pytest.approx(camera.distance)
    assert controls.fly(camera, (0.0, 0.0, 1.0), 1e6, speed=1.0).distance > 0.0


def test_the_wheel_changes_the_speed_and_back_within_limits() -> None:
    faster = controls.fly_speed(1.0, 3.0)
    assert faster > 1.0 and controls.fly_speed(faster, -3.0) == pytest.approx(1.0)
    assert 0.0 < controls.fly_speed(1.0, -100.0) < 1.0
    assert math.isfinite(controls.fly_speed(1.0, 100.0))


@pytest.mark.parametrize("about", ["the outline", "a point"])
@pytest.mark.parametrize("orthographic", [False, True])
def test_framing_shows_all_of_a_box_and_not_much_else(about: str, orthographic: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        lower = rng.normal(0.0, 50.0, 3)
        upper = lower + rng.uniform(0.0, 20.0, 3)
        pivot = None if about == "the outline" else rng.uniform(lower, upper)
        camera = random_camera(rng, orthographic=orthographic)
        camera = controls.frame_box(camera, lower, upper, SIZE[0] / SIZE[1], pivot=pivot)
        corners = np.array([project(camera, np.where(c, upper, lower)) for c in np.ndindex(2, 2, 2)])
        largest = np.abs(corners[:, :2]).max()
        assert 0.9 < largest <= 1.0


def test_framing_a_point_looks_at_it_from_somewhere() -> None:
    camera = controls.frame_box(
        random_camera(np.random.default_rng(6), orthographic=False), np.ones(3), np.ones(3), 1.5
    )
    assert camera.distance > 0.0 and np.array_equal(camera.pivot, np.ones(3))


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("aspect", [0.3, 1.0, 1.6, 4.0])
def test_framing_puts_the_middle_of_a_boxs_outline_into_the_middle_of_the_picture(
    aspect: float, orthographic: bool
) -> None:
    rng = np.random.default_rng(7)
    for sides in ((1, 1, 1), (20, 1, 20), (1, 30, 1), (50, 0.1, 2), (0, 0, 5), (3, 0, 3)):
        camera = replace(random_camera(rng, orthographic=orthographic), fov_y_rad=float(rng.uniform(0.3, 1.4)))
        lower = rng.normal(0.0, 100.0, 3)
        camera = controls.frame_box(camera, lower, lower + sides, aspect)
        size = (1000.0 * aspect, 1000.0)
        corners = project_to_pixels(camera, box_corners(lower, lower + sides), size)
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
        assert np.abs(middle - np.array(size) / 2.0).max() < 2.0, (sides, camera)
