"""CornerBox: rows that a tool shows in a corner of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Rows = list[tuple[str, str]]


@dataclass(frozen=True)
class CornerBox:
    """The contents of the box.

    Attributes:
        free: x, y of points that the box does not cover, fractions of the picture's width and height.
    """

    rows: Rows
    free: Sequence[tuple[float, float]] = ()
