"""EventQueue: the window's events in the order in which they came, until it is known what they are for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """An event of the window."""

    kind: str
    arguments: tuple
    earliest_seconds: float  # time before which it cannot have come
    latest_seconds: float  # time at which the window handed it out


class EventQueue:
    """Keeps events in their order; `clock` returns the earliest and latest time, in seconds, of the one handed out."""

    def __init__(self, clock: Callable[[], tuple[float, float]]) -> None:
        self.any_event = False  # True after any event; cleared by whoever reads it
        self._clock = clock
        self._events: deque[Event] = deque()

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    @property
    def first(self) -> Event:
        """The oldest event."""
        return self._events[0]

    @property
    def last(self) -> Event | None:
        """The newest event, or None."""
        return self._events[-1] if self._events else None

    def pop(self) -> Event:
        """Remove the oldest event and return it."""
        return self._events.popleft()

    def note(self, *_: object) -> None:
        """Take note of an event that needs nothing but another frame."""
        self.any_event = True

    def add(self, kind: str, *arguments: object) -> None:
        """Add an event of a kind as the newest."""
        self.any_event = True
        self._events.append(Event(kind, arguments, *self._clock()))

    def replace_last(self, *arguments: object) -> None:
        """Give the newest event other arguments: of several moves of the mouse in a row only the last counts."""
        last = self._events.pop()
        self.add(last.kind, *arguments)
