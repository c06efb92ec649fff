"""The camera's commands in the View menu: to the clipboard and back, and steps about what is looked at."""

from __future__ import annotations

import math
from functools import partial

from octoscope.scene.conventions.up_axis import UP_AXES
from octoscope.scene.editing.edits import change_scene
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera_json import camera_from_json, camera_to_json
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations

command = Declarations("View/Camera")

_STEP_RAD = math.radians(15.0)  # these are Blender's steps, and its keys
_STEP_ACROSS, _STEP_UP = 32.0, 25.0  # logical pixels


# Steps.


def _orbit(left: int, up: int, context: Context) -> None:
    view = context.view
    view.camera = controls.turn(view.camera, left * _STEP_RAD, up * _STEP_RAD, trackball=context.tools.camera.trackball)


def _pan(left: int, up: int, context: Context) -> None:
    view = context.view
    view.camera = controls.pan(view.camera, left * _STEP_ACROSS, up * _STEP_UP, view.layout.area().height)


for _name, _digit, _left, _up in (("left", 4, 1, 0), ("right", 6, -1, 0), ("up", 8, 0, 1), ("down", 2, 0, -1)):
    command(
        f"view.orbit_{_name}",
        f"Orbit {_name}",
        "by 15 degrees",
        keys=(f"Num {_digit}",),
        synonyms=("rotate view", "step"),
    )(partial(_orbit, _left, _up))
    command(
        f"view.pan_{_name}",
        f"Pan {_name}",
        "by a step",
        keys=(f"Ctrl+Num {_digit}",),
        synonyms=("move view", "scroll", "step"),
    )(partial(_pan, _left, _up))


@command(
    "view.opposite",
    "Look from the opposite side",
    "at the same height",
    keys=("Num 9",),
    synonyms=("behind", "reverse view", "flip view"),
)
def look_from_opposite(context: Context) -> None:
    context.view.camera = controls.turn(context.view.camera, math.pi, 0.0)


switch(
    command,
    "view.layout.eases",
    "view.smooth",
    "Smooth moves",
    "cameras and lists move to where they are sent, or are there at once",
    separated=True,
    synonyms=("animation", "transition", "smooth view", "ease"),
)


@command(
    "scene.z_up",
    "Z is up",
    "in this scene the Z axis points up, or the Y axis",
    checked=lambda context: context.scene.up_axis == "z",
    needs_window=True,
    synonyms=("up axis", "y up", "upright", "orientation", "coordinate system", "blender"),
)
def toggle_up_axis(context: Context) -> None:
    view, axis = context.view, next(each for each in UP_AXES if each != context.scene.up_axis)
    shows_all = view.framing.is_framed()
    context.editor.do(change_scene(context.scene, up_axis=axis, label=f"{axis.upper()} is up"))
    if shows_all:
        view.framing.frame_nodes(None, every=True)


# The clipboard.


@command(
    "view.copy_camera",
    "Copy camera",
    "to the clipboard, as JSON",
    synonyms=("clipboard", "export camera", "save view", "viewpoint"),
)
def copy_camera(context: Context) -> None:
    context.copy(camera_to_json(context.view.camera))
    context.editor.log.say("info", "camera copied")


@command(
    "view.paste_camera",
    "Paste camera",
    "look from a camera on the clipboard, as JSON",
    synonyms=("clipboard", "import camera", "restore view", "viewpoint"),
)
def paste_camera(context: Context) -> None:
    error = ""
    try:
        context.view.camera = camera_from_json(context.paste(), up_axis=context.editor.scene.up_axis)
    except ValueError as problem:
        error = f"Paste camera: {problem}"
    context.editor.log.tell("Paste camera", error)
