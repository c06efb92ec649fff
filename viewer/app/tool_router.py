"""Dispatch: brings what a person wants of the picture to the tool that is for it, or to the commands."""

from __future__ import annotations

import enum
from pathlib import Path

from viewer.document.document import Document
from viewer.editing.editor import Editor
from viewer.tools.tools import Tools
from viewer.ui.shell import Shell
from viewer.window.intents import Click, DoubleClick, Drag, Drop, Hover, Intent, KeyPress, Press, RightClick, Zoom


class Stale(enum.Enum):
    """What of the picture shows something else now: outlines alone cost a hundredth of it."""

    NOTHING = enum.auto()
    OUTLINES = enum.auto()
    PICTURE = enum.auto()


class Dispatch:
    """Follows intents, one after the other; a drag with a tool at work is the tool's, and else the camera's.

    Args:
        tools, shell, document: of the editor's window, once the shell has its commands.
    """

    def __init__(self, editor: Editor, tools: Tools, shell: Shell, document: Document) -> None:
        self._editor = editor
        self._view = editor.view
        self._tools = tools
        self._shell = shell
        self._document = document

    def follow(self, intent: Intent, *, flies_fast: bool = False) -> Stale:
        """Do what was meant.

        Args:
            flies_fast: whether Shift is held, which leaves a dragged middle button to the camera's shifting.
        """
        steering, select = self._tools.steering, self._tools.select
        gizmo, measure = self._tools.gizmo, self._tools.measure
        steering.note(intent)
        if (gizmo.is_running or not measure.kind) and gizmo.follow(intent):
            select.hover.move(None)
            return Stale.NOTHING  # but for what it has done to the scene
        if measure.follow(intent):
            select.hover.move(None)
            return Stale.OUTLINES
        match intent:
            case Hover(point):
                select.hover.move(point)
                return Stale.NOTHING
            case Press(point):
                steering.begin(point)
                return Stale.NOTHING
            case RightClick(point):
                select.take_under(point)
                self._shell.picture_menu.open()
                self._shell.focus.expect_change()
            case Drag() if select.drag(intent):
                select.hover.move(None)
            case Click():
                return self._click(intent)
            case DoubleClick():
                select.double_click(intent)
            case KeyPress(chord):
                self._shell.table.press(chord)
            case Drop(paths):
                self._document.drop([Path(path) for path in paths])
            case _:
                if not isinstance(intent, Zoom):
                    select.hover.move(None)
                steering.follow(intent, middle_turns=gizmo.is_running and not flies_fast)
        return Stale.PICTURE

    def _click(self, click: Click) -> Stale:
        was_changed = self._editor.changed
        if self._tools.select.click(click):
            self._shell.focus.expect_change()
        self._editor.changed = was_changed  # the scene is as it was: its outlines are enough
        return Stale.PICTURE if self._view.show_selected_cell else Stale.OUTLINES
