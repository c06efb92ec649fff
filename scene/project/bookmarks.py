"""Bookmarks from and to JSON, with the names of glTF; values that make no sense are reported and replaced."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from octoscope.scene.bookmarks import DEFAULT_FOV_Y_RAD, Bookmark, free_name
from octoscope.scene.project.fields import is_numbers, replace_lone_surrogates, report_unknown
from octoscope.scene.system.report import Problems

_FIELDS = frozenset({"name", "translation", "rotation", "distance", "type", "yfov"})
_TYPES = ("perspective", "orthographic")


def bookmarks_to_json(bookmarks: Iterable[tuple[str, Bookmark]]) -> list[dict[str, object]]:
    """Return bookmarks with their names as objects for JSON."""
    return [_bookmark_to_json(name, bookmark) for name, bookmark in bookmarks]


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


def bookmarks_from_json(written: object, problems: Problems) -> dict[str, Bookmark]:
    """Return the bookmarks that a project's list describes."""
    if not isinstance(written, list):
        problems.report("bookmark", "'bookmarks' that is not a list", "left out")
        return {}
    bookmarks: dict[str, Bookmark] = {}
    tried: dict[str, int] = {}
    for fields in written:
        if not isinstance(fields, dict):
            problems.report("bookmark", "bookmarks that are not objects", "left out")
            continue
        name = free_name(_name(fields, problems), bookmarks, tried)
        bookmarks[name] = _bookmark(fields, problems)
        report_unknown([fields], _FIELDS, problems)
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
