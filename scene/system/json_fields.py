"""Check values read from JSON, and report fields that this release does not know."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Set
from typing import Any, TypeGuard, TypeVar

from octoscope.scene.system.report import Problems

_Kind = TypeVar("_Kind")

_DEEPEST = 64  # levels; json's own limit depends on the depth of the stack


class MalformedError(ValueError):
    """JSON of a project or journal that lacks what it must have; the message says what is wrong."""


def is_list_of(value: object, kind: type[_Kind]) -> TypeGuard[list[_Kind]]:
    """Return whether a value from JSON is a list of elements of exactly this type; True is no int."""
    return type(value) is list and set(map(type, value)) <= {kind}


def object_in(value: object, wrong: str) -> dict[str, Any]:
    """Return a value from JSON that must be an object; otherwise raise MalformedError with `wrong` as its message."""
    if not isinstance(value, dict):
        raise MalformedError(wrong)
    return value


def objects_in(value: object, wrong: str) -> list[dict[str, Any]]:
    """Return a value from JSON that must be a list of objects; otherwise raise MalformedError as `object_in`."""
    if not is_list_of(value, dict):
        raise MalformedError(wrong)
    return value


def texts_in(value: object, wrong: str) -> list[str]:
    """Return a value from JSON that must be a list of strings; otherwise raise MalformedError as `object_in`."""
    if not is_list_of(value, str):
        raise MalformedError(wrong)
    return value


def unknown_fields(written: dict[str, object], known: Collection[str], problems: Problems) -> dict[str, object]:
    """Return the fields with unknown names; those that JSON cannot hold again are reported and dropped."""
    unknown = {name: value for name, value in written.items() if name not in known}
    for name in [name for name, value in unknown.items() if not _can_be_written(value)]:
        del unknown[name]
        problems.report("unknown-field", "fields nested too deeply, or with numbers that are none", "left out")
    return unknown


def report_unknown(objects: Iterable[dict[str, object]], known: Set[str], problems: Problems) -> None:
    """Report how many of some JSON objects have fields that are not among `known`."""
    count = sum(not known >= each.keys() for each in objects)
    if count:
        what = "fields that this release does not know"
        problems.report("unknown-field", what, "the next save leaves them out", count=count)


def replace_lone_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot hold, in a text."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_numbers(row: object, width: int) -> TypeGuard[list[float]]:
    """Return whether a value from JSON is a list of `width` numbers that fit in a float."""
    return (
        type(row) is list
        and len(row) == width
        and set(map(type, row)) <= {float, int}
        and all(type(value) is float or abs(value) < 2**1023 for value in row)
    )


def _can_be_written(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        if any(isinstance(each, float) and not math.isfinite(each) for each in level):
            return False
        lists = [each for each in level if isinstance(each, list)]
        lists += [list(each.values()) for each in level if isinstance(each, dict)]
        level = [each for within in lists for each in within]
        if not level:
            return True
    return False
