"""Drags: what a drag with each button of the mouse does, by preset, and as users write it ("Shift+middle")."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from octoscope.viewer.window.keys import BLENDER, CAD, MAYA, OCTOSCOPE

BUTTONS = ("left", "middle", "right")
MODIFIERS = ("Shift", "Ctrl", "Alt")
GESTURES = tuple("+".join(filter(None, (held, button))) for button in BUTTONS for held in ("", *MODIFIERS))
ORBIT, PAN, ZOOM, LOOK, BOX, NOTHING = ACTIONS = ("orbit", "pan", "zoom", "look", "box", "none")
STEERING = ORBIT, PAN, ZOOM, LOOK  # those that move the camera
Drags = Mapping[str, str]  # an action by gesture; one that is not named does what its button does alone

DRAGS: dict[str, Drags] = {
    OCTOSCOPE: {"left": ORBIT, "Shift+left": PAN, "middle": PAN, "right": LOOK},
    BLENDER: {
        "left": ORBIT,
        "Shift+left": PAN,
        "middle": ORBIT,
        "Shift+middle": PAN,
        "Ctrl+middle": ZOOM,
        "right": LOOK,
    },
    MAYA: {"left": BOX, "Alt+left": ORBIT, "middle": PAN, "right": LOOK, "Alt+right": ZOOM},
    CAD: {
        "left": BOX,
        "middle": PAN,
        "Shift+middle": ORBIT,
        "Ctrl+middle": ZOOM,
        "right": ORBIT,
        "Shift+right": PAN,
        "Ctrl+right": ZOOM,
    },
}


def actions_of(gesture: str) -> tuple[str, ...]:
    """Return the actions that a gesture can have: boxes are drawn with the left button, which has handles as well."""
    return tuple(action for action in ACTIONS if action != BOX or gesture.endswith(BUTTONS[0]))


def action_of(drags: Drags, button: str, held: Collection[str] = ()) -> str:
    """Return what a drag does with modifiers held, of which the first that has an action with this button counts."""
    gestures = [f"{modifier}+{button}" for modifier in MODIFIERS if modifier in held]
    return next((drags[gesture] for gesture in (*gestures, button) if gesture in drags), NOTHING)
