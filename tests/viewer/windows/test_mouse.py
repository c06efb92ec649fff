"""The window under the mouse: orbiting, panning, zooming, and selecting to the pixel."""

from __future__ import annotations

import time

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from tests.cases import quick
from tests.viewer.windows.window_boxes import (
    BOXES,
    SIZE,
    assert_shows,
    box_extent,
    box_pixel,
    differing,
    empty_pixel,
    first_camera,
    pixel_of,
    pixels_about_edges,
    point_on_box,
    project,
    seen,
    seen_extent,
)
from tests.viewer.windows.window_steps import OUTLINE, WINDOW_TEST, assert_click_changes_selection, selected
from tests.viewer.windows.xvfb import close_to, wait_for

pytestmark = WINDOW_TEST
PANEL_POINT = (120, 150)
_NO_DOUBLE_CLICK_SECONDS = 0.8


def test_dragging_orbits_and_dragging_back_undoes_it(window, first):
    corner = np.array((1.0, 2.0, 1.0))  # of the green box, towards the camera
    start = pixel_of(first_camera(), corner)
    end = (start[0] + 130, start[1] - 60)
    window.drag(start, end)
    turned = window.picture()
    assert differing(turned, first) > 0.05
    camera = controls.orbit(first_camera(), 130, -60, about=corner)
    for name in ("red", "green", "blue"):
        assert_shows(turned, camera, name)
    window.press("0", "Home")
    window.drag(start, end, start)
    assert differing(window.picture(), first) < 0.002


def test_dragging_on_nothing_orbits_about_the_pivot(window, first):
    start = empty_pixel(first)
    window.drag(start, (start[0] - 50, start[1] - 20))
    for name in ("red", "green", "blue"):
        assert_shows(window.picture(), controls.orbit(first_camera(), -50, -20), name)


def test_a_drag_selects_nothing(window):
    x, y = box_pixel(first_camera(), "green")
    window.drag((x, y), (x + 20, y))
    window.drag((x, y), (x + 20, y), (x, y))  # and neither does one that ends where it began
    assert selected(window) == ""


@pytest.mark.slow
def test_clicks_that_are_apart_are_no_double_click_after_a_key_with_the_pointer_elsewhere(window):
    point = box_pixel(first_camera(), "green")
    window.focus()
    window.move((SIZE[0] + 40, SIZE[1] + 20))
    window.press("Home")  # the outer one of the window's two gets it, and the inner one the clicks
    window.click(point)
    window.rest()  # then it knows when the first click came, and will know when the next one does
    time.sleep(_NO_DOUBLE_CLICK_SECONDS)
    window.click(point)
    assert selected(window) == "green"
    assert_shows(window.picture(), first_camera(), "green", pixels=4.0)
    window.click(point, times=2)
    with pytest.raises(AssertionError):
        assert_shows(window.picture(), first_camera(), "green", pixels=4.0)


def test_brackets_select_parents_and_children(window):
    window.click(box_pixel(first_camera(), "green"))
    assert selected(window) == "green"
    window.press("bracketleft")
    above = selected(window)
    assert above not in ("", "green")
    window.press("bracketright")
    assert selected(window) not in ("", above)


def test_an_unsteady_click_still_selects(window, first):
    x, y = box_pixel(first_camera(), "green")
    window.drag((x, y), (x + 1, y + 1))
    assert selected(window) == "green"
    assert_shows(window.picture(), first_camera(), "green", pixels=4.0)


@pytest.mark.parametrize("name", quick(BOXES, 2))
def test_a_click_selects_what_it_hits_and_one_on_nothing_clears(window, first, name):
    window.click(box_pixel(first_camera(), name))
    assert selected(window) == name
    outlined = close_to(window.picture(), OUTLINE, 4)
    y, x = np.nonzero(outlined)
    assert len(x) > 200
    left, top, right, bottom = box_extent(first_camera(), name)
    assert abs(np.array((x.min() - left, y.min() - top, x.max() - right, y.max() - bottom))).max() < 6.0
    window.click(empty_pixel(first))
    assert selected(window) == ""
    assert differing(window.picture(), first) == 0.0


@pytest.mark.parametrize("name", quick(("green", "behind"), 1))
def test_picking_is_exact_to_the_pixel(window, name):
    for inside, outside in pixels_about_edges(first_camera(), name):
        assert_click_changes_selection(window, inside, name)
        assert_click_changes_selection(window, outside, "")


def test_the_middle_button_selects_nothing_and_the_right_one_opens_a_menu(window):
    x, y = box_pixel(first_camera(), "green")
    window.drag((x, y), button=2)
    assert selected(window) == ""
    before = window.picture()
    window.drag((x, y), button=3)
    wait_for(lambda: differing(window.picture(), before) > 0.05, "the menu of the object there")
    window.press("Escape")
    assert selected(window) == "green"
    window.press("ctrl+z")


def test_the_wheel_zooms_to_the_cursor(window, first):
    target = np.array((0.0, 2.0, 0.0))  # the middle of the green box's lid
    point = pixel_of(first_camera(), target)
    window.scroll(point, 3)
    picture = window.picture()
    assert_shows(picture, controls.zoom(first_camera(), 3, target), "green", pixels=4.0)
    assert seen(picture, "green").sum() > 1.8 * seen(first, "green").sum()
    assert abs(project(controls.zoom(first_camera(), 3, target), target, SIZE)[0] - point).max() <= 1.0
    window.scroll(point, -3)
    assert differing(window.picture(), first) < 0.002


@pytest.mark.parametrize(("button", "modifier"), ((2, ""), (1, "shift")))
def test_panning_moves_the_scene_as_far_as_the_mouse(window, first, button, modifier):
    x, y = empty_pixel(first)
    window.drag((x, y), (x - 90, y + 70), button=button, modifier=modifier)
    camera = controls.pan(first_camera(), -90, 70, SIZE[1])
    pivot = first_camera().pivot
    assert project(camera, pivot, SIZE)[0] == pytest.approx(project(first_camera(), pivot, SIZE)[0] + (-90, 70))
    picture = window.picture()
    for name in ("green", "behind"):
        assert_shows(picture, camera, name)
    assert selected(window) == ""


# The panels.


@pytest.mark.slow
def test_the_panel_keeps_the_mouse_for_itself(window, first):
    x, y = box_pixel(first_camera(), "red")
    dx, dy = PANEL_POINT[0] - x, PANEL_POINT[1] - y
    camera = controls.pan(first_camera(), dx, dy, SIZE[1])
    left, top, right, bottom = box_extent(camera, "red")
    assert left < PANEL_POINT[0] < right and top < PANEL_POINT[1] < bottom, "the red box is to lie behind the panel"
    start = empty_pixel(first)
    window.drag(start, (start[0] + dx, start[1] + dy), button=2)
    before = window.picture()

    window.drag(PANEL_POINT, (600, 400))
    window.drag(PANEL_POINT, (600, 400), button=2)
    window.scroll(PANEL_POINT, 3)
    assert differing(window.picture(), before) == 0.0
    window.click(PANEL_POINT)  # folds it
    assert selected(window) == ""
    assert (seen_extent(window.picture(), "blue") == seen_extent(before, "blue")).all()


@pytest.mark.slow
def test_a_drag_may_end_on_the_panel(window, first):
    start = box_pixel(first_camera(), "green")
    window.drag(start, PANEL_POINT)
    about = point_on_box(first_camera(), "green", start)
    camera = controls.orbit(first_camera(), PANEL_POINT[0] - start[0], PANEL_POINT[1] - start[1], about=about)
    assert_shows(window.picture(), camera, "green")
    assert selected(window) == ""
