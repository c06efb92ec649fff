"""The start box: buttons for the first steps and recent files, over the picture of an empty scene."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.commands.table import Command, CommandTable
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.items import fitting, item, item_tooltip, primary_button
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.imgui.windows import begin_over_picture

_BUTTONS = (("file.open", icons.ICON_FA_FOLDER_OPEN), ("file.open_sample", icons.ICON_FA_SAILBOAT))
_MOST_RECENT = 5
_WIDTH = 240.0  # logical pixels, of the buttons


def draw_start_box(
    table: CommandTable, theme: Theme, picture: Area, scale: float, ways_in: Sequence[tuple[str, str]] = ()
) -> Area:
    """Draw the buttons in the middle of the picture, run what is clicked, and return the covered area.

    Args:
        ways_in: ids of further commands, and the glyphs of their buttons.
    """
    buttons = (*_BUTTONS, *ways_in)
    in_menu = table.in_menu("File/Open recent")
    recent = [command for command in in_menu if isinstance(command, Command) and command.enabled()]
    middle = (picture.left + picture.right) / 2.0, (picture.top + picture.bottom) / 2.0
    begin_over_picture("start", middle, (0.5, 0.5))
    imgui.text("Drop files here, or")
    chosen: Command | None = None
    keys_width = max(imgui.calc_text_size(table.shown_keys(table[command_id])).x for command_id, _ in buttons)
    width = min(_WIDTH * scale, picture.size[0] - 6.0 * imgui.get_style().window_padding.x - keys_width)
    for command_id, icon in buttons:
        command = table[command_id]
        imgui.begin_disabled(not command.enabled())
        button = partial(primary_button, theme) if command_id == _BUTTONS[0][0] else imgui.button
        if button(item(f"{icon}  {command.label_now}", command_id), (width, 0.0)):
            chosen = command
        imgui.end_disabled()
        keys = table.shown_keys(command)
        if keys:
            imgui.same_line()
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.quiet, keys)
    for number, command in enumerate(recent[:_MOST_RECENT]):
        if number == 0:
            imgui.text_colored(theme.quiet, "Recent files")
        label = fitting(command.label, width - 2.0 * imgui.get_style().frame_padding.x)
        if imgui.button(item(label, command.id), (width, 0.0)):
            chosen = command
        item_tooltip(command.description)
    area = Area.of_window()
    imgui.end()
    if chosen is not None:
        table.run(chosen)
    return area
