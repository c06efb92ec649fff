"""ObjectProperties: what files state of the active object, and of the point of it that was clicked."""

from __future__ import annotations

import numpy as np

from octoscope.scene.sources import rows_of
from octoscope.scene.system.text_file import ReadError
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import Memo, State

_AT_CLICK = "At the click"
Rows = list[tuple[str, str]]  # names and texts; headings have no text


class ObjectProperties:
    """Rows of properties, kept until the scene or the selection is another."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._of_object: Memo[Rows] = Memo()
        self._of_point: Memo[Rows] = Memo()

    def rows(self, ids: np.ndarray, state: State) -> Rows:
        """Return those of the last of some nodes; none of several objects."""
        if len(ids) > 1 and self._editor.read_only is None:  # where scenes stream, parts of one are selected together
            return []
        scene, node, hit = self._editor.scene, int(ids[-1]), self._editor.clicked_hit
        rows = self._of_object.get(ids, state, lambda: rows_of(scene.grouped_properties(node)))
        if hit is None or hit.node.id != node:
            return rows
        # Those of the click, which stay though the object moves on.
        return rows + self._of_point.get(ids, tuple(hit.point), lambda: self._rows_at(node, hit.point))

    def _rows_at(self, node: int, point: np.ndarray) -> Rows:
        try:
            found = self._editor.scene.properties_at(node, point)
        except ReadError as error:
            return [(_AT_CLICK, ""), ("not read", error.reason)]
        return rows_of({_AT_CLICK: found} if found else {})
