"""View > Unit of length, with Convert and Decimals: how lengths are shown and typed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from octoscope.scene.conventions.length_unit import LENGTH_UNITS, METRES, NO_UNIT
from octoscope.scene.editing.edits import change_scene
from octoscope.scene.editing.units import convert_unit
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations

command = Declarations("View")

_UNITS = ("None", "Millimetres", "Centimetres", "Metres", "Inches", "Feet")


def _set(label: str, context: Context, **value: str | int | None) -> None:
    context.editor.do(change_scene(context.scene, label=label, **value))


def _convert(unit: str, context: Context) -> None:
    view, before = context.view, context.scene.length_unit
    if not context.editor.run(convert_unit, unit):
        return
    factor = METRES[before] / METRES[unit]
    for viewport in view.viewports:
        camera = viewport.camera
        viewport.camera = replace(camera, pivot=factor * camera.pivot, distance=factor * camera.distance)


for _unit, _label in zip(LENGTH_UNITS, _UNITS, strict=True):
    command(
        f"scene.unit_{_unit or 'none'}",
        _label,
        f"one unit of this scene is 1 {_unit}; nothing is scaled" if _unit else "lengths are those of the files",
        menu="View/Unit of length",
        checked=lambda context, unit=_unit: context.scene.length_unit == unit,
        synonyms=("units", "measurement system", _unit or "unitless"),
    )(partial(_set, f"Unit of length: {_unit or 'none'}", length_unit=_unit))

for _unit, _label in zip(METRES, _UNITS[1:], strict=True):
    command(
        f"scene.convert_to_{_unit}",
        f"To {_label.lower()}",
        "scale everything, so that all is as long as before",
        menu="View/Unit of length/Convert",
        separated=_unit == "mm",
        enabled=lambda context, unit=_unit: context.scene.length_unit not in (NO_UNIT, unit),
        refusal="say first what one unit is, at View > Unit of length; it is another one than this",
        synonyms=("rescale", "conversion", _unit),
    )(partial(_convert, _unit))

for _decimals in (None, 0, 1, 2, 3, 4, 5, 6):
    _name = "automatic" if _decimals is None else str(_decimals)
    command(
        f"scene.decimals_{_name}",
        "Automatic" if _decimals is None else f"{0:.{_decimals}f}",
        "of lengths, areas and volumes: as many as the size of this scene asks for"
        if _decimals is None
        else f"of lengths, areas and volumes in this scene: {_decimals}",
        menu="View/Unit of length/Decimals",
        checked=lambda context, decimals=_decimals: context.scene.length_decimals == decimals,
        synonyms=("precision", "digits", "rounding"),
    )(partial(_set, f"Decimals: {_name}", length_decimals=_decimals))
