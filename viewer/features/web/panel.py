"""WebPanel: the controls beside the picture in a browser: commands, features, the tree of objects, messages.

Every browser shows the same panel: if one browser opens a node, searches or measures, the others show it too.
"""

from __future__ import annotations

import html
from functools import partial
from typing import Any

import numpy as np
from viser import GuiApi, ViserServer

from octoscope.scene.selecting import named_ids
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.table import Command
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import TOAST_SECONDS, LogEntry, brief
from octoscope.viewer.editing.memo import state_of
from octoscope.viewer.editing.object_properties import ObjectProperties
from octoscope.viewer.editing.selection import active_of
from octoscope.viewer.features import parts
from octoscope.viewer.features.web.commands import BrowserCommands
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart

_ROWS = 12  # of the list of objects
_TOP = -1  # in place of a node: the top of the tree
_QUICK = ("edit.undo", "edit.redo", "file.save")
_OF_SELECTION = ("edit.rename", "select.hide", "edit.duplicate", "edit.delete", "object.move_into")
_TABLE = '<table style="font-size: 0.85em; margin: 0 1em; overflow-wrap: anywhere">{}</table>'
_ROW = '<tr><td style="opacity: 0.7; vertical-align: top">{}</td><td style="padding-left: 1em">{}</td></tr>'
_HEADING = '<tr><th colspan="2" style="text-align: left">{}</th></tr>'
_COLORS: dict[str, Any] = {"error": "red", "warning": "orange", "info": "blue"}


class _Properties:
    """A table of the properties of the active object and of the point that was clicked, where there are any."""

    def __init__(self, gui: GuiApi, editor: Editor) -> None:
        self._editor = editor
        self._properties = ObjectProperties(editor)
        self._shown: list[tuple[str, str]] = []
        self._folder = gui.add_folder("Properties", visible=False)
        with self._folder:
            self._table = gui.add_html("")

    def update(self) -> None:
        """Show the rows if they are others."""
        ids = self._editor.selected_ids
        rows = self._properties.rows(ids, state_of(self._editor.scene)) if len(ids) else []
        if rows == self._shown:
            return
        self._shown = rows
        lines = ((_ROW if text else _HEADING).format(html.escape(name), html.escape(text)) for name, text in rows)
        self._table.content = _TABLE.format("".join(lines))
        self._folder.visible = bool(rows)


