"""Keys: chords as users write them ("Ctrl+Shift+Z"), and the command that each belongs to."""

from __future__ import annotations

import string
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from octoscope.scene.system.text_file import shortened

OCTOSCOPE, BLENDER, MAYA, CAD = PRESETS = ("octoscope", "blender", "maya", "cad")

# As people write a key, and as the window calls it; letters and F1 to F12 are called alike.
_WINDOW_NAMES = {
    **{digit: f"NUMBER_{digit}" for digit in string.digits},
    **{f"Num {digit}": f"NUMPAD_{digit}" for digit in string.digits},
    **{letter: letter for letter in string.ascii_uppercase},
    **{f"F{number}": f"F{number}" for number in range(1, 13)},
    "Esc": "ESCAPE",
    "Enter": "ENTER",
    "Space": "SPACE",
    "Tab": "TAB",
    "Backspace": "BACKSPACE",
    "Del": "DELETE",
    "Ins": "INSERT",
    "Home": "HOME",
    "End": "END",
    "PageUp": "PAGE_UP",
    "PageDown": "PAGE_DOWN",
    "Left": "LEFT",
    "Right": "RIGHT",
    "Up": "UP",
    "Down": "DOWN",
    ",": "COMMA",
    ".": "PERIOD",
    "/": "SLASH",
    "\\": "BACKSLASH",
    ";": "SEMICOLON",
    "-": "MINUS",
    "=": "EQUAL",
    "[": "LEFT_BRACKET",
    "]": "RIGHT_BRACKET",
}
_SHOWN = {window_name: shown for shown, window_name in _WINDOW_NAMES.items()}
_BY_LOWER = {shown.lower().replace(" ", ""): window_name for shown, window_name in _WINDOW_NAMES.items()} | {
    "delete": "DELETE",
    "escape": "ESCAPE",
    "return": "ENTER",
    "insert": "INSERT",
    **{f"numpad{digit}": f"NUMPAD_{digit}" for digit in string.digits},
}

# GLFW's names of keys without KEY_ are ours, but for these. Apple's command key is what Ctrl is elsewhere.
NAME_BY_GLFW_NAME = {
    **{digit: f"NUMBER_{digit}" for digit in string.digits},
    **{f"KP_{digit}": f"NUMPAD_{digit}" for digit in string.digits},
    **{f"{side}_CONTROL": f"{side}_CTRL" for side in ("LEFT", "RIGHT")},
    **{f"{side}_SUPER": f"{side}_CTRL" for side in ("LEFT", "RIGHT") if sys.platform == "darwin"},
    "KP_ENTER": "ENTER",
    "KP_DECIMAL": "PERIOD",
    "KP_SUBTRACT": "MINUS",
}
_MODIFIERS = ("Ctrl", "Alt", "Shift")
_TEXT_KEYS = frozenset("ACVXYZ") | {"LEFT", "RIGHT", "HOME", "END", "BACKSPACE", "DELETE"}  # a field's own, with Ctrl


@dataclass(frozen=True)
class Chord:
    """A key with the modifiers that are held."""

    key: str  # the key's name, such as "F", "NUMBER_1" or "LEFT_CTRL"; "" for one without a name
    ctrl: bool = False
    alt: bool = False
    shift: bool = False

    @staticmethod
    def parse(text: str) -> Chord:
        """Return the chord that users write as "Ctrl+Shift+Z"; a ValueError says why a text is none."""
        shown = shortened(repr(text))
        *held, key = (part.strip() for part in text.split("+"))
        window_name = _BY_LOWER.get(key.lower().replace(" ", ""))
        if window_name is None:
            raise ValueError(f"{shown}: unknown key {shortened(repr(key))}")
        modifiers = [modifier.capitalize() for modifier in held]
        for modifier, written in zip(modifiers, held, strict=True):
            if modifier not in _MODIFIERS:
                raise ValueError(
                    f"{shown}: unknown modifier {shortened(repr(written))}; there are {', '.join(_MODIFIERS)}"
                )
        if len(set(modifiers)) < len(modifiers):
            raise ValueError(f"{shown}: a modifier is given twice")
        return Chord(window_name, *(modifier in modifiers for modifier in _MODIFIERS))

    @property
    def edits_text(self) -> bool:
        """True for chords that a text field with the keyboard takes; never for F1, Ctrl+P and the like."""
        return not (self.is_function_key or (self.ctrl and self.key not in _TEXT_KEYS))

    @property
    def is_function_key(self) -> bool:
        """True for F1 and the like, whatever is held."""
        return self.key.startswith("F") and self.key[1:].isdigit()

    def __str__(self) -> str:
        held = [name for name in _MODIFIERS if getattr(self, name.lower())]
        return "+".join([*held, _SHOWN.get(self.key, self.key)])


def name_on_layout(name: str, character: str) -> str:
    """Return the name of a key that types a character on the keyboard's own layout.

    Args:
        name: of the key in this place on a keyboard of the United States.
        character: what the key types without Shift.
    """
    if (own := _WINDOW_NAMES.get(character.upper())) is not None:
        return own
    # Letters of other alphabets, and digits that are typed with Shift, keep their place; other keys have no name.
    return name if len(name) == 1 or name.startswith("NUMBER_") else ""


def bind(
    preset: Mapping[str, Sequence[str]], rebound: Mapping[str, Sequence[str]]
) -> tuple[dict[str, tuple[Chord, ...]], dict[Chord, str], list[str]]:
    """Return the keys of each command, the command of each key, and problems.

    Args:
        preset: keys by command id, each key once.
        rebound: keys in place of those, by command id; they win over other commands' keys.

    Returns:
        Chords by command id, command id by chord, and a line about each key or id that cannot be used.
    """
    problems: list[str] = []
    owners: dict[Chord, str] = {}
    for command_id, texts in rebound.items():
        if command_id not in preset:
            problems.append(f"keys: no such command {shortened(repr(command_id))}; F1 lists them")
            continue
        for chord in _chords(texts, command_id, problems):
            if owners.setdefault(chord, command_id) != command_id:
                problems.append(f"keys: {chord} is given to {owners[chord]} and to {command_id}; the first has it")
    mine = set(owners)
    for command_id, texts in preset.items():
        if command_id in rebound:
            continue
        for chord in map(Chord.parse, texts):
            owner = owners.setdefault(chord, command_id)
            if chord in mine:
                problems.append(f"keys: {chord} is now {owner}'s; {command_id} has it no longer")
            elif owner != command_id:
                raise ValueError(f"{chord} belongs to {owner} and to {command_id}")
    keys: dict[str, tuple[Chord, ...]] = dict.fromkeys(preset, ())
    for chord, command_id in owners.items():
        keys[command_id] += (chord,)
    return keys, owners, problems


def _chords(texts: Iterable[str], command_id: str, problems: list[str]) -> list[Chord]:
    chords = []
    for text in texts:
        try:
            chords.append(Chord.parse(text))
        except ValueError as error:
            problems.append(f"keys: {command_id}: {error}")
    return chords
