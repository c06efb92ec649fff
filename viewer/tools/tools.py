"""Tools: the tools of one window."""

from __future__ import annotations

from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.tools.camera_tool import CameraTool
from octoscope.viewer.tools.gizmo.tool import GizmoTool
from octoscope.viewer.tools.nudging import Nudger
from octoscope.viewer.tools.select_tool import SelectTool
from octoscope.viewer.tools.tool import Hand


class Tools:
    """The tools of one window, each of which follows the intents meant for it."""

    def __init__(self, editor: Editor) -> None:
        self.camera = CameraTool(editor.view)
        self.select = SelectTool(editor)
        self.gizmo = GizmoTool(editor)
        self.hand = Hand()
        self.nudge = Nudger(editor, self.gizmo.settings).nudge

    @property
    def gizmo_has_clicks(self) -> bool:
        """True unless a tool is held in place of the gizmo; a transformation under way goes on."""
        return self.gizmo.is_running or self.hand.tool is None
