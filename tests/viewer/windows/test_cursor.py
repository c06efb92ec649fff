"""The 3D cursor in a window: a right click with Shift places it, and what is added stands there."""

from __future__ import annotations

from tests.viewer.windows.test_panels import type_slowly
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import close_to, open_window, wait_for

pytestmark = WINDOW_TEST
RED = (237, 64, 56)


def test_the_cursor_is_placed_on_a_box_and_a_cube_is_added_there(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        window.rest()
        x, y = point = (500, 600)
        window.drag(point, button=3, modifier="shift")
        around = slice(y - 15, y + 15), slice(x - 15, x + 15)
        wait_for(lambda: close_to(window.picture()[around], RED, 12).sum() > 15, "the cursor")
        window.press("ctrl+p")
        window.rest()
        type_slowly(window, "cube")
        window.press("Return")
        wait_for(lambda: named_in_title(window) == "cube", "the cube in the title")
        window.press("Escape")
        window.click(point)
        wait_for(lambda: named_in_title(window) == "cube", "the cube that stands there")
        assert window.errors == ""
