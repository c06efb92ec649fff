"""Decoration: what a feature draws in the pictures of a view, in windows and without one."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty
from octoscope.viewer.frame.viewports import Viewport

NO_CELLS = np.empty((0, 8), dtype=np.float32)


class Decoration:
    """Draws nothing by itself: a feature overrides what it needs."""

    name = ""  # by which options and scripts ask for it
    is_shown = RedrawProperty[bool](Damage.SCENE)  # whether it is drawn

    def __init__(self, redraw: Redraw, *, is_shown: bool = True) -> None:
        self.redraw = redraw  # gets a request when what it draws changes
        self.is_shown = is_shown

    @property
    def annotates(self) -> bool:
        """True if `annotate` is to be called."""
        return self.is_shown

    @property
    def annotates_alone(self) -> bool:
        """True while no other decoration is to annotate the pictures."""
        return False

    @property
    def follows_selection(self) -> bool:
        """True if its cells depend on the selection."""
        return False

    def cells(self, viewport: Viewport) -> np.ndarray:
        """Return wire cubes among the objects, (n, 8) float32: relative centre, half size, sRGB colour, opacity."""
        return NO_CELLS

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add lines, texts and pictures that lie over everything."""

    def free_width(self, size: tuple[int, int]) -> float:
        """Return the width, in pixels, of the middle of a picture of a size that objects are to be framed in."""
        return float(size[0])

    def edges(self, viewport: Viewport) -> tuple[float, float]:
        """Return the widths of the strips that it fills along the right and the lower edge, in font sizes of labels."""
        return 0.0, 0.0

    def title(self, viewport: Viewport) -> str:
        """Return what it adds to the title of a viewport, or ""."""
        return ""
