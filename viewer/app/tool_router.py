"""Routing: each intent over the picture goes to the tool or command that it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    Press,
    RightClick,
    Steering,
    Zoom,
)
from octoscope.viewer.tools.tool import Follow
from octoscope.viewer.tools.tools import Tools
from octoscope.viewer.ui.shell import Shell
from octoscope.viewer.window.drags import ORBIT, PAN
from octoscope.viewer.window.keys import Chord

_TAB = Chord.parse("Tab")


def route(
    intent: Intent,
    tools: Tools,
    first: Sequence[Follow],
    shell: Shell,
    table: CommandTable,
    document: Document,
    *,
    flies_fast: bool = False,
) -> None:
    """Offer an intent to tools of features and the gizmo; then to selecting and others.

    Args:
        first: the tools of features.
        flies_fast: whether Shift is held, with which drags pan meanwhile.
    """
    steering, select = tools.camera, tools.select
    gizmo = tools.gizmo
    steering.note(intent)
    if not gizmo.is_running and any(follow(intent) for follow in first):
        select.hover.move(None)
        gizmo.hovered = None
        return
    if tools.gizmo_has_clicks and gizmo.follow(intent):
        select.hover.move(None)
        return
    match intent:
        case Hover(location):
            select.hover.move(location)
        case Press(location):
            steering.begin(location)
        case RightClick(location):
            select.take_under(location)
            shell.context_menu.open()
            shell.focus.expect_change()
        case Drag() if select.drag(intent):
            select.hover.move(None)
        case Click():
            if select.click(intent):
                shell.focus.expect_change()
        case DoubleClick():
            select.double_click(intent)
        case KeyPress(chord) if chord == _TAB and table.owner_of(chord) is None:
            shell.follow_tab()
        case KeyPress(chord):
            table.press(chord)
        case Drop(paths):
            document.drop([Path(path) for path in paths])
        case _:
            if not isinstance(intent, Zoom):
                select.hover.move(None)
            if isinstance(intent, Steering) and intent.action == PAN and gizmo.is_running and not flies_fast:
                intent = replace(intent, action=ORBIT)  # which helps more while something is moved by keys
            steering.follow(intent)
