"""Points and rectangles of a picture, x to the right and y down."""

from __future__ import annotations

from dataclasses import dataclass

NormalizedPoint = tuple[float, float]  # 0 to 1 across a viewport's width and height
PixelPoint = tuple[float, float]  # logical pixels from the top left of the whole picture


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
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height

    def point(self, pixel: PixelPoint) -> NormalizedPoint:
        """Return where a pixel of the picture lies within this part; it may lie outside."""
        return (pixel[0] - self.x) / self.width, (pixel[1] - self.y) / self.height

    def pixel(self, point: NormalizedPoint) -> PixelPoint:
        """Return the pixel of the picture that lies at a point of this part."""
        return self.x + point[0] * self.width, self.y + point[1] * self.height
