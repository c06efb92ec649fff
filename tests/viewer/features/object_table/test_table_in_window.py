"""The table in a real window: opened by its key, sorted and selected by the mouse."""

from __future__ import annotations

import numpy as np

from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
TITLE, FIRST_ROW = (320, 461), (450, 481)


def test_the_first_row_is_selected_before_and_after_sorting(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        before = window.picture()
        window.press("ctrl+9")
        part = np.s_[403:690, 260:1000]
        wait_for(lambda: np.abs(window.picture()[part].astype(int) - before[part]).max() > 60, "the table")
        window.click(FIRST_ROW)
        wait_for(lambda: named_in_title(window) == "behind", "the first by name")
        window.click(TITLE)
        window.rest()
        window.click((FIRST_ROW[0] + 20, FIRST_ROW[1]))
        wait_for(lambda: named_in_title(window) == "red", "the last by name")
