"""The inspector in a window, by a real mouse and real keys."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.ui.panels.test_inspector_transform import LOCATION, X, Y
from tests.viewer.windows.window_boxes import seen_extent
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import Window, open_window, wait_for

pytestmark = WINDOW_TEST
BLUE_ROW = (120, 150)


def type_into(window: Window, *keys: str) -> None:
    window.rest()  # the field takes the keyboard with the next frames
    window.press(*keys)


@pytest.mark.slow
def test_a_field_is_dragged_taken_back_and_typed_in(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        window.rest()
        window.click(BLUE_ROW)
        wait_for(lambda: named_in_title(window) == "blue", "the blue box in the title")
        before = seen_extent(window.picture(), "blue")  # once the inspector has a blue field, too

        def moved() -> float:
            return float(np.abs(seen_extent(window.picture(), "blue") - before).max())

        with window.held_button((int(X), int(LOCATION)), 1):
            window.move((int(X) - 20, int(LOCATION)))
            window.move((int(X) - 60, int(LOCATION)))
            wait_for(lambda: moved() > 5.0, "the box to have moved while the button is down")
            window.press("Escape")
            wait_for(lambda: moved() <= 1.0, "the box to be back while the button is still down")
            window.move((int(X) - 90, int(LOCATION)))
        assert moved() <= 1.0 and named_in_title(window) == "blue"

        window.click((int(X), int(LOCATION)))
        type_into(window, "minus", "equal", "2", "Tab")
        wait_for(lambda: moved() > 5.0, "the box to have moved")
        beside = seen_extent(window.picture(), "blue")
        type_into(window, "1", "slash", "2", "Return")
        wait_for(lambda: np.abs(seen_extent(window.picture(), "blue") - beside).max() > 2.0, "the box to have risen")
        window.move((int(Y), 600))
        window.press("ctrl+z", "ctrl+z")
        wait_for(lambda: moved() <= 1.0, "both to be taken back")
