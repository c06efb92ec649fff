"""The window where there is Wayland and no X11."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cases import quick
from tests.viewer.windows.wayland import SIZE, Desktop, missing_tools, open_desktop
from tests.viewer.windows.window_boxes import BOXES, box_pixel, first_camera, seen
from tests.viewer.windows.xvfb import DEADLINE_SECONDS, program, wait_for

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(
        bool(missing_tools()) and "CI" not in os.environ, reason=f"needs a Wayland compositor: {missing_tools()}"
    ),
]

GLFW_FIRST = """
import sys
import glfw
from octoscope.scene import load
from octoscope.viewer import show

show(load(sys.argv[1]))
"""

MOVING = """
import sys
from octoscope import load, show

scene = load(sys.argv[1])
window = show(scene, block=False)
for number in range(100_000):
    scene["red"].translation = (0.001 * number, 0.0, 0.0)
    window.update()
    print(number, flush=True)
"""


SCALED = """
import sys
from imgui_bundle import imgui
from octoscope import load, show

window = show(load(sys.argv[1]), block=False)
last = None
while window.update(0.02):
    app, view = window._app, window._app.view
    picture = app._renderer.picture.size
    now = app.window.size, app.window.buffer_size, picture, view.stroke_ratio, imgui.get_style().font_scale_main
    if app.is_idle and now != last:
        print(*now, sep=";", flush=True)
        last = now
"""


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    assert not missing_tools(), "the tests under Wayland need sway and grim"
    with open_desktop() as desktop:
        yield desktop


@pytest.mark.parametrize("script", quick((None, GLFW_FIRST), 1), ids=("program", "script that has imported glfw"))
def test_a_window_opens_draws_is_clicked_and_closes(desktop, boxes: Path, tmp_path: Path, script: str | None) -> None:
    command = program(boxes) if script is None else [sys.executable, "-c", script, str(boxes)]
    with subprocess.Popen(
        command, env=desktop.environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:

        def wait(condition: Callable[[], object], what: str) -> None:
            def is_met() -> object:
                assert process.poll() is None, f"the program ended by itself:\n{process.stderr.read()}"
                return condition()

            wait_for(is_met, what)

        try:
            wait(desktop.titles, "the window")
            wait(lambda: all(seen(desktop.picture(), name).sum() > 1000 for name in BOXES), "the boxes")
            for name in ("red", "blue"):
                desktop.pointer.click(box_pixel(first_camera(SIZE), name, SIZE))
                wait(lambda name=name: desktop.titles()[0].startswith(f"{name} - "), f"{name} to be selected")
            desktop.ask_to_close()
            _, errors = process.communicate(timeout=DEADLINE_SECONDS)
        finally:
            process.kill()
    assert (process.returncode, errors) == (0, "")


@pytest.mark.slow
def test_a_hidden_window_goes_on(desktop, boxes: Path, tmp_path: Path) -> None:
    """The desktop asks it for no further frame: showing one must not wait for that, or nothing is saved any more."""
    output = tmp_path / "numbers"

    def has_drawn(more: int) -> Callable[[], bool]:
        count = output.read_text().count("\n") + more
        return lambda: process.poll() is not None or output.read_text().count("\n") >= count

    with (
        output.open("w") as file,
        subprocess.Popen(
            [sys.executable, "-c", MOVING, str(boxes)], env=desktop.environment, cwd=tmp_path, stdout=file
        ) as process,
    ):
        try:
            wait_for(has_drawn(5), "frames")
            desktop.go_to_workspace(2)
            wait_for(has_drawn(15), "frames of the hidden window")
            assert process.poll() is None
        finally:
            process.kill()
            desktop.go_to_workspace(1)


@pytest.mark.parametrize("factor", quick((2.0, 1.5), 1))
def test_a_window_that_comes_to_a_denser_screen_is_drawn_in_its_pixels(desktop, boxes, tmp_path, factor) -> None:
    output = tmp_path / "sizes"

    def last() -> list[str]:
        lines = output.read_text().splitlines() or [""]
        return lines[-1].split(";")

    logical = tuple(round(side / factor) for side in SIZE)
    pixels = tuple(2 * side for side in logical)  # this compositor takes pictures at whole scales alone
    with (
        output.open("w") as file,
        subprocess.Popen(
            [sys.executable, "-c", SCALED, str(boxes)], env=desktop.environment, cwd=tmp_path, stdout=file
        ) as process,
    ):
        try:
            usual = [str(SIZE), str(SIZE), str(SIZE), "1.0", "1.0"]
            wait_for(lambda: last() == usual, "the first picture")
            desktop.scale(factor)
            denser = [str(logical), str(pixels), str(pixels), "2.0", "1.0"]
            wait_for(lambda: last() == denser, "the denser one")
            wait_for(lambda: all(seen(desktop.picture(), name).sum() > 1000 for name in BOXES), "the boxes")
            desktop.scale(1.0)
            wait_for(lambda: last() == usual, "the first one again")
            assert process.poll() is None
        finally:
            process.kill()
            desktop.scale(1.0)
