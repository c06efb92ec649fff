"""Colour scales from and to JSON: what the colours of a material's vertices stand for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.project.fields import is_numbers, replace_lone_surrogates, report_unknown
from octoscope.scene.system.report import Problems

_FIELDS = frozenset({"material", "title", "minimum", "maximum", "colors"})


def color_scales_to_json(scales: Mapping[int, ColorScale], material_numbers: np.ndarray) -> list[dict[str, object]]:
    """Return objects for JSON; by material id, `material_numbers` has its place in the file's list, or -1."""
    return [
        {"material": int(material_numbers[material])} | color_scale_to_json(scale)
        for material, scale in scales.items()
        if material_numbers[material] >= 0
    ]


def color_scale_to_json(scale: ColorScale) -> dict[str, object]:
    """Return an object for JSON, without the material."""
    return {"title": scale.title, "minimum": scale.minimum, "maximum": scale.maximum, "colors": scale.colors.hex()}


def color_scale_from_json(fields: object) -> ColorScale:
    """Return the scale that a JSON object describes; ValueError if it is none."""
    if not isinstance(fields, dict) or not is_numbers([fields.get("minimum"), fields.get("maximum")], 2):
        raise ValueError("no colour scale")
    title, colors = fields.get("title", ""), fields.get("colors")
    if type(title) is not str or type(colors) is not str:
        raise ValueError("no colour scale")
    least, greatest = float(fields["minimum"]), float(fields["maximum"])
    return ColorScale(replace_lone_surrogates(title), least, greatest, bytes.fromhex(colors))


def color_scales_from_json(written: object, material_count: int, problems: Problems) -> dict[int, ColorScale]:
    """Return the scales that a project's list describes, by the material's place in the file; others are reported."""
    scales: dict[int, ColorScale] = {}
    for fields in written if isinstance(written, list) else [None]:
        try:
            if not isinstance(fields, dict):
                raise ValueError
            material = fields.get("material")
            if type(material) is not int or not 0 <= material < material_count:
                raise ValueError
            scales[material] = color_scale_from_json(fields)
        except ValueError:
            problems.report("color-scale", "colour scales that are none", "left out")
            continue
        report_unknown([fields], _FIELDS, problems)
    return scales
