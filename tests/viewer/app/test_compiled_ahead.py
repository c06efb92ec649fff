"""What a person does in a window waits for no compiler: all kernels that it needs were compiled ahead of time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from octoscope.octree.jit.builder import is_complete

# Prints the kernels that numba was asked for, one a line, after the command that needed them.
WORKS = """
import sys
from contextlib import ExitStack
from functools import partial
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
app.view.framing.frame_nodes(None)
app.view.builder.levels.add(app.view.builder.levels.missing()())
ids = {command.id for command in app.table.commands}
for doing in filter(ids.__contains__, sys.argv[1:]):  # a feature may have been taken away
    app.editor.select(app.view.index.all_ids()[:3])
    app.table.run(app.table[doing])
    app.settle()
    app.view.build_frames(app.view.layout.last_size)
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
    app.view.build_frames(app.view.layout.last_size)
assert len(commands) > 200
print(*asked, sep="\\n")
"""
# The first acts of a person, in a process whose library has only what a fresh machine compiles before the window opens.
FIRST_ONLY = """
from octoscope.octree.jit import library
from octoscope.octree.jit.kernel_types import versions

first = {version.name for version in versions() if version.is_first}
for _, contents in library._libraries():
    for kernel, (stamp, numbers) in contents.items():
        contents[kernel] = stamp, {name: number for name, number in numbers.items() if name in first}
"""
FIRST_ACTS = f"""{FIRST_ONLY}{WORKS.partition("ids =")[0]}
middle, aside = (640.0, 380.0), (740.0, 430.0)


def drag(*keys):
    with ExitStack() as held:
        for key in keys:
            held.enter_context(app.held(key))
        app.drag(aside, middle, (800.0, 500.0))


def by_keys(key):
    app.press(key)
    app.move(middle)
    app.move(aside)
    app.press("Enter")


acts = {{
    "hover": lambda: app.move(middle),
    "click": lambda: app.click(middle),
    "orbit": drag,
    "pan": lambda: drag("ctrl"),
    "zoom": lambda: app.window.scroll(2.0),
    "box": lambda: drag("shift"),
    "all": lambda: app.press("A"),
    **{{key: partial(by_keys, key) for key in ("G", "Shift+R", "Shift+S")}},
    **{{key: partial(app.press, key) for key in ("Ctrl+D", "F", "Home", "H", "Alt+H", "Del")}},
    **{{f"undo {{number}}": lambda: app.press("Ctrl+Z") for number in range(8)}},
    "redo": lambda: app.press("Ctrl+Y"),
}}
for doing, act in acts.items():
    act()
    app.wait_for_work()
    app.view.with_everything(app.view.build_frames(app.view.layout.last_size))
    assert doing not in ("click", "box") or app.selected
assert app.done
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


@pytest.mark.skipif(not is_complete(), reason="kernels are not compiled")
def test_on_a_fresh_machine_the_first_acts_wait_for_no_kernel_that_is_still_being_compiled() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_ACTS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.split("\n")) == (0, "", ["", ""])


@pytest.mark.slow
@pytest.mark.skipif(not is_complete(), reason="kernels are not compiled")
def test_no_command_of_the_table_waits_for_numba() -> None:
    done = subprocess.run([sys.executable, "-c", WORKS_THROUGH_ALL], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.split("\n")) == (0, "", ["", ""])