class WebPanel:
    """The controls beside the picture."""

    def __init__(self, server: ViserServer, front: BrowserFront) -> None:
        context, controls = front.context, front.controls
        editor = context.editor
        self._server = server
        self._editor = editor
        self._scene = editor.scene
        self._document = context.document
        tops = self._children(_TOP)
        # Whose children are listed.
        self._parent = int(tops[0]) if len(tops) == 1 and len(self._children(int(tops[0]))) else _TOP
        self._query = ""
        self._first = 0  # of these, that is listed
        self._listed: list[int] = []
        self._shown: tuple[object, ...] = ()
        self._selected: np.ndarray = editor.selected_ids
        self._said: list[LogEntry] = []
        gui, button, follow = controls.gui, controls.button, controls.follow
        below = gui.add_panel()  # which phones show folded
        below.dock_below(gui.main_panel)
        quick = gui.add_folder(None)
        self._properties = _Properties(gui, editor)
        self._features = [part.contribute(front) for part in parts(BrowserPart)]
        self.commands = BrowserCommands(
            controls,
            context,
            [command for feature in self._features for command in feature.commands],
            self._refuse,
            front.forms,
        )
        with quick:
            self.commands.add_row("Edits", _QUICK)
        with below.add_tab("Objects"):
            self._find: Any = gui.add_text("Find", "", hint="a part of the name, or a pattern such as house*")
            follow(self._find, lambda: self._search(str(self._find.value)))
            self.commands.add_row("Selected", _OF_SELECTION)
            self._up = button("Up", self._go_up)
            self._rows = [button("", partial(self._choose, row)) for row in range(_ROWS)]
            self._more = button("More", self._turn_page)
        with below.add_tab("Menu"):
            self.commands.add_menus()

    # What the controls do.

    def _refuse(self, command: Command) -> None:
        self._editor.log.say("info", f"{command.label}: {command.refusal or 'not now'}")

    def search(self, query: str) -> None:
        """Type a query into the field above the list."""
        self._find.value = query
        self._search(query)

    def _search(self, query: str) -> None:
        self._query, self._first = query, 0

    def _go_up(self) -> None:
        if self._parent != _TOP:
            self._parent, self._first = int(self._scene.parents[self._parent]), 0

    def _turn_page(self) -> None:
        self._first += _ROWS

    def _choose(self, row: int) -> None:
        """Select the object of a row; its children are listed if it has any."""
        if row >= len(self._listed):
            return
        node = self._listed[row]
        self._editor.select([node])
        if not self._query and len(self._children(node)):
            self._parent, self._first = node, 0
        self._selected = self._editor.selected_ids  # the list stays where it is

    def _children(self, parent: int) -> np.ndarray:
        return np.flatnonzero(self._scene.alive & (self._scene.parents == parent))

    # What they show.

    def update(self) -> None:
        """Show what has changed."""
        self._show_messages()
        self._properties.update()
        for part in self._features:
            part.update()
        selected = self._editor.selected_ids
        if selected is not self._selected:
            self._selected = selected
            self._show_parent_of(active_of(selected))
        self.commands.update()
        scene = self._scene
        shown = (
            scene.tree_revision,
            scene.names_revision,
            selected.tobytes(),
            (self._parent, self._first, self._query),
            self._document.title,
        )
        if shown == self._shown:
            return
        self._shown = shown
        self._server.gui.set_panel_label(brief(self._document.title))
        self._show_rows()

    def _show_parent_of(self, node: int | None) -> None:
        """List the object that was selected elsewhere among its siblings, where no scrolling is needed."""
        if node is None or self._query:
            return
        self._parent = int(self._scene.parents[node])
        self._first = max(int(np.searchsorted(self._children(self._parent), node)) - 1, 0)

    def _show_rows(self) -> None:
        scene = self._scene
        if self._parent != _TOP and not scene.alive[self._parent]:
            self._parent, self._first = _TOP, 0
        found = named_ids(scene, self._query) if self._query else self._children(self._parent)
        if self._first >= len(found):
            self._first = 0
        self._listed = found[self._first : self._first + _ROWS].tolist()
        self._up.visible = self._parent != _TOP and not self._query
        if self._parent != _TOP:
            self._up.label = f"Up from {brief(scene.names[self._parent])}"
        selected = set(self._selected.tolist())
        is_parent = np.zeros(scene.row_count, dtype=bool)
        is_parent[scene.parents[scene.alive & (scene.parents >= 0)]] = True
        for row, button in enumerate(self._rows):
            button.visible = row < len(self._listed)
            if button.visible:
                node = self._listed[row]
                name = brief(scene.names[node]) + (" ..." if is_parent[node] else "")
                button.label = f"({name})" if scene.hidden[node] else name
                button.color = "orange" if node in selected else "gray"
        self._more.visible = len(found) > _ROWS
        last = self._first + len(self._listed)
        self._more.label = f"More: {self._first + 1:,} to {last:,} of {len(found):,} objects"

    def _show_messages(self) -> None:
        toasts, said = self._editor.log.toasts, self._said
        self._said = list(toasts)
        for entry in toasts:
            if not any(entry is each for each in said):
                for client in self._server.get_clients().values():
                    client.add_notification(
                        entry.level.capitalize(),
                        printable(entry.text),
                        auto_close_seconds=TOAST_SECONDS.get(entry.level),
                        color=_COLORS[entry.level],
                    )
