"""The window under the mouse with keys held: several objects, what lies behind, boxes, hiding; what a person has."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from tests.cases import quick
from tests.viewer.windows.window_boxes import (
    ALL,
    BOXES,
    SIZE,
    assert_shows,
    box_extent,
    box_pixel,
    differing,
    empty_pixel,
    first_camera,
    point_on_box,
    project,
    seen,
)
from tests.viewer.windows.window_steps import OTHERS_OUTLINE, OUTLINE, WINDOW_TEST, selected
from tests.viewer.windows.xvfb import Point, Window, close_to, wait_for

pytestmark = WINDOW_TEST
HOVER = (235, 242, 255)


def outlined(picture: np.ndarray, camera: Camera | None = None) -> set[str]:
    """The boxes with the selection's outline about them."""
    found = set()
    y, x = np.nonzero(close_to(picture, OUTLINE, 4) | close_to(picture, OTHERS_OUTLINE, 4))
    for name in BOXES:
        left, top, right, bottom = box_extent(camera or first_camera(), name)
        near_left = (abs(x - left) < 4) & (y > top) & (y < bottom)
        near_right = (abs(x - right) < 4) & (y > top) & (y < bottom)
        if near_left.sum() > 5 and near_right.sum() > 5:
            found.add(name)
    return found


def box_drag(window: Window, begin: Point, end: Point, modifier: str = "") -> None:
    window.press("b")
    window.drag(begin, end, modifier=modifier)


def test_shift_adds_ctrl_toggles_and_keys_do_what_they_say(window, first):
    red, green, blue = (box_pixel(first_camera(), name) for name in ("red", "green", "blue"))
    window.click(red)
    window.click(green, modifier="shift")
    assert selected(window) == "green and 1 more"
    assert outlined(window.picture()) == {"red", "green"}
    window.click(blue, modifier="ctrl")
    window.click(red, modifier="ctrl")
    window.rest()
    assert outlined(window.picture()) == {"green", "blue"}
    window.press("ctrl+i")
    window.rest()
    assert outlined(window.picture()) >= {"red"} and not outlined(window.picture()) & {"green", "blue"}
    window.press("h")
    picture = window.picture()
    assert not seen(picture, "red").any() and not seen(picture, "behind").any() and seen(picture, "green").any()
    window.click(red)
    assert selected(window) == "", "what is hidden is not there"
    window.press("alt+h")
    assert seen(window.picture(), "red").any()
    window.press("alt+a")
    window.click(green)
    window.press("slash")
    picture = window.picture()
    assert seen(picture, "green").any() and not seen(picture, "blue").any()
    window.press("slash", "a")
    window.rest()
    assert outlined(window.picture()) >= {"red", "green", "blue"}
    window.press("Escape")
    window.click(empty_pixel(first))
    assert differing(window.picture(), first) == 0.0


def test_alt_click_goes_behind_and_its_list_can_be_clicked(window, first):
    window.press("1")
    window.press("Home")
    window.rest()
    front = controls.frame_box(controls.look_from(first_camera(), "front"), *ALL, SIZE[0] / SIZE[1])
    point = box_pixel(front, "green")
    window.click(point, modifier="alt")
    assert selected(window) == "green"
    window.click(point, modifier="alt")
    assert selected(window) == "behind"
    listed = window.picture()
    window.press("Escape")
    window.rest()
    assert selected(window) == "behind", "the list is gone, and nothing else"
    beside = np.s_[point[1] : point[1] + 200, point[0] : point[0] + 300]  # of the cursor: there was the list
    y, x = np.nonzero((window.picture()[beside] != listed[beside]).any(axis=-1))
    x, y = x + point[0], y + point[1]
    assert len(x) > 500 and min(x) > point[0] + 4 and min(y) > point[1] + 4, "the cursor can click again"
    window.click(point, modifier="alt")
    assert selected(window) == "green"
    second_line = (min(x) + max(x)) // 2, int(0.3 * min(y) + 0.7 * max(y))
    window.click(second_line)
    assert selected(window) == "behind"
    window.press("0", "Home")
    window.click(empty_pixel(first))
    assert differing(window.picture(), first) == 0.0


def test_a_double_click_frames_the_object_about_the_point(window, first):
    pixel = box_pixel(first_camera(), "blue")
    about = point_on_box(first_camera(), "blue", pixel)
    window.click(pixel, times=2)
    assert selected(window) == "blue"
    middle, half, _ = BOXES["blue"]
    lower, upper = np.array(middle) - half, np.array(middle) + half
    camera = controls.frame_box(first_camera(), lower, upper, SIZE[0] / SIZE[1], pivot=about)
    window.press("Escape")
    assert_shows(window.picture(), camera, "blue", pixels=6.0)
    assert project(camera, about, SIZE)[0] == pytest.approx((SIZE[0] / 2, SIZE[1] / 2))


def test_boxes_select_by_their_direction_and_leave_the_camera_alone(window, first):
    left, top, right, bottom = box_extent(first_camera(), "green").astype(int)
    around = (left - 6, top - 6), (right + 6, bottom + 6)
    half = (left - 6, top - 6), ((left + right) // 2, bottom + 6)
    box_drag(window, half[1], half[0])
    assert selected(window) == "green"
    assert outlined(window.picture()) == {"green"}
    box_drag(window, *half)
    assert selected(window) == "", "to the right only what lies wholly in it"
    box_drag(window, *around)
    assert selected(window) == "green"
    window.click(box_pixel(first_camera(), "red"), modifier="shift")
    box_drag(window, *around, modifier="ctrl")
    assert selected(window) == "red"
    box_drag(window, *around, modifier="shift")
    window.rest()
    assert outlined(window.picture()) == {"red", "green"}
    window.press("b", "Escape", "Escape")  # the first leaves the box, the second selects nothing
    window.click(empty_pixel(first))
    assert differing(window.picture(), first) == 0.0
    window.drag(around[0], around[1])
    wait_for(lambda: differing(window.picture(), first) > 0.02, "the camera, which a drag turns without B")


def test_what_a_click_would_select_is_outlined_while_the_mouse_is_over_it(window, first):
    def hovered_pixels() -> int:
        left, top, right, bottom = box_extent(first_camera(), "green").astype(int)
        return int(close_to(window.picture()[top - 4 : bottom + 4, left - 4 : right + 4], HOVER, 6).sum())

    before = hovered_pixels()
    window.move(box_pixel(first_camera(), "green"))
    wait_for(lambda: hovered_pixels() > before + 50, "the outline under the mouse")
    window.move(empty_pixel(first))
    wait_for(lambda: hovered_pixels() == before, "its end")
    window.press("ctrl+h")
    window.move(box_pixel(first_camera(), "green"))
    window.rest()
    assert hovered_pixels() == before
    window.press("ctrl+h")
    wait_for(lambda: hovered_pixels() > before + 50, "the outline again")


@pytest.mark.parametrize("modifier", quick(("shift", "ctrl", "alt"), 1))
def test_a_click_with_a_key_held_selects_what_it_hits(window, modifier):
    window.click(box_pixel(first_camera(), "blue"), modifier=modifier)
    assert selected(window) == "blue"
