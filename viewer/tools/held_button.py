"""HeldButton: a button of the mouse that is held over the picture, and whether that is a click or a drag."""

from __future__ import annotations

import math

CLICK_SLOP = 4.0  # logical pixels that the mouse may move between press and release of a click
_Point = tuple[float, float]  # logical pixels


class HeldButton:
    """The button that is held over the picture."""

    def __init__(self) -> None:
        self.button: int | None = None
        self.pressed_at: _Point = (0.0, 0.0)  # where it went down, logical pixels
        self.point: _Point = (0.0, 0.0)  # where the pointer is, since the button went down
        self.travel = 0.0  # how far from there the pointer was at most, logical pixels

    @property
    def drags(self) -> bool:
        """True once the pointer has moved too far for a click."""
        return self.travel > CLICK_SLOP

    def press(self, button: int, point: _Point) -> None:
        """Hold a button that goes down at a point."""
        self.button, self.pressed_at, self.point, self.travel = button, point, point, 0.0

    def move(self, point: _Point) -> tuple[float, float, bool] | None:
        """Move the pointer; return the next piece of the drag, dx and dy and whether it is the first, or None."""
        if self.button is None:
            return None
        began, before, self.point = self.drags, self.point, point
        self.travel = max(self.travel, math.dist(point, self.pressed_at))
        if not self.drags:
            return None
        if not began:
            before = self.pressed_at
        return point[0] - before[0], point[1] - before[1], not began
