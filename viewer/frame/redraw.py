"""Redraw: how much of a window is to be drawn again. Whoever changes something requests it here."""

from __future__ import annotations

import math
import time
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")

PANEL_FRAMES = 6  # imgui lays out changes over two frames, and takes a click's press and release in two more


class Damage(IntEnum):
    """A level of what is to be drawn again; from PANELS on each level includes those before it."""

    NONE = 0
    REFINEMENT = 1  # nothing has changed, and a better picture of the same is drawn piece by piece
    PANELS = 2  # panels, and what is described with them over the picture
    OVERLAY = 3  # outlines and measurements over the picture as it is: a hundredth of the picture's cost
    SCENE = 4  # the picture


class Redraw:
    """The requests for the next frame of a window.

    Attributes:
        clock: time in seconds, by which delayed requests are due and cameras move.
    """

    def __init__(self) -> None:
        self.clock = time.perf_counter
        self._picture = Damage.SCENE
        self._panel_frames = PANEL_FRAMES
        self._refines = False
        self._later: dict[Damage, float] = {}  # by the clock, when each level is due

    @property
    def damage(self) -> Damage:
        """The highest level that was requested and not drawn since."""
        if self._picture == Damage.NONE and self._panel_frames == 0:
            return Damage.REFINEMENT if self._refines else Damage.NONE
        return max(self._picture, Damage.PANELS)

    @property
    def seconds_left(self) -> float:
        """Seconds until the first delayed request is due; infinite without any."""
        return min(self._later.values(), default=math.inf) - self.clock()

    def request(self, level: Damage) -> None:
        """Request a level for the next frame.

        Panels are drawn until their layout has settled, and a picture is refined until it is replaced or refined to the
        end.
        """
        if level > Damage.PANELS:
            self._picture = max(self._picture, level)
        if level >= Damage.PANELS:
            self._panel_frames = PANEL_FRAMES
        self._refines |= level == Damage.REFINEMENT
        if level == Damage.SCENE:
            self.note_refined()

    def request_in(self, level: Damage, seconds: float) -> None:
        """Request a level after some seconds, in place of the last such request for the same level."""
        self._later[level] = self.clock() + seconds

    def request_due(self) -> None:
        """Request each level whose time has come."""
        now = self.clock()
        for level in [level for level, due in self._later.items() if due <= now]:
            if self._later.pop(level, None) is not None:  # a request for the picture ends its refinement
                self.request(level)

    def note_panels(self) -> None:
        """Take note that a frame of panels was described."""
        self._panel_frames = max(0, self._panel_frames - 1)

    def note_picture(self) -> None:
        """Take note that the picture shows all that it should."""
        self._picture = Damage.NONE

    def note_refined(self) -> None:
        """Take note that the picture is not to be refined any more."""
        self._refines = False
        self._later.pop(Damage.REFINEMENT, None)


def differs(old: object, value: object) -> bool:
    """Return whether a value is another one; equal numbers, texts and tuples can be two objects."""
    return not (old is value or (isinstance(value, (int, str, tuple)) and old == value))


class _Redrawn(Protocol):
    """An owner of attributes that pictures show."""

    redraw: Redraw


class RedrawProperty(Generic[Value]):
    """An attribute that is seen in pictures: another value requests a level of its owner's `redraw`."""

    def __init__(self, level: Damage) -> None:
        self._level = level

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, instance: _Redrawn, owner: type) -> Value:
        return getattr(instance, self._name)

    def __set__(self, instance: _Redrawn, value: Value) -> None:
        if differs(vars(instance).get(self._name, self), value):
            setattr(instance, self._name, value)
            instance.redraw.request(self._level)
