"""The examples of embedding, each a program of another library's with a window of its own, worked by mouse."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tests
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import Screen, wait_for

pytestmark = WINDOW_TEST

ROOT = Path(tests.__file__).parents[1]
EXAMPLES = ROOT / "tests" / "examples" / "embedding"
LIBRARIES = {"glfw_program": "glfw", "moderngl_window_program": "moderngl_window", "qt_widget": "PySide6"}
DRAG = ("mousedown", 1, "sleep", 0.1, "mousemove", 400, 260, "sleep", 0.1, "mousemove", 440, 260, "mouseup", 1)
ON_A_BOAT = (330, 250)  # or on the water around it


def test_all_examples_are_known_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(LIBRARIES)
    page = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    assert all(f"{{literalinclude}} ../tests/examples/embedding/{name}.py\n" in page for name in LIBRARIES)


def _what_is_missing(library: str) -> str:
    """Return what an example needs and this machine lacks; "": nothing."""
    found = importlib.util.find_spec(library)
    if found is None or found.origin is None:
        return library
    if library == "PySide6":  # on X it needs libraries of the system; the first one missing is named
        plugin = Path(found.origin).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        command = [sys.executable, "-c", f"import ctypes; ctypes.CDLL({str(plugin)!r})"]
        loaded = subprocess.run(command, capture_output=True, text=True)
        return loaded.stderr.strip().rpartition("\n")[2]
    return ""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "moderngl_window_program")) for name in LIBRARIES]
)
def test_an_example_shows_the_scene_names_what_is_clicked_and_orbits(name: str, tmp_path: Path) -> None:
    if missing := _what_is_missing(LIBRARIES[name]):
        pytest.skip(f"needs {missing}")
    (tmp_path / "assets").symlink_to(ROOT / "assets", target_is_directory=True)
    screen, said = Screen((640, 480)), tmp_path / "said.txt"
    with said.open("w") as output:
        program = subprocess.Popen(
            [sys.executable, str(EXAMPLES / f"{name}.py")],
            env={**screen.environment, "PYTHONPATH": os.pathsep.join([str(ROOT)])},
            cwd=tmp_path,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

    def colors() -> int:
        assert program.poll() is None, said.read_text()
        return len(np.unique(screen.picture()[::4, ::4].reshape(-1, 3), axis=0))

    def names() -> list[str]:
        return [line for line in said.read_text().splitlines() if line.isidentifier()]

    try:
        wait_for(lambda: colors() > 200, "the scene")
        screen.xdotool("mousemove", *ON_A_BOAT, "sleep", 0.3, "click", 1)
        wait_for(names, "the name of what was clicked on")
        before = screen.picture().astype(int)
        screen.xdotool(*DRAG)
        wait_for(lambda: (np.abs(screen.picture() - before).max(axis=2) > 40).mean() > 0.05, "another picture")
        assert len(names()) == 1, "a drag is no click"
    finally:
        program.terminate()
        program.wait(timeout=20.0)
        screen.close()
