"""Palette: finds a command by a few letters."""

from __future__ import annotations

import os

from imgui_bundle import imgui

from octoscope.viewer.commands.table import Command, CommandTable
from octoscope.viewer.ui.imgui.items import fitting, is_enter_pressed, list_row, sentence_case, wrapped_text
from octoscope.viewer.ui.imgui.theme import Theme

_TITLE = "##palette"
_WIDTH = 560.0
_MOST_ROWS = 11
_LEAST_LETTERS = 3  # of a query
# What the palette answers, by the words that are looked for; each line says what there is in its place.
NOT_THERE = {
    ("subdivide", "subdivision", "subsurf", "remesh", "tessellate"): (
        "Meshes are not subdivided: Smooth by angle makes them look round."
    ),
    ("boolean", "union", "subtract", "intersect"): (
        "Solids are not united or subtracted: Merge joins meshes, a section cuts the picture alone."
    ),
    (
        "extrude",
        "edit mode",
        "bevel",
        "sculpt",
        "model",
    ): "Meshes are not modelled: objects are placed, joined, separated.",
    ("walk", "fly", "first person", "wasd"): (
        "Hold the mouse button that looks around, and fly by W, A, S, D, Q and E: see Help > Keys and mouse."
    ),
    ("animation", "timeline", "keyframe", "play"): (
        "Animations are not shown; octoscope render --turntable, in a terminal, films the scene."
    ),
}


class Palette:
    """A search field with the commands that it finds. Enter or a click runs one, Esc or a click elsewhere closes it."""

    def __init__(self) -> None:
        self.is_open = False
        self._opening = False
        self._query = ""
        self._current = 0
        self._scroll = False
        self._cut = ""  # what the current row says and has no room for

    def toggle(self) -> None:
        """Open the palette, or close it."""
        self.is_open = self._opening = not self.is_open
        self._query, self._current = "", 0

    def draw(self, table: CommandTable, theme: Theme, window_size: tuple[int, int], scale: float) -> None:
        """Draw the palette, if it is open, and run the command that was chosen."""
        if self._opening:
            self._opening = False
            imgui.open_popup(_TITLE)
        width = min(_WIDTH * scale, window_size[0] - 24.0)
        imgui.set_next_window_pos((window_size[0] / 2.0, window_size[1] * 0.12), imgui.Cond_.always, (0.5, 0.0))
        imgui.set_next_window_size((width, 0.0))
        if not imgui.begin_popup(_TITLE, imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_nav_inputs):
            self.is_open = False
            return
        chosen = self._draw_inside(table, theme, window_size)
        if chosen is not None or not self.is_open or imgui.is_key_pressed(imgui.Key.escape):
            imgui.close_current_popup()
            self.is_open = False
        imgui.end_popup()
        if chosen is not None:
            table.run(chosen)

    def _draw_inside(self, table: CommandTable, theme: Theme, window_size: tuple[int, int]) -> Command | None:
        if not imgui.is_any_item_active():  # Enter takes the keyboard from the field, and keys would reach the scene
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1.0)
        changed, self._query = imgui.input_text_with_hint("##query", "Type a command", self._query)
        found = table.search(self._query)
        if changed:
            self._current, self._scroll = 0, True
        for key, step in ((imgui.Key.down_arrow, 1), (imgui.Key.up_arrow, -1)):
            if imgui.is_key_pressed(key) and found:
                self._current, self._scroll = (self._current + step) % len(found), True
        self._current = min(self._current, max(len(found) - 1, 0))
        chosen = None
        if found and is_enter_pressed(repeats=True):
            chosen = found[self._current]
        row_height = imgui.get_text_line_height_with_spacing()
        room = window_size[1] * 0.82 - imgui.get_cursor_pos_y() - 2.0 * row_height
        absent = not_there(self._query)
        if absent or not found:
            wrapped_text(absent or "No matching command", theme.quiet)
        if not found:
            return None
        rows = max(2, min(_MOST_ROWS, len(found), int(room / row_height)))
        imgui.begin_child("found", (0.0, rows * row_height + 4.0))
        self._cut = ""
        for place, command in enumerate(found):
            if self._draw_row(table, theme, command, place):
                chosen = command
        imgui.end_child()
        if self._cut:
            wrapped_text(sentence_case(self._cut), theme.quiet)
        self._scroll = False
        # One that cannot be done now stays open: its row is grey.
        return chosen if chosen is not None and chosen.enabled() else None

    def _draw_row(self, table: CommandTable, theme: Theme, command: Command, place: int) -> bool:
        current = place == self._current
        left, padding = imgui.get_cursor_pos_x(), imgui.get_style().frame_padding.x
        width = imgui.get_content_region_avail().x
        clicked = list_row(f"##{command.id}", current)
        if current and self._scroll:
            imgui.set_scroll_here_y(0.5)
        imgui.same_line(left + padding)
        imgui.text_colored(theme.text if command.enabled() else theme.quiet, command.label_now)
        keys = table.shown_keys(command)
        key_width = imgui.calc_text_size(keys).x
        says = command.description if command.enabled() else command.refusal or command.description
        note = command.menu.replace("/", " > ") + (f": {says}" if says else "")
        imgui.same_line()
        note_room = width - key_width - 3.0 * padding - (imgui.get_cursor_pos_x() - left)
        if imgui.calc_text_size(note).x > note_room:
            if current:
                self._cut = says
            is_path = os.path.isabs(says)  # of a recent file
            note = fitting(says, note_room, keeps_end=True) if is_path else command.menu.replace("/", " > ")
        if imgui.calc_text_size(note).x <= note_room:
            imgui.text_colored(theme.quiet, note)
            imgui.same_line()
        imgui.set_cursor_pos_x(left + width - key_width - padding)
        imgui.text_colored(theme.warm, keys)
        return clicked


def not_there(query: str) -> str:
    """Return a line about what a query of the palette looks for and Octoscope does not have, or ""."""
    words = " ".join(query.lower().split())
    if len(words) < _LEAST_LETTERS:
        return ""
    return next((line for names, line in NOT_THERE.items() if any(name.startswith(words) for name in names)), "")
