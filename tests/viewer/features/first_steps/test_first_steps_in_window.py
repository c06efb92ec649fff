"""The card of first steps in a real window: the first drag ends it for good."""

from __future__ import annotations

from octoscope.viewer.settings.config import WindowState, read_window_state, save_window_state
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import open_window

pytestmark = WINDOW_TEST


def test_the_first_drag_ends_it_for_good(boxes, tmp_path):
    config = tmp_path / "config"
    save_window_state(config, WindowState(settings={"help.first_steps": True, "view.smooth": False}))
    with open_window(boxes, folder=tmp_path, config=config) as window:
        corner = window.picture()[620:690, 760:1000].astype(int)
        window.drag((640, 300), (660, 300), (680, 310))
        window.drag((680, 310), (660, 300), (640, 300))
        assert abs(window.picture()[620:690, 760:1000].astype(int) - corner).max() > 60, "the card is gone"
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
    assert read_window_state(config)[0].settings["help.first_steps"] is False
