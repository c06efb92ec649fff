"""CameraTool: gestures that move a view's camera, and how they do it: as on a turntable or a trackball, how fast."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from viewer.camera import controls
from viewer.frame.view import View
from viewer.frame.viewports import PointerLocation, Viewport
from viewer.tools.intents import Drag, FlySpeed, Hover, Intent, LookAround, Pan, Zoom

_FAST = 4.0  # times the speed, with Shift
_LONGEST_STEP_SECONDS = 0.1  # after a picture that took longer one would not know where one is


class CameraTool:
    """Moves the camera of the viewport that is worked in.

    Attributes:
        trackball: whether turning is that of a trackball, not of a turntable.
        speed: of flying, times the distance from the pivot a second.
        pointer: where over the picture the mouse was last, or None: elsewhere.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self.trackball = False
        self.speed = 1.0
        self.pointer: PointerLocation | None = None
        self._last_turn: float | None = None  # of a flight that is under way
        self._center: np.ndarray | None = None  # of the drag under way

    @property
    def flying_text(self) -> str:
        """What a person who flies is told."""
        return f"flying at {self.speed:.3g}: W A S D, Q E, Shift is faster, the wheel changes the speed"

    def note(self, intent: Intent) -> None:
        """See where the mouse is, whoever the intent is for."""
        if isinstance(intent, Hover):
            self.pointer = intent.location

    @property
    def pointed(self) -> Viewport:
        """The viewport under the mouse, or else the active one."""
        return self._view.active if self.pointer is None else self._view.locate(self.pointer.pixel).viewport

    def begin(self, location: PointerLocation) -> None:
        """Work from now on in the viewport that a button went down in."""
        self._view.active = location.viewport

    def follow(self, gesture: Drag | Pan | LookAround | Zoom | FlySpeed, *, middle_turns: bool = False) -> None:
        """Do what a gesture means.

        Args:
            middle_turns: whether the middle button turns about the pivot, as where the left one is a tool's.
        """
        match gesture:
            case Drag():
                self._drag(gesture)
            case Pan(dx, dy) if middle_turns:
                self._view.camera = controls.orbit(self._view.camera, dx, dy, trackball=self.trackball)
            case Pan(dx, dy):
                self._pan(dx, dy)
            case LookAround(dx, dy):
                self._view.camera = controls.look_around(self._view.camera, dx, dy, trackball=self.trackball)
            case Zoom(steps, location):
                self._zoom(steps, location)
            case FlySpeed(steps):
                self.speed = controls.fly_speed(self.speed, steps)

    def _drag(self, drag: Drag) -> None:
        """Turn about what lies where the drag began, or shift with Shift."""
        if drag.shift:
            self._pan(drag.dx, drag.dy)
            return
        if drag.is_first:
            hit = drag.begin.hit()
            self._center = None if hit is None else hit.point
        self._view.camera = controls.orbit(
            self._view.camera, drag.dx, drag.dy, trackball=self.trackball, about=self._center
        )

    def _pan(self, dx: float, dy: float) -> None:
        """Shift by a drag, logical pixels."""
        self._view.camera = controls.pan(self._view.camera, dx, dy, self._view.area().height)

    def _zoom(self, steps: float, location: PointerLocation) -> None:
        """Come nearer to what lies there."""
        self.begin(location)
        farthest = self._view.farthest_distance()
        self._view.camera = controls.zoom(self._view.camera, steps, location.world_point(), farthest=farthest)

    def fly(self, direction: Sequence[float], seconds: float, *, fast: bool = False) -> None:
        """Fly on for a time; the direction is that of controls.fly."""
        speed = self.speed * (_FAST if fast else 1.0)
        seconds = min(seconds, _LONGEST_STEP_SECONDS)
        self._view.camera = controls.fly(self._view.camera, direction, seconds, speed=speed)

    def fly_on(self, direction: Sequence[float], *, fast: bool = False) -> bool:
        """Fly on for as long as it is since the last call; whether the direction leads anywhere."""
        flies, now = any(direction), time.perf_counter()
        if flies:
            self.fly(direction, 0.0 if self._last_turn is None else now - self._last_turn, fast=fast)
        self._last_turn = now if flies else None
        return flies

    def toggle_trackball(self) -> None:
        """Turn as on a trackball, or as on a turntable again, where all horizons are level."""
        self.trackball = not self.trackball
        if not self.trackball:
            for viewport in self._view.viewports:
                viewport.camera = controls.level(viewport.camera)
