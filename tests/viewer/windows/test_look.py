"""Rulers, scale bar and unit in an orthographic view, and a panorama that is turned, in one window."""

from __future__ import annotations

import numpy as np
import pytest

from tests.viewer.features.overlaps.test_overlaps_in_window import run
from tests.viewer.windows.window_boxes import differing, scene_part
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST


def test_rulers_and_scale_bar_follow_the_unit_and_a_panorama_is_opened_and_turned(boxes, tmp_path):
    images = pytest.importorskip("OpenImageIO")
    sky = np.zeros((32, 64, 3), dtype=np.float32)
    sky[:, 16:48, 0] = sky[:, :16, 1] = sky[:, 48:, 1] = 1.0  # red on one side, green on the other
    images.ImageBuf(sky).write(str(tmp_path / "sky.hdr"))

    def redder(picture: np.ndarray) -> float:
        red, green, _ = scene_part(picture)[100:600, 300:980].astype(float).mean(axis=(0, 1))
        return red - green

    with open_window(boxes, "--ortho", "--view", "front", folder=tmp_path, config=tmp_path / "config") as window:
        plain = window.picture()
        for words in ("rulers", "scale bar", "millimetres"):
            before = window.picture()
            run(window, words)
            wait_for(lambda before=before: differing(window.picture(), before) > 0.0, words)
        inside = np.s_[150:500, 400:900]
        assert differing(window.picture()[inside], plain[inside]) < 0.01, "they lie at the edges"
        window.press("5")
        for words in ("background environment", "open panorama"):
            run(window, words)
        window.type(str(tmp_path / "sky.hdr"))
        window.press("Return")
        wait_for(lambda: abs(redder(window.picture())) > 20.0, "the panorama")
        before = redder(window.picture())
        window.press("alt+shift+l")
        window.drag((300, 650), (750, 650))  # half a turn
        wait_for(lambda: redder(window.picture()) * before < 0.0, "the other side of the panorama")
        assert window.errors == ""
