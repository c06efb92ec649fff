"""ToolRouter: gives each intent over the picture to the tool or command that it is for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.document.document import Document
from octoscope.viewer.tools.intents import (
    Click,
    DoubleClick,
    Drag,
    Drop,
    Hover,
    Intent,
    KeyPress,
    Orbit,
    Pan,
    Press,
    RightClick,
    Zoom,
)
from octoscope.viewer.tools.tool import Tool
from octoscope.viewer.tools.tools import Tools
from octoscope.viewer.ui.shell import Shell
from octoscope.viewer.window.keys import Chord

_TAB = Chord.parse("Tab")


class ToolRouter:
    """Offers intents to tools of features and the gizmo; then to selecting and others."""

    def __init__(
        self, tools: Tools, first: Sequence[Tool], shell: Shell, table: CommandTable, document: Document
    ) -> None:
        self._tools = tools
        self._first = first
        self._shell = shell
        self._table = table
        self._document = document

    def follow(self, intent: Intent, *, flies_fast: bool = False) -> None:
        """Do what an intent asks for; `flies_fast`: whether Shift is held, with which drags pan meanwhile."""
        steering, select = self._tools.camera, self._tools.select
        gizmo = self._tools.gizmo
        steering.note(intent)
        if not gizmo.is_running and any(tool.follow(intent) for tool in self._first):
            select.hover.move(None)
            gizmo.hovered = None
            return
        if (gizmo.is_running or self._tools.hand.tool is None) and gizmo.follow(intent):
            select.hover.move(None)
            return
        match intent:
            case Hover(location):
                select.hover.move(location)
            case Press(location):
                steering.begin(location)
            case RightClick(location):
                select.take_under(location)
                self._shell.context_menu.open()
                self._shell.focus.expect_change()
            case Drag() if select.drag(intent):
                select.hover.move(None)
            case Click():
                if select.click(intent):
                    self._shell.focus.expect_change()
            case DoubleClick():
                select.double_click(intent)
            case KeyPress(chord) if chord == _TAB and self._table.owner_of(chord) is None:
                self._shell.follow_tab()
            case KeyPress(chord):
                self._table.press(chord)
            case Drop(paths):
                self._document.drop([Path(path) for path in paths])
            case _:
                if not isinstance(intent, Zoom):
                    select.hover.move(None)
                if isinstance(intent, Pan) and gizmo.is_running and not flies_fast:
                    intent = Orbit(intent.dx, intent.dy)  # which helps more while something is moved by keys
                steering.follow(intent)
