"""The order in which people expect names: numbers in them by value, letters whatever their case."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[0-9]+")
_DIGITS = 20  # longer numbers are compared as text


def natural_key(name: str) -> str:
    """Return a text that is sorted by, in place of a name: "wall 2" comes before "Wall 10"."""
    return _NUMBER.sub(lambda number: number[0].zfill(_DIGITS), name.casefold())
