"""A window's events without a window: what the program listens to, played by hand, many at once or one by one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import SimpleNamespace

from moderngl_window.context.base import BaseKeys

from viewer.window.keys import Chord

Point = tuple[float, float]

_LOST_ROW = 1.0 if sys.platform.startswith("linux") else 0.0  # as pyglet and moderngl-window count them
_KEYS = {name: name for name in dir(BaseKeys) if name.isupper() and name[0] != "_"}
_KEYS["LEFT_ALT"] = "LEFT_ALT"
_SHIFTED = {"MINUS": "_", "PERIOD": ">", "SLASH": "?"}
_PLAIN = {"MINUS": "-", "PERIOD": ".", "SLASH": "/", "SPACE": " ", "COMMA": ","}


class Wires:
    """What viewer.app.input.Input takes for a window; nothing happens but what is called here.

    Attributes:
        seconds: the time, as the events have it; to be set.
    """

    def __init__(self) -> None:
        self.name = "wires"
        self.keys = SimpleNamespace(**_KEYS)
        self.seconds = 1.0
        clock = SimpleNamespace(event_seconds=lambda: self.seconds)
        self._handlers: dict[str, Callable[..., object]] = {}
        self._window = SimpleNamespace(
            push_handlers=self._handlers.update, remove_handlers=lambda **_: None, _octoscope_x11=clock
        )
        self._held: int | None = None  # a button
        self._at: Point = (0.0, 0.0)

    def lose_focus(self) -> None:
        """Another window has the keyboard from now on, and gets what is released."""
        self._handlers["on_deactivate"]()

    # Keys.

    def key_down(self, name: str, text: str = "") -> None:
        self.key_event_func(name, self.keys.ACTION_PRESS, None)
        if text:
            self.unicode_char_entered_func(text)

    def key_up(self, name: str) -> None:
        self.key_event_func(name, self.keys.ACTION_RELEASE, None)

    def chord_down(self, chord: Chord) -> None:
        """Press what belongs to a chord, with the character that it types."""
        for name in _held(chord):
            self.key_down(name)
        self.key_down(chord.key, _text(chord))

    def chord_up(self, chord: Chord) -> None:
        for name in (chord.key, *reversed(_held(chord))):
            self.key_up(name)

    def press(self, *texts: str) -> None:
        """Press and release keys, as Chord.parse reads them."""
        for chord in map(Chord.parse, texts):
            self.chord_down(chord)
            self.chord_up(chord)

    # The mouse.

    def move(self, point: Point) -> None:
        """Bring the mouse to a point, logical pixels from the top left."""
        dx, dy = point[0] - self._at[0], point[1] - self._at[1]
        self._at = point
        func = self.mouse_position_event_func if self._held is None else self.mouse_drag_event_func
        func(*self._place(), dx, dy)

    def button_down(self, button: int = 1) -> None:
        """1 is the left one, 2 the right one, 3 the middle one."""
        self._held = button
        self.mouse_press_event_func(*self._place(), button)

    def button_up(self, button: int = 1) -> None:
        self._held = None
        self.mouse_release_event_func(*self._place(), button)

    def click(self, point: Point, *, times: int = 1, held: Iterable[str] = (), button: int = 1) -> None:
        """Go there, and click with keys held, by their names."""
        held = list(held)
        self.move(point)
        for name in held:
            self.key_down(name)
        for _ in range(times):
            self.button_down(button)
            self.button_up(button)
        for name in reversed(held):
            self.key_up(name)

    def _place(self) -> Point:
        """Where the mouse is, as a window says it."""
        return self._at[0] - 0.5, self._at[1] - 0.5 + _LOST_ROW


def _held(chord: Chord) -> list[str]:
    return [f"LEFT_{name.upper()}" for name in ("ctrl", "shift", "alt") if getattr(chord, name)]


def _text(chord: Chord) -> str:
    if chord.ctrl or chord.alt:
        return ""
    if len(chord.key) == 1:
        return chord.key if chord.shift else chord.key.lower()
    if chord.key.startswith("NUMBER_"):
        return chord.key[-1]
    return (_SHIFTED if chord.shift else _PLAIN).get(chord.key, "")
