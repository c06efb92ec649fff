"""A form in a real window: opened from the palette, filled in and done by keys alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.windows.test_panels import type_slowly
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title, selected
from tests.viewer.windows.xvfb import Window, close_to, open_window, wait_for

pytestmark = WINDOW_TEST
PANEL = (29, 31, 35)
FORM = np.s_[520:680, 280:430]  # the part of it that lies over the picture


def form_is_there(window: Window) -> bool:
    return int(close_to(window.picture()[FORM], PANEL, 1).sum()) > 12_000


def open_form(window: Window, letters: str) -> None:
    window.press("ctrl+p")
    window.rest()  # the field takes the keyboard with the next frames
    type_slowly(window, letters)
    window.press("Return")
    wait_for(lambda: form_is_there(window), "the form")


@pytest.mark.slow
def test_an_array_is_asked_for_typed_made_and_taken_back(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        window.rest()
        window.click((120, 110))
        wait_for(lambda: named_in_title(window) == "red", "the red box in the title")
        open_form(window, "array")
        type_slowly(window, "4")
        window.press("Tab", "2", "Tab", "Tab", "Tab", "minus", "2")
        window.press("ctrl+d", "Delete")  # for the field, or for nobody
        window.press("Return")
        wait_for(lambda: named_in_title(window) == "red.007 and 7 more", "the copies in the title")
        wait_for(lambda: not form_is_there(window), "the form to go")
        window.press("ctrl+z")
        wait_for(lambda: named_in_title(window) == "red", "the red box in the title again")
        open_form(window, "radial")
        type_slowly(window, "9")
        window.press("Escape")
        wait_for(lambda: not form_is_there(window), "the form to go")
        window.press("ctrl+shift+z")
        wait_for(lambda: named_in_title(window) == "red.007 and 7 more", "the copies again: Esc has made no others")
        window.press("ctrl+z", "p")
        assert selected(window) == "red"
        # Nearly as far as a number can say: done, and whatever is asked about it is answered without a warning.
        open_form(window, "array")
        type_slowly(window, "4")
        window.press("Tab", "Tab", "Tab")
        type_slowly(window, "1e307")
        window.press("Return")
        wait_for(lambda: named_in_title(window).startswith("red.00"), "the far copies in the title")
        window.press("f", "Home", "ctrl+z")
        wait_for(lambda: named_in_title(window) == "red", "the red box in the title after all")
        assert window.errors == ""
