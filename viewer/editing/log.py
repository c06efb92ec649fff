"""Log: messages with their time; new ones are shown over the picture as toasts; how long they stay."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from octoscope.scene.system.text_file import printable

OF_FILES = "files"  # subject of problems in opened files
_MOST_ENTRIES = 2000
_MOST_AT_ONCE = 20
_BRIEF = 48  # characters that fit in a menu
TOAST_SECONDS = {"info": 5.0, "warning": 15.0}  # errors stay until they are settled or dismissed


def brief(text: str) -> str:
    """Return a text shortened to fit a menu or a toast."""
    text = printable(text)
    return text if len(text) <= _BRIEF else text[: _BRIEF - 3] + "..."


@dataclass(eq=False)
class LogEntry:
    """A line of the log."""

    at: float  # seconds since the epoch
    level: str  # "error", "warning" or "info"
    text: str
    subject: str = ""  # key of a thing of which only the last line counts, or ""
    offer: tuple[str, str] | None = None  # label of a button beside the line, and the id of the command that it runs
    settled: bool = False  # True once its problem is over, or a newer line is about the same subject

    @property
    def clock(self) -> str:
        """Local time of day."""
        return time.strftime("%H:%M:%S", time.localtime(self.at))


@dataclass
class Log:
    """The messages of the program, oldest first."""

    entries: list[LogEntry] = field(default_factory=list)
    toasts: list[LogEntry] = field(default_factory=list)  # lines that the user has not dismissed yet
    _standing: dict[str, list[LogEntry]] = field(default_factory=dict)  # the lines that are not settled, by subject

    def say(self, level: str, text: str, subject: str = "", offer: tuple[str, str] | None = None) -> None:
        """Add a line; it replaces the same line, or another about its subject, among the toasts.

        A line of level "info" settles the others of its subject.
        """
        if subject and level == "info":
            self.settle(subject)
        if subject:
            self.remove_toast(subject)
        entry = self._add(level, text, subject)
        entry.offer = offer
        if subject:
            self._standing.setdefault(subject, []).append(entry)

    def tell(self, subject: str, error: str) -> None:
        """Say what is wrong with a subject now; "": nothing is any more."""
        if error:
            self.say("error", error, subject)
        else:
            self.settle(subject)

    def report(self, subject: str, lines: Sequence[tuple[str, str]]) -> None:
        """Set all lines that are true of a subject now; those that stand already are not added again.

        Args:
            lines: level and text of each; empty where nothing is true any more.
        """
        standing = {(entry.level, entry.text): entry for entry in self._standing.get(subject, ())}
        self._settle(subject, but=[standing[line] for line in lines if line in standing])
        told = [standing.get(line) or self._add(*line, subject) for line in lines]
        if told:
            self._standing[subject] = told

    def settle(self, subject: str) -> None:
        """Mark the lines about a subject as over, because something has succeeded; they stay in the list."""
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
        """Add lines about one thing; of very many only the first, and a count of the rest."""
        for line in lines[:_MOST_AT_ONCE]:
            self.say(level, line)
        if len(lines) > _MOST_AT_ONCE:
            self.say(level, f"and {len(lines) - _MOST_AT_ONCE:,} more like these")

    def toast(self, text: str, subject: str, offer: tuple[str, str] | None = None) -> None:
        """Show a line that is listed elsewhere, in place of the last toast about its subject; with an offer."""
        self.remove_toast(subject)
        self.toasts.append(LogEntry(time.time(), "info", text, subject, offer))

    def remove_toast(self, subject: str) -> None:
        """Show no toast about a subject any more."""
        self.toasts = [toast for toast in self.toasts if toast.subject != subject]

    def expire(self, is_read: Callable[[LogEntry], bool] = lambda toast: False) -> bool:
        """Remove toasts that were shown for long enough, or are read elsewhere; return whether there were any."""
        now = time.time()
        left = [
            toast
            for toast in self.toasts
            if now - toast.at < TOAST_SECONDS.get(toast.level, math.inf) and (toast.offer or not is_read(toast))
        ]
        expired = len(left) < len(self.toasts)
        self.toasts = left
        return expired

    def dismiss(self) -> None:
        """Remove all toasts."""
        self.toasts = []
