"""Clicks in a window place the 3D cursor, on which a cube is added, and a label, seen beside its point until undo."""

from __future__ import annotations

import numpy as np

from tests.viewer.windows.test_panels import type_slowly
from tests.viewer.windows.window_boxes import box_pixel, corners, first_camera, pixel_of
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title, selected
from tests.viewer.windows.xvfb import Window, close_to, wait_for

pytestmark = WINDOW_TEST
RED = (237, 64, 56)
LABEL_GROUND = (16, 18, 24)


def test_cursor_and_label_are_placed_by_clicks_and_undone(window: Window) -> None:
    place_the_cursor_and_add_a_cube_there(window)
    type_a_label_and_undo_it(window)


def place_the_cursor_and_add_a_cube_there(window: Window) -> None:
    x, y = point = box_pixel(first_camera(), "green")
    window.drag(point, button=3, modifier="shift")
    around = slice(y - 15, y + 15), slice(x - 15, x + 15)
    wait_for(lambda: close_to(window.picture()[around], RED, 12).sum() > 15, "the cursor")
    window.press("ctrl+p")
    window.rest()
    type_slowly(window, "cube")
    window.press("Return")
    wait_for(lambda: named_in_title(window) == "cube", "the cube in the title")
    window.press("Escape", "alt+a")
    wait_for(lambda: named_in_title(window) == "", "nothing to be selected")
    window.click(point)
    wait_for(lambda: named_in_title(window) == "cube", "the cube that stands there")
    window.press("ctrl+z", "ctrl+z")


def type_a_label_and_undo_it(window: Window) -> None:
    x, y = pixel_of(first_camera(), corners((0.0, 1.0, 0.0), 0.9)[7])  # near a corner of the green box's lid
    plain = window.picture()
    window.press("shift+t")
    window.click((x, y))
    window.press(*"gate", "Return")
    window.press("Escape")
    window.move((5, 400))
    box = np.s_[int(y) - 70 : int(y) + 70, int(x) - 110 : int(x) + 110]
    made = close_to(window.picture(), LABEL_GROUND, 40)[box] & ~close_to(plain, LABEL_GROUND, 40)[box]
    assert made.sum() > 300, "the label is not seen"
    assert selected(window) == ""
    window.press("ctrl+z")
    assert close_to(window.picture(), LABEL_GROUND, 40)[box][made].mean() < 0.2
