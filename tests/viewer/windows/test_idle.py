"""A window in which nothing happens sleeps: it costs nothing, and yet answers at once whatever happens."""

from __future__ import annotations

import time

import pytest

from octoscope.viewer.settings.config import WindowState, save_window_state
from tests.viewer.windows.window_boxes import SIZE, box_pixel, differing, first_camera, write_boxes
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import Window, open_window, wait_for

pytestmark = WINDOW_TEST
SLEEPS_FOR_EVER = """
import sys
from octoscope.viewer.app import app
from octoscope.viewer.cli import main
from octoscope.viewer.frame import redraw

redraw.PANEL_FRAMES = 2  # as many more would not be in a window that is drawn quickly
app._LONGEST_SECONDS = 1e6
raise SystemExit(main(sys.argv[1:]))
"""
MINIMISED_WHILE_A_FILE_IS_THERE = """
import sys
from pathlib import Path
from octoscope.viewer.app import app
from octoscope.viewer.cli import main

app.App._is_minimised = property(lambda self: Path("minimised").exists())
raise SystemExit(main(sys.argv[1:]))
"""
FROM_ANOTHER_THREAD = """
import threading
from pathlib import Path
from octoscope.scene import load
from octoscope.viewer.app.scripting import Window

scene = load("boxes.obj")
window = Window(scene)

def work():
    for path in ("move", "look", "close"):
        while not Path(path).exists():
            threading.Event().wait(0.05)
        if path == "move":
            scene["green"].translation = (0.0, 3.0, 0.0)
        elif path == "look":
            window.camera = window.camera.__class__(window.camera.pivot, distance=40.0)
        else:
            window.close()

threading.Thread(target=work).start()
window.run()
"""


def wait_until_it_costs(window: Window, share: float) -> None:
    """Wait until a window in which nothing happens takes less than a share of a core, once all messages have gone."""

    def is_less() -> bool:
        before, begin = window.cpu_seconds(), time.monotonic()
        time.sleep(2.0)  # what is measured is this time
        return window.cpu_seconds() - before < share * (time.monotonic() - begin)

    window.rest()
    wait_for(is_less, f"a window that takes less than {share} of a core")


def test_an_idle_window_costs_nothing(window):
    wait_until_it_costs(window, 0.02)


@pytest.fixture
def asleep(tmp_path):
    """A window that nothing wakes but what is to wake it, with its folder."""
    path = write_boxes(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(SLEEPS_FOR_EVER)
    config = tmp_path / "config"
    save_window_state(config, WindowState())
    with open_window(path, folder=tmp_path, script=script, config=config) as window:
        window.rest()
        yield window


def test_a_sleeping_window_answers_keys_clicks_files_and_the_end_of_jobs(asleep, tmp_path):
    asleep.click((120, 110))
    wait_for(lambda: named_in_title(asleep), "the first row to be selected")
    with asleep.held_keys("Down"):
        wait_for(lambda: named_in_title(asleep) == "points", "the last row: a held arrow key repeats")

    def changes(pixels: int, what: str) -> None:
        wait_for(lambda: (asleep.shown() != before).any(axis=-1).sum() > pixels, what, seconds=10.0)
        asleep.rest()

    before = asleep.picture()
    asleep.press("ctrl+space")  # one key, after which nothing else comes
    changes(100_000, "the panels to go")
    asleep.click(box_pixel(first_camera(), "green", SIZE))
    wait_for(lambda: named_in_title(asleep) == "green", "the selection", seconds=10.0)
    before = asleep.picture()
    asleep.press("F12")
    wait_for(lambda: list((tmp_path / "config").rglob("*.png")), "the picture to be written", seconds=10.0)
    changes(2_000, "what is said of it")
    before = asleep.picture()
    text = (tmp_path / "boxes.obj").read_text()
    (tmp_path / "boxes.obj").write_text(text.replace("v -1.0 ", "v -3.0 "))
    changes(4_000, "the green box to become wider")


@pytest.mark.slow
def test_a_tooltip_comes_while_the_mouse_rests(asleep):
    with_button = asleep.picture()
    asleep.move((283, 100))  # a button of the toolbar's
    changed = lambda: (asleep.shown() != with_button).any(axis=-1).sum() > 3_000  # noqa: E731
    wait_for(changed, "the tooltip", seconds=10.0)


def test_a_window_shows_at_once_what_another_thread_of_its_script_does(tmp_path):
    write_boxes(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(FROM_ANOTHER_THREAD)
    with open_window(folder=tmp_path, script=script) as window:
        wait_until_it_costs(window, 0.04)  # it looks at the scene now and then
        for path in ("move", "look"):
            first = window.picture()
            (tmp_path / path).touch()
            wait_for(lambda first=first: differing(window.shown(), first) > 0.0, path, seconds=10.0)
        (tmp_path / "close").touch()
        assert window.wait_for_exit() == 0, window.errors
        assert window.errors == ""


@pytest.mark.slow
def test_a_minimised_window_goes_on_with_its_jobs(tmp_path):
    path = write_boxes(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(MINIMISED_WHILE_A_FILE_IS_THERE)
    config = tmp_path / "config"
    with open_window(path, folder=tmp_path, script=script, config=config) as window:
        window.rest()
        (tmp_path / "minimised").touch()
        window.press("F12")
        wait_for(lambda: list(config.rglob("*.png")), "the picture to be written", seconds=10.0)
