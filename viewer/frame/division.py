"""The division of a picture into viewports."""

from __future__ import annotations

from viewer.frame.points import Rectangle

COUNTS = (1, 2, 4)
_GAP = 2  # pixels between two


def viewport_rectangles(count: int, size: tuple[int, int]) -> tuple[Rectangle, ...]:
    """Divide a picture into 1, 2 (side by side) or 4 (two rows) rectangles, row by row, with a gap between.

    In a picture too small for that they lie over each other; none is ever without a pixel.
    """
    columns = _divided(size[0], 1 if count == 1 else 2)
    rows = _divided(size[1], 2 if count == 4 else 1)
    if count not in COUNTS:
        raise ValueError(f"{count} viewports; there can be 1, 2 or 4")
    return tuple(Rectangle(x, y, width, height) for y, height in rows for x, width in columns)


def _divided(length: int, parts: int) -> list[tuple[int, int]]:
    """Return (begin, length) of each of one or two parts."""
    if parts == 1:
        return [(0, length)]
    first = max(1, (length - _GAP) // 2)
    second = max(1, length - _GAP - first)
    return [(0, first), (length - second, second)]
