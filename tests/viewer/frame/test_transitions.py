"""The way of the camera after a command: from the last picture to where the command leads; a drag ends it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import TRANSITION_SECONDS
from tests.viewer.camera.test_camera import random_camera
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

SIZE = (64, 48)


class Clock:
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def view(clock: Clock) -> View:
    view = View(box_scene())
    view.layout.eases, view.redraw.clock = True, clock
    view.framing.frame_nodes(None)
    view.build_frames(SIZE)
    return view


def drawn(view: View):
    view.build_frames(SIZE)
    return view.snapshot.camera


def test_pictures_go_from_the_last_one_to_where_the_camera_is_sent(view, clock):
    begin = view.snapshot.camera
    view.camera = replace(controls.look_from(begin, "top"), distance=4.0 * begin.distance)
    end = view.camera
    view.layout.ease_cameras()
    assert view.camera is end and view.layout.is_moving, "what follows reckons with where it leads"
    ways, steps = [], 10
    for step in range(steps):
        clock.seconds = 100.0 + TRANSITION_SECONDS * step / steps
        ways.append(drawn(view).distance)
        assert view.layout.is_moving
    assert begin.distance < ways[0] < 2.0 * begin.distance, "the first picture is not the last one again"
    assert ways == sorted(ways) and len(set(ways)) == steps
    clock.seconds = 100.0 + TRANSITION_SECONDS
    assert drawn(view).shows_as(end) and not view.layout.is_moving


def test_what_is_picked_is_what_is_drawn_on_the_way(view, clock):
    view.camera = controls.look_from(view.camera, "right")
    view.layout.ease_cameras()
    clock.seconds += 0.4 * TRANSITION_SECONDS
    frame = view.build_frames(SIZE)[0].frame
    assert np.allclose(frame.camera.position, view.snapshot.camera.position)
    assert not np.allclose(frame.camera.position, view.camera.position)
    assert view.active.shown_camera is view.snapshot.camera


def test_a_second_command_goes_on_from_the_picture_of_the_way(view, clock):
    view.camera = controls.look_from(view.camera, "right")
    view.layout.ease_cameras()
    clock.seconds += 0.5 * TRANSITION_SECONDS
    middle = drawn(view)
    view.camera = controls.look_from(view.camera, "top")
    view.layout.ease_cameras()
    first = drawn(view)
    turned = [each.axes[2] @ middle.axes[2] for each in (first, view.camera)]
    assert turned[0] > turned[1] + 0.3


def test_a_drag_ends_it_at_once(view, clock):
    view.camera = controls.look_from(view.camera, "right")
    view.layout.ease_cameras()
    clock.seconds += 0.5 * TRANSITION_SECONDS
    drawn(view)
    view.camera = controls.orbit(view.camera, 10.0, 0.0)
    assert not view.layout.is_moving and drawn(view).shows_as(view.camera)


@pytest.mark.parametrize("change", ("off", "lens", "nothing"))
def test_there_is_none_where_it_is_switched_off_or_between_lenses_or_nothing_moves(view, change):
    view.layout.eases = change != "off"
    if change != "nothing":
        view.camera = replace(view.camera, pivot=np.ones(3), orthographic=change == "lens")
    view.layout.ease_cameras()
    assert not view.layout.is_moving and drawn(view).shows_as(view.camera)


def test_a_view_that_was_never_drawn_is_there_at_once(clock):
    view = View(box_scene())
    view.layout.eases, view.redraw.clock = True, clock
    view.framing.frame_nodes(None)
    view.layout.ease_cameras()
    assert drawn(view).shows_as(view.camera)


def test_cameras_between_two_have_a_level_horizon_and_go_the_shorter_way():
    rng = np.random.default_rng(3)
    for _ in range(50):
        begin, end = (random_camera(rng, orthographic=False) for _ in range(2))
        for share, there in ((0.0, begin), (1.0, end)):
            camera = controls.between(begin, end, share)
            assert np.allclose(camera.axes, there.axes) and np.isclose(camera.distance, there.distance)
            assert np.allclose(camera.pivot, there.pivot)
        middle = controls.between(begin, end, 0.5)
        assert middle.roll_rad == 0.0 and abs(middle.pitch_rad) <= np.pi / 2.0
        turned = np.arccos(np.clip(begin.axes[2] @ end.axes[2], -1.0, 1.0))
        assert np.arccos(np.clip(middle.axes[2] @ end.axes[2], -1.0, 1.0)) <= turned + 1e-9 or turned > 2.0


def test_a_window_draws_until_the_way_has_ended_and_then_no_more(open_app, clock):
    app: HeadlessApp = open_app(box_scene())
    view = app.view
    view.layout.eases, view.redraw.clock = True, clock
    view.framing.frame_nodes(None)
    view.build_frames(SIZE)
    app.settle()
    app.press("7")
    assert app.session.is_busy
    for _ in range(3):
        view.redraw.note_picture()
        app.session.poll()
        assert view.redraw.damage == Damage.SCENE, "each turn draws"
        view.build_frames(SIZE)
    clock.seconds += TRANSITION_SECONDS
    view.build_frames(SIZE)
    view.redraw.note_picture()
    app.session.poll()
    assert view.redraw.damage < Damage.SCENE and not app.session.is_busy
    app.table.run(app.table["view.smooth"])
    app.press("1")
    assert not view.layout.is_moving
