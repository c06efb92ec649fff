"""Numbers that a person types while something moves."""

from __future__ import annotations

_DIGITS = {f"{prefix}{digit}": str(digit) for prefix in ("NUMBER_", "NUMPAD_") for digit in range(10)}
_POINTS = ("PERIOD", "COMMA")
_LONGEST = 24


class TypedNumbers:
    """A few numbers; Tab goes to the next one.

    Attributes:
        texts: what was typed, of each number. place: of the one that is being typed.
    """

    def __init__(self) -> None:
        self.texts = [""]
        self.index = 0

    def __bool__(self) -> bool:
        """Whether anything was typed."""
        return any(self.texts)

    @property
    def count(self) -> int:
        """How many were begun."""
        return max((index + 1 for index, text in enumerate(self.texts) if text), default=0)

    def press(self, key: str, most: int) -> bool:
        """A key by the window's name; whether it is one for numbers. `most`: how many there can be."""
        text = self.texts[self.index]
        if key in _DIGITS:
            text += _DIGITS[key]
        elif key in _POINTS:
            text += "" if "." in text else "."
        elif key == "MINUS":
            text = text[1:] if text.startswith("-") else "-" + text
        elif key == "BACKSPACE" and self:
            if not text and self.index:
                self.texts.pop()
                self.index -= 1
                return True
            text = text[:-1]
        elif key == "TAB" and most > 1:
            self.index = (self.index + 1) % most
            self.texts += [""] * (self.index + 1 - len(self.texts))
            return True
        else:
            return False
        self.texts[self.index] = text[:_LONGEST]
        return True

    def values(self, count: int, neutral: float) -> list[float]:
        """The first `count` numbers; `neutral` where there is none yet."""
        texts = (self.texts + [""] * count)[:count]
        return [float(text) if text.strip("-.") else neutral for text in texts]
