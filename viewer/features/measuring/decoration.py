"""Measurements in pictures: those of the scene, and the one that is being made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.annotations.measurement import Measurement
from octoscope.scene.measuring.drawings import drawing_of
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.measurements import figure_text, picture_text, shown_measurements, world_points
from octoscope.scene.measuring.snapping import EDGE, FACE, MIDPOINT, VERTEX
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

MEASUREMENT_COLOR = (1.0, 0.84, 0.25)
PREVIEW_COLOR = (0.35, 0.9, 1.0)
_SAME = 1e-6  # of the largest coordinate: figures so near to each other are of one thing
# Outlines of unit size, y down, by the kind of point that the cursor snaps to.
_CIRCLE = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 17)])
_MARKERS = {
    VERTEX: np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]),
    MIDPOINT: np.array([(0, -1.2), (1.1, 0.8), (-1.1, 0.8), (0, -1.2)]),
    EDGE: np.array([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)]),
    FACE: _CIRCLE,
}


@dataclass(frozen=True, eq=False)
class MeasurementPreview:
    """A measurement that is being made."""

    kind: str  # one of KINDS in measurement.py
    points: np.ndarray  # (n, 3) world; the last one, or the last face's, is under the cursor
    snapped_to: str  # kind of that last point, as of scene.measuring.snapping; "": no mark


class Measurements(Decoration):
    """The measurements in the pictures of a view."""

    name = "measurements"
    preview = RedrawProperty[MeasurementPreview | None](Damage.OVERLAY)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self.view = view
        self.preview = None  # the measurement that is being made, or None

    def shown(self) -> list[Measurement]:
        """Return the scene's measurements between nodes that are shown."""
        return shown_measurements(self.view.scene, self.view.visibility.isolated)

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add the measurements of which the section cuts no point away, then the preview."""
        scene, section = self.view.scene, self.view.settings.section
        lengths = Lengths.of(scene)
        shown: list[tuple[str, np.ndarray]] = []
        for measurement in self.shown():
            points = world_points(scene, measurement.anchors)
            is_finite = np.isfinite(points).all()  # a node's matrix may have overflowed
            if is_finite and section.keeps(points).all():
                shown += _add(annotations, measurement, points, MEASUREMENT_COLOR, lengths, [])
        preview = self.preview
        if preview is not None:
            _add(annotations, preview, preview.points, PREVIEW_COLOR, lengths, shown)
            if preview.snapped_to:
                outline = 0.55 * annotations.font_size_px * _MARKERS[preview.snapped_to]
                offsets = np.stack([outline[:-1], outline[1:]], axis=1)
                ends = np.tile(preview.points[-1], (len(offsets), 2, 1))
                annotations.add_lines(ends, annotations.line_width, PREVIEW_COLOR, offsets)


PART = DecorationPart(Measurements)


def _add(
    annotations: AnnotationBuilder,
    measured: Measurement | MeasurementPreview,
    points: np.ndarray,
    color: tuple[float, float, float],
    lengths: Lengths,
    known: list[tuple[str, np.ndarray]],
) -> list[tuple[str, np.ndarray]]:
    """Add a measurement; return its figure and where that stands, unless it is among those that are known."""
    width = annotations.line_width
    drawing = drawing_of(measured.kind, points)
    lines = annotations.add_lines(drawing.lines, width, color)
    along = annotations.add_lines(drawing.figure_lines, width, color)
    annotations.add_lines(np.stack([drawing.dots, drawing.dots], axis=1), 3.0 * width, color)
    if not len(drawing.figure_lines):
        return []
    text, middle = figure_text(measured.kind, points, lengths), drawing.middle
    if any(text == figure and np.allclose(middle, at, rtol=0.0, atol=_SAME * np.abs(at).max()) for figure, at in known):
        return []
    text_shown = picture_text(measured, text) if isinstance(measured, Measurement) else text
    annotations.add_label(text_shown, along, range(lines.start, along.stop))
    return [(text, middle)]
