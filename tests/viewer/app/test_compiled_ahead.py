"""What a person does in a window waits for no compiler: all kernels that it needs were compiled ahead of time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from octoscope.octree.jit.builder import is_complete

# Prints the kernels that numba was asked for, one a line, after the command that needed them.
WORKS = """
import sys
from octoscope.octree.jit.kernels import Kernel
from octoscope.scene import load
from tests.viewer.headless_app import HeadlessApp
from octoscope.viewer.rendering.context.offscreen import create_context

doing, asked = "opening", []
find = Kernel.dispatcher.fget

def dispatcher(self):
    asked.append(f"{doing}: {self.py_func.__module__}.{self.py_func.__name__}")
    return find(self)

Kernel.dispatcher = property(dispatcher)
app = HeadlessApp(create_context(), load("assets/harbour.obj"))
app.view.frame_nodes(None)
app.view.levels.add(app.view.levels.missing()())
ids = {command.id for command in app.table.commands}
for doing in filter(ids.__contains__, sys.argv[1:]):  # a feature may have been taken away
    app.editor.select(app.view.index.all_ids()[:3])
    app.table.run(app.table[doing])
    app.settle()
    app.view.build_frames(app.view.last_size)
    doing = f"a click after {doing}"
    app.click((640.0, 380.0))
print(*asked, sep="\\n")
"""
# The same after each command of the table, which is answered as its box proposes. Those of files leave the scene.
WORKS_THROUGH_ALL = f"""{WORKS.partition("for doing")[0]}
commands = [command for command in app.table.commands if not command.id.startswith(("file.", "app.quit", "help.open"))]
for command in commands:
    doing = command.id
    if not app.editor.selected_ids.size:
        app.editor.select(app.view.index.all_ids()[:3])
    app.table.run(app.table[doing])
    app.wait_for_work()
    app.press("Enter")
    app.wait_for_work()
    app.press("Escape")
    app.view.build_frames(app.view.last_size)
assert len(commands) > 200
print(*asked, sep="\\n")
"""
COMMANDS = (
    *("section.toggle", "view.edges", "octree.cells", "octree.freeze", "select.isolate", "edit.duplicate"),
    *("object.merge", "object.group", "edit.delete", "edit.undo", "edit.undo", "edit.undo"),
)


@pytest.mark.skipif(not is_complete(), reason="kernels are not compiled")
def test_no_command_waits_for_numba() -> None:
    command = [sys.executable, "-c", WORKS, *COMMANDS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["", ""]


@pytest.mark.slow
@pytest.mark.skipif(not is_complete(), reason="kernels are not compiled")
def test_no_command_of_the_table_waits_for_numba() -> None:
    done = subprocess.run([sys.executable, "-c", WORKS_THROUGH_ALL], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.split("\n")) == (0, "", ["", ""])
