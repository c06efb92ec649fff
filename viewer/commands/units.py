"""View > Unit of length, View > Decimals: how lengths are shown and typed."""

from __future__ import annotations

from functools import partial

from octoscope.scene.conventions.length_unit import LENGTH_UNITS
from octoscope.scene.editing.edits import change_scene
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations

command = Declarations("View")

_UNITS = ("None", "Millimetres", "Centimetres", "Metres", "Inches", "Feet")
_DECIMALS = (None, 0, 1, 2, 3, 4, 5, 6)


def _set_unit(unit: str, context: Context) -> None:
    context.editor.do(change_scene(context.scene, length_unit=unit, label=f"Unit of length: {unit or 'none'}"))


def _is_unit(unit: str, context: Context) -> bool:
    return context.scene.length_unit == unit


def _set_decimals(decimals: int | None, context: Context) -> None:
    label = f"Decimals: {'automatic' if decimals is None else decimals}"
    context.editor.do(change_scene(context.scene, length_decimals=decimals, label=label))


def _has_decimals(decimals: int | None, context: Context) -> bool:
    return context.scene.length_decimals == decimals


for _unit, _label in zip(LENGTH_UNITS, _UNITS, strict=True):
    command(
        f"scene.unit_{_unit or 'none'}",
        _label,
        f"one unit of this scene is 1 {_unit}; nothing is scaled" if _unit else "lengths are those of the files",
        menu="View/Unit of length",
        checked=partial(_is_unit, _unit),
        synonyms=("units", "scale", "measure", _unit or "unitless"),
    )(partial(_set_unit, _unit))

for _decimals in _DECIMALS:
    command(
        f"scene.decimals_{'automatic' if _decimals is None else _decimals}",
        "Automatic" if _decimals is None else f"{0:.{_decimals}f}",
        "of lengths, areas and volumes: as many as the size of this scene asks for"
        if _decimals is None
        else f"of lengths, areas and volumes in this scene: {_decimals}",
        menu="View/Decimals",
        checked=partial(_has_decimals, _decimals),
        synonyms=("precision", "digits", "rounding", "units"),
    )(partial(_set_decimals, _decimals))
