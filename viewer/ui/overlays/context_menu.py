"""ContextMenu: the menu of the selection, where the right button was clicked."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.ui.overlays.menus import draw_context_menu

_NAME = "context menu"


class ContextMenu:
    """The menu of a right click in the picture or the outliner."""

    def __init__(self) -> None:
        self._is_wanted = False

    def open(self) -> None:
        """Open it at the mouse, with the next drawing."""
        self._is_wanted = True

    def draw(self, table: CommandTable) -> None:
        """Draw the menu if it is open."""
        if self._is_wanted:
            self._is_wanted = False
            imgui.open_popup(_NAME)
        if imgui.begin_popup(_NAME):
            draw_context_menu(table)
            imgui.end_popup()
