"""Points and rectangles of a picture, x to the right and y down; its division into viewports."""

from __future__ import annotations

from dataclasses import dataclass

NormalizedPoint = tuple[float, float]  # 0 to 1 across a viewport's width and height
PixelPoint = tuple[float, float]  # logical pixels from the top left of the whole picture

COUNTS = (1, 2, 4)  # of viewports
_GAP = 2  # pixels between two


@dataclass(frozen=True)
class Rectangle:
    """A part of a picture: its upper left corner, from the picture's, and its size; y down.

    In framebuffer pixels where it says what is drawn, in logical ones where it says what is pointed at.
    """

    x: float
    y: float
    width: float
    height: float

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left corner."""
        return self.x, self.y

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    @property
    def end(self) -> tuple[float, float]:
        """The lower right corner."""
        return self.x + self.width, self.y + self.height

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height

    def point(self, pixel: PixelPoint) -> NormalizedPoint:
        """Return where a pixel of the picture lies within this part; it may lie outside."""
        return (pixel[0] - self.x) / self.width, (pixel[1] - self.y) / self.height

    def pixel(self, point: NormalizedPoint) -> PixelPoint:
        """Return the pixel of the picture that lies at a point of this part."""
        return self.x + point[0] * self.width, self.y + point[1] * self.height


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
