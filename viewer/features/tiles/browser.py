"""BrowserProperties: the properties of the active object, and of the point that was clicked, in browsers."""

from __future__ import annotations

import html
from typing import Any

from octoscope.viewer.editing.memo import state_of
from octoscope.viewer.features.tiles.feature import PropertiesFoldout
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart

_TABLE = '<table style="font-size: 0.85em; margin: 0 1em; overflow-wrap: anywhere">{}</table>'
_ROW = '<tr><td style="opacity: 0.7; vertical-align: top">{}</td><td style="padding-left: 1em">{}</td></tr>'
_HEADING = '<tr><th colspan="2" style="text-align: left">{}</th></tr>'


class BrowserProperties:
    """A table, where there are any."""

    commands = ()

    def __init__(self, front: BrowserFront) -> None:
        self._editor = front.editor
        self._foldout = PropertiesFoldout(front.editor)
        self._shown: list[tuple[str, str]] = []
        self._folder: Any = front.controls.gui.add_folder("Properties", visible=False)
        with self._folder:
            self._table: Any = front.controls.gui.add_html("")

    def update(self) -> None:
        """Show the facts if they are others."""
        ids = self._editor.selected_ids
        facts = self._foldout.facts_of(ids, state_of(self._editor.scene)) if len(ids) else []
        if facts == self._shown:
            return
        self._shown = facts
        rows = ((_ROW if text else _HEADING).format(html.escape(name), html.escape(text)) for name, text in facts)
        self._table.content = _TABLE.format("".join(rows))
        self._folder.visible = bool(facts)


PART = BrowserPart(BrowserProperties)
