"""KeysPage: all commands with their keys, which are given by pressing them."""

from __future__ import annotations

from dataclasses import replace

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, imgui_ctx

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.menus.file import RECENT_MENU
from octoscope.viewer.commands.table import Command
from octoscope.viewer.features.settings_window.key_capture import Awaited, KeyCapture
from octoscope.viewer.features.settings_window.key_changes import with_keys_of_preset, without_keys
from octoscope.viewer.ui.imgui.items import (
    button,
    button_width,
    cut_text,
    item,
    item_tooltip,
    rows_in_sight,
    wrapped_text,
)
from octoscope.viewer.ui.imgui.theme import Theme

_ICONS = (icons.ICON_FA_PLUS, icons.ICON_FA_XMARK, icons.ICON_FA_ROTATE_LEFT)
_PRESS = "press a key"


class KeysPage:
    """A table with a search field, of which only the visible rows are drawn."""

    def __init__(self, context: Context, capture: KeyCapture) -> None:
        self._context = context
        self._capture = capture
        self._query = ""

    def commands(self) -> list[Command]:
        """Return the commands that the search field leaves: by words of their names, menus, ids and keys."""
        table, words = self._context.table(), self._query.lower().split()
        return [
            command
            for command in table.commands
            if command.menu != RECENT_MENU
            and all(word in f"{_path(command)} {command.id} {table.shown_keys(command)}".lower() for word in words)
        ]

    def draw(self, theme: Theme) -> None:
        """Draw what is wrong with keys, the search field and the table."""
        for problem in self._context.table().problems:
            wrapped_text(problem, theme.warm)
        if self._capture.said:
            wrapped_text(self._capture.said, theme.warm)
        settings = self._context.settings
        if settings.config.keys:
            if imgui.button("Reset all keys"):
                settings.config = replace(settings.config, keys={})
            imgui.same_line()
        imgui.set_next_item_width(-1.0)
        _, self._query = imgui.input_text_with_hint("##query", "Search by name or key", self._query)
        if not imgui.begin_table("keys", 2, imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg):
            return
        imgui.table_setup_column("command", imgui.TableColumnFlags_.width_stretch, 1.0)
        imgui.table_setup_column("keys", imgui.TableColumnFlags_.width_stretch, 1.0)
        commands = self.commands()
        for row in rows_in_sight(len(commands)):
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.align_text_to_frame_padding()
            cut_text(_path(commands[row]))
            imgui.table_next_column()
            self._draw_keys(commands[row], theme)
        imgui.end_table()

    def _draw_keys(self, command: Command, theme: Theme) -> None:
        settings, shown = self._context.settings, self._context.table().shown_keys(command)
        is_changed = command.id in settings.config.keys
        if self._capture.awaited in (Awaited(command, adds=False), Awaited(command, adds=True)):
            shown = _PRESS
        room = sum(button_width(icon) + imgui.get_style().item_spacing.x for icon in _ICONS)
        imgui.push_id(command.id)
        color = theme.warm if shown == _PRESS or is_changed else theme.text
        with imgui_ctx.push_style_color(imgui.Col_.text, imgui.ImVec4(*color)):
            if imgui.button(item(shown or "None", "keys"), (imgui.get_content_region_avail().x - room, 0.0)):
                self._capture.wait_for(command, adds=False)
        item_tooltip("Click, then press a key; Esc leaves it as it is")
        for icon, tip in zip(_ICONS, ("Add a key", "No key", "Keys of the preset"), strict=True):
            if icon == icons.ICON_FA_ROTATE_LEFT and not is_changed:
                continue
            imgui.same_line()
            clicked = button(icon, tip)
            if clicked and icon == icons.ICON_FA_PLUS:
                self._capture.wait_for(command, adds=True)
            elif clicked:
                change = without_keys if icon == icons.ICON_FA_XMARK else with_keys_of_preset
                settings.config = change(settings.config, command)
        imgui.pop_id()


def _path(command: Command) -> str:
    return " > ".join((*command.menu.split("/"), command.label))
