"""The window from Python: what a script is told, what it changes, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests
from octoscope.scene import load
from tests.cases import quick
from tests.viewer.cli.test_examples import EXAMPLES, IN_A_WINDOW, in_folder_with_assets
from tests.viewer.windows import xvfb
from tests.viewer.windows.window_boxes import (
    BOXES,
    assert_shows,
    box_extent,
    box_pixel,
    differing,
    empty_pixel,
    first_camera,
    seen_extent,
)
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import Screen, Window, open_window, wait_for

pytestmark = WINDOW_TEST
TOLD = """
import sys
from octoscope.scene import load
from octoscope.viewer import render, show

scene = load(sys.argv[1])
told = open("told.txt", "w", buffering=1)
frames = 0

def on_frame(seconds):
    global frames
    frames += 1
    if frames == 5:
        print("frames", file=told)

def on_select(nodes):
    print("select", *(node.name for node in nodes), file=told)
    names = {node.name for node in nodes}
    if names == {"blue"}:
        scene["red"].translation = (0, 3, 0)
        render(scene, (64, 48))  # with a context of its own, which must not disturb the window's
    if names == {"red"}:
        raise KeyError("no red, please")

def on_transform(nodes):
    print("transform", *(f"{node.name} {node.translation[1]:.1f}" for node in nodes), file=told)

show(scene, on_frame=on_frame, on_select=on_select, on_transform=on_transform)
"""

TWICE = """
from octoscope.viewer import Window
from octoscope.scene import Scene
from octoscope.scene.editing import add_primitive, transform
from octoscope.scene.mesh.primitives import cube
import numpy as np

scene = Scene()
for times in range(2):
    told = []
    window = Window(scene, title="again")
    cubes = [scene.add_node("cube", mesh=scene.meshes.add(cube()))]
    up = np.eye(4)
    up[1, 3] = 2.0

    def on_frame(seconds):
        match len(told):
            case 0:
                window.selection = cubes[0]  # or several, or ids
            case 1:
                window.history.do(transform(scene, [cubes[0].id], up))
            case 2:
                window.history.undo()
            case 3:
                window.close()

    window.run(
        on_frame=on_frame,
        on_select=lambda nodes: told.append(list(nodes) == cubes and list(window.selection) == cubes),
        on_transform=lambda nodes: told.append(float(cubes[0].translation[1])),
    )
    print(told)
unused = Window(scene)
unused.close()
try:
    unused.run()
except ValueError as error:
    print(error)
"""

ONE_IN_ANOTHER = """
from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.app.scripting import Window

scene = Scene()
scene.add_node("cube", mesh=scene.meshes.add(cube()))
outer, unused, inner = (Window(scene, title=title) for title in ("outer", "unused", "inner"))
frames = []
pictures = [outer.take_picture(transparent=True), inner.take_picture()]

def on_frame(seconds):
    frames.append(seconds)
    if len(frames) == 2:
        unused.close()
    if len(frames) == 4:
        inner.run(on_frame=lambda seconds: (inner.close(), outer.close()) if seconds > 0.1 else None)
        pictures.append(outer.take_picture(transparent=True))

outer.run(on_frame=on_frame)
print(len(frames), "pictures", *(picture.mode for picture in pictures))
print(*(picture.getchannel("A").getextrema() for picture in pictures[::2]))
"""


# A window whose card fails after an edit; a line that makes it fail is put in.
FAILING_CARD = """
import os
import sys
os.environ["OCTOSCOPE_CONFIG_DIR"] = sys.argv[2]
import moderngl
import octoscope.viewer.app.app
import octoscope.viewer.rendering.context.card_errors
from octoscope.scene.editing import add_primitive
from octoscope.viewer.cli import main
from octoscope.viewer.frame.redraw import Damage

class App(octoscope.viewer.app.app.App):
    def run_once(self, *arguments):
        super().run_once(*arguments)
        if self.is_idle and not self.session.document.is_busy and not self.session.document.is_unsaved:
            assert self.session.editor.run(add_primitive, "cube")
            {failure}

octoscope.viewer.app.app.App = App
sys.exit(main([sys.argv[1], "--no-watch", "--size", "480x320"]))
"""


# A window whose driver is reset when the blue box is selected.
RESET = """
import sys
from octoscope.scene import load
from octoscope.viewer import Window

scene = load(sys.argv[1])
window = Window(scene)

def on_select(nodes):
    if [node.name for node in nodes] == ["blue"]:
        errors = window._app._renderer._card_errors
        errors._reset_status, errors._next = lambda: 0x8255, 0.0  # GL_UNKNOWN_CONTEXT_RESET, at once
        scene["green"].translation = (0, 0, 0)

window.run(on_select=on_select)
"""


# A window that is moved between screens of another scale.
RESCALED = """
import sys
from imgui_bundle import imgui
from octoscope import load, show
from octoscope.viewer.window.window import Window

scene = load(sys.argv[1])
window = show(scene, block=False)
for scale in (1.0, 1.5, 2.0, 1.0):
    Window.interface_scale = property(lambda self: scale)
    for number in range(3):
        scene["red"].translation = (0.1 * scale * number, 0.0, 0.0)
        window.update()
    print(imgui.get_style().font_scale_main, window._app.view.stroke_ratio)
