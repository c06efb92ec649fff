"""LightTool: drags turn the key light, or the environment, while the tool is on."""

from __future__ import annotations

import math

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.frame.view import View
from octoscope.viewer.tools.intents import Drag, Intent, KeyPress, RightClick
from octoscope.viewer.tools.tool import Hand
from octoscope.viewer.window.keys import Chord

_TURN_RAD = math.radians(0.4)  # for each logical pixel of a drag
_END_KEYS = (Chord.parse("Esc"), Chord.parse("Enter"))
command = Declarations("View/Light", after="view.maximise")


class LightTool:
    """Turns the key light or the environment of a view by drags, in place of the camera, while a hand holds the tool.

    Attributes:
        turns_environment: whether it turns that, and not the key light.
    """

    def __init__(self, view: View, hand: Hand) -> None:
        self.turns_environment = False
        self._view = view
        self._hand = hand

    @property
    def is_on(self) -> bool:
        """True while drags turn the light."""
        return self._hand.tool is self

    def toggle(self, *, for_environment: bool) -> None:
        """Take the tool for the environment or the key light, or put it down if it was taken for that."""
        ends = self.is_on and for_environment == self.turns_environment
        self.turns_environment = for_environment
        self._hand.take(None if ends else self)

    def put_down(self) -> None:
        """Keep the light as it is."""

    @property
    def text(self) -> str:
        """A line for users while the tool is on, else ""."""
        if not self.is_on:
            return ""
        if self.turns_environment:
            turn = self._view.settings.environment_rotation_deg
            return f"drag to turn the environment, now {turn:.0f}°; Esc or a right click ends"
        fixed = "to the world" if self._view.settings.lighting.is_fixed_to_world else "to the camera"
        return f"drag to turn the key light, fixed {fixed}; Esc or a right click ends"

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if the tool is on and it is meant for it; return whether it was."""
        if not self.is_on:
            return False
        match intent:
            case Drag(dx, dy):
                self._turn(dx, dy)
            case RightClick():
                self._hand.take(None)
            case KeyPress(chord) if chord in _END_KEYS:
                self._hand.take(None)
            case _:
                return False
        return True

    def _turn(self, dx: float, dy: float) -> None:
        """Move the light as the pointer moves, logical pixels to the right and down."""
        view = self._view
        if self.turns_environment:  # what of it is seen behind the scene goes with the pointer
            turned = view.settings.environment_rotation_deg - math.degrees(_TURN_RAD * dx)
            view.settings.environment_rotation_deg = turned % 360.0
            return
        view.settings.lighting = view.settings.lighting.turned(_TURN_RAD * dx, -_TURN_RAD * dy, view.camera.axes)


command(
    "light.turn",
    "Turn key light",
    "by drags over the picture, until Esc",
    keys=("Alt+L",),
    checked=lambda tool: tool.is_on and not tool.turns_environment,
    synonyms=("light", "light direction", "rotate light", "move light", "sun", "lamp", "lighting"),
)(lambda tool: tool.toggle(for_environment=False))

command(
    "light.turn_environment",
    "Turn environment",
    "the light from all around, about the vertical, by drags over the picture, until Esc",
    keys=("Alt+Shift+L",),
    checked=lambda tool: tool.is_on and tool.turns_environment,
    synonyms=("hdri rotation", "rotate hdri", "rotate environment", "world rotation", "panorama"),
)(lambda tool: tool.toggle(for_environment=True))


def _contribute(context: Context) -> Contribution:
    tool = LightTool(context.view, context.tools.hand)
    return Contribution(commands=command.bound_to(tool), tools=[tool.follow], status=lambda: tool.text)


PART = WindowPart(_contribute)
