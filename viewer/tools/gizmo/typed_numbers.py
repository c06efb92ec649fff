"""TypedNumbers: numbers that are typed during a drag, in place of the mouse's."""

from __future__ import annotations

_DIGITS = {f"{prefix}{digit}": str(digit) for prefix in ("NUMBER_", "NUMPAD_") for digit in range(10)}
_POINTS = ("PERIOD", "COMMA")
_LONGEST = 24


class TypedNumbers:
    """A few numbers; Tab goes to the next one."""

    def __init__(self) -> None:
        self.texts = [""]
        self.index = 0

    def __bool__(self) -> bool:
        return any(self.texts)

    @property
    def count(self) -> int:
        """Number of texts up to the last that is not empty."""
        return max((index + 1 for index, text in enumerate(self.texts) if text), default=0)

    def press(self, key: str, most: int) -> bool:
        """Take a key if it belongs to numbers.

        Returns:
            True if the key was taken.
        """
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
        """Return the first `count` numbers, `neutral` for each that is not typed yet."""
        texts = (self.texts + [""] * count)[:count]
        return [float(text) if text.strip("-.") else neutral for text in texts]
