"""Checks of the values that a project file holds, and of fields in it that this release does not know."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Set

from scene.system.report import Problems

_DEEPEST = 64  # json's own limit depends on how deep the program stands when it writes


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


def is_numbers(row: object, width: int) -> bool:
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
