"""OverlapMark: a box around where the pair of objects that is looked at overlaps."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

_COLOR = (1.0, 0.36, 0.30)  # sRGB


class OverlapMark(Decoration):
    """The box, in the pictures of a view."""

    is_shown = RedrawProperty[bool](Damage.OVERLAY)
    box = RedrawProperty[np.ndarray | None](Damage.OVERLAY)  # (2, 3) lower and upper corner, world; None: there is none

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self.box = None

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add its edges."""
        if self.box is not None:
            annotations.add_lines(box_corners(*self.box)[BOX_EDGES], annotations.line_width, _COLOR)


PART = DecorationPart(OverlapMark)
