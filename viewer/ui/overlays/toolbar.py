"""The toolbar: buttons for the tools at the left edge of the picture. Each runs a command or opens a menu.

A feature's button opens a menu where its command is in a submenu, such as that of all kinds of measurement.
"""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.commands.table import Command, CommandTable
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.items import item, sentence_case, tooltip
from octoscope.viewer.ui.imgui.theme import Theme, with_opacity
from octoscope.viewer.ui.imgui.windows import begin_over_picture
from octoscope.viewer.ui.overlays import menus

_MARGIN, _PADDING, _GAP = 10.0, 4.0, 2.0
_LEAST_WIDTH = 260.0  # logical pixels of the picture; in a narrower one there is no toolbar
_MOST_COLUMNS = 3  # of buttons
_TOOLS = (
    ("gizmo.select", icons.ICON_FA_ARROW_POINTER),
    ("select.box", icons.ICON_FA_VECTOR_SQUARE),
    ("gizmo.move", icons.ICON_FA_UP_DOWN_LEFT_RIGHT),
    ("gizmo.rotate", icons.ICON_FA_ROTATE),
    ("gizmo.scale", icons.ICON_FA_UP_RIGHT_AND_DOWN_LEFT_FROM_CENTER),
)
_SNAPPING = (("gizmo.snap", icons.ICON_FA_MAGNET),)
_MENUS = {  # the command that steps through the menu, and an icon for each choice
    "gizmo.next_space": {
        "gizmo.space_world": icons.ICON_FA_GLOBE,
        "gizmo.space_local": icons.ICON_FA_CUBE,
        "gizmo.space_parent": icons.ICON_FA_SITEMAP,
    },
    "gizmo.next_pivot": {
        "gizmo.pivot_centre": icons.ICON_FA_EXPAND,
        "gizmo.pivot_median": icons.ICON_FA_CIRCLE_DOT,
        "gizmo.pivot_individual": icons.ICON_FA_SHAPES,
        "gizmo.pivot_cursor": icons.ICON_FA_CROSSHAIRS,
        "gizmo.pivot_active": icons.ICON_FA_STAR,
    },
}


def draw_toolbar(table: CommandTable, theme: Theme, picture: Area, scale: float) -> Area | None:
    """Draw the toolbar, in as many columns as the picture asks for, and return its area; None in one that is tiny."""
    side = imgui.get_frame_height()
    tools = (*_TOOLS, *((command.id, command.icon) for command in table.commands if command.icon), *_SNAPPING)
    count = len(tools) + len(_MENUS)
    height = picture.size[1] - 2.0 * (_PADDING + _MARGIN) * scale
    columns = -(-count // max(1, int(height // (side + _GAP * scale))))
    if picture.size[0] < _LEAST_WIDTH * scale or columns > _MOST_COLUMNS:
        return None
    imgui.push_style_var(imgui.StyleVar_.window_padding, (_PADDING * scale, _PADDING * scale))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (_GAP * scale, _GAP * scale))
    imgui.push_style_var(imgui.StyleVar_.window_min_size, (1.0, 1.0))
    begin_over_picture("toolbar", (picture.left + _MARGIN * scale, picture.top + _MARGIN * scale))
    tip = opened = ""
    popups = [table[command_id].menu for command_id in _MENUS]
    for place, (command_id, icon) in enumerate(tools):
        command = table[command_id]
        _to_column(place % columns)
        submenu = command.menu if command.icon and "/" in command.menu else ""
        title = submenu.rpartition("/")[2] or command.label
        is_on = any(each.is_on for each in table.commands if each.menu == submenu) if submenu else command.is_on
        clicked, told = _draw_button(table, command, icon, title, theme, side, is_on=is_on)
        tip = tip or told
        if submenu:
            popups.append(submenu)
            opened = submenu if clicked else opened
        elif clicked:
            table.run(command)
    for place, (command_id, choices) in enumerate(_MENUS.items(), len(tools)):
        command = table[command_id]
        _to_column(place % columns)
        chosen = next(choice for choice in choices if table[choice].is_on)
        title = f"{command.menu.rpartition('/')[2]}: {table[chosen].label.lower()}"
        clicked, told = _draw_button(table, command, choices[chosen], title, theme, side)
        tip = tip or told
        opened = command.menu if clicked else opened
    area = Area.of_window()
    imgui.pop_style_var(3)
    if opened:
        imgui.open_popup(opened)
    for menu in popups:
        if imgui.begin_popup(menu):
            menus.draw_menu(table, menu)
            imgui.end_popup()
    if tip:
        tooltip(tip)
    imgui.end()
    return area


def _to_column(column: int) -> None:
    if column:
        imgui.same_line()


def _draw_button(
    table: CommandTable, command: Command, icon: str, title: str, theme: Theme, side: float, *, is_on: bool = False
) -> tuple[bool, str]:
    imgui.push_style_color(imgui.Col_.button, theme.primary if is_on else with_opacity(theme.raised, 0.0))
    imgui.push_style_color(imgui.Col_.text, theme.on_primary if is_on else theme.text)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (0.0, 0.0))
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 0.0)
    imgui.begin_disabled(not command.enabled())
    clicked = imgui.button(item(icon, command.id), (side, side))
    imgui.end_disabled()
    imgui.pop_style_var(2)
    imgui.pop_style_color(2)
    if not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return clicked, ""
    keys = table.shown_keys(command)
    first = f"{title}   [{keys}]" if keys else title  # in brackets, since a key may be a comma
    return clicked, "\n".join(filter(None, (first, sentence_case(command.description))))
