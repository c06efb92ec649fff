"""A cull in slow motion in a real window: it plays by itself, and keys go on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.viewer.windows.test_panels import type_slowly
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
SAMPLE = Path(__file__).parents[4] / "assets" / "harbour.obj"
CAPTION = np.s_[620:690, 300:1000]


def differs(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.abs(one[CAPTION].astype(int) - other[CAPTION]).max() > 60)


@pytest.mark.slow
def test_a_cull_plays_by_itself_until_it_is_paused(tmp_path):
    with open_window(SAMPLE, folder=tmp_path, config=tmp_path / "config") as window:
        window.press("ctrl+p")
        window.rest()
        before = window.shown()
        type_slowly(window, "slow motion")
        window.press("Return")
        wait_for(lambda: differs(window.shown(), before), "the caption of a step")
        first = window.shown()
        wait_for(lambda: differs(window.shown(), first), "the next step")
        window.press("ctrl+alt+space", "ctrl+alt+Left", "ctrl+alt+Left", "ctrl+alt+Left")
        paused = window.picture()
        window.press("ctrl+alt+Right")
        assert differs(window.picture(), paused)
        window.press("ctrl+alt+Left")
        assert not differs(window.picture(), paused)
