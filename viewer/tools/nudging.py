"""Nudger: moves the selection by steps; those that follow one another soon are one entry of the history."""

from __future__ import annotations

import numpy as np

from octoscope.scene import editing
from octoscope.scene.geometry.pyrr_transforms import translation
from octoscope.scene.history.history import Entry
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.tools.gizmo.settings import GizmoSettings

_SECONDS = 1.0  # between two that are one entry


class Nudger:
    """Moves the selection of a view by steps along the world's axes."""

    def __init__(self, editor: Editor, settings: GizmoSettings) -> None:
        self._editor = editor
        self._settings = settings
        self._entry: Entry | None = None  # of the last nudge
        self._offset = np.zeros(3)  # world, of that entry
        self._seconds = 0.0  # when it was, by the view's clock

    def nudge(self, right: float, up: float) -> None:
        """Move by so many snapping steps, along the axes nearest to the picture's right and up."""
        editor, view = self._editor, self._editor.view
        if editor.refuses("Nudge"):
            return
        editor.finish()
        offset = self._settings.step * (right * _axes(view.camera.axes)[0] + up * _axes(view.camera.axes)[1])
        seconds, last = view.redraw.clock(), editor.history.last_done
        if last is not None and last is self._entry and seconds - self._seconds < _SECONDS:
            offset = offset + self._offset
            editor.take_back()
        editor.run(editing.transform, editor.selected_ids, translation(offset), label="Nudge")
        self._entry, self._offset, self._seconds = editor.history.last_done, offset, seconds


def _axes(camera_axes: np.ndarray) -> np.ndarray:
    """Return the axes of the world nearest to the first two of a camera's, one another's different: (2, 3)."""
    right, up = camera_axes[:2]
    across = np.abs(right).argmax()
    upward = np.where(np.arange(3) == across, 0.0, np.abs(up)).argmax()
    return np.stack([np.sign(right[across]) * np.eye(3)[across], np.sign(up[upward]) * np.eye(3)[upward]])
