"""The foldout about what an object's file states of it, and of the point that was clicked."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import State
from octoscope.viewer.editing.object_properties import ObjectProperties
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import fact, quiet


class PropertiesFoldout:
    """A NodeFoldout of properties."""

    title = "Properties"

    def __init__(self, editor: Editor) -> None:
        self._properties = ObjectProperties(editor)

    def is_for(self, ids: np.ndarray, state: State) -> bool:
        """Return whether there are any."""
        return len(self._properties.rows(ids, state)) > 0

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for one node."""
        for name, text in self._properties.rows(ids, state):
            if text:
                fact(theme, name, text)
            else:
                quiet(theme, name)
