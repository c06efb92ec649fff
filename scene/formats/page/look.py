"""PageLook: camera, light and background of a page."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from octoscope.scene.annotations.bookmarks import Bookmark

Color = tuple[float, float, float]
_USUAL = Path(__file__).with_name("usual_look.json")


@dataclass(frozen=True)
class PageLook:
    """Camera, light and background of a page; colours of the background are sRGB, 0 to 1, those of light linear."""

    top: Color  # the upper end of the background's gradient
    bottom: Color  # its lower end
    ground: Color  # of the ground's lines
    is_dark: bool  # whether the panels are
    key_direction: tuple[float, float, float]  # towards the key light, on the axes of the camera or the world
    key_follows_camera: bool  # says which of them
    key_color: Color  # of a white matt surface that faces it
    # what comes from all around: rows from straight up to straight down, each once around the horizon from -z over +x;
    # y is up
    environment: tuple[tuple[Color, ...], ...]
    environment_follows_camera: bool  # turns about the vertical with it
    shadow: float = 0.0  # share of the key light that a shadow takes, 0 to 1
    shows_grid: bool = True
    camera: Bookmark | None = None  # where the page looks from at first; None: at all of the scene
    planes: tuple[tuple[float, float, float, float], ...] = ()  # that cut away what has n . p < offset, world
    notes: tuple[str, ...] = ()  # a line for each thing of a view that the page does not show

    def values(self) -> dict[str, object]:
        """Return all but the notes, as JSON has them."""
        return {name: value for name, value in asdict(self).items() if name != "notes"}


@cache
def usual_look() -> PageLook:
    """Return the look of a window that has just been opened; the viewer's tests hold the file equal to it."""
    return PageLook(**json.loads(_USUAL.read_text(encoding="utf-8")))
