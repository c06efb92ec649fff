"""The types of options' values: each reads a text, or says in one line why it cannot.

Imports nothing that takes long, as viewer.cli.arguments.options.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from octoscope.viewer.frame.look.shading import STROKE_SIZES
from octoscope.viewer.frame.look.studios import ENVIRONMENT

if TYPE_CHECKING:
    from octoscope.viewer.frame.section import SectionPlane

MOST_OBJECTS = 1_000_000
_LONGEST_SIDE = 16384
_MOST_PICTURES = 3600


def _number(text: str) -> float:
    """Return the number that a text is, or NaN, which lies in no range."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def between(least: float, most: float, wording: str) -> Callable[[str], float]:
    """Return a type for numbers from `least` to `most`; others are "not" what `wording` says."""

    def value(text: str) -> float:
        number = _number(text)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text.strip()!r} is not {wording}")
        return number

    return value


def whole_between(least: int, most: int, wording: str) -> Callable[[str], int]:
    """Return a type for whole numbers from `least` to `most`, with commas or without; as `between`."""

    def value(text: str) -> int:
        number = _number(text.replace(",", ""))
        if not (number.is_integer() and least <= number <= most):
            raise argparse.ArgumentTypeError(f"{text.strip()!r} is not {wording}")
        return int(number)

    return value


coordinate = between(-1e15, 1e15, "a coordinate, -1e15 to 1e15")
fov = between(0.001, 179.0, "an angle of view, 0.001 to 179 degrees")
angle = between(-360.0, 360.0, "an angle, -360 to 360 degrees")
smoothing_angle = between(0.0, 180.0, "an angle, 0 to 180 degrees")
share = between(0.0, 1.0, "a strength, 0 to 1")
stroke_size = between(*STROKE_SIZES, "a size, {:g} to {:g} pixels".format(*STROKE_SIZES))
count = whole_between(1, MOST_OBJECTS, f"a whole number from 1 to {MOST_OBJECTS:,}")
turntable = whole_between(2, _MOST_PICTURES, f"a number of pictures, 2 to {_MOST_PICTURES:,}")


def size(text: str) -> tuple[int, int]:
    """Return a width and a height, each in pixels."""
    try:
        width, height = (int(side) for side in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not WIDTHxHEIGHT, such as 1280x720") from None
    if not (1 <= width <= _LONGEST_SIDE and 1 <= height <= _LONGEST_SIDE):
        raise argparse.ArgumentTypeError(f"{text!r}: each side must be 1 to {_LONGEST_SIDE} pixels")
    return width, height


def byte_count(text: str) -> int:
    """Return a number of bytes, from a text such as 500M."""
    from octoscope.scene.system.memory import bytes_called  # only here: other options do without it

    try:
        return bytes_called(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def background(text: str) -> str | tuple[float, float, float]:
    """Return "environment", or red, green and blue, 0 to 1."""
    if text == ENVIRONMENT:
        return text
    from octoscope.scene.geometry.colors import color_called  # only here: it imports numpy

    try:
        return color_called(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def section_plane(text: str) -> SectionPlane:
    """Return the plane that a text such as x<1.5 describes."""
    from octoscope.viewer.frame.section import SectionPlane  # only here: it imports numpy

    try:
        return SectionPlane.from_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def split_level(text: str) -> int:
    """Return a level of the octree's leaves."""
    from octoscope.octree.layout.slots import MAX_SPLIT_LEVEL  # only here: it imports numpy and numba

    return whole_between(0, MAX_SPLIT_LEVEL, f"a level, 0 to {MAX_SPLIT_LEVEL}")(text)


def octree_size(text: str) -> float:
    """Return an edge length of the octree, world units."""
    from octoscope.octree.building.placement import FARTHEST, SMALLEST_ROOT  # only here: it imports numpy and numba

    least, most = 2.0 * SMALLEST_ROOT, 2.0 * FARTHEST
    return between(least, most, f"a length from {least:g} to {most:g}")(text)
