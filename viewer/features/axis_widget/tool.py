"""AxisWidget: the world's axes as the camera sees them, in the corner of each viewport.

A click on an end of an axis looks from there, or from the opposite side if the camera is there already. A drag orbits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from octoscope.viewer.camera import controls
from octoscope.viewer.camera.views import VIEWS
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation, Viewport
from octoscope.viewer.tools.camera_tool import CameraTool
from octoscope.viewer.tools.intents import Click, DoubleClick, Drag, Hover, Intent, RightClick, Steering

RADIUS, END_RADIUS = 38.0, 9.0  # logical pixels, of all of it and of an end
_MARGIN = 12.0
_LEAST_SIDES = 4.0  # of a viewport's smaller side, in radii: it is left out where it would hide too much
_SAME = 1.0 - 1e-6  # cosine of the angle between a direction and one that is taken for it


@dataclass(frozen=True)
class AxisEnd:
    """An end of an axis."""

    axis: int  # 0, 1 or 2
    sign: int  # 1 or -1
    pixel: PixelPoint  # where it is drawn, in the whole picture
    nearness: float  # -1 for the farthest to 1 for the nearest to the viewer


class AxisWidget:
    """The axes in the corners of the viewports, and what the mouse does to them."""

    def __init__(self, view: View, camera: CameraTool) -> None:
        self.enabled = True  # whether it is shown
        self.view = view
        self._camera = camera
        self._pointer: PointerLocation | None = None  # over it, or dragging it
        self._is_dragged = False

    def middle(self, viewport: Viewport) -> PixelPoint | None:
        """Return the middle of the widget in the whole picture; None where there is no room for it."""
        area, reach = self.view.layout.area(viewport), RADIUS * self.view.interface_scale
        if not self.enabled or min(area.size) < _LEAST_SIDES * reach:
            return None
        inset = reach + _MARGIN * self.view.interface_scale
        return self.view.free_area(viewport).end[0] - inset, area.y + inset

    def ends(self, viewport: Viewport) -> list[AxisEnd]:
        """Return the six ends, the farthest first; none where there is no room."""
        middle = self.middle(viewport)
        if middle is None:
            return []
        length = (RADIUS - END_RADIUS) * self.view.interface_scale
        right, up, back = viewport.shown_camera.axes
        ends = [
            AxisEnd(
                axis,
                sign,
                (middle[0] + sign * length * float(right[axis]), middle[1] - sign * length * float(up[axis])),
                sign * float(back[axis]),
            )
            for axis in range(3)
            for sign in (1, -1)
        ]
        return sorted(ends, key=lambda end: end.nearness)

    def is_hovered(self, viewport: Viewport) -> bool:
        """Return whether the mouse is over the widget of a viewport, or drags it."""
        return self._pointer is not None and self._pointer.viewport is viewport

    def hovered_end(self, viewport: Viewport) -> AxisEnd | None:
        """Return the end that a click would look from, or None."""
        if self._pointer is None or self._is_dragged or not self.is_hovered(viewport):
            return None
        return self._end_at(self._pointer)

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if it is meant for the widget; return whether it was."""
        match intent:
            case Hover(location):
                self._is_dragged = False
                self._pointer = location if location is not None and self._holds(location) else None
                return self._pointer is not None
            case Drag():
                return self._drag(intent)
            case Click(location) | DoubleClick(location) if self._holds(location):
                end = self._end_at(location)
                if end is not None:
                    self._look_from(end, location.viewport)
                return True
            case RightClick(location):
                return self._holds(location)
            case Steering():
                self._pointer = None
        return False

    def _drag(self, drag: Drag) -> bool:
        if drag.is_first:
            self._is_dragged = self._holds(drag.begin)
        if not self._is_dragged:
            return False
        self._pointer = drag.begin
        self.view.camera = controls.orbit(self.view.camera, drag.dx, drag.dy, trackball=self._camera.trackball)
        if drag.is_last:
            self._is_dragged = False
            self._pointer = drag.end if self._holds(drag.end) else None
        return True

    def _holds(self, location: PointerLocation) -> bool:
        middle = self.middle(location.viewport)
        return middle is not None and math.dist(middle, location.pixel) <= RADIUS * self.view.interface_scale

    def _end_at(self, location: PointerLocation) -> AxisEnd | None:
        """Return the nearest end at a location to the viewer, or None."""
        for end in reversed(self.ends(location.viewport)):
            if math.dist(end.pixel, location.pixel) <= END_RADIUS * self.view.interface_scale:
                return end
        return None

    def _look_from(self, end: AxisEnd, viewport: Viewport) -> None:
        self.view.active = viewport
        camera = self.view.camera
        direction = np.zeros(3)
        direction[end.axis] = end.sign
        if camera.axes[2] @ direction > _SAME:
            direction = -direction
        looks = [controls.look_from(camera, name) for name in VIEWS]
        self.view.framing.reorient(max(looks, key=lambda look: float(look.axes[2] @ direction)))
        self.view.layout.ease_cameras()
