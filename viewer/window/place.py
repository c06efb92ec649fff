"""Size and position of a window on the screens: the usual size, the smallest, and where it can be put again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

USUAL_SIZE, SMALLEST = (1280, 720), (480, 320)  # logical pixels
_LARGEST = 1 << 15


class ScreenRectangle(NamedTuple):
    """A window without its frame, or a screen: pixels of the window system, from the top left."""

    left: int
    top: int
    width: int
    height: int

    @staticmethod
    def fits(value: object) -> bool:
        """Tell whether a value from a file can be that of a window."""
        if not isinstance(value, list) or len(value) != 4 or any(type(each) is not int for each in value):
            return False
        return all(abs(each) <= _LARGEST for each in value) and value[2] > 0 and value[3] > 0


def most_covered(screens: Sequence[ScreenRectangle], window: ScreenRectangle) -> int:
    """Return the index of the screen on which most of a window is; the first, where it is on none."""

    def shared(screen: ScreenRectangle) -> int:
        across = min(window.left + window.width, screen.left + screen.width) - max(window.left, screen.left)
        down = min(window.top + window.height, screen.top + screen.height) - max(window.top, screen.top)
        return max(0, across) * max(0, down)

    return max(range(len(screens)), key=lambda index: shared(screens[index]))


def on_screens(window: ScreenRectangle, screens: Sequence[ScreenRectangle]) -> ScreenRectangle:
    """Put a window where all of it can be seen: on the screen with most of it, made smaller if need be.

    One that lies on a screen already stays as it is, and so does one of which no screen is known.
    """
    if not screens:
        return window
    screen = screens[most_covered(screens, window)]
    width, height = min(window.width, screen.width), min(window.height, screen.height)
    left = min(max(window.left, screen.left), screen.left + screen.width - width)
    top = min(max(window.top, screen.top), screen.top + screen.height - height)
    return ScreenRectangle(left, top, width, height)
