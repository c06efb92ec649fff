"""Points and rectangles of a picture: the names that annotations use for them."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]  # x to the right, y down, as fractions of a viewport's width and height
Pixel = tuple[float, float]  # the same in logical pixels of the whole picture


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
        """The upper left one."""
        return self.x, self.y

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height

    def point(self, pixel: Pixel) -> Point:
        """Return a pixel of the picture as fractions of this part; it may lie outside."""
        return (pixel[0] - self.x) / self.width, (pixel[1] - self.y) / self.height
