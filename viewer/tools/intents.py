"""Intents: what a person wants of the picture, whatever window it was said to."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.frame.viewports import PointerLocation
from viewer.window.keys import Chord


@dataclass(frozen=True)
class Drag:
    """A piece of a drag with the left button; dx and dy in logical pixels.

    Attributes:
        begin, end: where the drag began, and where it is now.
        is_first, is_last: of the drag's pieces; the last one moves nothing.
    """

    dx: float
    dy: float
    begin: PointerLocation
    end: PointerLocation
    is_first: bool = False
    is_last: bool = False
    shift: bool = False
    ctrl: bool = False


@dataclass(frozen=True)
class Pan:
    """Drag with the middle button."""

    dx: float
    dy: float


@dataclass(frozen=True)
class LookAround:
    """Drag with the right button, logical pixels."""

    dx: float
    dy: float


@dataclass(frozen=True)
class FlySpeed:
    """Wheel while the right button is held, steps to be faster."""

    steps: float


@dataclass(frozen=True)
class Press:
    """A button went down over the picture, whatever comes of it."""

    location: PointerLocation


@dataclass(frozen=True)
class Zoom:
    """Wheel, steps towards the scene, over a point."""

    steps: float
    location: PointerLocation


@dataclass(frozen=True)
class Click:
    """Left button pressed and released in one place, with what is held beside it."""

    location: PointerLocation
    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(frozen=True)
class DoubleClick:
    """A second click, soon after the first and in the same place; it takes the second one's place."""

    location: PointerLocation


@dataclass(frozen=True)
class Hover:
    """The mouse moves over the scene with no button down; None: it has left it."""

    location: PointerLocation | None
    ctrl: bool = False
    shift: bool = False


@dataclass(frozen=True)
class RightClick:
    """Right button pressed and released in one place."""

    location: PointerLocation


@dataclass(frozen=True)
class KeyPress:
    """A key, with what was held; Ctrl by itself is no key."""

    chord: Chord


@dataclass(frozen=True)
class Drop:
    """Files that were dropped on the window."""

    paths: tuple[str, ...]


Intent = Press | Drag | Pan | LookAround | FlySpeed | Zoom | Click | DoubleClick | RightClick | Hover | KeyPress | Drop
