"""Values of a scene that belong to no node, from and to JSON: fields of a project file, changes in its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.annotations.annotation_json import (
    bookmark_to_json,
    bookmarks_from_json,
    labels_from_json,
    labels_to_json,
    measurements_from_json,
    measurements_to_json,
)
from octoscope.scene.conventions.length_unit import (
    METRES,
    MOST_DECIMALS,
    NO_UNIT,
    checked_decimals,
    checked_length_unit,
)
from octoscope.scene.conventions.up_axis import UP_AXES, UpAxis
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.mesh.material import Material
from octoscope.scene.project.materials import material_from_json, material_to_json
from octoscope.scene.system.json_fields import is_numbers, replace_lone_surrogates, report_unknown
from octoscope.scene.system.report import Problems

_SCALE_FIELDS = frozenset({"material", "title", "minimum", "maximum", "colors"})


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
        report_unknown([fields], _SCALE_FIELDS, problems)
    return scales


@dataclass(frozen=True)
class JsonValue:
    """The JSON form of one of scene.editing.edits.SCENE_VALUES."""

    new: object  # the JSON of a new scene's value, which a project file leaves out
    # from the value as a Change holds it, (n,) int by node id: the id in the file or journal, or -1, and the file's
    # folder, or None for a text that is in none
    to_json: Callable[[Any, np.ndarray, Path | None], object]
    # to what the attribute of Scene takes, from what was written, the number of nodes and the folder. Reports what
    # makes no sense
    from_json: Callable[[object, int, Problems, Path], Any]


def _up_axis_from_json(written: object, node_count: int, problems: Problems, folder: Path) -> UpAxis:
    if isinstance(written, list) and len(written) == 1:  # as older journals have it
        written = written[0]
    if written in UP_AXES:
        return written
    problems.report("up-axis", 'an \'up_axis\' that is neither "y" nor "z"', f'"{UP_AXES[0]}" instead')
    return UP_AXES[0]


def _length_unit_from_json(written: object, node_count: int, problems: Problems, folder: Path) -> str:
    try:
        return checked_length_unit(written)
    except ValueError:
        problems.report("length-unit", f"a 'length_unit' that is none of {', '.join(METRES)}", "no unit instead")
        return NO_UNIT


def _decimals_from_json(written: object, node_count: int, problems: Problems, folder: Path) -> int | None:
    try:
        return checked_decimals(written)
    except ValueError:
        wrong = f"'length_decimals' that are no number from 0 to {MOST_DECIMALS}"
        problems.report("length-decimals", wrong, "as many as fit instead")
        return None


def _cursor_from_json(written: object, node_count: int, problems: Problems, folder: Path) -> object:
    if written is None or (is_numbers(written, 3) and np.isfinite(np.array(written, dtype=np.float64)).all()):
        return written
    problems.report("cursor", "a 'cursor' that is no point", "no 3D cursor instead")
    return None


def _materials_from_json(written: object, node_count: int, problems: Problems, folder: Path) -> list[Material]:
    materials = []
    for fields in written if isinstance(written, list) else [None]:
        if isinstance(fields, dict):
            materials.append(material_from_json(fields, folder, problems))
        else:
            problems.report("material", "materials that are none", "left out")
    return materials


def _annotations(
    to_json: Callable[[Any, np.ndarray], object], from_json: Callable[[object, int, Problems], Any]
) -> JsonValue:
    return JsonValue([], lambda value, ids, _: to_json(value, ids), lambda *given: from_json(*given[:3]))


JSON_VALUES: Mapping[str, JsonValue] = {
    "up_axis": JsonValue(UP_AXES[0], lambda axis, *_: axis, _up_axis_from_json),
    "length_unit": JsonValue(NO_UNIT, lambda unit, *_: unit, _length_unit_from_json),
    "length_decimals": JsonValue(None, lambda decimals, *_: decimals, _decimals_from_json),
    "bookmarks": _annotations(lambda pairs, _: [bookmark_to_json(*pair) for pair in pairs], bookmarks_from_json),
    "measurements": _annotations(measurements_to_json, measurements_from_json),
    "labels": _annotations(labels_to_json, labels_from_json),
    "cursor": JsonValue(None, lambda cursor, *_: cursor, _cursor_from_json),
    "unused_materials": JsonValue(
        [], lambda materials, _, folder: [material_to_json(each, folder) for each in materials], _materials_from_json
    ),
}
