"""OverlapMark: a box around where the pair of objects that is looked at overlaps."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.nodes.bounds import own_boxes
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
    pair = RedrawProperty[np.ndarray | None](Damage.OVERLAY)  # (2,) int32 objects, or None

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self._scene = view.scene
        self.pair = None

    @property
    def box(self) -> np.ndarray | None:
        """(2, 3) world: corners of what the boxes of the pair have in common now; None where they lie apart."""
        box = None if self.pair is None else common_boxes(self._scene, self.pair[None])[0]
        return box if box is not None and (box[0] < box[1]).all() else None

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add its edges."""
        box = self.box
        if box is not None:
            annotations.add_lines(box_corners(*box)[BOX_EDGES], annotations.line_width, _COLOR)


PART = DecorationPart(OverlapMark)


def common_boxes(scene: Scene, pairs: np.ndarray) -> np.ndarray:
    """Return (m, 2, 3) the box that the boxes of both objects of each pair have in common, as OverlapList.common."""
    ids, rows = np.unique(pairs, return_inverse=True)
    boxes = own_boxes(scene, ids)[rows.reshape(-1, 2)]
    return np.stack([boxes[:, :, 0].max(axis=1), boxes[:, :, 1].min(axis=1)], axis=1)
