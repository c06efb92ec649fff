"""The window with its panels: the picture in the middle, and what is kept for the next time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import load
from octoscope.viewer.settings.config import read_config
from octoscope.viewer.ui.imgui.docking import Area
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.windows.window_boxes import box_pixel, first_camera, pixels_about_edges
from tests.viewer.windows.window_steps import SWITCHED_ON, WINDOW_TEST, assert_click_changes_selection, named_in_title
from tests.viewer.windows.xvfb import Point, Window, close_to, open_window, wait_for

pytestmark = WINDOW_TEST
LIGHT_PANEL = (240, 241, 244)


def in_window(point: Point, picture: Area) -> Point:
    return point[0] + round(picture.left), point[1] + round(picture.top)


def type_slowly(window: Window, text: str) -> None:
    window.press(*("space" if letter == " " else letter for letter in text))


def panel_color(window: Window) -> np.ndarray:
    """Return the pixels of the inspector's left margin, which is empty."""
    return window.picture()[300:600, 1006:1008].reshape(-1, 3)


def is_light(window: Window) -> bool:
    return bool(close_to(panel_color(window)[None], LIGHT_PANEL, 6).all())


def test_panels_about_the_picture(ctx, boxes, tmp_path):
    config = tmp_path / "config"
    app = HeadlessApp(ctx, load(boxes))  # it knows where the picture is
    picture, covered = app.shell.picture, app.shell.toolbar_width
    app.close()
    size = tuple(map(round, picture.size))
    with open_window(boxes, folder=tmp_path, config=config) as window:
        window.rest()
        # Picking is exact to the pixel in the part of the window that the picture has.
        camera = first_camera(size, covered)
        window.click(in_window(box_pixel(camera, "blue", size), picture))
        wait_for(lambda: named_in_title(window) == "blue", "the blue box in the title")  # kernels may compile first
        for inside, outside in pixels_about_edges(camera, "green", size)[:2]:
            assert_click_changes_selection(window, in_window(inside, picture), "green")
            assert_click_changes_selection(window, in_window(outside, picture), "")
        # A row of the outliner selects; F2 gives what is selected another name.
        window.click((120, 110 + 2 * 20))
        wait_for(lambda: named_in_title(window) == "blue", "the blue box in the title")
        window.press("F2")
        type_slowly(window, "sky box")
        window.press("Return")
        wait_for(lambda: named_in_title(window) == "sky box", "the new name in the title")
        window.press("ctrl+z")
        wait_for(lambda: named_in_title(window) == "blue", "the old name in the title")
        # The palette runs what it finds.
        assert not is_light(window)
        window.press("ctrl+p")
        type_slowly(window, "theme light")
        window.press("Return")
        wait_for(lambda: is_light(window), "the light theme")
        # The bar between outliner and picture is dragged, and the layout kept.
        edge = round(picture.left)
        window.drag((edge - 2, 400), (edge + 98, 400), pause_seconds=0.3)
        window.rest()
        window.press("Home")
        window.click(in_window(box_pixel(camera, "behind", size), picture))
        wait_for(lambda: named_in_title(window) != "blue", "another selection")
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert window.errors == ""
    assert read_config(config).theme == "light"
    with open_window(boxes, folder=tmp_path, config=config) as window:
        wait_for(lambda: is_light(window), "the light theme again")
        row = window.picture()[600, :600].astype(int)
        (begin, *_) = np.flatnonzero(np.abs(np.diff(row, axis=0)).sum(axis=1) > 120)
        assert abs(begin - (edge + 96)) < 8, "the bar is not where it was left"
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0


def test_files_that_cannot_be_used_are_told_and_keys_are_a_persons_own(boxes, tmp_path):
    config = tmp_path / "config"
    config.mkdir()
    (config / "window.json").write_text("{broken")
    (config / "config.toml").write_text('colour = 1\n[keys]\nedit.rename = "J"\nview.nothing = "K"\n')
    with open_window(boxes, folder=tmp_path, config=config) as window:
        warm = close_to(window.picture()[30:240, 500:1000], SWITCHED_ON, 30)
        assert len({y // 18 for y, _ in np.argwhere(warm)}) >= 3, "three lines that say what was passed over"
        window.click((120, 110))
        wait_for(lambda: named_in_title(window) == "red", "the red box in the title")
        window.press("j")
        type_slowly(window, "x")
        window.press("Return")
        wait_for(lambda: named_in_title(window) == "x", "the new name in the title")


@pytest.mark.slow
def test_the_tests_leave_the_configuration_of_who_runs_them_alone(tmp_path, boxes):
    with open_window(boxes, folder=tmp_path) as window:
        environment = Path(f"/proc/{window.process.pid}/environ").read_bytes().split(b"\0")
    assert any(entry.startswith(b"OCTOSCOPE_CONFIG_DIR=/") for entry in environment)
