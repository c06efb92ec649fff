"""CameraTool: gestures and keys move the camera, as a turntable or a trackball; flying and its speed."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np

from octoscope.viewer.camera import controls
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation, Viewport
from octoscope.viewer.tools.intents import Drag, FlySpeed, Hover, Intent, Steering, Zoom
from octoscope.viewer.window import drags

_FARTHEST = 30.0  # times the scene's size, from the pivot: there zooming out ends
_DOLLY_STEPS_PER_PX = 0.05  # of the wheel
_FAST = 4.0  # times the speed, with Shift
_LONGEST_STEP_SECONDS = 0.1  # a longer step, after a slow picture, would lead astray


class CameraTool:
    """Moves the camera of the active viewport."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.trackball = False  # True orbits as a trackball, False as a turntable
        self.speed = 1.0  # of flying, in distances from the pivot a second
        # the mouse's last location over the picture, or None while it is elsewhere
        self.pointer: PointerLocation | None = None
        self._last_step: float | None = None  # seconds by the clock, during a flight
        self._center: np.ndarray | None = None  # (3,) world, about which the present drag orbits

    @property
    def flying_text(self) -> str:
        """A line for users about flying."""
        return f"flying at {self.speed:.3g}: W A S D, Q E, Shift is faster, the wheel changes the speed"

    def note(self, intent: Intent) -> None:
        """Take note of the mouse's location in any intent."""
        if isinstance(intent, Hover):
            self.pointer = intent.location

    @property
    def pointed(self) -> Viewport:
        """The viewport under the mouse, or the active one."""
        return self._view.active if self.pointer is None else self._view.locate(self.pointer.pixel).viewport

    def begin(self, location: PointerLocation) -> None:
        """Make the viewport active in which a button went down."""
        self._view.active = location.viewport

    def follow(self, gesture: Drag | Steering | Zoom | FlySpeed) -> None:
        """Move the camera by a gesture."""
        match gesture:
            case Drag():
                self._drag(gesture)
            case Steering(drags.ORBIT, dx, dy):
                self._view.camera = controls.orbit(self._view.camera, dx, dy, trackball=self.trackball)
            case Steering(drags.PAN, dx, dy):
                self._view.camera = controls.pan(self._view.camera, dx, dy, self._view.layout.area().height)
            case Steering(drags.ZOOM, dx, dy):
                self._zoom(_DOLLY_STEPS_PER_PX * (dx - dy), self._view.camera.pivot)
            case Steering(drags.LOOK, dx, dy):
                self._view.camera = controls.look_around(self._view.camera, dx, dy, trackball=self.trackball)
            case Zoom(steps, location):
                self.begin(location)
                self._zoom(steps, location.world_point())
            case FlySpeed(steps):
                self.speed = controls.fly_speed(self.speed, steps)

    def _drag(self, drag: Drag) -> None:
        """Do what a drag with the left button does; it orbits about the point where it began."""
        if drag.action != drags.ORBIT:
            self.follow(Steering(drag.action, drag.dx, drag.dy))
            return
        if drag.is_first:
            hit = drag.begin.hit()
            self._center = None if hit is None else hit.point
        self._view.camera = controls.orbit(
            self._view.camera, drag.dx, drag.dy, trackball=self.trackball, about=self._center
        )

    def _zoom(self, steps: float, target: np.ndarray) -> None:
        """Zoom towards a world point."""
        bounds = self._view.index.bounds()
        size = 0.0 if bounds is None else float(np.linalg.norm(bounds[1] - bounds[0]))
        farthest = _FARTHEST * size or math.inf
        self._view.camera = controls.zoom(self._view.camera, steps, target, farthest=farthest)

    def fly(self, direction: Sequence[float], seconds: float, *, fast: bool = False) -> None:
        """Fly for some seconds; the direction is that of controls.fly."""
        speed = self.speed * (_FAST if fast else 1.0)
        seconds = min(seconds, _LONGEST_STEP_SECONDS)
        self._view.camera = controls.fly(self._view.camera, direction, seconds, speed=speed)

    def fly_on(self, direction: Sequence[float], *, fast: bool = False) -> bool:
        """Fly for the time since the last call; return whether the direction leads anywhere."""
        flies, now = any(direction), time.perf_counter()
        if flies:
            self.fly(direction, 0.0 if self._last_step is None else now - self._last_step, fast=fast)
        self._last_step = now if flies else None
        return flies

    def toggle_trackball(self) -> None:
        """Switch between trackball and turntable; the turntable levels all horizons."""
        self.trackball = not self.trackball
        if not self.trackball:
            for viewport in self._view.viewports:
                viewport.camera = controls.level(viewport.camera)
