"""`octoscope run` in a real window: a script's key and button, the console, undo, and a script that fails."""

from __future__ import annotations

from tests.viewer.features.overlaps.test_overlaps_in_window import run
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
SCRIPT = """
import sys
box = scene["red"]
window.selection = box

def rename():
    box.name += sys.argv[1]

window.on_key("k", rename)
window.button("Rename", rename)
raise RuntimeError("the last line fails")
"""
BUTTON = 1040, 65


def test_a_script_and_the_console_work_the_window_and_each_act_is_one_undo(boxes, tmp_path):
    path = tmp_path / "rename.py"
    path.write_text(SCRIPT)
    arguments = ("run", path, boxes, "--args", "-a")
    with open_window(*arguments, folder=tmp_path, config=tmp_path / "config") as window:

        def wait_for_name(name: str) -> None:
            wait_for(lambda: named_in_title(window) == name, f"the object to be called {name}")

        wait_for_name("red")
        window.press("k")
        wait_for_name("red-a")
        window.click(BUTTON)
        wait_for_name("red-a-a")
        run(window, "console")
        window.type("for node in selection:")
        window.press("Return")
        window.type("node.name = 'typed'")
        window.press("Return", "Return")
        wait_for_name("typed")
        window.type("for _ in range(3): window.history.undo()")
        window.press("Return")
        wait_for_name("red")
        window.type("while True: open('on', 'w')")
        window.press("Return")
        wait_for((tmp_path / "on").exists, "an input that does not end")
        window.press("ctrl+c")
        window.type("box.name = 'kept'")
        window.press("Return")
        wait_for_name("kept")
        window.ask_to_close()
        window.rest()
        window.press("Escape")  # the question about unsaved changes
        window.rest()
        run(window, "undo")
        wait_for_name("red")
        window.ask_to_close()
        assert window.wait_for_exit() == 1
        assert f'"{path}", line 11, in <module>' in window.errors
        assert window.errors.splitlines()[-1] == "RuntimeError: the last line fails"
