"""ToolRouter: brings what a person wants of the picture to the tool that is for it, or to the commands."""

from __future__ import annotations

from pathlib import Path

from viewer.commands.table import CommandTable
from viewer.document.document import Document
from viewer.tools.intents import Click, DoubleClick, Drag, Drop, Hover, Intent, KeyPress, Press, RightClick, Zoom
from viewer.tools.tools import Tools
from viewer.ui.shell import Shell


class ToolRouter:
    """Follows intents, one after the other; a drag with a tool at work is the tool's, and else the camera's.

    Args:
        tools, shell, table, document: of one window.
    """

    def __init__(self, tools: Tools, shell: Shell, table: CommandTable, document: Document) -> None:
        self._tools = tools
        self._shell = shell
        self._table = table
        self._document = document

    def follow(self, intent: Intent, *, flies_fast: bool = False) -> None:
        """Do what was meant.

        Args:
            flies_fast: whether Shift is held, which leaves a dragged middle button to the camera's shifting.
        """
        steering, select = self._tools.camera, self._tools.select
        gizmo, measure = self._tools.gizmo, self._tools.measure
        steering.note(intent)
        if (gizmo.is_running or not measure.kind) and gizmo.follow(intent):
            select.hover.move(None)
            return
        if measure.follow(intent):
            select.hover.move(None)
            return
        match intent:
            case Hover(location):
                select.hover.move(location)
            case Press(location):
                steering.begin(location)
            case RightClick(location):
                select.take_under(location)
                self._shell.picture_menu.open()
                self._shell.focus.expect_change()
            case Drag() if select.drag(intent):
                select.hover.move(None)
            case Click():
                if select.click(intent):
                    self._shell.focus.expect_change()
            case DoubleClick():
                select.double_click(intent)
            case KeyPress(chord):
                self._table.press(chord)
            case Drop(paths):
                self._document.drop([Path(path) for path in paths])
            case _:
                if not isinstance(intent, Zoom):
                    select.hover.move(None)
                steering.follow(intent, middle_turns=gizmo.is_running and not flies_fast)
