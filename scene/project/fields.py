"""Checks of the values that a project file holds, and of fields in it that this release does not know."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Set
from typing import Any, TypeGuard, TypeVar

from scene.system.report import Problems

_Kind = TypeVar("_Kind")

_DEEPEST = 64  # json's own limit depends on how deep the program stands when it writes


class MalformedError(ValueError):
    """JSON of a project or a journal that is not what it has to be there; the message says what is wrong."""


def is_list_of(value: object, kind: type[_Kind]) -> TypeGuard[list[_Kind]]:
    """Return whether a value from JSON is a list whose elements are all of one type; True is no int here."""
    return type(value) is list and set(map(type, value)) <= {kind}


def object_in(value: object, wrong: str) -> dict[str, Any]:
    """Return a value from JSON that has to be an object; MalformedError, which says `wrong`: it is none."""
    if not isinstance(value, dict):
        raise MalformedError(wrong)
    return value


def objects_in(value: object, wrong: str) -> list[dict[str, Any]]:
    """Return a value from JSON that has to be a list of objects; MalformedError, which says `wrong`: it is none."""
    if not is_list_of(value, dict):
        raise MalformedError(wrong)
    return value


def texts_in(value: object, wrong: str) -> list[str]:
    """Return a value from JSON that has to be a list of strings; MalformedError, which says `wrong`: it is none."""
    if not is_list_of(value, str):
        raise MalformedError(wrong)
    return value


def only_unknown(written: dict[str, object], known: Collection[str], problems: Problems) -> dict[str, object]:
    """The fields whose names are not known; those that JSON could not hold again are said and left out."""
    unknown = {name: value for name, value in written.items() if name not in known}
    for name in [name for name, value in unknown.items() if not _can_be_written(value)]:
        del unknown[name]
        problems.report("unknown-field", "fields nested too deeply, or with numbers that are none", "left out")
    return unknown


def report_unknown(objects: Iterable[dict[str, object]], known: Set[str], problems: Problems) -> None:
    """Report those of some JSON objects that have fields which are not among `known`."""
    count = sum(not known >= each.keys() for each in objects)
    if count:
        what = "fields that this release does not know"
        problems.report("unknown-field", what, "the next save leaves them out", count=count)


def whole_text(text: str) -> str:
    """Text without halves of characters (lone surrogates), which JSON can spell and nothing else can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_numbers(row: object, width: int) -> TypeGuard[list[float]]:
    """Whether a value from JSON is a list of `width` numbers that a float can hold."""
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
