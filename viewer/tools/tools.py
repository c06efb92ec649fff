"""Tools: what a person has in hand over a view's picture; each follows the intents that are for it."""

from __future__ import annotations

from collections.abc import Callable

from viewer.editing.editor import Editor
from viewer.tools.camera_tool import Steering
from viewer.tools.gizmo.tool import GizmoTool
from viewer.tools.measure_tool import MeasureTool
from viewer.tools.select_tool import SelectTool


class Tools:
    """Those of one window.

    Args:
        editor: does what they do to the scene. picture_size: gives the picture's size in logical pixels.
        copy: brings a text to the clipboard.

    Attributes:
        steering: moves the camera. select: clicks and boxes. gizmo: moves what is selected. measure: measures.
    """

    def __init__(
        self, editor: Editor, picture_size: Callable[[], tuple[float, float]], copy: Callable[[str], object]
    ) -> None:
        self.steering = Steering(editor.view, picture_size)
        self.select = SelectTool(editor, picture_size)
        self.gizmo = GizmoTool(editor, picture_size)
        self.measure = MeasureTool(editor.view, picture_size, editor.do, copy)
