"""LightTool: drags turn the key light while the tool is on."""

from __future__ import annotations

import math

from octoscope.viewer.frame.view import View
from octoscope.viewer.tools.intents import Drag, Intent, KeyPress, RightClick
from octoscope.viewer.window.keys import Chord

_TURN_RAD = math.radians(0.4)  # for each logical pixel of a drag
_END_KEYS = (Chord.parse("Esc"), Chord.parse("Enter"))


class LightTool:
    """Turns the key light of a view.

    Attributes:
        is_on: whether drags turn the light in place of the camera.
    """

    def __init__(self, view: View) -> None:
        self.is_on = False
        self._view = view

    @property
    def text(self) -> str:
        """A line for users while the tool is on, else ""."""
        if not self.is_on:
            return ""
        fixed = "to the world" if self._view.lighting.is_fixed_to_world else "to the camera"
        return f"drag to turn the key light, fixed {fixed}; Esc or a right click ends"

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if the tool is on and it is meant for it; return whether it was."""
        if not self.is_on:
            return False
        match intent:
            case Drag(dx, dy):
                self._turn(dx, dy)
            case RightClick():
                self.is_on = False
            case KeyPress(chord) if chord in _END_KEYS:
                self.is_on = False
            case _:
                return False
        return True

    def _turn(self, dx: float, dy: float) -> None:
        """Move the light as the pointer moves, logical pixels to the right and down."""
        view = self._view
        view.lighting = view.lighting.turned(_TURN_RAD * dx, -_TURN_RAD * dy, view.camera.axes)
