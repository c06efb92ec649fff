"""The status bar: what is selected, how much is drawn, and the keys of palette and key sheet."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.ui.imgui.texts import fitting
from octoscope.viewer.ui.imgui.theme import Theme

_BETWEEN = "    "


@dataclass(frozen=True)
class Status:
    """The contents of the status bar."""

    text: str  # what a tool says while it is used, else what is selected; on the left
    counts: str  # parts with four blanks between them, on the right; if they do not fit, only the first are shown


def draw_status_bar(status: Status, table: CommandTable, theme: Theme, scale: float) -> None:
    """Draw the bar over the width of the window; texts are shortened to fit."""
    flags = (
        imgui.WindowFlags_.no_scrollbar
        | imgui.WindowFlags_.no_saved_settings
        | imgui.WindowFlags_.menu_bar
        | imgui.WindowFlags_.no_docking
    )
    height = imgui.get_frame_height()
    if (
        imgui.internal.begin_viewport_side_bar("##status", imgui.get_main_viewport(), imgui.Dir.down, height, flags)
        and imgui.begin_menu_bar()
    ):
        room = imgui.get_window_width() - 16.0 * scale
        hint = "   ".join(
            f"{table.shown_keys(command)} {command.label.lower()}"
            for command in (table["help.keys"], table["help.commands"])
        )
        needed = imgui.calc_text_size(status.text).x + 24.0 * scale
        parts = status.counts.split(_BETWEEN)
        fewer = (_BETWEEN.join(parts[:count]) for count in range(len(parts), 0, -1))
        for right in (f"{status.counts}{_BETWEEN}{hint}", *fewer, hint, ""):
            width = imgui.calc_text_size(right).x
            if needed + width <= room or not right:
                break
        imgui.text(fitting(status.text, room, keeps_end=True))
        if right:
            imgui.same_line(room - width)
            imgui.text_colored(theme.quiet, right)
        imgui.end_menu_bar()
    imgui.end()
