"""The window on its desktop: its size, its share of the processor, and a machine without one."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PIL import Image

from tests.cases import quick
from tests.viewer.windows.window_boxes import (
    BOXES,
    SIZE,
    assert_shows,
    box_extent,
    box_pixel,
    first_camera,
    pixels_about_edges,
    seen,
)
from tests.viewer.windows.window_steps import WINDOW_TEST, assert_click_changes_selection, run_to_end

pytestmark = WINDOW_TEST


@pytest.mark.parametrize("size", quick(((900, 640), (1400, 610)), 1))
def test_after_resizing_picture_and_picking_agree(window, size):
    window.resize(*size)
    picture = window.picture()
    assert picture.shape == (size[1], size[0], 3)
    camera = first_camera()
    shown = "green", "behind", "blue"
    for name in shown:
        if (box_extent(camera, name, size) > 0).all() and (box_extent(camera, name, size)[2:] < size).all():
            assert_shows(picture, camera, name)
    for name in shown:
        assert_click_changes_selection(window, box_pixel(camera, name, size), name)
    for inside, outside in pixels_about_edges(camera, "green", size):
        assert_click_changes_selection(window, inside, "green")
        assert_click_changes_selection(window, outside, "")


@pytest.mark.parametrize("display", quick((None, ":9999"), 1))
def test_without_a_display_a_picture_is_drawn(boxes, tmp_path, display):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if display is not None:
        environment["DISPLAY"] = display
    done = run_to_end(boxes, folder=tmp_path, environment=environment)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "off-screen" in done.stderr
    (path,) = tmp_path.iterdir()
    assert str(path) in done.stdout
    picture = np.asarray(Image.open(path).convert("RGB"))
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert all(seen(picture, name).sum() > 1000 for name in BOXES)
