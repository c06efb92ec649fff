"""Bookmarks, measurements and labels, from and to JSON: that of project files, journals and of "extras" in glTF."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from octoscope.scene.annotations.bookmarks import DEFAULT_FOV_Y_RAD, Bookmark
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import IN_WORLD, KINDS, Anchor, Measurement, has_points
from octoscope.scene.system.json_fields import is_numbers, replace_lone_surrogates, report_unknown
from octoscope.scene.system.report import Problems
from octoscope.scene.system.unique_names import UniqueNames


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


# "value" and "unit" are for other programs, in glTF: they follow from the points.
_MEASUREMENT_FIELDS = frozenset({"kind", "nodes", "points", "name", "hidden", "value", "unit"})


def measurements_from_json(written: object, node_count: int, problems: Problems) -> list[Measurement]:
    """Return the measurements that a list describes, between nodes of a file that has so many; others are reported."""
    measurements = []
    for each in _objects_in(written, "measurement", _MEASUREMENT_FIELDS, problems):
        anchors = _anchors(each, node_count)
        if anchors is not None:
            name = each.get("name", "")
            name = replace_lone_surrogates(name) if type(name) is str else ""
            measurements.append(Measurement(each["kind"], anchors, name, each.get("hidden") is not True))
            continue
        what = "measurements of an unknown kind, or between points or nodes that do not exist"
        problems.report("measurement", what, "left out")
    return measurements


def measurements_to_json(measurements: Iterable[Measurement], json_ids: np.ndarray) -> list[dict[str, object]]:
    """Return JSON of measurements; `json_ids` has by node id that of the file, or -1: then they are left out."""
    written: list[dict[str, object]] = []
    for measurement in measurements:
        nodes = [None if anchor.node == IN_WORLD else int(json_ids[anchor.node]) for anchor in measurement.anchors]
        if -1 not in nodes:
            points = [list(anchor.point) for anchor in measurement.anchors]
            named = {"name": measurement.name} if measurement.name else {}
            hidden = {} if measurement.is_shown else {"hidden": True}
            written.append({"kind": measurement.kind, "nodes": nodes, "points": points, **named, **hidden})
    return written


def _anchors(written: dict[str, object], node_count: int) -> tuple[Anchor, ...] | None:
    kind, points = written.get("kind"), written.get("points")
    if kind not in KINDS or not isinstance(points, list) or not has_points(str(kind), len(points)):
        return None
    count = len(points)
    nodes = written.get("nodes", [None] * count)
    return _anchors_at(nodes, points, node_count) if isinstance(nodes, list) and len(nodes) == count else None


def _anchors_at(nodes: list[Any], points: list[Any], node_count: int) -> tuple[Anchor, ...] | None:
    """Return anchors by their nodes and points from JSON; None where one is none."""
    if not all(is_numbers(point, 3) and all(map(math.isfinite, point)) for point in points):
        return None
    if not all(node is None or (type(node) is int and 0 <= node < node_count) for node in nodes):
        return None
    return tuple(
        Anchor(IN_WORLD if node is None else node, (float(x), float(y), float(z)))
        for node, (x, y, z) in zip(nodes, points, strict=True)
    )


_LABEL_FIELDS = frozenset({"text", "node", "point", "camera", "hidden"})


def labels_from_json(written: object, node_count: int, problems: Problems) -> list[Label]:
    """Return the labels that a list describes, as measurements_from_json does."""
    labels = []
    for each in _objects_in(written, "label", _LABEL_FIELDS, problems):
        anchors = _anchors_at([each.get("node")], [each.get("point")], node_count)
        text = replace_lone_surrogates(each["text"]) if type(each.get("text")) is str else ""
        if anchors is None or not text.strip():
            problems.report("label", "labels without a text, or at points or nodes that do not exist", "left out")
            continue
        camera = camera_from_json(each.get("camera"), problems)
        labels.append(Label(text, anchors[0], camera, each.get("hidden") is not True))
    return labels


def labels_to_json(labels: Iterable[Label], json_ids: np.ndarray) -> list[dict[str, object]]:
    """Return JSON of labels, as measurements_to_json does."""
    written: list[dict[str, object]] = []
    for label in labels:
        node = None if label.anchor.node == IN_WORLD else int(json_ids[label.anchor.node])
        if node != -1:
            camera = {} if label.camera is None else {"camera": camera_to_json(label.camera)}
            hidden = {} if label.is_shown else {"hidden": True}
            written.append({"text": label.text, "node": node, "point": list(label.anchor.point), **camera, **hidden})
    return written


_BOOKMARK_FIELDS = frozenset({"name", "translation", "rotation", "distance", "type", "yfov"})
_TYPES = ("perspective", "orthographic")


def bookmark_to_json(name: str, bookmark: Bookmark) -> dict[str, object]:
    """Return JSON of a bookmark."""
    return {"name": name} | camera_to_json(bookmark)


def camera_from_json(written: object, problems: Problems) -> Bookmark | None:
    """Return the camera that JSON describes as a bookmark without a name; None: it describes none."""
    if written is not None and not isinstance(written, dict):
        problems.report("camera", "a 'camera' that is none", "left out")
    return _bookmark(written, "camera", problems) if isinstance(written, dict) else None


def camera_to_json(bookmark: Bookmark) -> dict[str, object]:
    """Return JSON of a camera, as a bookmark without a name."""
    written: dict[str, object] = {
        "translation": list(bookmark.position),
        "rotation": list(bookmark.rotation),
        "type": _TYPES[bookmark.orthographic],
        "yfov": bookmark.fov_y_rad,
    }
    if bookmark.distance is not None:
        written["distance"] = bookmark.distance
    return written


def bookmarks_from_json(written: object, node_count: int, problems: Problems) -> dict[str, Bookmark]:
    """Return the bookmarks that a list describes, as measurements_from_json does."""
    bookmarks: dict[str, Bookmark] = {}
    names = UniqueNames()
    for fields in _objects_in(written, "bookmark", _BOOKMARK_FIELDS, problems):
        name = names.take(_name(fields, problems))
        bookmarks[name] = _bookmark(fields, "bookmark", problems)
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


def _bookmark(fields: dict[str, object], noun: str, problems: Problems) -> Bookmark:
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
            problems.report(noun, f"{noun}s with a {field} that cannot be one", done)
    kind = fields.get("type", _TYPES[0])
    if kind not in _TYPES:
        problems.report(noun, f"{noun}s of a type that is neither perspective nor orthographic", "perspective")
    return replace(bookmark, orthographic=kind == _TYPES[1])
