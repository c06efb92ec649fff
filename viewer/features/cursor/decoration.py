"""CursorMark: the 3D cursor in the pictures of a view."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

_RED, _WHITE = (0.93, 0.25, 0.22), (0.97, 0.97, 0.97)
_RADIUS, _ARM, _GAP = 5.0, 10.0, 2.5  # line widths: of the ring, of the ends of its cross, and of the hole in that
_RING = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 25)])
_CROSS = np.array([[(_GAP, 0), (_ARM, 0)], [(-_GAP, 0), (-_ARM, 0)], [(0, _GAP), (0, _ARM)], [(0, -_GAP), (0, -_ARM)]])


class CursorMark(Decoration):
    """A ring, half red and half white by turns, with a cross."""

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self._view = view

    @property
    def annotates(self) -> bool:
        """True while there is a cursor."""
        return self._view.scene.cursor is not None

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add the cursor."""
        width, point = annotations.line_width, self._view.scene.cursor
        assert point is not None
        ring = np.stack([_RING[:-1], _RING[1:]], axis=1) * _RADIUS
        is_red = np.arange(len(ring)) // 3 % 2 == 0
        for lines, color in ((_CROSS, _WHITE), (ring[is_red], _RED), (ring[~is_red], _WHITE)):
            ends = np.broadcast_to(point, (len(lines), 2, 3))
            annotations.add_lines(ends, 0.75 * width, color, lines * width)


PART = DecorationPart(CursorMark)
