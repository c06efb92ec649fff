"""The picture's menu: what can be done with what is selected, where a right click was."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.commands.table import CommandTable
from viewer.ui.overlays.menus import draw_context_menu

_NAME = "picture menu"


class PictureMenu:
    """Opens where the mouse is."""

    def __init__(self) -> None:
        self._is_wanted = False

    def open(self) -> None:
        """Let it appear with the next frame."""
        self._is_wanted = True

    def draw(self, table: CommandTable) -> None:
        """Draw it, if it is open."""
        if self._is_wanted:
            self._is_wanted = False
            imgui.open_popup(_NAME)
        if imgui.begin_popup(_NAME):
            draw_context_menu(table)
            imgui.end_popup()
