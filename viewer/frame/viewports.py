"""Viewports: the parts of a picture, each with a camera of its own; how it is divided, and where they look at first."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scene import Scene
from viewer.camera import controls as navigation
from viewer.camera.camera import Camera
from viewer.frame.picking import Picture
from viewer.frame.stats import FrameStats

COUNTS = (1, 2, 4)
_GAP = 2  # pixels between two
# Where the viewports look from when they are first shown; the first keeps the camera that there was.
_LOOKS = (None, "top", "front", "right")


@dataclass(frozen=True)
class Rectangle:
    """A part of a picture: its upper left corner, from the picture's, and its size; pixels, y down."""

    x: int
    y: int
    width: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        return self.width, self.height

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height


def tiles(count: int, size: tuple[int, int]) -> tuple[Rectangle, ...]:
    """Divide a picture into 1, 2 (side by side) or 4 (two rows) rectangles, row by row, with a gap between.

    In a picture too small for that they lie over each other; none is ever without a pixel.
    """
    columns = _divided(size[0], 1 if count == 1 else 2)
    rows = _divided(size[1], 2 if count == 4 else 1)
    if count not in COUNTS:
        raise ValueError(f"{count} viewports; there can be 1, 2 or 4")
    return tuple(Rectangle(x, y, width, height) for y, height in rows for x, width in columns)


def first_camera(place: int, camera: Camera) -> Camera:
    """Where the viewport at a place looks from at first, beside one with a camera: along an axis, at the same pivot."""
    look = _LOOKS[place]
    return camera if look is None else replace(navigation.look(camera, look), orthographic=True)


def _divided(length: int, parts: int) -> list[tuple[int, int]]:
    """(begin, length) of each of one or two parts."""
    if parts == 1:
        return [(0, length)]
    first = max(1, (length - _GAP) // 2)
    second = max(1, length - _GAP - first)
    return [(0, first), (length - second, second)]


class Viewport:
    """A part of the picture with a camera of its own.

    Attributes:
        stats: of its last frame.
        last: its last picture.
    """

    def __init__(self, scene: Scene, camera: Camera) -> None:
        self._camera = camera
        self.stats = FrameStats()
        self.last = Picture(scene, camera, 1.0, None, np.empty(0, dtype=np.int32))

    @property
    def camera(self) -> Camera:
        """Where one looks from; its depth range is set when a frame is built."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if camera.is_finite:  # else what is to be looked at is too large for numbers, and nothing would be seen
            self._camera = camera
