"""Window events to intents: what a person wants, in the window's own words, in the order it came.

The one place that knows moderngl-window's events and their quirks. imgui sees every event; what happens over a
panel, or begins there, becomes no intent.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

from moderngl_window.context.base import BaseWindow

from viewer.ui.imgui_backend import ImguiBackend, imgui_key_from_window_key

_CLICK_SLOP = 4.0  # logical pixels that the mouse may move between press and release of a click
_LEFT, _RIGHT, _MIDDLE = 1, 2, 3
_FAR_AWAY = -1e6
# pyglet counts rows from the bottom and moderngl-window back again: on X11 that loses one.
_Y_ERROR = 1.0 if sys.platform.startswith("linux") else 0.0

Point = tuple[float, float]  # logical pixels from the top left, or in intents fractions of the window's size


@dataclass(frozen=True)
class Orbit:
    """Drag with the left button, logical pixels."""

    dx: float
    dy: float


@dataclass(frozen=True)
class Pan:
    """Drag with the middle or the right button, or with the left and Shift."""

    dx: float
    dy: float


@dataclass(frozen=True)
class Zoom:
    """Wheel, steps towards the scene, over a point."""

    steps: float
    point: Point


@dataclass(frozen=True)
class Click:
    """Left button pressed and released in one place."""

    point: Point


@dataclass(frozen=True)
class KeyPress:
    """A key by its name in moderngl-window's keys, such as "F" or "NUMBER_1"; Ctrl by itself is no key."""

    name: str
    ctrl: bool


Intent = Orbit | Pan | Zoom | Click | KeyPress


class Input:
    """Listens to a window and collects intents.

    Args:
        covers: whether a panel lies over a point; asked when a button goes down or the wheel turns.
    """

    def __init__(self, window: BaseWindow, imgui_backend: ImguiBackend, covers: Callable[[Point], bool]) -> None:
        self._window = window
        self._imgui = imgui_backend
        self._covers = covers
        self._intents: list[Intent] = []
        self._any_event = True  # a new window wants its first picture
        self._pointer: Point = (0.0, 0.0)
        self._button: int | None = None  # that began the drag under way, if it began over the scene
        self._pressed_at: Point = (0.0, 0.0)
        self._travel = 0.0
        self._pressed_modifiers: set[str] = set()
        self._key_names = {
            getattr(window.keys, name): name for name in dir(window.keys) if name.isupper() and not name.startswith("_")
        }
        window.mouse_position_event_func = self._on_move
        window.mouse_drag_event_func = self._on_drag
        window.mouse_press_event_func = self._on_press
        window.mouse_release_event_func = self._on_release
        window.mouse_scroll_event_func = self._on_scroll
        window.key_event_func = self._on_key
        window.unicode_char_entered_func = self._on_character
        window.resize_func = lambda width, height: self._note_event()
        window.iconify_func = lambda iconified: self._note_event()
        window._window.push_handlers(
            on_expose=self._note_event,
            on_deactivate=self._on_deactivate,
            on_mouse_leave=lambda x, y: self._imgui.mouse_position(_FAR_AWAY, _FAR_AWAY),
        )

    def take(self) -> tuple[list[Intent], bool]:
        """The intents since the last call, and whether anything at all happened."""
        intents, any_event = self._intents, self._any_event
        self._intents, self._any_event = [], False
        return intents, any_event

    def _note_event(self) -> None:
        self._any_event = True

    def _at(self, x: float, y: float) -> Point:
        """A window position as a point of the picture: the middle of its pixel, logical, top left origin."""
        self._any_event = True
        self._pointer = (x + 0.5, y - _Y_ERROR + 0.5)
        self._imgui.mouse_position(*self._pointer)
        return self._pointer

    def _fraction(self, point: Point) -> Point:
        """Of the window's size as it is now: when the intent is followed it may be another."""
        width, height = self._window.size
        return point[0] / width, point[1] / height

    def _on_move(self, x: float, y: float, dx: float, dy: float) -> None:
        self._at(x, y)

    def _on_drag(self, x: float, y: float, dx: float, dy: float) -> None:
        self._at(x, y)
        if self._button is None:
            return
        began = self._travel > _CLICK_SLOP
        self._travel = max(self._travel, math.dist(self._pointer, self._pressed_at))
        if self._travel <= _CLICK_SLOP:
            return
        if not began:  # now it is a drag: what the slop held back belongs to it
            dx, dy = self._pointer[0] - self._pressed_at[0], self._pointer[1] - self._pressed_at[1]
        shift = "SHIFT" in self._pressed_modifiers
        self._intents.append(Orbit(dx, dy) if self._button == _LEFT and not shift else Pan(dx, dy))

    def _on_press(self, x: float, y: float, button: int) -> None:
        point = self._at(x, y)
        if self._covers(point):
            self._imgui.mouse_button(button - 1, True)
        elif self._button is None:
            self._button = button
            self._pressed_at = point
            self._travel = 0.0

    def _on_release(self, x: float, y: float, button: int) -> None:
        point = self._at(x, y)
        self._imgui.mouse_button(button - 1, False)
        if button == self._button:
            self._button = None
            if button == _LEFT and self._travel <= _CLICK_SLOP:
                self._intents.append(Click(self._fraction(point)))

    def _on_scroll(self, x_offset: float, y_offset: float) -> None:
        self._any_event = True
        self._imgui.mouse_wheel(x_offset, y_offset)
        if not self._covers(self._pointer):
            self._intents.append(Zoom(y_offset, self._fraction(self._pointer)))

    def _on_key(self, key: int, action: object, modifiers: object) -> None:
        self._any_event = True
        pressed = action == self._window.keys.ACTION_PRESS
        name = self._key_names.get(key, "")
        # The window's own modifiers are those from before the event, and a wheel turn clears them.
        for modifier in ("SHIFT", "CTRL", "ALT"):
            if modifier in name:
                (self._pressed_modifiers.add if pressed else self._pressed_modifiers.discard)(modifier)
        imgui_key = imgui_key_from_window_key(self._window.keys, key)
        if imgui_key is not None:
            self._imgui.key(imgui_key, pressed)
        if pressed and name and not self._imgui.wants_keyboard:
            self._intents.append(KeyPress(name, "CTRL" in self._pressed_modifiers))

    def _on_character(self, text: str) -> None:
        self._any_event = True
        self._imgui.character(text)

    def _on_deactivate(self) -> None:
        # Releases that happen in another window never arrive here.
        self._pressed_modifiers.clear()
        self._button = None
        self._imgui.focus(False)
        self._imgui.focus(True)
