"""Gestures move the camera of the viewport that they are made in, and of no other."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.camera import controls
from octoscope.viewer.frame.view import View
from octoscope.viewer.tools.camera_tool import CameraTool
from octoscope.viewer.tools.intents import Drag, FlySpeed, Steering, Zoom
from octoscope.viewer.window.drags import LOOK, ORBIT, PAN
from tests.viewer.scenes import box_scene, place_at, view_of

SIZE = (400, 300)


def turn(view: View, dx: float, dy: float) -> Drag:
    """A drag that began on nothing."""
    return Drag(dx, dy, place_at(view, (0.01, 0.01)), place_at(view, (0.02, 0.02)), is_first=True)


@pytest.fixture
def view() -> View:
    view = view_of(box_scene(), distance=9.0)
    view.layout.set_count(4)
    view.build_frames(SIZE)
    return view


@pytest.fixture
def steering(view: View) -> CameraTool:
    return CameraTool(view)


@pytest.mark.parametrize(
    "gesture",
    [
        lambda steering, point: steering.follow(Drag(9.0, 5.0, point, point, is_first=True)),
        lambda steering, point: steering.follow(Steering(PAN, 9.0, 5.0)),
        lambda steering, point: steering.follow(Steering(LOOK, 9.0, 5.0)),
        lambda steering, point: steering.fly((1.0, 0.0, 1.0), 0.05),
        lambda steering, point: steering.follow(Zoom(2.0, point)),
    ],
    ids=["orbit", "pan", "look around", "fly", "zoom"],
)
@pytest.mark.parametrize("place", range(4))
def test_a_gesture_moves_the_viewport_where_it_began(view, steering, gesture, place):
    before = [viewport.camera for viewport in view.viewports]
    point = place_at(view, (0.25 + 0.5 * (place % 2), 0.25 + 0.5 * (place // 2)))
    steering.begin(point)
    gesture(steering, point)
    assert view.active is view.viewports[place]
    assert [viewport.camera is camera for viewport, camera in zip(view.viewports, before, strict=True)] == [
        number != place for number in range(4)
    ]


def test_panning_moves_the_scene_with_the_mouse_in_a_viewport_too(view, steering):
    steering.begin(place_at(view, (0.75, 0.25)))
    before = view.camera
    steering.follow(Steering(PAN, 30.0, -12.0))
    part = view.layout.area()
    clip = view.camera.clip_from_world(part.aspect) @ (*before.pivot, 1.0)
    assert clip[:2] / clip[3] * (part.width / 2, -part.height / 2) == pytest.approx((30.0, -12.0))


@pytest.mark.parametrize("scene", [box_scene(), Scene()], ids=["a box", "nothing"])
def test_zooming_out_ends_where_the_scene_has_become_small(scene):
    view = view_of(scene, distance=9.0)
    view.build_frames(SIZE)
    tool = CameraTool(view)
    distances = []
    for _ in range(200):
        tool.follow(Zoom(-1.0, place_at(view, (0.5, 0.5))))
        distances.append(view.camera.distance)
    if len(scene.objects):
        assert distances[-1] == pytest.approx(distances[-50]) and 30.0 < distances[-1] < 200.0
    else:
        assert distances[-1] > 1e6


def test_a_drag_that_orbits_without_a_point_does_so_about_the_pivot(view, steering):
    before = view.camera
    steering.follow(Steering(ORBIT, 30.0, -10.0))
    assert (view.camera.pivot == before.pivot).all()
    expected = controls.orbit(before, 30.0, -10.0)
    assert (view.camera.axes == expected.axes).all() and (view.camera.axes != before.axes).any()


def test_the_trackball_goes_over_the_pole_and_the_turntable_levels_every_horizon_again(view, steering):
    steering.follow(turn(view, 0.0, 1e4))
    assert view.camera.pitch_rad == np.pi / 2, "the turntable stops there"
    steering.toggle_trackball()
    steering.follow(turn(view, 0.0, 100.0))
    steering.follow(turn(view, 40.0, 30.0))
    assert view.camera.axes[1][1] < 0.0 and abs(view.camera.roll_rad) > 0.1
    steering.begin(place_at(view, (0.75, 0.75)))
    steering.toggle_trackball()
    assert [viewport.camera.roll_rad for viewport in view.viewports] == [0.0] * 4


def test_a_slow_picture_does_not_throw_the_camera_far(view, steering):
    before = view.camera
    steering.fly((0.0, 0.0, 1.0), 5.0)
    assert np.linalg.norm(view.camera.position - before.position) < 0.2 * before.distance
    steering.follow(FlySpeed(-6.0))
    assert steering.speed == controls.fly_speed(1.0, -6.0)
    slow = view.camera
    steering.fly((0.0, 0.0, 1.0), 0.05)
    step = np.linalg.norm(view.camera.position - slow.position)
    fast = view.camera
    steering.fly((0.0, 0.0, 1.0), 0.05, fast=True)
    assert np.linalg.norm(view.camera.position - fast.position) == pytest.approx(4.0 * step)
