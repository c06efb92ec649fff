"""The up axis of a scene: Y or Z. Imports nothing that takes long, for the command line's options."""

from __future__ import annotations

from typing import Literal, get_args

UpAxis = Literal["y", "z"]
UP_AXES: tuple[UpAxis, ...] = get_args(UpAxis)


def checked_up_axis(given: object) -> UpAxis:
    """Return an up axis; ValueError: it is none."""
    for axis in UP_AXES:
        if axis == given:
            return axis
    raise ValueError(f"the up axis is {' or '.join(map(repr, UP_AXES))}, not {given!r}")


def up_index(axis: UpAxis) -> int:
    """Return the index of an up axis among x, y and z."""
    return "xyz".index(axis)
