"""Steps that tests of windows share: reuse one window, tell what is selected, run the program to its end."""

from __future__ import annotations

import math
import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from tests.viewer.windows import xvfb
from tests.viewer.windows.window_boxes import SIZE, differing, empty_pixel
from tests.viewer.windows.xvfb import Point, Window, open_window, program, wait_for

WINDOW_TEST = [  # the `pytestmark` of every file that opens windows
    pytest.mark.window,
    # In CI they must run: there a missing tool is a failure, not a reason to skip.
    pytest.mark.skipif(bool(xvfb.missing_tools()) and "CI" not in os.environ, reason="needs Xvfb and xdotool"),
    pytest.mark.usefixtures("tools"),
]
OUTLINE = (255, 158, 31)  # of the active object
OTHERS_OUTLINE = (247, 97, 10)
_DOUBLE_CLICK_SECONDS = 0.5
SWITCHED_ON = (255, 184, 77)


class SharedWindow:
    """One window for all the tests that leave no trace in it; when one did leave some, the next gets a new window."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened = None
        self.window: Window | None = None
        self.first_picture: np.ndarray | None = None
        self._on_nothing: Point = (0, 0)

    def fresh(self) -> Window:
        if self.window is None or not self._reset():
            self.close()
            self._opened = open_window(self._file, folder=self._file.parent)
            self.window = self._opened.__enter__()
            self.first_picture = self.window.picture()
            self._on_nothing = empty_pixel(self.first_picture)
        return self.window

    def _reset(self) -> bool:
        """Bring the window back to how it began; False when that did not do it."""
        window = self.window
        if window.process.poll() is not None:
            return False
        if window.size != SIZE:
            window.resize(*SIZE)
        window.press("0", "Home")
        window.click(self._on_nothing)
        try:
            picture = window.picture()
        except AssertionError:  # it does not come to rest
            return False
        return picture.shape == self.first_picture.shape and differing(picture, self.first_picture) == 0.0

    def close(self) -> None:
        if self._opened is not None:
            self._opened.__exit__(None, None, None)
        self._opened = self.window = None


def named_in_title(window: Window) -> str:
    """Return the selected object's name from the title, which has three parts then."""
    parts = window.title.split(" - ")
    return parts[0] if len(parts) == 3 else ""


def selected(window: Window) -> str:
    """Return the selected object's name once all events have been handled."""
    window.rest()
    return named_in_title(window)


def assert_click_changes_selection(window: Window, point: Point, name: str) -> None:
    """A click makes another selection than the present one: quicker to wait for than to be sure that none came."""
    assert named_in_title(window) != name
    if window.last_click is not None and math.dist(window.last_click, point) < 8.0:
        window.rest()  # a slow window does not know when the clicks came
        time.sleep(_DOUBLE_CLICK_SECONDS)  # or the two would be a double click
    window.click(point)
    what = f"a click on {point} to select {name or 'nothing'}"
    wait_for(lambda: named_in_title(window) == name, what, seconds=10.0)


def run_to_end(*arguments: object, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The program where it should end by itself."""
    return subprocess.run(
        program(*arguments),
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=xvfb.DEADLINE_SECONDS,
    )
