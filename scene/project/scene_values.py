"""Values of a scene that belong to no node, from and to JSON: fields of a project file, changes in its journal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from octoscope.scene.bookmarks import DEFAULT_FOV_Y_RAD, Bookmark
from octoscope.scene.measurement import IN_WORLD, POINTS_OF, Anchor, Measurement
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.project.fields import is_numbers, replace_lone_surrogates, report_unknown
from octoscope.scene.system.report import Problems
from octoscope.scene.unique_names import UniqueNames
from octoscope.scene.up_axis import UP_AXES, UpAxis

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


def _objects_in(written: object, kind: str, known: frozenset[str], problems: Problems) -> Iterator[dict[str, Any]]:
    """Yield the objects of a project's list; all else is reported, and so are fields that are not known."""
    if not isinstance(written, list):
        problems.report(kind, f"'{kind}s' is not a list", "none instead")
        return
    for each in written:
        if isinstance(each, dict):
            report_unknown([each], known, problems)
            yield each
        else:
            problems.report(kind, f"{kind}s that are not objects", "left out")


_MEASUREMENT_FIELDS = frozenset({"kind", "nodes", "points"})


def _measurements_from_json(written: object, node_count: int, problems: Problems) -> list[Measurement]:
    measurements = []
    for each in _objects_in(written, "measurement", _MEASUREMENT_FIELDS, problems):
        anchors = _anchors(each, node_count)
        if anchors is not None:
            measurements.append(Measurement(each["kind"], anchors))
            continue
        what = "measurements of an unknown kind, or between points or nodes that do not exist"
        problems.report("measurement", what, "left out")
    return measurements


def _measurements_to_json(measurements: Iterable[Measurement], json_ids: np.ndarray) -> list[dict[str, object]]:
    """Return JSON of measurements; `json_ids` has by node id that of the file, or -1: then they are left out."""
    written: list[dict[str, object]] = []
    for measurement in measurements:
        nodes = [None if anchor.node == IN_WORLD else int(json_ids[anchor.node]) for anchor in measurement.anchors]
        if -1 not in nodes:
            points = [list(anchor.point) for anchor in measurement.anchors]
            written.append({"kind": measurement.kind, "nodes": nodes, "points": points})
    return written


def _anchors(written: dict[str, object], node_count: int) -> tuple[Anchor, ...] | None:
    kind, points = written.get("kind"), written.get("points")
    count = POINTS_OF.get(kind) if isinstance(kind, str) else None
    if not isinstance(points, list) or len(points) != count:
        return None
    nodes = written.get("nodes", [None] * count)
    if not isinstance(nodes, list) or len(nodes) != count:
        return None
    if not all(is_numbers(point, 3) and all(map(math.isfinite, point)) for point in points):
        return None
    if not all(node is None or (type(node) is int and 0 <= node < node_count) for node in nodes):
        return None
    return tuple(
        Anchor(IN_WORLD if node is None else node, (float(x), float(y), float(z)))
        for node, (x, y, z) in zip(nodes, points, strict=True)
    )


_BOOKMARK_FIELDS = frozenset({"name", "translation", "rotation", "distance", "type", "yfov"})
_TYPES = ("perspective", "orthographic")


def _bookmark_to_json(name: str, bookmark: Bookmark) -> dict[str, object]:
    written: dict[str, object] = {
        "name": name,
        "translation": list(bookmark.position),
        "rotation": list(bookmark.rotation),
        "type": _TYPES[bookmark.orthographic],
        "yfov": bookmark.fov_y_rad,
    }
    if bookmark.distance is not None:
        written["distance"] = bookmark.distance
    return written


def _bookmarks_from_json(written: object, node_count: int, problems: Problems) -> dict[str, Bookmark]:
    bookmarks: dict[str, Bookmark] = {}
    names = UniqueNames()
    for fields in _objects_in(written, "bookmark", _BOOKMARK_FIELDS, problems):
        name = names.take(_name(fields, problems))
        bookmarks[name] = _bookmark(fields, problems)
    return bookmarks


def _name(fields: dict[str, object], problems: Problems) -> str:
    name = fields.get("name")
    if type(name) is str:
        whole = replace_lone_surrogates(name)
        if whole != name:
            problems.report("bookmark", "bookmarks with unpaired surrogates in their names", "replaced")
        return whole
    problems.report("bookmark", "bookmarks without a name", "called 'bookmark'")
    return "bookmark"


def _bookmark(fields: dict[str, object], problems: Problems) -> Bookmark:
    bookmark = Bookmark((0.0, 0.0, 0.0))
    for field, attribute, width, done in (
        ("translation", "position", 3, "at the origin instead"),
        ("rotation", "rotation", 4, "no rotation is used"),
        ("distance", "distance", 1, "none instead"),
        ("yfov", "fov_y_rad", 1, f"{math.degrees(DEFAULT_FOV_Y_RAD):.0f} degrees instead"),
    ):
        if field not in fields:
            continue
        value = fields[field] if width > 1 else [fields[field]]
        try:
            if not is_numbers(value, width):
                raise ValueError
            numbers = tuple(map(float, value))
            given: dict[str, Any] = {attribute: numbers if width > 1 else numbers[0]}
            bookmark = replace(bookmark, **given)
        except ValueError:
            problems.report("bookmark", f"bookmarks with a {field} that cannot be one", done)
    kind = fields.get("type", _TYPES[0])
    if kind not in _TYPES:
        problems.report("bookmark", "bookmarks of a type that is neither perspective nor orthographic", "perspective")
    return replace(bookmark, orthographic=kind == _TYPES[1])


@dataclass(frozen=True)
class JsonValue:
    """The JSON form of one of scene.editing.edits.SCENE_VALUES."""

    new: object  # the JSON of a new scene's value, which a project file leaves out
    # from the value as a Change holds it, and (n,) int by node id: the id in the file or journal, or -1
    to_json: Callable[[Any, np.ndarray], object]
    # to what the attribute of Scene takes, from what was written and the number of nodes. Reports what makes no sense
    from_json: Callable[[object, int, Problems], Any]


def _up_axis_from_json(written: object, node_count: int, problems: Problems) -> UpAxis:
    if isinstance(written, list) and len(written) == 1:  # as older journals have it
        written = written[0]
    if written in UP_AXES:
        return written
    problems.report("up-axis", 'an \'up_axis\' that is neither "y" nor "z"', f'"{UP_AXES[0]}" instead')
    return UP_AXES[0]


JSON_VALUES: Mapping[str, JsonValue] = {
    "up_axis": JsonValue(UP_AXES[0], lambda axis, json_ids: axis, _up_axis_from_json),
    "bookmarks": JsonValue(
        [], lambda pairs, json_ids: [_bookmark_to_json(*pair) for pair in pairs], _bookmarks_from_json
    ),
    "measurements": JsonValue([], _measurements_to_json, _measurements_from_json),
}
