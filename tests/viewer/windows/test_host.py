"""The program that opens windows stays as it was: what they need of the interpreter and the card goes with them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.viewer.windows.test_script import run_alone
from tests.viewer.windows.window_steps import WINDOW_TEST

pytestmark = WINDOW_TEST

# As `octoscope boxes.obj` does it: each document opened from the window takes the place of the one before.
MANY_DOCUMENTS = """
import sys
from pathlib import Path
from tests.viewer.rendering.gl_objects import count_gl_objects
import octoscope.viewer.app.app
from octoscope.viewer.cli import main

paths = [Path(path) for path in sys.argv[1:]]
counts = []

class CountingApp(octoscope.viewer.app.app.App):
    def run_once(self, *arguments):
        self.view.settings.quality = "constant"  # others make framebuffers when they are first needed
        super().run_once(*arguments)
        if self.is_idle and not self.session.document.is_busy:
            self.view.selection.ids = self.view.index.all_ids()[:1]
            self.view.show("octree")
            super().run_once(*arguments)
            counts.append(count_gl_objects())
            if len(counts) == 10:
                self.end()
            else:
                self.session.document.open(paths[len(counts) % 2])

octoscope.viewer.app.app.App = CountingApp
assert main([str(paths[0]), "--no-watch", "--size", "480x320"]) == 0
print(counts)
"""

HOST = """
import numpy as np
from tests.viewer.app.host_state import differences, host_state

np.seterr(all="raise", under="warn")
before = host_state()
from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer import Window

# Set by imgui_bundle when it is imported.
before["environment"]["PYGLFW_LIBRARY"] = host_state()["environment"].get("PYGLFW_LIBRARY")
scene = Scene()
scene.add_node("cube", mesh=scene.meshes.add(cube()))
for turn in range(2):
    within = []
    window = Window(scene)
    print(differences(before, host_state()))

    def on_frame(seconds):
        within.append(host_state())
        window.selection = [scene["cube"]]
        if len(within) == 4:
            window.close()
        if len(within) == 4 and turn == 1:
            raise KeyError("host")

    try:
        window.run(on_frame=on_frame)
    except KeyError:
        pass
    print([line for state in within for line in differences(before, state) if not line.startswith("switch interval")])
    print(differences(before, host_state()))
"""

# Unlike a context without a window, a window's has a back buffer, whose bindings OpenGL 3.3 is stricter about.
TWO_RENDERERS = """
import moderngl
from dataclasses import replace
from tests.viewer.scenes import box_scene, picture, view_of
from octoscope.viewer.rendering.renderer import Renderer

ctx = moderngl.create_context(standalone=True, require=330)
scene = box_scene()
scene.replace_materials({1: replace(scene.materials[1], opacity=0.5)})
view = view_of(scene)
first, second = Renderer(ctx), Renderer(ctx)
for renderer in (first, second):
    picture(renderer, view)
print("drawn", ctx.error)
second.release()
print("one released", ctx.error)
ctx.detect_framebuffer(0).use()  # as the window does to show a picture
view.selection.ids = view.index.all_ids()[:1]
first.render_outlines(view.with_outlines(view.build_frames((192, 120))))
print("outlined", ctx.error)
first.release()
print("both released", ctx.error)
"""


def test_two_renderers_in_a_windows_context_leave_no_gl_error(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(TWO_RENDERERS)
    done = run_alone(path, tmp_path)
    states = ("drawn", "one released", "outlined", "both released")
    assert (done.stdout.splitlines(), done.stderr) == ([f"{state} GL_NO_ERROR" for state in states], "")


@pytest.mark.slow
def test_a_window_leaves_a_scripts_settings_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(HOST)
    done = run_alone(path, tmp_path)
    assert (done.stdout, done.stderr) == ("[]\n" * 6, "")


def test_opening_ten_documents_leaves_no_gl_object_of_those_before(tmp_path: Path, boxes: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(MANY_DOCUMENTS)
    done = run_alone(path, tmp_path, boxes, boxes)
    assert done.returncode == 0, done.stderr
    counts = ast.literal_eval(done.stdout)
    assert len(counts) == 10 and counts[1]["Texture"] > 3
    assert all(later == counts[1] for later in counts[2:]), counts
