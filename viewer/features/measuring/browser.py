"""BrowserMeasuring: buttons and figures of measuring in browsers, and measurements over their pictures."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from octoscope.scene.annotations.measurement import TITLES
from octoscope.scene.measuring.drawings import drawing_of
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.measurements import figure_text, picture_text, world_points
from octoscope.scene.system.text_file import printable
from octoscope.viewer.features.measuring.decoration import MEASUREMENT_COLOR, PREVIEW_COLOR
from octoscope.viewer.features.measuring.feature import command
from octoscope.viewer.features.measuring.tool import MeasureTool
from octoscope.viewer.features.web.front import MOST_TEXTS, BrowserFront, BrowserPart

_POINT_SIZE = 0.1  # of the points of a measurement that is being made, browser units


class BrowserMeasuring:
    """Measuring in browsers."""

    def __init__(self, front: BrowserFront) -> None:
        editor, controls = front.editor, front.controls
        self._scene = editor.scene
        self._overlays = front.overlays
        self._hand = front.hand
        self._label_count = 0
        # Makes measurements by clicks.
        self.tool = MeasureTool(editor.view, editor.do, front.context.copy, front.hand)
        self.commands = command.bound_to(self.tool)
        self._figures: Any = controls.gui.add_text("Figures", "", multiline=True, disabled=True, visible=False)
        with controls.gui.add_folder("Measure", expand_by_default=False):
            self._kinds = {
                kind: controls.button(f"Measure {title}", partial(self.tool.toggle, kind))
                for kind, title in TITLES.items()
            }
            self._remove = controls.button("Remove last measurement", self.tool.remove_last)

    def update(self) -> None:
        """Show which kind is measured, what to click next, the figures, and measurements that are new."""
        for kind, button in self._kinds.items():
            button.color = "orange" if self.tool.kind == kind else "gray"
        rows = self.tool.rows()
        self._figures.visible = bool(rows)
        self._figures.label = self._hand.holder_name or "Figures"
        self._figures.value = "\n".join(f"{label}: {printable(text)}" for label, text in rows)
        self._remove.disabled = self.tool.last() is None
        scene, preview = self._scene, self.tool.measurements.preview
        if self._overlays.is_new("measurements", (scene.world_revision, scene.version if scene.measurements else 0)):
            self._draw_measurements()
        if self._overlays.is_new("points", (None if preview is None else preview.points.tobytes(),)):
            points = np.empty((0, 3)) if preview is None else preview.points
            self._overlays.points("points", points, PREVIEW_COLOR, _POINT_SIZE)

    def _draw_measurements(self) -> None:
        overlays = self._overlays
        for number in range(self._label_count):
            overlays.show(f"label {number}", None)
        lines = [np.empty((0, 2, 3))]
        shown = self.tool.measurements.shown()[:MOST_TEXTS]
        for number, measurement in enumerate(shown):
            points = world_points(self._scene, measurement.anchors)
            if not np.isfinite(points).all():
                continue
            drawing = drawing_of(measurement.kind, points)
            lines += [drawing.lines, drawing.figure_lines]
            text = picture_text(measurement, figure_text(measurement.kind, points, Lengths.of(self._scene)))
            overlays.label(f"label {number}", text, drawing.middle)
        self._label_count = len(shown)
        overlays.lines("measurements", np.concatenate(lines), MEASUREMENT_COLOR, 2.0)


PART = BrowserPart(BrowserMeasuring)
