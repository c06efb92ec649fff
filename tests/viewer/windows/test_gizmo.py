"""The gizmo in a window, by a real mouse and real keys."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.viewer.settings.config import WindowState, save_window_state
from tests.viewer.windows.window_boxes import (
    SIZE,
    assert_shows,
    box_pixel,
    differing,
    first_camera,
    project,
    seen_extent,
    write_boxes,
)
from tests.viewer.windows.window_steps import WINDOW_TEST, selected
from tests.viewer.windows.xvfb import PLAIN, Window, open_window, wait_for

pytestmark = WINDOW_TEST
MIDDLE = np.array((0.0, 1.0, 0.0))  # of the green box
X = np.array((1.0, 0.0, 0.0))


def extent_moved_by(offset: np.ndarray) -> np.ndarray:
    """(4,): where the green box lies in the picture once it has moved."""
    corners = MIDDLE + offset + np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    outline = project(first_camera(), corners, SIZE)
    return np.concatenate((outline.min(axis=0), outline.max(axis=0)))


def without_messages(picture: np.ndarray) -> np.ndarray:
    """The picture with its top blackened, where the window says for some seconds what was taken back."""
    picture = picture.copy()
    picture[:240] = 0
    return picture


def wait_until_moved(window: Window, offset: np.ndarray) -> None:
    def is_there() -> bool:
        return bool(abs(seen_extent(window.picture(), "green") - extent_moved_by(offset)).max() < 2.5)

    wait_for(is_there, f"the box to have moved by {offset}", seconds=15.0)


def test_the_mouse_moves_along_the_red_arm_and_undo_brings_it_back(window, first):
    window.click(box_pixel(first_camera(), "green"))
    window.press("w")
    assert selected(window) == "green"
    before = window.picture()
    origin, along = project(first_camera(), MIDDLE, SIZE)[0], project(first_camera(), MIDDLE + X, SIZE)[0]
    direction = (along - origin) / np.linalg.norm(along - origin)
    start = origin + 60.0 * direction
    goal = project(first_camera(), MIDDLE - 2.0 * X, SIZE)[0]
    end = start + (goal - origin)
    # What was taken stays under the mouse: how far that is, the camera says.
    ts = np.linspace(-6.0, 6.0, 120_001)
    places = project(first_camera(), MIDDLE + np.outer(ts, X), SIZE)
    begin_t, end_t = (ts[np.linalg.norm(places - np.round(point) - 0.5, axis=1).argmin()] for point in (start, end))
    window.drag(tuple(map(int, np.round(start))), tuple(map(int, np.round(end))))
    wait_until_moved(window, np.array((end_t - begin_t, 0.0, 0.0)))
    assert selected(window) == "green"
    window.press("ctrl+z")
    picture = window.picture()
    assert_shows(picture, first_camera(), "blue")
    assert abs(seen_extent(picture, "green") - seen_extent(before, "green")).max() <= 1.0
    window.press("q")
    window.rest()


@pytest.mark.slow
def test_in_blenders_preset_g_x_and_a_number_move_so_far(tmp_path):
    config = tmp_path / "config"
    save_window_state(config, WindowState(panels=False, settings=PLAIN))
    (config / "config.toml").write_text('preset = "blender"\n')
    with open_window(write_boxes(tmp_path), folder=tmp_path, config=config) as window:
        first = window.picture()
        window.click(box_pixel(first_camera(), "green"))
        assert selected(window) == "green"
        window.press("g", "x", "2", "Return")
        wait_until_moved(window, np.array((2.0, 0.0, 0.0)))
        window.press("g", "y", "minus", "1", "period", "5", "Escape")  # taken back
        window.press("s", "2", "Escape")
        wait_until_moved(window, np.array((2.0, 0.0, 0.0)))
        window.press("ctrl+z")
        wait_until_moved(window, np.zeros(3))
        window.press("alt+a")
        assert selected(window) == ""
        what = "the first picture again"
        wait_for(lambda: differing(without_messages(window.picture()), without_messages(first)) < 0.001, what)
