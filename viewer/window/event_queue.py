"""The window's events, in the order in which they came, until it is known what they are for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto


class WaitFor(Enum):
    """What an event must wait for."""

    NOTHING = auto()
    KEYBOARD = auto()  # until it is known what has it
    PANELS = auto()  # until it is known what lies under the mouse, too


@dataclass(frozen=True)
class Event:
    """One event of the window's.

    Attributes:
        handle: called with `arguments`, does what is to be done. seconds: when it came.
    """

    handle: Callable[..., object]
    arguments: tuple
    seconds: float
    wait_for: WaitFor


class EventQueue:
    """Takes events in, one after the other.

    Args:
        clock: seconds at which the event that is being handed out came.

    Attributes:
        any_event: whether anything at all happened; to be cleared.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.any_event = False
        self._clock = clock
        self._events: deque[Event] = deque()

    def __len__(self) -> int:
        return len(self._events)

    @property
    def first(self) -> Event:
        return self._events[0]

    @property
    def last(self) -> Event | None:
        return self._events[-1] if self._events else None

    def pop(self) -> Event:
        return self._events.popleft()

    def note(self, *_: object) -> None:
        """Something happened that needs no answer but another frame."""
        self.any_event = True

    def add(self, handle: Callable[..., object], *arguments: object, wait_for: WaitFor = WaitFor.NOTHING) -> None:
        self.any_event = True
        self._events.append(Event(handle, arguments, self._clock(), wait_for))

    def replace_last(self, *arguments: object) -> None:
        """The last event with other arguments: of several moves in a row only the last one counts."""
        last = self._events.pop()
        self.add(last.handle, *arguments, wait_for=last.wait_for)
