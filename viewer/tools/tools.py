"""Tools: the tools of one window."""

from __future__ import annotations

from collections.abc import Callable

from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.tools.camera_tool import CameraTool
from octoscope.viewer.tools.gizmo.tool import GizmoTool
from octoscope.viewer.tools.measure_tool import MeasureTool
from octoscope.viewer.tools.select_tool import SelectTool


class Tools:
    """The tools of one window, each of which follows the intents meant for it.

    Args:
        editor: applies their edits.
        copy: puts a text on the clipboard.
        scale: of the interface.

    Attributes:
        camera: moves the camera.
        select: selects by clicks and boxes.
        gizmo: moves, rotates and scales the selection.
        measure: measures distances and angles.
    """

    def __init__(self, editor: Editor, copy: Callable[[str], object], *, scale: float = 1.0) -> None:
        self.camera = CameraTool(editor.view)
        self.select = SelectTool(editor)
        self.gizmo = GizmoTool(editor, scale)
        self.measure = MeasureTool(editor.view, editor.do_measurements, copy, lambda: editor.read_only is None)
