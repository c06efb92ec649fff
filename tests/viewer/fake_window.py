"""FakeWindow: sends who listens the events of a window, one by one or many at once, as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from octoscope.viewer.window.keys import Chord

Point = tuple[float, float]

_SHIFTED = {"MINUS": "_", "PERIOD": ">", "SLASH": "?"}
_PLAIN = {"MINUS": "-", "PERIOD": ".", "SLASH": "/", "SPACE": " ", "COMMA": ","}


class FakeWindow:
    """Stands in for the window that viewer.app.input.Input listens to.

    Attributes:
        seconds: the time at which an event is handed out; to be set.
        waited_seconds: how long ago it may have come; to be set.
    """

    def __init__(self) -> None:
        self.seconds = 1.0
        self.waited_seconds = 0.0
        self.listen(None)
        self._held: int | None = None  # a button

    def listen(self, tell: Callable[..., object] | None) -> None:
        self._tell = tell or (lambda *event: None)

    def event_seconds(self) -> tuple[float, float]:
        return self.seconds - self.waited_seconds, self.seconds

    def lose_focus(self) -> None:
        """Another window has the keyboard from now on, and gets what is released."""
        self._tell("focus_lost")

    # Keys.

    def key_down(self, name: str, text: str = "") -> None:
        self._tell("key", name, True, name)
        if text:
            self.type(text)

    def key_up(self, name: str) -> None:
        self._tell("key", name, False, name)

    def type(self, text: str) -> None:
        """Send a character alone, as a held key and an input method do."""
        self._tell("character", text)

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
        x, y = point[0] - 0.5, point[1] - 0.5
        self._tell("move" if self._held is None else "drag", x, y)

    def button_down(self, button: int = 1) -> None:
        """1 is the left one, 2 the right one, 3 the middle one."""
        self._held = button
        self._tell("button", button, True)

    def button_up(self, button: int = 1) -> None:
        self._held = None
        self._tell("button", button, False)

    def scroll(self, steps: float) -> None:
        """Turn the wheel; above 0 is away from the person."""
        self._tell("scroll", 0.0, steps)

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
