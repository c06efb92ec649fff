"""Intents: what the user's pointer and keys mean over the picture, whichever window they came from."""

from __future__ import annotations

from dataclasses import dataclass

from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.window.drags import ORBIT
from octoscope.viewer.window.keys import Chord


@dataclass(frozen=True)
class Drag:
    """A piece of a drag with the left button; dx and dy in logical pixels."""

    dx: float
    dy: float
    begin: PointerLocation
    end: PointerLocation
    is_first: bool = False
    is_last: bool = False  # whether this is its last piece, which moves nothing
    shift: bool = False
    ctrl: bool = False
    action: str = ORBIT  # of drags.ACTIONS: what it does where no tool has it


@dataclass(frozen=True)
class Steering:
    """A piece of a drag that is the camera's; dx and dy in logical pixels."""

    action: str  # of drags.STEERING
    dx: float
    dy: float


@dataclass(frozen=True)
class FlySpeed:
    """The wheel while a button is held that looks around: steps to fly faster."""

    steps: float


@dataclass(frozen=True)
class Press:
    """A button that went down over the picture, whatever comes of it."""

    location: PointerLocation


@dataclass(frozen=True)
class Zoom:
    """The wheel over a point: steps towards the scene."""

    steps: float
    location: PointerLocation


@dataclass(frozen=True)
class Click:
    """A press and release of the left button in one place, with the modifiers that are held."""

    location: PointerLocation
    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(frozen=True)
class DoubleClick:
    """A second click, soon after the first and in the same place; it comes instead of a second Click."""

    location: PointerLocation


@dataclass(frozen=True)
class Hover:
    """A move of the mouse with no button down; location is None once it has left the scene."""

    location: PointerLocation | None
    ctrl: bool = False
    shift: bool = False


@dataclass(frozen=True)
class RightClick:
    """A press and release of the right button in one place."""

    location: PointerLocation
    shift: bool = False


@dataclass(frozen=True)
class KeyPress:
    """A key with the modifiers that are held; Ctrl by itself is no key."""

    chord: Chord
    text: str = ""  # the character that it types, if any


@dataclass(frozen=True)
class Drop:
    """Files that were dropped on the window."""

    paths: tuple[str, ...]


Intent = Press | Drag | Steering | FlySpeed | Zoom | Click | DoubleClick | RightClick | Hover | KeyPress | Drop
