"""The status bar: what is selected, how much is drawn, and the two keys that lead to all the others."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from viewer.commands.table import CommandTable
from viewer.ui.imgui.theme import Theme

_BETWEEN = "    "


@dataclass(frozen=True)
class Status:
    """The bar below the picture: what is selected, and on the right how it moves and how much is drawn.

    Attributes:
        counts: parts with four blanks between; where room is short, the first are shown.
    """

    text: str
    counts: str


def draw_status_bar(status: Status, table: CommandTable, theme: Theme, scale: float) -> None:
    """Draw it below all else, over the width of the window; on the right, as much as there is room for."""
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
        imgui.text(_fitting(status.text, room))
        if right:
            imgui.same_line(room - width)
            imgui.text_colored(theme.quiet, right)
        imgui.end_menu_bar()
    imgui.end()


def _fitting(text: str, room: float) -> str:
    """A text, or its end behind dots where it is too long: of a path, what comes last says most."""
    if imgui.calc_text_size(text).x <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if imgui.calc_text_size("..." + text[middle:]).x <= room:
            high = middle
        else:
            low = middle + 1
    return "..." + text[low:]
