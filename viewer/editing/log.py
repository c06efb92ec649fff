"""Log: what happened, a line each, with the time; the newest of it is shown over the picture until it was read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from scene.system.text_file import printable

LEVELS = ("error", "warning", "info")
_MOST_ENTRIES = 2000
_MOST_AT_ONCE = 20
_BRIEF = 48  # characters, that a menu has room for
_INFO_SECONDS = 6.0  # errors and warnings stay until they are dismissed


def brief(text: str) -> str:
    """What was done, as a menu and a toast have room for it: names may be of any length."""
    text = printable(text)
    return text if len(text) <= _BRIEF else text[: _BRIEF - 3] + "..."


@dataclass(eq=False)
class LogEntry:
    """One line.

    Attributes:
        at: seconds since the epoch. level: one of LEVELS.
        subject: what it is news of, where only the last news of that counts; or "".
        settled: whether it is over: what it complained of has succeeded since, or there is newer news of it.
    """

    at: float
    level: str
    text: str
    subject: str = ""
    settled: bool = False

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

    entries: list[LogEntry] = field(default_factory=list)
    toasts: list[LogEntry] = field(default_factory=list)
    _standing: dict[str, list[LogEntry]] = field(default_factory=dict)  # by subject, what was said of it last

    def say(self, level: str, text: str, subject: str = "") -> None:
        """Add a line; the same line again, or another about its subject, replaces the one that is still to be read.

        News that is neither error nor warning settles those of its subject.
        """
        if subject and level == "info":
            self.settle(subject)
        if subject:
            self.toasts = [toast for toast in self.toasts if toast.subject != subject]
        entry = self._add(level, text, subject)
        if subject:
            self._standing.setdefault(subject, []).append(entry)

    def report(self, subject: str, lines: Sequence[tuple[str, str]]) -> None:
        """Say all that is true of a subject now; what stands there already is not said again.

        Args:
            lines: level and text of each; empty where there is nothing to tell any more.
        """
        standing = {(entry.level, entry.text): entry for entry in self._standing.get(subject, ())}
        self._settle(subject, but=[standing[line] for line in lines if line in standing])
        told = [standing.get(line) or self._add(*line, subject) for line in lines]
        if told:
            self._standing[subject] = told

    def settle(self, subject: str) -> None:
        """Something has succeeded: what was said against it is over, and stays in the list of all."""
        self._settle(subject, but=())

    def _add(self, level: str, text: str, subject: str) -> LogEntry:
        entry = LogEntry(time.time(), level, text, subject)
        self.entries.append(entry)
        del self.entries[:-_MOST_ENTRIES]
        self.toasts = [toast for toast in self.toasts if toast.text != text]
        self.toasts.append(entry)
        return entry

    def _settle(self, subject: str, but: Sequence[LogEntry]) -> None:
        over = [entry for entry in self._standing.pop(subject, ()) if entry not in but]
        for entry in over:
            entry.settled = True
        if over:
            self.toasts = [toast for toast in self.toasts if toast not in over]

    def say_all(self, level: str, lines: Sequence[str]) -> None:
        """Add lines about one thing; of very many the first, and how many more there are."""
        for line in lines[:_MOST_AT_ONCE]:
            self.say(level, line)
        if len(lines) > _MOST_AT_ONCE:
            self.say(level, f"and {len(lines) - _MOST_AT_ONCE:,} more like these")

    def toast(self, text: str, subject: str) -> None:
        """Let a person read a line that is listed elsewhere; it takes the place of the last one about the same."""
        self.toasts = [toast for toast in self.toasts if toast.subject != subject]
        self.toasts.append(LogEntry(time.time(), "info", text, subject))

    def expire(self) -> bool:
        """Let go of toasts that were there for long enough; whether there were any."""
        now = time.time()
        left = [toast for toast in self.toasts if toast.level != "info" or now - toast.at < _INFO_SECONDS]
        expired = len(left) < len(self.toasts)
        self.toasts = left
        return expired

    def dismiss(self) -> None:
        """All toasts were read."""
        self.toasts = []
