"""Each driver's window: it shows what it should, and a click finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.viewer.drivers.drivers import DRIVERS
from tests.viewer.windows.window_boxes import BOXES, assert_shows, box_pixel, first_camera, seen
from tests.viewer.windows.window_steps import OUTLINE, WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import close_to, open_window, wait_for

pytestmark = [*WINDOW_TEST, pytest.mark.drivers]


@pytest.mark.parametrize("name", [name for name in DRIVERS if not name.endswith("one sample")])
def test_a_window_shows_the_boxes_and_a_click_selects_one(name: str, boxes: Path, monkeypatch) -> None:
    for variable, value in DRIVERS[name].environment.items():
        monkeypatch.setenv(variable, value)
    with open_window(boxes, folder=boxes.parent) as window:
        wait_for(lambda: all(seen(window.shown(), box).sum() > 1000 for box in BOXES), "the boxes")
        for box in BOXES:
            assert_shows(window.shown(), first_camera(), box)
        window.click(box_pixel(first_camera(), "red"))
        wait_for(lambda: named_in_title(window) == "red", "the selection")
        wait_for(lambda: close_to(window.shown(), OUTLINE, 8).sum() > 100, "the outline")
        assert "octoscope" not in window.errors and "Warning: OpenGL" not in window.errors, window.errors
