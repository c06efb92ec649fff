"""Input: window events become intents, in the order in which they happened.

Dear ImGui sees every event. What happens over what the Shell covers, or begins there, becomes no intent, and neither do
keys that the Focus does not leave to commands.

After a slow frame many events are there at once. Each is judged only after all before it were handled. If those may
have moved the keyboard focus or a panel, it waits, with all events after it, until that was drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools import intents
from octoscope.viewer.tools.held_button import CLICK_SLOP, HeldButton
from octoscope.viewer.ui.focus import Keyboard
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.shell import Shell
from octoscope.viewer.window import drags
from octoscope.viewer.window.event_queue import Event, EventQueue
from octoscope.viewer.window.keys import Chord
from octoscope.viewer.window.window import Window

_DOUBLE_CLICK_SECONDS = 0.4
_LEFT, _RIGHT = 1, 2
_BUTTON_NAMES = {_LEFT: "left", _RIGHT: "right", 3: "middle"}
_FAR_AWAY = -1e6
Point = tuple[float, float]  # logical pixels from the window's top left

_MODIFIERS = ("SHIFT", "CTRL", "ALT")
# While a button looks around: the axis that the key in each place flies along, and which way; see controls.fly.
_FLY_KEYS = {"D": (0, 1.0), "A": (0, -1.0), "E": (1, 1.0), "Q": (1, -1.0), "W": (2, 1.0), "S": (2, -1.0)}


class Input:
    """Listens to a window and hands out intents."""

    def __init__(self, window: Window, imgui_backend: ImguiBackend, shell: Shell, view: View) -> None:
        self._window = window
        self._imgui = imgui_backend
        self.attend(shell, view)
        self._handlers: dict[str, Callable[..., None]] = {
            "move": self._handle_move,
            "leave": self._handle_leave,
            "drag": self._handle_drag,
            "press": self._handle_press,
            "release": self._handle_release,
            "scroll": self._handle_scroll,
            "key": self._handle_key,
            "character": self._handle_character,
            "drop": self._handle_drop,
            "focus_lost": self._handle_focus_lost,
        }
        self._events = EventQueue(window.event_seconds)
        self._events.note()  # for the first picture
        self._earliest_seconds = self._latest_seconds = -math.inf  # between which the event came that is being judged
        self._intents: list[intents.Intent] = []  # of that event
        self._pointer: Point = (0.0, 0.0)
        self._held = HeldButton()  # if it went down over the picture
        self._steers = False  # whether a drag with the left button is the camera's, even where a handle is
        self._panel_buttons: set[int] = set()  # held buttons that were pressed over a panel
        self._last_click: tuple[float, Point] = (-math.inf, (0.0, 0.0))
        self._last_panel_press: tuple[float, int, Point] = (-math.inf, 0, (0.0, 0.0))
        self._hovers = False
        self._pressed_modifiers: set[str] = set()
        self._pressed_fly_keys: set[str] = set()
        self._command_texts: dict[str, str] = {}  # by keys that are held and were commands, what each types
        window.listen(self._queue)

    def attend(self, shell: Shell, view: View) -> None:
        """Use another document's interface from now on, also for events that were not handled yet."""
        self._shell = shell
        self._view = view
        self._focus = shell.focus
        self._covers = shell.covers

    def close(self) -> None:
        """Stop listening."""
        self._window.listen(None)

    def take(self) -> Iterator[intents.Intent]:
        """Yield the next intents, each once the one before it was handled. Events that must wait are kept."""
        while self._events and not self._must_wait(self._events.first):
            event = self._events.pop()
            self._earliest_seconds, self._latest_seconds = event.earliest_seconds, event.latest_seconds
            self._handlers[event.kind](*event.arguments)
            while self._intents:
                yield self._intents.pop(0)

    def take_any_event(self) -> bool:
        """Return whether anything happened since the last call, or waits for another frame."""
        any_event, self._events.any_event = self.has_any_event, False
        return any_event

    @property
    def has_any_event(self) -> bool:
        """True if something happened that was not handled yet."""
        return self._events.any_event or len(self._events) > 0

    @property
    def has_ctrl_c(self) -> bool:
        """True if Ctrl+C is among what was not handled yet."""
        pressed = {each.arguments[0] for each in self._events if each.kind == "key" and each.arguments[1]}
        return "C" in pressed and any(_modifier_of(name) == "CTRL" for name in pressed)

    def _must_wait(self, event: Event) -> bool:
        keyboard, key = self._focus.keyboard, event.arguments if event.kind == "key" else ("", False)
        if self._imgui.has_events_left and _modifier_of(key[0]) is not None and keyboard is not Keyboard.COMMANDS:
            return True  # modifiers count for a whole frame: one released in V's frame would make V of Ctrl+V
        is_click, is_text = event.kind in ("press", "scroll"), event.kind == "character"
        if not (is_click or is_text or key[1]):
            # The press may have ended the typing in a field, which must be done before the drag or click.
            return self._held.button is not None and keyboard is Keyboard.DUE
        if keyboard is Keyboard.DUE or (is_click and self._focus.clicks_are_due):
            return True
        if keyboard is not Keyboard.FIELD or not self._imgui.has_events_left:
            return False
        # A field must get all of its keys before a click or command: these may leave it.
        return is_click or not (is_text or self._chord(key[0]).edits_text)

    def _queue(self, kind: str, *arguments: Any) -> None:
        """Queue an event of the window; a character joins the key that typed it, so that what takes one has both.

        Of several moves in a row the last one counts. Held keys and input methods send characters alone.
        """
        last = self._events.last
        match kind, *arguments:
            case ["change"]:
                self._events.note()
            case ["move", *place] if last is not None and last.kind == "move":
                self._events.replace_last(*place)
            case ["character", text] if last is not None and last.kind == "key" and last.arguments[1::2] == (True, ""):
                self._events.replace_last(*last.arguments[:3], text)
            case ["key", *key]:
                self._events.add(kind, *key, "")
            case ["button", button, pressed]:
                self._events.add("press" if pressed else "release", button)
            case _:
                self._events.add(kind, *arguments)

    def _chord(self, name: str) -> Chord:
        """Return a key with the modifiers that are held."""
        held = self._pressed_modifiers
        return Chord(name, "CTRL" in held, "ALT" in held, "SHIFT" in held)

    @property
    def flies(self) -> bool:
        """True while a button is held that looks around, so that keys fly the camera."""
        return self._held.button is not None and self._action(self._held.button) == drags.LOOK

    def _action(self, button: int) -> str:
        """Return what a drag with a button does with the modifiers that are held."""
        held = [modifier for modifier in drags.MODIFIERS if self._holds(modifier.upper())]
        return drags.action_of(self._shell.settings.config.drags, _BUTTON_NAMES.get(button, ""), held)

    @property
    def fly_direction(self) -> tuple[float, float, float]:
        """The direction of the fly keys that are held: right, up, forward; 0 unless `flies`."""
        keys = [_FLY_KEYS[place] for place in self._pressed_fly_keys if self.flies]
        right, up, forward = (sum(sign for axis, sign in keys if axis == each) for each in range(3))
        return right, up, forward

    @property
    def flies_fast(self) -> bool:
        """True while Shift is held."""
        return self._holds("SHIFT")

    def _at(self, x: float, y: float) -> Point:
        """Move the pointer to a window position, and return it as a point of the window."""
        self._pointer = x + 0.5, y + 0.5  # the middle of its pixel
        self._imgui.mouse_position(*self._pointer)
        return self._pointer

    def _place(self, point: Point) -> PointerLocation:
        picture = self._shell.picture
        return self._view.locate((point[0] - picture.left, point[1] - picture.top))

    def _handle_move(self, x: float, y: float) -> None:
        point = self._at(x, y)
        if self._covers(point):
            self._focus.expect_hover()
            self._hover_nothing()
        else:
            self._hovers = True
            self._intents.append(intents.Hover(self._place(point), self._holds("CTRL"), self._holds("SHIFT")))

    def _handle_leave(self) -> None:
        self._imgui.mouse_position(_FAR_AWAY, _FAR_AWAY)
        self._hover_nothing()

    def _hover_nothing(self) -> None:
        if self._hovers:
            self._hovers = False
            self._intents.append(intents.Hover(None))

    def _handle_drag(self, x: float, y: float) -> None:
        piece = self._held.move(self._at(x, y))
        if piece is None:
            return
        dx, dy, is_first = piece
        if self._held.button == _LEFT and not self._steers:
            self._add_drag(dx, dy, is_first=is_first)
        elif (action := self._action(self._held.button or _LEFT)) in drags.STEERING:
            self._intents.append(intents.Steering(action, dx, dy))

    def _add_drag(self, dx: float, dy: float, *, is_first: bool = False, is_last: bool = False) -> None:
        ends = self._place(self._held.pressed_at), self._place(self._pointer)
        held = self._holds("SHIFT"), self._holds("CTRL")
        self._intents.append(intents.Drag(dx, dy, *ends, is_first, is_last, *held, self._action(_LEFT)))

    def _holds(self, modifier: str) -> bool:
        return modifier in self._pressed_modifiers

    def _handle_press(self, button: int) -> None:
        point = self._pointer
        if self._covers(point):
            last_time, last_button, last_point = self._last_panel_press
            again = button == last_button and self._is_second(last_time, last_point)
            self._last_panel_press = (-math.inf if again else self._latest_seconds, button, point)
            self._imgui.mouse_button(button - 1, True, again=again)
            self._focus.settle()
            self._panel_buttons.add(button)
        elif self._held.button is None:
            self._focus.release_keyboard()
            self._held.press(button, point)
            self._steers = self._holds("ALT") and "Alt+left" in self._shell.settings.config.drags
            self._intents.append(intents.Press(self._place(point)))

    def _handle_release(self, button: int) -> None:
        point = self._pointer
        self._imgui.mouse_button(button - 1, False)
        if button in self._panel_buttons:
            self._panel_buttons.discard(button)
            self._focus.settle()
        if button == self._held.button:
            self._held.button = None
            if button == _RIGHT and not self._held.drags:
                self._intents.append(intents.RightClick(self._place(point), self._holds("SHIFT")))
            if button == _LEFT:
                if not self._held.drags:
                    self._add_click(point)
                elif not self._steers:
                    self._add_drag(0.0, 0.0, is_last=True)

    def _add_click(self, point: Point) -> None:
        held = self._holds("SHIFT"), self._holds("CTRL"), self._holds("ALT")
        if self._is_second(*self._last_click) and not any(held):
            self._last_click = (-math.inf, point)  # a third click begins anew
            self._intents.append(intents.DoubleClick(self._place(point)))
        else:
            self._last_click = (-math.inf if any(held) else self._latest_seconds, point)
            self._intents.append(intents.Click(self._place(point), *held))

    def _is_second(self, last_time: float, last_point: Point) -> bool:
        """Return whether a click completes a double click, by the times at which the events happened.

        After a slow frame those are known roughly, and what may be a double click is one.
        """
        is_soon = self._earliest_seconds - last_time < _DOUBLE_CLICK_SECONDS
        return is_soon and math.dist(self._pointer, last_point) <= CLICK_SLOP

    def _handle_scroll(self, x_offset: float, y_offset: float) -> None:
        self._imgui.mouse_wheel(x_offset, y_offset)
        if self.flies:
            self._held.travel = math.inf
            self._intents.append(intents.FlySpeed(y_offset))
        elif not self._covers(self._pointer):
            self._intents.append(intents.Zoom(y_offset, self._place(self._pointer)))

    def _handle_key(self, name: str, pressed: bool, place: str, text: str) -> None:
        modifier = _modifier_of(name)
        if modifier is not None:
            (self._pressed_modifiers.add if pressed else self._pressed_modifiers.discard)(modifier)
        if place in _FLY_KEYS:
            (self._pressed_fly_keys.add if pressed else self._pressed_fly_keys.discard)(place)
            if self.flies:
                self._held.travel = math.inf  # after flying, the release is no click
                return
        chord = self._chord(name)
        is_left = self._focus.take_key(chord, pressed=pressed, over_picture=not self._covers(self._pointer))
        self._command_texts.pop(name, None)
        if pressed and name and modifier is None and is_left:
            self._command_texts[name] = text
            self._intents.append(intents.KeyPress(chord, text))
        elif text:  # but not of a key that ran a command, which may have opened a field
            self._imgui.character(text)

    def _handle_character(self, text: str) -> None:
        if text not in self._command_texts.values():  # else the key is still held, and its command has opened a field
            self._imgui.character(text)

    def _handle_drop(self, paths: Sequence[str]) -> None:
        self._intents.append(intents.Drop(tuple(paths)))

    def _handle_focus_lost(self) -> None:
        # Releases that happen in another window never arrive here.
        self._pressed_modifiers.clear()
        self._pressed_fly_keys.clear()
        self._command_texts.clear()
        if self._held.button == _LEFT and self._held.drags and not self._steers:
            self._add_drag(0.0, 0.0, is_last=True)
        self._held.button = None
        self._panel_buttons.clear()
        self._imgui.lose_focus()


def _modifier_of(name: str) -> str | None:
    """Return the modifier that a key is, or None."""
    return next((modifier for modifier in _MODIFIERS if modifier in name), None)
