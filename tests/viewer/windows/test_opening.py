"""The window that is there before the program is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.viewer.windows.xvfb import Screen, close_to, wait_for

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("tools")]

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
GROUND, INK = (46, 50, 57), (222, 226, 232)
# The program is not found before the file "go" is there; other programs that it runs are written down.
HELD = """
import os, sys, time
class Hold:
    def find_spec(self, name, path=None, target=None):
        while name == "octoscope.viewer.cli.show" and not os.path.exists("go"):
            time.sleep(0.01)
sys.meta_path.insert(0, Hold())
sys.addaudithook(lambda event, _: event == "subprocess.Popen" and open("ran", "w").close())
from octoscope.viewer.cli import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    screen = Screen()
    yield screen
    screen.close()


class Start:
    """A program that is held up while it starts."""

    def __init__(self, screen: Screen, folder: Path, file: str) -> None:
        self._screen, self._folder = screen, folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", HELD, file],
            cwd=folder,
            env=screen.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def go_on(self) -> None:
        (self._folder / "go").touch()

    def titled(self, name: str) -> str:
        """The window with such a title, "" where there is none."""
        return self._screen.xdotool("search", "--onlyvisible", "--name", name)

    def shown(self, window: str) -> np.ndarray:
        lines = self._screen.xdotool("getwindowgeometry", "--shell", window).splitlines()
        values = dict(line.split("=") for line in lines)
        x, y, width, height = (int(values[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))
        return self._screen.picture()[y : y + height, x : x + width]


@pytest.fixture
def start(screen: Screen, tmp_path: Path) -> Iterator:
    started = []

    def start(text: str, name: str = "a.obj") -> Start:
        (tmp_path / name).write_text(text)
        started.append(Start(screen, tmp_path, name))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


def test_the_window_names_the_file_before_the_program_is_imported_and_shows_the_scene_after(start, tmp_path):
    program = start(TRIANGLE)
    window = wait_for(lambda: program.titled("opening a.obj"), "the window")
    wait_for(lambda: close_to(program.shown(window), INK, 8).sum() > 100, "the text")
    first = program.shown(window)
    assert close_to(first, GROUND, 0).mean() > 0.9
    assert not (tmp_path / "ran").exists(), "a search for OpenGL's libraries takes long"
    wait_for(lambda: (program.shown(window) != first).any(), "the bar to move")
    program.go_on()
    assert wait_for(lambda: program.titled("Octoscope"), "the program") == window
    wait_for(lambda: close_to(program.shown(window), GROUND, 0).mean() < 0.2, "the scene")
    assert program.process.poll() is None


def test_a_window_that_is_closed_while_it_opens_ends_the_program(start, screen):
    program = start(TRIANGLE)
    window = wait_for(lambda: program.titled("opening a.obj"), "the window")
    screen.ask_to_close(window)
    wait_for(lambda: not program.titled("opening a.obj"), "the window to go")
    program.go_on()
    out, err = program.process.communicate(timeout=60)
    assert (program.process.returncode, out, err) == (0, "", "")


def test_a_file_that_cannot_be_opened_is_told_in_one_line(start):
    program = start("", "a.fbx")
    program.go_on()
    out, err = program.process.communicate(timeout=60)
    assert (program.process.returncode, out) == (2, "")
    assert len(err.splitlines()) == 1 and "a.fbx" in err