window.close()
"""


@pytest.fixture
def script(tmp_path: Path, boxes: Path) -> Iterator[Window]:
    """A window that a script has opened on the boxes, and that tells what it hears in told.txt."""
    path = tmp_path / "script.py"
    path.write_text(TOLD)
    with open_window(boxes, folder=tmp_path, script=path) as window:
        yield window


def run_alone(
    path: Path, folder: Path, *arguments: object, screen_size: tuple[int, int] = (1440, 760)
) -> subprocess.CompletedProcess[str]:
    """A script that nobody works, to its end."""
    screen = Screen(screen_size)
    try:
        return subprocess.run(
            [sys.executable, str(path), *map(str, arguments)],
            env={**screen.environment, "PYTHONPATH": str(Path(tests.__file__).parents[1])},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=xvfb.DEADLINE_SECONDS,
        )
    finally:
        screen.close()


@pytest.mark.slow
def test_a_script_hears_of_what_is_selected_and_moved_and_what_it_sets_is_shown(script, tmp_path):
    def told(line: str) -> None:
        wait_for(lambda: line in (tmp_path / "told.txt").read_text().splitlines(), f"the script to hear: {line}")

    told("frames")
    before = script.picture()
    script.click(box_pixel(first_camera(), "behind"))
    told("select behind")
    script.press("End")
    told("transform behind -0.3")
    script.press("ctrl+z")
    told("transform behind 0.0")
    assert abs(seen_extent(script.picture(), "red") - box_extent(first_camera(), "red")).max() <= 2.0
    script.click(box_pixel(first_camera(), "blue"))
    told("select blue")
    after = script.picture()
    assert seen_extent(after, "red")[3] < seen_extent(before, "red")[3] - 50, "red has gone up"
    script.click(empty_pixel(after))
    told("select")
    x0, y0, x1, y1 = seen_extent(after, "red")
    script.click((int(x0 + x1) // 2, int(y0 + y1) // 2))
    assert script.wait_for_exit() == 1
    assert "KeyError: 'no red, please'" in script.errors


def test_a_window_can_be_held_worked_and_closed_by_a_script_and_another_opened(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(TWICE)
    done = run_alone(path, tmp_path)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["[True, 2.0, 0.0]"] * 2 + ["this window was closed; open another"]


@pytest.mark.slow
def test_text_and_lines_follow_the_scale_of_the_screen(boxes, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(RESCALED)
    done = run_alone(path, tmp_path, boxes)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"{scale} {scale}" for scale in (1.0, 1.5, 2.0, 1.0)]


@pytest.mark.slow
def test_windows_closed_while_another_runs_take_nothing_of_it_with_them(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(ONE_IN_ANOTHER)
    done = run_alone(path, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["4 pictures RGBA RGB RGBA", "(0, 255) (0, 255)"]


@pytest.mark.parametrize(
    ("failure", "said"),
    quick(
        [
            (
                'moderngl.Context.error = property(lambda ctx: "GL_OUT_OF_MEMORY")',
                "octoscope: the graphics card has no memory left; try ",
            ),
            (
                # And what is drawn with another context: GL_UNKNOWN_CONTEXT_RESET.
                "octoscope.viewer.rendering.context.card_errors._reset_status_of = "
                "lambda ctx: lambda: 0x8255; self._renderer._card_errors._reset_status = lambda: 0x8255",
                "octoscope: the graphics driver was reset, and all that lay on the card is gone; start it again; ",
            ),
        ],
        1,
        several=True,
    ),
    ids=("no memory", "reset"),
)
def test_a_card_that_fails_ends_the_window_with_a_line_and_keeps_the_last_edit(boxes, tmp_path, failure, said):
    path = tmp_path / "script.py"
    path.write_text(FAILING_CARD.replace("{failure}", failure))
    done = run_alone(path, tmp_path, boxes, tmp_path / "config")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and line.startswith(said)
    assert line.endswith("unsaved changes are offered when it is started again")
    (autosave,) = (tmp_path / "config").rglob("*.octo.json")
    assert "cube" in load(autosave).names


@pytest.mark.slow
def test_after_a_reset_of_the_driver_the_window_goes_on_with_another_context(boxes, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(RESET)
    with open_window(boxes, folder=tmp_path, script=path) as window:
        window.rest()
        window.click(box_pixel(first_camera(), "red"))
        wait_for(lambda: window.title.startswith("red - "), "the selection")
        before, lost = window.picture(), window.id
        window.click(box_pixel(first_camera(), "blue"))
        # For a moment both windows are there.
        window.id = wait_for(lambda: lost not in (found := window._find().split()) and found, "another window")[0]
        wait_for(lambda: window.title.startswith("blue - "), "the selection")
        after = window.picture()
        assert window.size == before.shape[1::-1]
        for name in BOXES:
            assert_shows(after, first_camera(), name)
        window.click(box_pixel(first_camera(), "red"))
        wait_for(lambda: window.title.startswith("red - "), "the selection")
        assert differing(window.picture()[80:], before[80:]) < 0.001, "below the message"
        assert window.errors == ""


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[] if each == "animate_in_a_window" else pytest.mark.slow) for each in IN_A_WINDOW],
)
def test_an_example_with_a_window_closes_itself(tmp_path, name):
    done = run_alone(EXAMPLES / f"{name}.py", in_folder_with_assets(tmp_path), screen_size=(640, 400))
    assert (done.returncode, done.stderr) == (0, "")
    assert IN_A_WINDOW[name] in done.stdout
