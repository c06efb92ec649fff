"""FaultMarks: the edges, or the sides of the faces, that are wrong with the object that is looked at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

_COLOR = (1.0, 0.36, 0.30)  # sRGB
_WIDTH = 2.0  # of other lines


@dataclass(frozen=True, eq=False)
class MarkedFault:
    """The lines of a fault."""

    node: int
    ends: np.ndarray  # (k, 2, 3) local


class FaultMarks(Decoration):
    """Lines in the pictures of a view, over everything."""

    is_shown = RedrawProperty[bool](Damage.OVERLAY)
    marked = RedrawProperty[MarkedFault | None](Damage.OVERLAY)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self._scene = view.scene
        self.marked = None

    @property
    def segments(self) -> np.ndarray:
        """(k, 2, 3) world: the lines where the node is now."""
        if self.marked is None:
            return np.empty((0, 2, 3))
        matrix = self._scene.world_from_local[self.marked.node]
        return self.marked.ends @ matrix[:3, :3].T + matrix[:3, 3]

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add them."""
        if self.marked is not None:
            annotations.add_lines(self.segments, _WIDTH * annotations.line_width, _COLOR)


PART = DecorationPart(FaultMarks)
