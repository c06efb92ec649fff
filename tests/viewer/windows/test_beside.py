"""A window beside a script's own work: updated in a loop, moved by another thread, alive at IPython's prompt."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

import tests
from tests.cases import quick
from tests.viewer.windows.test_script import run_alone
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import DEADLINE_SECONDS, Screen, wait_for

pytestmark = WINDOW_TEST

CUBE = """
import threading
import time
import numpy as np
import octoscope
from octoscope.scene.mesh.primitives import cube

scene = octoscope.Scene()
box = scene.add_node("box", mesh=scene.meshes.add(cube()))
SIZE = (480, 320)
"""

IN_A_LOOP = """
selections = []
window = octoscope.show(scene, block=False, size=SIZE, on_select=selections.append)
before = np.asarray(window.take_picture())
for step in range(60):
    box.translation = (0.01 * step, 0, 0)
    if step == 20:
        scene.add_node("another", mesh=scene.meshes.add(cube()))
        window.selection = [box]
    assert window.update() and window.is_open
window.frame()
has_changed = (np.asarray(window.take_picture()) != before).any()
print(len(selections), list(window.selection) == list(selections[0]), has_changed)
again = octoscope.show(octoscope.Scene(), block=False, size=SIZE)
assert window.update() and again.update()
window.close()
window.close()
print(window.is_open, window.update(), again.update())
"""

BY_A_THREAD = """
window = octoscope.Window(scene, size=SIZE)
threads, steps, ended = set(), [], []

def place(step):
    threads.add(threading.current_thread())
    box.translation = (0.01 * step, 0, 0)
    return box.translation[0]

def simulate():
    begin = time.monotonic()
    while time.monotonic() - begin < 2.0:
        assert window.call(place, len(steps)).result() == 0.01 * len(steps)
        steps.append(len(steps))
    for number in range(1000):  # which nobody waits for
        window.call(ended.append, number)
    window.close()
    try:
        window.update()
    except RuntimeError as error:
        print(error)

thread = threading.Thread(target=simulate)
thread.start()
window.run()
thread.join()
late = window.call(place, 0)
print(threads == {threading.main_thread()}, len(steps) > 10, ended == list(range(1000)), late.cancelled())
"""

THAT_FAILS = """
window = octoscope.show(scene, block=False, size=SIZE)
futures = []

def simulate():
    futures.append(window.call(lambda: 1 / 0))
    futures.append(window.call(box.name.upper))

thread = threading.Thread(target=simulate)
thread.start()
thread.join()
try:
    window.update()
except ZeroDivisionError as error:
    print(error, window.is_open, futures[0].exception() is error, futures[1].cancelled())

window = octoscope.show(scene, block=False, size=SIZE, on_frame=lambda seconds: window.update())
try:
    window.run(on_frame=lambda seconds: window.update())
except RuntimeError as error:
    print(error)
"""


IN_ASYNCIO = """
import asyncio
seconds, once = [], [1]

async def main():
    window = octoscope.show(scene, block=False, size=SIZE, on_frame=seconds.append)
    octoscope.show(octoscope.Scene(), block=False, size=SIZE, on_frame=lambda seconds: once.pop())
    while len(seconds) < 20:
        await asyncio.sleep(0.01)
    window.close()
    again = octoscope.show(scene, block=False, size=SIZE, on_frame=seconds.append)
    while len(seconds) < 40:
        await asyncio.sleep(0.01)
    print(window.is_open, again.is_open)

loop = asyncio.new_event_loop()
loop.set_exception_handler(lambda loop, context: print(context["message"], repr(context["exception"])))
loop.run_until_complete(main())
"""
IN_A_NOTEBOOK = (
    CUBE + "seconds = []\nwindow = octoscope.show(scene, block=False, size=SIZE, on_frame=seconds.append)",
    "before = len(seconds)",
    "print(len(seconds) > before, window.is_open)",
    "window.close()",
    "print(window.is_open)",
)


@pytest.mark.parametrize(
    ("script", "lines"),
    quick(
        [
            (IN_A_LOOP, ["1 True True", "False False True"]),
            (
                BY_A_THREAD,
                [
                    "a window is updated by the thread that opened it; other threads use window.call",
                    "True True True True",
                ],
            ),
            (
                THAT_FAILS,
                ["division by zero False True True", "a window is not updated by its own callbacks"],
            ),
            (
                IN_ASYNCIO,
                [
                    "a window was closed by its callback IndexError('pop from empty list')",
                    "False True",
                ],
            ),
        ],
        2,
        several=True,
    ),
    ids=("in a loop", "moved by a thread", "that fails", "in asyncio"),
)
def test_a_window_lives_beside_a_script(tmp_path, script, lines):
    path = tmp_path / "script.py"
    path.write_text(CUBE + script)
    done = run_alone(path, tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.splitlines() == lines


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal that a test can write to")
def test_a_window_lives_while_ipython_waits_for_keys(tmp_path):
    pexpect = pytest.importorskip("pexpect")
    pytest.importorskip("IPython")
    (tmp_path / "cube.py").write_text(CUBE)
    screen = Screen()
    environment = {
        **screen.environment,
        "PYTHONPATH": str(Path(tests.__file__).parents[1]),
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "TERM": "xterm",
    }
    command = ["-m", "IPython", "--no-banner", "--colors=NoColor", "--no-confirm-exit", "-i", "cube.py"]
    prompt = pexpect.spawn(
        sys.executable, command, cwd=tmp_path, env=environment, timeout=DEADLINE_SECONDS, encoding="utf-8"
    )

    def frames_are_drawn(name: str) -> None:
        wait_for((tmp_path / name).exists, f"frames while the prompt waits, up to {name}")

    try:
        prompt.expect("In \\[")
        prompt.send("from pathlib import Path; name = 'first'\r")
        prompt.expect("In \\[")
        prompt.send("w = octoscope.show(scene, block=False, size=SIZE, on_frame=lambda _: Path(name).touch())\r")
        frames_are_drawn("first")
        prompt.send("name = 'second'; print('is', 'open', w.is_open)\r")
        prompt.expect("is open True")
        frames_are_drawn("second")
        prompt.send("%gui\r")
        prompt.send("name = 'third'; print('still', 'open', w.is_open)\r")
        prompt.expect("still open True")
        prompt.send("%gui octoscope\r")
        frames_are_drawn("third")
        prompt.send("w.close(); print('now', 'open', w.is_open)\r")
        prompt.expect("now open False")
        prompt.send("exit\r")
        prompt.expect(pexpect.EOF)
    finally:
        prompt.close(force=True)
        screen.close()
    assert "Traceback" not in (prompt.before or "")


def test_a_window_lives_between_the_cells_of_a_notebook(tmp_path):
    pytest.importorskip("ipykernel")
    from jupyter_client.manager import start_new_kernel  # only here: ipykernel brings it

    screen = Screen()
    try:
        manager, client = start_new_kernel(env=screen.environment, cwd=str(tmp_path))
        try:
            printed = []

            def execute(cell: str) -> None:
                reply = client.execute_interactive(cell, timeout=DEADLINE_SECONDS, output_hook=printed.append)
                assert reply["content"]["status"] == "ok", reply["content"]

            for cell in IN_A_NOTEBOOK:
                execute(cell)
                time.sleep(0.5)  # between two cells the kernel waits, and the window lives
            lines = [each["content"]["text"] for each in printed if each["msg_type"] == "stream"]
            assert lines == ["True True\n", "False\n"]
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    finally:
        screen.close()
