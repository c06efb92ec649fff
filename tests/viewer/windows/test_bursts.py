"""The window after a slow frame, with many events at once; and with other programs: the clipboard, files dropped."""

from __future__ import annotations

from octoscope.scene import load
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.windows.other_programs import ask_client, other_client
from tests.viewer.windows.window_boxes import BOXES, box_pixel, first_camera, write_boxes
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.window_village import SEARCH, wait_for_change
from tests.viewer.windows.xvfb import Window, open_window, wait_for

pytestmark = WINDOW_TEST
FILTER = (120, 66)


def letters(text: str) -> list[str]:
    return ["space" if letter == " " else letter for letter in text]


def reach_what_has_to_be_hovered_first(window: Window) -> None:
    """Dear ImGui gives a press only to what was under the mouse in the frame before: tabs, and buttons that overlap."""
    window.press("ctrl+5")  # bookmarks, in a tab over the inspector's
    for shown, tab in zip(("inspector", "bookmarks", "inspector"), (1050, 1150, 1050), strict=True):
        before = window.picture()[60:300, 1010:1270]
        window.move((640, 400))
        window.rest()
        with window.busy():
            window.click((tab, 34))
        wait_for(lambda before=before: (window.shown()[60:300, 1010:1270] != before).any(), f"the {shown}")


def test_keys_and_clicks_that_come_at_once_reach_what_they_are_for(ctx, boxes, tmp_path):
    app = HeadlessApp(ctx, load(boxes))  # it knows where the picture is
    picture, covered = app.shell.picture, app.shell.toolbar_width
    app.close()
    size = tuple(map(round, picture.size))
    x, y = box_pixel(first_camera(size, covered), "blue", size)
    with open_window(boxes, folder=tmp_path, config=tmp_path / "config") as window:
        window.rest()
        reach_what_has_to_be_hovered_first(window)
        window.click((x + round(picture.left), y + round(picture.top)))
        wait_for(lambda: named_in_title(window) == "blue", "the blue box in the title")  # kernels may compile first
        with window.busy():
            window.press("F2", *letters("sky"), "Return")
        wait_for(lambda: named_in_title(window) == "sky", "the new name in the title")
        with window.busy():
            window.press("F2", *letters("box x"), "Return", "ctrl+z")
            window.press("F1", *letters("x"), "F1", "ctrl+z")
        wait_for(lambda: named_in_title(window) == "blue", "the first name: the sheet takes no key after its end")
        with window.busy():
            window.click(FILTER)
            window.press(*letters("xred"), "Home", "Delete", "Return")
        wait_for(lambda: named_in_title(window) == "red", "what was looked for")
        with window.busy():
            window.press("ctrl+p", *letters("select all"), "Return", "Delete", "ctrl+z")
        count = len(BOXES) + 1  # and the points
        wait_for(lambda: f"and {count - 1} more" in named_in_title(window), "all of them, which are there again")
        window.press("ctrl+z", "ctrl+z", "alt+a")

        # The clipboard, both ways.
        wait_for(lambda: named_in_title(window) == "", "nothing is selected")
        window.click(FILTER)
        window.press("ctrl+a", *letters("blue"), "ctrl+a", "ctrl+c")
        window.rest()
        assert ask_client(window, "paste") == "blue"
        long = "grün und " * 900  # in parts that end within letters
        for how, text, expected in (("copy", "grün", "grüngrün"), ("copy-in-parts", long, 2 * long)):
            with other_client(window, how, text) as other:
                window.click(FILTER)
                window.press("ctrl+a", "ctrl+v", "ctrl+v", "ctrl+a", "ctrl+x")
                wait_for(lambda other=other: other.poll() == 0, "the text to be cut out")
            assert ask_client(window, "paste") == expected.strip(), "not one byte is lost of what is not ASCII"

        with other_client(window, "hold", ""):
            window.click(FILTER)
            window.press("ctrl+v")
            wait_for_change(window, SEARCH, lambda: window.press("x"), "a letter, which waits for no answer")
        assert window.errors == ""


def test_files_dropped_on_the_window_join_the_scene(tmp_path):
    with open_window(write_boxes(tmp_path), folder=tmp_path) as window:
        window.rest()
        for name in ("flag", "é #1 flag"):
            flag = tmp_path / f"{name}.obj"
            flag.write_text("o banner\nv 0 2 0\nv 0 4 0\nv 1 3 0\nf 1 2 3\n")
            assert ask_client(window, "drop", window.id, 600, 300, "#comment", flag.as_uri()) == "accepted"
            wait_for(lambda name=name: named_in_title(window) == name, "what has come, selected")
        window.press("ctrl+z", "ctrl+z")
        wait_for(lambda: "*" not in window.title, "the scene as it was")
        window.ask_to_close()
        assert window.wait_for_exit() == 0, "the window manager's request closes it"
        assert window.errors == ""
