"""Window events to intents: what a person wants, in the window's own words, in the order it came.

The one place that knows moderngl-window's events and their quirks. imgui sees every event; what happens over a
panel, or begins there, becomes no intent.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from moderngl_window.context.base import BaseWindow

from viewer.keys import Chord
from viewer.ui.imgui_backend import ImguiBackend, imgui_key_from_name
from viewer.ui.layout import Area

_CLICK_SLOP = 4.0  # logical pixels that the mouse may move between press and release of a click
_DOUBLE_CLICK_SECONDS = 0.4
_LEFT, _RIGHT, _MIDDLE = 1, 2, 3
_FAR_AWAY = -1e6
_X11_TAB = 23  # keycode: with Shift, X11 has a name for the key that pyglet does not know
# pyglet counts rows from the bottom and moderngl-window back again: on X11 that loses one.
_Y_ERROR = 1.0 if sys.platform.startswith("linux") else 0.0

_MODIFIERS = ("SHIFT", "CTRL", "ALT")
_FLY_KEYS = {  # with the right button held: the axis that each flies along, and which way; see navigation.fly
    "D": (0, 1.0),
    "A": (0, -1.0),
    "E": (1, 1.0),
    "Q": (1, -1.0),
    "W": (2, 1.0),
    "S": (2, -1.0),
}
_PYGLET_NAMES = {  # that moderngl-window does not name
    "RCTRL": "RIGHT_CTRL",
    "LALT": "LEFT_ALT",
    "RALT": "RIGHT_ALT",
    "LCOMMAND": "LEFT_CTRL",
    "RCOMMAND": "RIGHT_CTRL",
    "NUM_ENTER": "ENTER",
    "NUM_DECIMAL": "PERIOD",
    "NUM_SUBTRACT": "MINUS",
}

Point = tuple[float, float]  # logical pixels from the window's top left, or in intents fractions of the picture


@dataclass(frozen=True)
class Drag:
    """A piece of a drag with the left button; dx and dy in logical pixels.

    Attributes:
        begin, end: where the drag began, and where it is now.
        is_first, is_last: of the drag's pieces; the last one moves nothing.
    """

    dx: float
    dy: float
    begin: Point
    end: Point
    is_first: bool = False
    is_last: bool = False
    shift: bool = False
    ctrl: bool = False


@dataclass(frozen=True)
class Pan:
    """Drag with the middle button."""

    dx: float
    dy: float


@dataclass(frozen=True)
class LookAround:
    """Drag with the right button, logical pixels."""

    dx: float
    dy: float


@dataclass(frozen=True)
class FlySpeed:
    """Wheel while the right button is held, steps to be faster."""

    steps: float


@dataclass(frozen=True)
class Press:
    """A button went down over the picture, whatever comes of it."""

    point: Point


@dataclass(frozen=True)
class Zoom:
    """Wheel, steps towards the scene, over a point."""

    steps: float
    point: Point


@dataclass(frozen=True)
class Click:
    """Left button pressed and released in one place, with what is held beside it."""

    point: Point
    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(frozen=True)
class DoubleClick:
    """A second click, soon after the first and in the same place; it takes the second one's place."""

    point: Point


@dataclass(frozen=True)
class Hover:
    """The mouse moves over the scene with no button down; None: it has left it."""

    point: Point | None
    ctrl: bool = False
    shift: bool = False


@dataclass(frozen=True)
class RightClick:
    """Right button pressed and released in one place."""

    point: Point


@dataclass(frozen=True)
class KeyPress:
    """A key, with what was held; Ctrl by itself is no key."""

    chord: Chord


@dataclass(frozen=True)
class Drop:
    """Files that were dropped on the window."""

    paths: tuple[str, ...]


Intent = Press | Drag | Pan | LookAround | FlySpeed | Zoom | Click | DoubleClick | RightClick | Hover | KeyPress | Drop


