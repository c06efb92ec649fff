"""The Tools menu: the gizmo."""

from __future__ import annotations

from functools import partial
from typing import Any

from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.selection import AN_OBJECT
from octoscope.viewer.tools.gizmo.drag_solver import FINE
from octoscope.viewer.tools.gizmo.settings import (
    EDGES,
    FACES,
    HEXAGONS,
    MOVE,
    PIVOTS,
    ROTATE,
    SCALE,
    SPACES,
    TARGETS,
    VERTICES,
)

command = Declarations("Tools")
of_gizmo = partial(command, needs_window=True)  # drags over the picture, and how they go


# What the left button does.


def _set_mode(mode: str | None, context: Context) -> None:
    context.tools.hand.take(None)
    context.tools.gizmo.set_mode(mode)


def _is_mode(mode: str | None, context: Context) -> bool:
    return context.tools.gizmo.settings.mode == mode and context.tools.hand.tool is None


_MODES: tuple[tuple[str | None, str, str, str, dict[str, Any]], ...] = (
    (None, "No handles", "Q", "drag moves the camera, click selects", {}),
    (MOVE, "Move", "W", "handles to move what is selected", {"blender_keys": (), "synonyms": ("translate",)}),
    (ROTATE, "Rotate", "E", "handles to rotate what is selected", {"blender_keys": (), "synonyms": ("turn",)}),
    (SCALE, "Scale", "R", "handles to scale what is selected", {"blender_keys": (), "synonyms": ("resize",)}),
)
for _mode, _label, _key, _description, _more in _MODES:
    of_gizmo(
        f"gizmo.{_mode or 'select'}", _label, _description, keys=(_key,), checked=partial(_is_mode, _mode), **_more
    )(partial(_set_mode, _mode))


# Moving by keys.


for _mode, _key, _blender_key in ((MOVE, "G", "G"), (ROTATE, "Shift+R", "R"), (SCALE, "Shift+S", "S")):
    of_gizmo(
        f"gizmo.{_mode}_by_keys",
        f"{_mode.capitalize()} by keys",
        "with the mouse, or typed; X Y Z an axis, Shift ten times finer, Ctrl inverts snapping, "
        "Enter or a click confirms, Esc cancels",
        keys=(_key,),
        blender_keys=(_blender_key,),
        enabled=has_selection,
        refusal=AN_OBJECT,
        separated=_mode == MOVE,
    )(lambda context, mode=_mode: context.tools.gizmo.begin_modal(mode))


# Nudges by the arrows.


for _key, _right, _up in (("Left", -1, 0), ("Right", 1, 0), ("Up", 0, 1), ("Down", 0, -1)):
    for _held, _what, _share in (("", "", 1.0), ("Shift+", " a little", FINE)):
        command(
            f"gizmo.nudge_{_key.lower()}{'_a_little' if _held else ''}",
            f"Nudge {_key.lower()}{_what}",
            "by the snapping step, or a tenth of it, along the axis of the world that leads there in the picture",
            menu="Tools/Nudge",
            keys=(f"{_held}{_key}",),
            enabled=has_selection,
            refusal=AN_OBJECT,
            synonyms=("move by arrow keys", "step"),
        )(lambda context, steps=(_right * _share, _up * _share): context.tools.nudge(*steps))


# The gizmo's settings.


def _set(name: str, value: str | float, context: Context) -> None:
    settings = context.tools.gizmo.settings
    setattr(settings, name, value)
    if name == "target" or name.startswith("step"):
        settings.snaps = True


def _is_set(name: str, value: str | float, context: Context) -> bool:
    return getattr(context.tools.gizmo.settings, name) == value


def _set_next(name: str, values: tuple[str, ...], context: Context) -> None:
    value = getattr(context.tools.gizmo.settings, name)
    _set(name, values[(values.index(value) + 1) % len(values)], context)


_SNAP_NAMES: dict[str | float, tuple[str, ...]] = {
    VERTICES: ("snap to vertex", "snap vertex", "vertex snapping"),
    EDGES: ("snap to edge", "edge snapping", "snap to midpoint"),
    FACES: ("snap to surface", "face snapping"),
    HEXAGONS: ("hex grid", "hexagonal grid"),
}


def _choice(name: str, value: str | float, label: str, menu: str, description: str = "") -> None:
    shown = f"{value:g}".replace(".", "_") if isinstance(value, float) else value
    is_set = partial(_is_set, name, value)
    names = _SNAP_NAMES.get(value, ())
    of_gizmo(f"gizmo.{name}_{shown}", label, description, menu=menu, checked=is_set, synonyms=names)(
        partial(_set, name, value)
    )


of_gizmo(
    "gizmo.next_space",
    "Next space",
    "world, local, parent",
    menu="Tools/Gizmo space",
    keys=(",",),
    synonyms=("orientation", "coordinate system"),
)(partial(_set_next, "space", SPACES))
for _value, _description in (
    ("world", "along the world's axes"),
    ("local", "along the active object's axes, or each one's own about individual pivots"),
    ("parent", "along the parent's axes"),
):
    _choice("space", _value, _value.capitalize(), "Tools/Gizmo space", _description)

of_gizmo(
    "gizmo.next_pivot",
    "Next pivot",
    ", ".join(PIVOTS),
    menu="Tools/Gizmo pivot",
    keys=(".",),
    blender_keys=("Shift+.",),
    synonyms=("pivot point",),
)(partial(_set_next, "pivot", PIVOTS))
for _value, _description in (
    ("centre", "the middle of the box about the selection"),
    ("median", "the mean of the objects' origins, or middles where these lie outside"),
    ("individual", "each object's own origin, or its middle where that lies outside"),
    ("cursor", "the 3D cursor"),
    ("active", "the active object's origin, or its middle where that lies outside"),
):
    _choice("pivot", _value, _value.capitalize(), "Tools/Gizmo pivot", _description)


switch(
    of_gizmo,
    "tools.gizmo.settings.snaps",
    "gizmo.snap",
    "Snap",
    "snap moves, rotations and scales; hold Ctrl to invert, Shift for tenths of a step",
    menu="Tools/Gizmo snapping",
    keys=("Shift+Tab",),
    synonyms=("snapping", "magnet"),
)

for _value in TARGETS:
    _choice("target", _value, f"Moves to {_value}", "Tools/Gizmo snapping")
switch(
    of_gizmo,
    "tools.gizmo.settings.aligns",
    "gizmo.align",
    "Align to faces",
    "what snaps to a face is turned, so that its up axis follows the normal",
    menu="Tools/Gizmo snapping",
    synonyms=("align rotation to target", "align to normal", "surface snapping"),
)
for _step in (0.01, 0.1, 1.0, 10.0):
    _choice("step", _step, f"Steps of {_step:g}", "Tools/Gizmo snapping")
for _step in (5.0, 15.0, 45.0, 90.0):
    _choice("step_deg", _step, f"Turns by {_step:g}°", "Tools/Gizmo snapping")


command(
    "tools.stop",
    "Cancel",
    "close a menu, leave box selection, cancel what is running, or select nothing",
    keys=("Esc",),
    separated=True,
    synonyms=("abort", "stop"),
)(lambda context: context.stop())
