"""Setting: a value that is kept between runs, how it is read and set, and which values it can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Value = bool | float | str | list[str] | None


@dataclass(frozen=True)
class Setting:
    """A value that is kept between runs."""

    get: Callable[[], Value]
    set: Callable[[Any], object]
    fits: Callable[[Any], bool]


def attribute(holder: object, name: str, fits: Callable[[Any], bool]) -> Setting:
    """Return the setting of an attribute of an object."""
    return Setting(lambda: getattr(holder, name), lambda value: setattr(holder, name, value), fits)


def switch(holder: object, name: str) -> Setting:
    """Return the setting of a bool."""
    return attribute(holder, name, is_switch)


def number(holder: object, name: str, least: float, most: float) -> Setting:
    """Return the setting of a number in a range, both ends included."""
    return attribute(holder, name, between(least, most))


def choice(holder: object, name: str, choices: Sequence[object]) -> Setting:
    """Return the setting of one of several values."""
    return attribute(holder, name, one_of(choices))


def is_switch(value: object) -> bool:
    """Return whether a value is a bool."""
    return isinstance(value, bool)


def are_texts(value: object) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def between(least: float, most: float) -> Callable[[Any], bool]:
    """Return a function that tells whether a value is a number in a range."""
    return lambda value: type(value) in (int, float) and least <= value <= most


def one_of(choices: Sequence[object]) -> Callable[[object], bool]:
    """Return a function that tells whether a value is one of several, of the same type."""
    return lambda value: any(type(value) is type(each) and value == each for each in choices)
