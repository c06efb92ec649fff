"""The window's views: flying with keys and mouse, several viewports, opposite sides, and bookmarks."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.axis_widget.tool import AxisWidget
from octoscope.viewer.frame.points import viewport_rectangles
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import first_camera as viewport_camera
from octoscope.viewer.settings.config import WindowState, save_window_state
from octoscope.viewer.tools.camera_tool import CameraTool
from tests.viewer.windows.window_boxes import (
    ALL,
    SIZE,
    assert_shows,
    box_extent,
    box_pixel,
    differing,
    empty_pixel,
    first_camera,
    seen,
    seen_extent,
)
from tests.viewer.windows.window_steps import WINDOW_TEST, selected
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
RIGHT = 3


def seconds_flown(picture: np.ndarray, direction: tuple[float, float, float], camera: Camera) -> float:
    """Return the time that a flight at speed 1 takes to the place from which the green box looks as in a picture."""
    seen_there = seen_extent(picture, "green")
    times = np.linspace(0.0, 0.8, 801)
    off = [
        abs(box_extent(controls.fly(camera, direction, time, speed=1.0), "green") - seen_there).max() for time in times
    ]
    assert min(off) < 3.0, f"the green box is off by {min(off)} pixels at best"
    return float(times[np.argmin(off)])


def test_holding_the_right_button_flies_with_keys_and_looks_around_with_the_mouse(window, first):
    point = empty_pixel(first)
    with window.held_button(point, RIGHT):
        window.scroll(point, -8)  # slowly
        with window.held_keys("w"):
            wait_for(lambda: seen(window.shown(), "green").sum() > 1.2 * seen(first, "green").sum(), "coming nearer")
        forward = window.picture()
        assert seconds_flown(forward, (0.0, 0.0, 1.0), first_camera()) > 0.05
        with window.held_keys("s"):
            wait_for(lambda: seen(window.shown(), "green").sum() < 1.1 * seen(first, "green").sum(), "going back")
        window.press("0", "o", "Home")  # commands as ever
        there = box_extent(first_camera(), "green")

        def off() -> float:
            return float(abs(seen_extent(window.shown(), "green") - there).max())

        wait_for(lambda: off() < 3.0, "all of it in the picture again")
        with window.held_keys("e"):  # which flies, and shows no edges
            wait_for(lambda: off() > 20.0, "rising")
        assert seconds_flown(window.picture(), (0.0, 1.0, 0.0), first_camera()) > 0.01
        window.scroll(point, 8)
    assert selected(window) == "", "no menu of the object there"
    window.press("o", "0", "Home")
    assert differing(window.picture(), first) < 0.002, "nothing but the camera has changed"
    window.drag(point, (point[0] - 60, point[1] + 20), button=RIGHT)
    assert_shows(window.picture(), controls.look_around(first_camera(), -60.0, 20.0), "green", pixels=3.0)


@pytest.mark.slow
def test_keys_fly_by_their_place_on_the_keyboard(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path) as window:
        subprocess.run(["setxkbmap", "fr"], env=window.environment, check=True)  # on which Z, Q, S, D lie as W, A, S, D
        first = window.picture()
        with window.held_button(empty_pixel(first), RIGHT):
            window.scroll(empty_pixel(first), -8)  # slowly
            with window.held_keys("z"):
                wait_for(
                    lambda: seen(window.shown(), "green").sum() > 1.2 * seen(first, "green").sum(), "coming nearer"
                )


def quarters(picture: np.ndarray) -> list[np.ndarray]:
    """The four viewports without the frame of the active one and without their names."""
    return [
        picture[part.y + 2 : part.y + part.height - 40, part.x + 2 : part.x + part.width - 2]
        for part in viewport_rectangles(4, SIZE)
    ]


def change(first: np.ndarray, second: np.ndarray) -> float:
    """The fraction of pixels that differ visibly."""
    return float((abs(first.astype(int) - second).max(axis=-1) > 10).mean())


def test_four_viewports_are_clicked_and_turned_each_for_itself(window, first):
    window.press("ctrl+alt+4", "i")
    window.rest()
    parts = viewport_rectangles(4, SIZE)
    cameras = [viewport_camera(place, first_camera()) for place in range(4)]
    cameras = [
        controls.frame_box(camera, *ALL, part.width / part.height) for camera, part in zip(cameras, parts, strict=True)
    ]
    for place, name in ((1, "red"), (2, "blue"), (3, "behind")):
        x, y = box_pixel(cameras[place], name, parts[place].size)
        window.click((parts[place].x + x, parts[place].y + y))
        assert selected(window) == name, f"in viewport {place}"
    before = window.picture()
    window.drag((100, 300), (220, 260))
    turned = window.picture()
    changes = [change(*pair) for pair in zip(quarters(before), quarters(turned), strict=True)]
    assert changes[0] > 0.02 and max(changes[1:]) == 0.0, changes
    camera = controls.orbit(cameras[0], 120.0, -40.0)
    x, y = box_pixel(camera, "blue", parts[0].size)
    assert seen(turned, "blue")[y, x] and not seen(before, "blue")[y, x]
    x, y = box_pixel(cameras[1], "green", parts[1].size)
    window.scroll((parts[1].x + x, parts[1].y + y), 4)
    zoomed = window.picture()
    assert seen(zoomed, "green")[:350, 650:].sum() > 1.5 * seen(turned, "green")[:350, 650:].sum()
    assert change(quarters(zoomed)[2], quarters(turned)[2]) < 0.01, "but for the outline of what the mouse is over"
    window.press("ctrl+alt+1")  # the one that was worked in last is alone then
    assert seen(window.picture(), "green").sum() > 3 * seen(zoomed, "green")[:350, 650:].sum()
    window.press("ctrl+alt+4")
    assert change(quarters(window.picture())[0], quarters(zoomed)[0]) < 0.01, "the others come back as they were"
    window.click((100, 300))
    window.press("ctrl+alt+1", "i")


@pytest.mark.slow
def test_alt_and_ctrl_look_from_the_opposite_sides(window, first):
    pictures = {}
    for keys in ("1", "alt+1", "ctrl+KP_1"):
        window.press(keys)
        picture = window.picture()
        pictures[keys] = [float(np.nonzero(seen(picture, name))[1].mean()) for name in ("red", "blue")]
    assert pictures["1"][0] < 640.0 < pictures["1"][1]
    assert pictures["alt+1"] == pictures["ctrl+KP_1"] and pictures["alt+1"][1] < 640.0 < pictures["alt+1"][0]


@pytest.mark.slow
def test_a_bookmark_brings_back_where_one_was(window, first):
    window.drag((700, 600), (820, 560))
    scene = slice(240, None)  # rows below the figures, and below what tells of the bookmark
    there = window.picture()[scene]
    window.press("ctrl+b", "0", "Home")
    assert differing(window.picture()[scene], first[scene]) == 0.0 < differing(there, first[scene])
    window.press("Page_Down")
    assert differing(window.picture()[scene], there) == 0.0


def test_an_end_of_an_axis_in_the_corner_is_clicked_to_look_from_there_and_the_corner_is_dragged(boxes, tmp_path):
    save_window_state(tmp_path / "config", WindowState(panels=False))
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        begin = window.picture()
        viewport = View(Scene())
        viewport.layout.resize(SIZE)
        viewport.camera = first_camera()
        widget = AxisWidget(viewport, CameraTool(viewport))
        (end,) = (each for each in widget.ends(viewport.active) if (each.axis, each.sign) == (2, 1))
        window.click((round(end.pixel[0]), round(end.pixel[1])))
        clicked = window.picture()
        window.press("1")
        assert differing(window.picture(), clicked) < 0.001 < differing(begin, clicked)
        x, y = widget.middle(viewport.active)
        window.drag((round(x), round(y)), (round(x) - 60, round(y) + 200))
        turned = window.picture()
        assert differing(turned, clicked) > 0.01
