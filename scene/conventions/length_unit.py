"""The unit of length of a scene: what one unit of its world is, if anybody has said so; decimals of lengths."""

from __future__ import annotations

NO_UNIT = ""
METRES = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}  # by unit
LENGTH_UNITS = (NO_UNIT, *METRES)
MOST_DECIMALS = 9


def checked_length_unit(given: object) -> str:
    """Return a unit of length; ValueError: it is none."""
    if isinstance(given, str) and given in LENGTH_UNITS:
        return given
    raise ValueError(f"the unit of length is {', '.join(map(repr, METRES))}, or {NO_UNIT!r} for none, not {given!r}")


def checked_decimals(given: object) -> int | None:
    """Return how many decimals lengths are written with, None for as many as fit the scene; ValueError: neither."""
    if given is None or (type(given) is int and 0 <= given <= MOST_DECIMALS):
        return given
    raise ValueError(f"decimals of lengths are 0 to {MOST_DECIMALS}, or None for as many as fit, not {given!r}")


def unit_with_file(unit: str, of_file: str, *, is_empty: bool) -> str:
    """Return the unit of a scene to which a file is added: one that has none, and nothing in it, takes the file's."""
    return of_file if unit == NO_UNIT and is_empty else unit
