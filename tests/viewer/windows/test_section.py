"""A section in a window, by real keys and a real mouse."""

from __future__ import annotations

import numpy as np

from tests.viewer.windows.window_boxes import box_extent, box_pixel, first_camera, seen, seen_extent
from tests.viewer.windows.window_steps import WINDOW_TEST, selected
from tests.viewer.windows.xvfb import wait_for

pytestmark = WINDOW_TEST


def test_a_key_cuts_the_selected_box_open_and_its_face_can_be_clicked(window, first):
    window.click(box_pixel(first_camera(), "green"))
    assert selected(window) == "green"
    window.press("shift+c")
    whole = box_extent(first_camera(), "green")

    def is_cut() -> bool:
        """Look whether a part of the green box is gone, and the blue one behind the plane, too."""
        extent = seen_extent(window.picture(), "green")
        return bool((np.abs(extent - whole) > 4.0).any()) and seen(window.picture(), "green").any()

    wait_for(is_cut, "the box to be cut")
    rows, columns = np.nonzero(seen(window.picture(), "green"))
    window.press("alt+a")
    window.rest()
    middle = len(rows) // 2
    window.click((int(columns[middle]), int(rows[middle])))
    assert selected(window) == "green"
    window.press("shift+c", "alt+a")
    wait_for(lambda: abs(seen_extent(window.picture(), "green") - whole).max() < 2.5, "the whole box")