class Input:
    """Listens to a window and collects intents.

    Args:
        covers: whether a panel lies over a point; asked when the mouse moves, a button goes down or the
            wheel turns.
        picture: the part of the window that the picture has.
    """

    def __init__(
        self,
        window: BaseWindow,
        imgui_backend: ImguiBackend,
        covers: Callable[[Point], bool],
        picture: Callable[[], Area],
    ) -> None:
        self._window = window
        self._imgui = imgui_backend
        self._covers = covers
        self._picture = picture
        self._intents: list[Intent] = []
        self._any_event = True  # a new window wants its first picture
        self._pointer: Point = (0.0, 0.0)
        self._button: int | None = None  # that began the drag under way, if it began over the scene
        self._pressed_at: Point = (0.0, 0.0)
        self._travel = 0.0
        self._last_click: tuple[float, Point] = (-math.inf, (0.0, 0.0))
        self._hovers = False
        self._pressed_modifiers: set[str] = set()
        self._pressed_fly_keys: set[str] = set()
        self._key_names = _key_names(window)
        window.mouse_position_event_func = self._on_move
        window.mouse_drag_event_func = self._on_drag
        window.mouse_press_event_func = self._on_press
        window.mouse_release_event_func = self._on_release
        window.mouse_scroll_event_func = self._on_scroll
        window.key_event_func = self._on_key
        window.unicode_char_entered_func = self._on_character
        window.files_dropped_event_func = self._on_drop
        window.resize_func = lambda width, height: self._note_event()
        window.iconify_func = lambda iconified: self._note_event()
        window._window.push_handlers(
            on_expose=self._note_event,
            on_deactivate=self._on_deactivate,
            on_mouse_leave=self._on_leave,
        )

    def take(self) -> tuple[list[Intent], bool]:
        """The intents since the last call, and whether anything at all happened."""
        intents, any_event = self._intents, self._any_event
        self._intents, self._any_event = [], False
        return intents, any_event

    @property
    def flies(self) -> bool:
        """Whether the right button is held, and its keys fly."""
        return self._button == _RIGHT

    @property
    def fly_direction(self) -> tuple[float, float, float]:
        """Where the keys that are held fly to, right, up and forward; nowhere unless the right button is held."""
        direction = [0.0, 0.0, 0.0]
        for axis, sign in (_FLY_KEYS[name] for name in self._pressed_fly_keys if self.flies):
            direction[axis] += sign
        return tuple(direction)

    @property
    def flies_fast(self) -> bool:
        """Whether Shift is held."""
        return self._holds("SHIFT")

    def _note_event(self) -> None:
        self._any_event = True

    def _at(self, x: float, y: float) -> Point:
        """A window position as a point of the picture: the middle of its pixel, logical, top left origin."""
        self._any_event = True
        self._pointer = (x + 0.5, y - _Y_ERROR + 0.5)
        self._imgui.mouse_position(*self._pointer)
        return self._pointer

    def _fraction(self, point: Point) -> Point:
        """Of the picture as it is now: when the intent is followed it may have another size."""
        return self._picture().fraction(point)

    def _on_move(self, x: float, y: float, dx: float, dy: float) -> None:
        point = self._at(x, y)
        if self._covers(point):
            self._hover_nothing()
        else:
            self._hover(self._fraction(point))

    def _on_leave(self, x: float, y: float) -> None:
        self._imgui.mouse_position(_FAR_AWAY, _FAR_AWAY)
        self._hover_nothing()

    def _hover_nothing(self) -> None:
        if self._hovers:
            self._hovers = False
            self._intents.append(Hover(None))

    def _hover(self, point: Point) -> None:
        """Only the last of several moves in a row counts."""
        self._hovers = True
        if self._intents and isinstance(self._intents[-1], Hover):
            self._intents.pop()
        self._intents.append(Hover(point, self._holds("CTRL"), self._holds("SHIFT")))

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
        if self._button == _LEFT:
            self._add_drag(dx, dy, is_first=not began)
        else:
            self._intents.append((LookAround if self._button == _RIGHT else Pan)(dx, dy))

    def _add_drag(self, dx: float, dy: float, *, is_first: bool = False, is_last: bool = False) -> None:
        ends = self._fraction(self._pressed_at), self._fraction(self._pointer)
        self._intents.append(Drag(dx, dy, *ends, is_first, is_last, self._holds("SHIFT"), self._holds("CTRL")))

    def _holds(self, modifier: str) -> bool:
        return modifier in self._pressed_modifiers

    def _on_press(self, x: float, y: float, button: int) -> None:
        point = self._at(x, y)
        if self._covers(point):
            self._imgui.mouse_button(button - 1, True)
        elif self._button is None:
            self._imgui.release_keyboard()
            self._button = button
            self._pressed_at = point
            self._travel = 0.0
            self._intents.append(Press(self._fraction(point)))

    def _on_release(self, x: float, y: float, button: int) -> None:
        point = self._at(x, y)
        self._imgui.mouse_button(button - 1, False)
        if button == self._button:
            self._button = None
            if button == _RIGHT and self._travel <= _CLICK_SLOP:
                self._intents.append(RightClick(self._fraction(point)))
            if button == _LEFT:
                if self._travel <= _CLICK_SLOP:
                    self._add_click(point)
                else:
                    self._add_drag(0.0, 0.0, is_last=True)

    def _add_click(self, point: Point) -> None:
        held = self._holds("SHIFT"), self._holds("CTRL"), self._holds("ALT")
        last_time, last_point = self._last_click
        now = time.monotonic()
        is_second = now - last_time < _DOUBLE_CLICK_SECONDS and math.dist(point, last_point) <= _CLICK_SLOP
        if is_second and not any(held):
            self._last_click = (-math.inf, point)  # a third one begins anew
            self._intents.append(DoubleClick(self._fraction(point)))
        else:
            self._last_click = (-math.inf if any(held) else now, point)
            self._intents.append(Click(self._fraction(point), *held))

    def _on_scroll(self, x_offset: float, y_offset: float) -> None:
        self._any_event = True
        self._imgui.mouse_wheel(x_offset, y_offset)
        if self.flies:
            self._intents.append(FlySpeed(y_offset))
        elif not self._covers(self._pointer):
            self._intents.append(Zoom(y_offset, self._fraction(self._pointer)))

    def _on_key(self, key: int, action: object, modifiers: object) -> None:
        self._any_event = True
        pressed = action == self._window.keys.ACTION_PRESS
        name = self._key_names.get(key, "")
        # The window's own modifiers are those from before the event, and a wheel turn clears them.
        modifier = next((modifier for modifier in _MODIFIERS if modifier in name), None)
        if modifier is not None:
            (self._pressed_modifiers.add if pressed else self._pressed_modifiers.discard)(modifier)
        if name in _FLY_KEYS:
            (self._pressed_fly_keys.add if pressed else self._pressed_fly_keys.discard)(name)
            if self.flies:
                return
        imgui_key = imgui_key_from_name(name)
        if imgui_key is not None:
            self._imgui.key(imgui_key, pressed)
        if pressed and name and modifier is None:
            held = self._pressed_modifiers
            self._intents.append(KeyPress(Chord(name, "CTRL" in held, "ALT" in held, "SHIFT" in held)))

    def _on_character(self, text: str) -> None:
        self._any_event = True
        self._imgui.character(text)

    def _on_drop(self, x: int, y: int, paths: Sequence[str | Path]) -> None:
        self._any_event = True
        self._intents.append(Drop(tuple(map(str, paths))))

    def _on_deactivate(self) -> None:
        # Releases that happen in another window never arrive here.
        self._pressed_modifiers.clear()
        self._pressed_fly_keys.clear()
        if self._button == _LEFT and self._travel > _CLICK_SLOP:
            self._add_drag(0.0, 0.0, is_last=True)
        self._button = None
        self._imgui.focus(False)
        self._imgui.focus(True)


def _key_names(window: BaseWindow) -> dict[object, str]:
    """Names by the window's codes: moderngl-window's, and for keys that it does not name such as it would."""
    from pyglet.window import key  # where there is a window it is loaded, and without a display it cannot be

    names = {getattr(window.keys, name): name for name in dir(window.keys) if name.isupper() and name[0] != "_"}
    if sys.platform.startswith("linux"):
        names[key.user_key(_X11_TAB)] = "TAB"
    return {getattr(key, code): name for code, name in _PYGLET_NAMES.items()} | names
