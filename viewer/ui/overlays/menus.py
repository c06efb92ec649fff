"""Menus from the table of commands."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.viewer.commands.table import MENUS, Command, CommandTable
from octoscope.viewer.ui.imgui.items import item, sentence_case, tooltip

_NAME = "context menu"


def draw_menu_bar(table: CommandTable, *, opens_first: bool = False) -> None:
    """Draw the bar at the top of the window, and open a menu that keys have come to."""
    if imgui.begin_main_menu_bar():
        for menu in MENUS:
            if not table.in_menu(menu):
                continue
            if imgui.begin_menu(item(menu, menu)):
                draw_menu(table, menu)
                imgui.end_menu()
            elif opens_first or _gets_ring():  # by an arrow, in a menu beside it, which has closed
                if opens_first:
                    _give_ring()
                imgui.open_popup(item(menu, menu))
            opens_first = False
        imgui.end_main_menu_bar()


def _gets_ring() -> bool:
    has_ring = imgui.is_item_focused() and imgui.get_current_context().nav_cursor_visible
    return has_ring and not imgui.is_key_pressed(imgui.Key.escape)


def _give_ring() -> None:
    """Have arrows begin at the last item of the bar, not at the menu that was left last."""
    window, last = imgui.internal.get_current_window(), imgui.get_current_context().last_item_data
    place = imgui.internal.window_rect_abs_to_rel(window, last.rect)
    imgui.internal.set_nav_window(window)
    imgui.internal.set_nav_id(last.id_, imgui.internal.NavLayer.menu, 0, place)


def draw_context_menu(table: CommandTable) -> None:
    """Draw the commands for the selection, inside an open popup."""
    draw_item(table, table["view.frame"])
    for menu in ("Edit", "Object"):
        if table.in_menu(menu):
            imgui.separator()
            draw_menu(table, menu, is_context=True)
    imgui.separator()
    if imgui.begin_menu(item("Select", "Select")):  # a submenu, as all three would not fit many windows
        draw_menu(table, "Select")
        imgui.end_menu()


def draw_menu(table: CommandTable, menu: str, *, is_context: bool = False) -> None:
    """Draw the entries of a menu, inside an open one; of a context menu only those that belong there."""
    entries = [each for each in table.in_menu(menu) if not is_context or _first(table, each).in_context_menu]
    for place, entry in enumerate(entries):
        if place > 0 and _first(table, entry).separated:
            imgui.separator()
        if isinstance(entry, Command):
            draw_item(table, entry, menu)
        elif imgui.begin_menu(item(entry.rpartition("/")[2], entry)):
            draw_menu(table, entry)
            imgui.end_menu()


def _first(table: CommandTable, entry: Command | str) -> Command:
    """Return an entry, or the first command of a submenu, which says where that stands."""
    while not isinstance(entry, Command):
        entry = table.in_menu(entry)[0]
    return entry


def draw_item(table: CommandTable, command: Command, menu: str = "") -> None:
    """Draw a command, inside an open menu, and run it if it is clicked.

    Its label does not repeat the names of its menus: "GLB" in File > Export stands for "Export GLB".
    """
    label = command.label_now
    for name in menu.split("/"):
        if label.startswith(f"{name} "):
            label = sentence_case(label.removeprefix(f"{name} "))
    keys = table.keys_of(command)
    enabled = command.enabled()
    shown_keys = str(keys[0]) if keys else ""
    clicked, _ = imgui.menu_item(item(label, command.id), shown_keys, command.is_on, enabled)
    says = "\n".join(map(sentence_case, filter(None, (command.description, "" if enabled else command.refusal))))
    if says and imgui.is_item_hovered(imgui.HoveredFlags_.delay_normal | imgui.HoveredFlags_.allow_when_disabled):
        tooltip(says)
    if clicked:
        table.run(command)


class ContextMenu:
    """A menu at the mouse: that of a right click in the picture or the outliner, or one of the bar."""

    def __init__(self) -> None:
        self._is_wanted = False
        self._menu = ""

    def open(self, menu: str = "") -> None:
        """Open it with the next drawing; `menu`: path of one of the bar, as "Object/Snap"."""
        self._is_wanted, self._menu = True, menu

    def draw(self, table: CommandTable) -> None:
        """Draw the menu if it is open."""
        if self._is_wanted:
            self._is_wanted = False
            imgui.open_popup(_NAME)
        if imgui.begin_popup(_NAME):
            if self._menu:
                draw_menu(table, self._menu)
            else:
                draw_context_menu(table)
            imgui.end_popup()
