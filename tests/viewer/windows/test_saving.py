"""Saving in the window: what was done is there after the program was killed, and nothing goes without asking."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import load
from octoscope.viewer.settings.config import read_window_state
from tests.viewer.windows.window_boxes import write_boxes
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import Window, close_to, open_window, wait_for

pytestmark = WINDOW_TEST
ASKED = np.s_[300:420, 300:980]  # where questions stand
PANEL = (29, 31, 35)


def copies(path: Path) -> int:
    """Nodes of that project file that are called as the red box is, copies of it among them."""
    try:
        nodes = json.loads(path.read_text())["nodes"]
    except (OSError, ValueError):
        return 0
    return sum(node.get("name", "").partition(".")[0] == "red" for node in nodes)


def box_is_there(window: Window) -> bool:
    """Tell whether the path box is shown, by its lower part, where nothing is listed."""
    part = window.picture()[500:540, 350:930].reshape(-1, 3).astype(int)
    return bool(np.ptp(part, axis=0).max() < 4) and int(part.max()) < 45


def is_asked(window: Window) -> bool:
    """Tell whether there is a question in the middle of the window."""
    return int(close_to(window.picture()[ASKED], PANEL, 1).sum()) > 20_000


def test_edit_save_kill_and_open_again(tmp_path):
    boxes = write_boxes(tmp_path)
    config, project = tmp_path / "config", tmp_path / "boxes.octo.json"
    config.mkdir()
    with open_window(boxes, folder=tmp_path, config=config) as window:
        window.rest()
        window.click((120, 110))
        wait_for(lambda: window.title.startswith("red - "), "the red box in the title")
        window.press("ctrl+d")
        wait_for(lambda: "*boxes.obj" in window.title, "the star of what is not saved")
        wait_for(lambda: list(config.glob("autosave/*.journal")), "the autosave")
        window.press("ctrl+s")
        wait_for(lambda: box_is_there(window), "the box that names files")
        window.press("Return")
        wait_for(lambda: "boxes.octo.json" in window.title and "*" not in window.title, "the saved project's name")
        assert copies(project) == 2
        assert list(config.glob("autosave/*")) == []
        window.press("ctrl+d")
        wait_for(lambda: "*boxes.octo.json" in window.title, "the star again")

        # The cross asks, Esc keeps the window, and so does Ctrl+Q.
        for leave in (window.ask_to_close, lambda: window.press("ctrl+q")):
            leave()
            wait_for(lambda: is_asked(window), "the question")
            window.press("Escape")
            wait_for(lambda: not is_asked(window), "the question to go")
        assert window.process.poll() is None
        window.process.kill()
        window.process.wait()
    assert copies(project) == 2
    with open_window(project, folder=tmp_path, config=config) as window:
        wait_for(lambda: "*boxes.octo.json" in window.title, "what was recovered")
        window.press("ctrl+s")
        wait_for(lambda: "*" not in window.title, "the save")
        assert copies(project) == 3

        # Another scene takes the window, and it still closes.
        window.press("ctrl+n")
        wait_for(lambda: window.title.startswith("untitled"), "the empty scene")
        window.rest()
        window.press("ctrl+o")
        wait_for(lambda: box_is_there(window), "the box that names files")
        window.press("b", "o", "x", "e", "s", "period", "o", "b", "j", "Return")
        wait_for(lambda: window.title.startswith("boxes.obj"), "the file that was opened")
        window.rest()
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
    assert len(load(project)) == len(load(boxes)) + 2
    recent = json.loads((config / "recent.json").read_text())
    assert recent == [str(boxes), str(project)]


@pytest.mark.slow
def test_a_scene_that_was_never_saved_is_offered_at_the_next_start(boxes, tmp_path):
    config = tmp_path / "config"
    config.mkdir()
    with open_window(boxes, folder=tmp_path, config=config) as window:
        window.rest()
        window.click((120, 110))
        wait_for(lambda: window.title.startswith("red - "), "the red box in the title")
        window.press("ctrl+d")
        wait_for(lambda: list(config.glob("autosave/*.journal")), "the autosave")
        window.press("shift+g")
        wait_for(lambda: read_window_state(config)[0].settings.get("view.grid") is False, "what is set to be kept")
        window.process.kill()
        window.process.wait()
    (project,) = config.glob("autosave/*.octo.json")
    with open_window(boxes, folder=tmp_path, config=config) as window:
        wait_for(lambda: is_asked(window), "the offer")
        window.press("Return")
        wait_for(lambda: not is_asked(window), "the offer to go")
        assert "boxes.obj" in window.title and "*" not in window.title, "the file that was asked for"
    with open_window(folder=tmp_path, config=config) as window:
        wait_for(lambda: is_asked(window), "the offer")
        window.press("Return")
        wait_for(lambda: "*boxes.obj" in window.title, "the scene as it was")
        assert copies(project) == 2
        window.press("ctrl+q")
        wait_for(lambda: is_asked(window), "the question")
        window.press("Escape")
        wait_for(lambda: not is_asked(window), "the question to go")
    assert project.exists()
