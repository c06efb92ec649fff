"""A label in the window: a click, a text, Enter; it is seen beside its point, and undo takes it away."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.viewer.windows.window_boxes import corners, first_camera, pixel_of
from tests.viewer.windows.window_steps import WINDOW_TEST, selected
from tests.viewer.windows.xvfb import close_to, open_window

pytestmark = WINDOW_TEST
LABEL_GROUND = (16, 18, 24)


def test_a_label_is_typed_shown_and_undone(boxes: Path) -> None:
    with open_window(boxes, folder=boxes.parent) as window:
        x, y = pixel_of(first_camera(), corners((0.0, 1.0, 0.0), 0.9)[7])  # near a corner of the green box's lid
        plain = window.picture()
        window.press("shift+t")
        window.click((x, y))
        window.press(*"gate", "Return")
        window.press("Escape")
        window.move((5, 400))
        box = np.s_[int(y) - 70 : int(y) + 70, int(x) - 110 : int(x) + 110]
        made = close_to(window.picture(), LABEL_GROUND, 40)[box] & ~close_to(plain, LABEL_GROUND, 40)[box]
        assert made.sum() > 300, "the label is not seen"
        assert selected(window) == ""
        window.press("ctrl+z")
        assert close_to(window.picture(), LABEL_GROUND, 40)[box][made].mean() < 0.2
