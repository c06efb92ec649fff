"""Tools: what a person has in hand over a view's picture; each follows the intents that are for it."""

from __future__ import annotations

from collections.abc import Callable

from viewer.editing.editor import Editor
from viewer.tools.camera_tool import CameraTool
from viewer.tools.gizmo.tool import GizmoTool
from viewer.tools.measure_tool import MeasureTool
from viewer.tools.select_tool import SelectTool


class Tools:
    """Those of one window.

    Args:
        editor: does what they do to the scene.
        copy: brings a text to the clipboard. scale: of the interface.

    Attributes:
        steering: moves the camera. select: clicks and boxes. gizmo: moves what is selected. measure: measures.
    """

    def __init__(self, editor: Editor, copy: Callable[[str], object], *, scale: float = 1.0) -> None:
        self.camera = CameraTool(editor.view)
        self.select = SelectTool(editor)
        self.gizmo = GizmoTool(editor, scale)
        self.measure = MeasureTool(editor.view, editor.do, copy)
