"""Log: what happened, a line each, with the time; the newest of it is shown over the picture until it was read."""

from __future__ import annotations

import time
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from scene.text_file import printable

LEVELS = ("error", "warning", "info")
_MOST_ENTRIES = 2000
_MOST_AT_ONCE = 20
_BRIEF = 48  # characters, that a menu has room for
_INFO_SECONDS = 6.0  # errors and warnings stay until they are dismissed


def brief(text: str) -> str:
    """What was done, as a menu and a toast have room for it: names may be of any length."""
    text = printable(text)
    return text if len(text) <= _BRIEF else text[: _BRIEF - 3] + "..."


@dataclass(frozen=True)
class Entry:
    """One line.

    Attributes:
        at: seconds since the epoch. level: one of LEVELS.
        about: what it is news of, where only the last news of that counts; or "".
    """

    at: float
    level: str
    text: str
    about: str = ""

    @property
    def clock(self) -> str:
        """Its local time of day."""
        return time.strftime("%H:%M:%S", time.localtime(self.at))


@dataclass
class Log:
    """What was said, oldest first.

    Attributes:
        entries: the last of them. toasts: those that a person is still to read.
    """

    entries: list[Entry] = field(default_factory=list)
    toasts: list[Entry] = field(default_factory=list)
    _said_once: set[tuple[str, str]] = field(default_factory=set)

    def say(self, level: str, text: str) -> None:
        """Add a line; the same line again takes the place of the one that is still to be read."""
        entry = Entry(time.time(), level, text)
        self.entries.append(entry)
        del self.entries[:-_MOST_ENTRIES]
        self.toasts = [toast for toast in self.toasts if toast.text != text]
        self.toasts.append(entry)

    def say_all(self, level: str, lines: Sequence[str]) -> None:
        """Add lines about one thing; of very many the first, and how many more there are."""
        for line in lines[:_MOST_AT_ONCE]:
            self.say(level, line)
        if len(lines) > _MOST_AT_ONCE:
            self.say(level, f"and {len(lines) - _MOST_AT_ONCE:,} more like these")

    def show(self, text: str, about: str) -> None:
        """Let a person read a line that is listed elsewhere; it takes the place of the last one about the same."""
        self.toasts = [toast for toast in self.toasts if toast.about != about]
        self.toasts.append(Entry(time.time(), "info", text, about))

    def say_once(self, level: str, text: str) -> None:
        """Add a line, unless it was said so before."""
        if (level, text) not in self._said_once:
            self._said_once.add((level, text))
            self.say(level, text)

    def expire(self) -> bool:
        """Let go of toasts that were there for long enough; whether there were any."""
        now = time.time()
        left = [toast for toast in self.toasts if toast.level != "info" or now - toast.at < _INFO_SECONDS]
        expired = len(left) < len(self.toasts)
        self.toasts = left
        return expired

    def withdraw(self, texts: Container[str]) -> None:
        """Let go of toasts that are true no longer."""
        self.toasts = [toast for toast in self.toasts if toast.text not in texts]

    def dismiss(self) -> None:
        """All toasts were read."""
        self.toasts = []
