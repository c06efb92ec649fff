"""The measuring tool in the window: points are snapped to, figures are right, and go to the clipboard."""

from __future__ import annotations

import math

import numpy as np

from octoscope.viewer.features.measuring.decoration import MEASUREMENT_COLOR, PREVIEW_COLOR
from tests.viewer.windows.other_programs import ask_client
from tests.viewer.windows.window_boxes import SIZE, corners, first_camera, pixel_of, project
from tests.viewer.windows.window_steps import WINDOW_TEST, selected
from tests.viewer.windows.xvfb import Window, close_to, wait_for

pytestmark = WINDOW_TEST
LABEL_GROUND = (16, 18, 24)


def rgb(color: tuple[float, float, float]) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in color)


def test_two_clicks_make_a_distance_whose_figure_is_copied(window: Window) -> None:
    camera = first_camera()
    # Of the green box's lid, two corners that are seen, from 3 pixels beside them.
    first, second = (corners((0.0, 1.0, 0.0), 1.0)[k] for k in (7, 2))
    a, b = (np.array(pixel_of(camera, corner)) for corner in (first, second))
    inwards = 3 * np.sign(b - a)
    plain = window.picture()
    window.press("m")
    window.move(tuple(a + inwards))
    wait_for(lambda: close_to(window.picture(), rgb(PREVIEW_COLOR), 8).sum() > 20, "the mark of a snapped corner")
    window.click(tuple(a + inwards))
    window.move(tuple(b - inwards))
    window.click(tuple(b - inwards))
    picture = window.picture()
    assert selected(window) == "", "clicks measure, and select nothing"

    made = close_to(picture, rgb(MEASUREMENT_COLOR), 8) & ~close_to(plain, rgb(MEASUREMENT_COLOR), 8)
    start, end = project(camera, np.array([first, second]), SIZE)
    for part in (0.1, 0.25, 0.75, 0.9):
        x, y = (start + part * (end - start)).astype(int)
        assert made[y - 2 : y + 3, x - 2 : x + 3].any(), f"the line is not seen {part} of the way along"
    x, y = ((start + end) / 2.0).astype(int)
    assert close_to(picture[y - 8 : y + 9, x - 20 : x + 21], LABEL_GROUND, 40).sum() > 100, "the label is not seen"

    window.press("ctrl+c")
    window.rest()
    assert math.isclose(float(ask_client(window, "paste")), math.dist(first, second), rel_tol=1e-9)

    window.press("BackSpace")  # the measurement goes, and then the tool
    window.drag((5, 5), button=3)
    again = window.picture()
    assert not close_to(again, rgb(MEASUREMENT_COLOR), 8)[made].any()
    window.click(pixel_of(camera, (0.0, 2.0, 0.0)))
    assert selected(window) == "green", "with the tool off a click selects again"
