"""Keys of which the symbol changes with what is held: whichever is let go first, the next press counts."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import Window, open_window, wait_for

pytestmark = WINDOW_TEST
TELLS_CHORDS = """
import sys
from octoscope.viewer.app.session import Session
from octoscope.viewer.cli import main
from octoscope.viewer.tools.intents import KeyPress

told = open("chords.txt", "w", buffering=1)

def follow(self, intent, **_):
    if isinstance(intent, KeyPress):
        print(intent.chord, file=told)

Session.follow = follow
raise SystemExit(main(sys.argv[1:]))
"""
CHORDS = {  # by the X names or codes of the keys that are pressed, in their order
    ("shift", "Tab"): "Shift+Tab",
    ("shift", "period"): "Shift+.",
    ("shift", "comma"): "Shift+,",
    ("shift", "slash"): "Shift+/",
    ("shift", "bracketright"): "Shift+]",
    ("shift", "1"): "Shift+1",
    ("shift", "minus"): "Shift+-",
    ("shift", "s"): "Shift+S",
    ("ctrl", "shift", "z"): "Ctrl+Shift+Z",
    ("alt", "shift", "a"): "Alt+Shift+A",  # Alt itself is called Meta with Shift
    ("shift", "alt", "a"): "Alt+Shift+A",
    ("alt", "1"): "Alt+1",
}


@pytest.fixture(scope="module")
def telling(boxes, tmp_path_factory):
    """A window that does nothing but tell of chords, and the file in which it does."""
    folder = tmp_path_factory.mktemp("chords")
    script = folder / "script.py"
    script.write_text(TELLS_CHORDS)
    with open_window(boxes, folder=folder, script=script) as window:
        window.move((300, 300))
        chords_of(window, folder / "chords.txt")  # from here on the window has the focus
        yield window, folder / "chords.txt"


def chords_of(window: Window, told: Path, *commands: object) -> list[str]:
    """Return the chords that the window understood of xdotool's commands; a last key tells when it has seen all."""
    before = len(told.read_text().splitlines())
    window._screen.xdotool(*commands, "key", "Home")
    wait_for(lambda: "Home" in told.read_text().splitlines()[before:], "the last key")
    return told.read_text().splitlines()[before:-1]


@pytest.mark.parametrize("keys", CHORDS, ids="+".join)
def test_every_press_counts_in_whatever_order_the_keys_are_let_go(telling, keys):
    down = [word for key in keys for word in ("keydown", key)]
    for order in permutations(keys):
        up = [word for key in order for word in ("keyup", key)]
        assert chords_of(*telling, *down, *up) == [CHORDS[keys]], order
    assert chords_of(*telling, "key", "a") == ["A"], "nothing is held any more"


def test_a_key_that_is_let_go_in_another_window_counts_when_it_is_pressed_again(telling):
    window, _ = telling
    elsewhere = window._screen.xdotool("getwindowfocus")
    window.focus()
    leaves = "keydown", "b", "windowfocus", "--sync", elsewhere, "mousemove", 1400, 740, "keyup", "b"
    comes_back = "windowfocus", "--sync", window.id, "mousemove", 300, 300
    assert chords_of(*telling, *leaves, *comes_back, "key", "b") == ["B", "B"]


def test_caps_lock_changes_no_chord(telling):
    chords = chords_of(*telling, "key", "Caps_Lock", "key", "s", "key", "Caps_Lock", "key", "s")
    assert chords[1::2] == ["S", "S"]
