"""PathBox: chooses a file to open or to write, in the system's own dialog or in a box within the window."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene.system.paths import current_folder
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import (
    ORDERS,
    ConfirmedPath,
    FolderRow,
    PathRequest,
    in_order,
    list_folder,
    parse_path_input,
    working_folder,
)
from octoscope.viewer.ui.dialogs.system_dialog import OpenDialog, Outcome, SystemDialog
from octoscope.viewer.ui.imgui.items import (
    button,
    button_width,
    continue_line,
    cut_text,
    fitting,
    heading,
    is_enter_pressed,
    item,
    item_tooltip,
    last_on_line,
    list_row,
    primary_button,
    rows_in_sight,
    sentence_case,
)
from octoscope.viewer.ui.imgui.theme import Theme

_TITLE = "##path box"
_SIZE = (640.0, 440.0)
_PARENT = FolderRow("..", True)
_BESIDE = (icons.ICON_FA_FOLDER_TREE, icons.ICON_FA_ARROW_DOWN_WIDE_SHORT)  # the field: places, orders


class PathBox:
    """Asks by the system's own dialog; where there is none, or it fails, by a box within the window.

    In the box, to open a file, typing filters the list; a click marks a file, and where several may be chosen Ctrl and
    Shift mark more. Hidden files are listed while the name that is typed begins with a dot. Arrow keys mark the next
    file. Enter takes what is marked, else the path that is typed, or the first file of the list. To write a file, Enter
    takes the path that is typed, and a click copies a name into the field. A double click takes a file. Entering or
    double-clicking a folder lists it. The two buttons do what Enter and Esc do. Those beside the field go to other
    places, and sort the list by name, size or date.
    """

    def __init__(self, open_dialog: OpenDialog | None = None) -> None:
        self._open_dialog = open_dialog
        self._dialog: SystemDialog | None = None
        self.is_open = False
        self.request = PathRequest("", (), lambda path: None)
        self._opening = False
        self._text = ""
        self._folder = Path()  # that names are looked for in
        self._listed_folder: Path | None = None
        self._listed: list[FolderRow] = []
        self._marked: set[str] = set()  # names in the listed folder
        self._clicked = ""  # the name of them that was clicked last
        self._scrolls = False  # to the row of that name
        self._refocus = False
        self._order = "name"  # of ORDERS
        self._has_menu = False  # of the places, or of the orders

    def ask(self, request: PathRequest) -> None:
        """Ask for a path, or stop asking if that is under way for the same request."""
        was_asking = self.is_asking
        self.close()
        if was_asking and request == self.request:
            return
        self.request = request
        if self._open_dialog is not None:
            self._dialog = self._open_dialog(request, self._first_folder)
        if self._dialog is None:
            self._open_box()

    @property
    def is_asking(self) -> bool:
        """True while the box, or a dialog of the system, is open."""
        return self.is_open or self.has_dialog

    @property
    def has_dialog(self) -> bool:
        """True while a dialog of the system is open, and `poll` has to be called."""
        return self._dialog is not None

    def poll(self) -> bool:
        """Call the request with what was chosen in a dialog of the system; return whether one has ended."""
        answer = None if self._dialog is None else self._dialog.poll()
        if answer is None:
            return False
        self._dialog = None
        if answer is Outcome.FAILED:
            self._open_box()
        elif isinstance(answer, tuple):
            self._listed_folder = answer[0].parent
            if self._names_a_new_one:
                self.request.choose(ConfirmedPath(answer[0]))
            else:
                self._choose(answer)
        return True

    def _choose(self, paths: Sequence[Path]) -> None:
        self.request.choose(tuple(paths) if self.request.several else paths[0])

    def close(self) -> None:
        """Stop asking."""
        self.is_open = False
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None

    @property
    def _first_folder(self) -> Path:
        return self._listed_folder or self.request.folder or working_folder()

    def _open_box(self) -> None:
        request = self.request
        self.is_open = self._opening = True
        if request.suggestion is not None:
            self._go_into(request.suggestion.parent, request.suggestion.name)
        else:
            self._go_into(self._first_folder)

    def draw(self, theme: Theme, window_size: tuple[int, int], scale: float) -> None:
        """Draw the box, if it is open, and call the request with what was chosen."""
        if self._opening:
            self._opening = False
            imgui.open_popup(_TITLE)
        size = min(_SIZE[0] * scale, window_size[0] - 24.0), min(_SIZE[1] * scale, window_size[1] - 24.0)
        imgui.set_next_window_pos((window_size[0] / 2.0, window_size[1] / 2.0), imgui.Cond_.always, (0.5, 0.5))
        imgui.set_next_window_size(size)
        if not imgui.begin_popup(_TITLE, imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_nav_inputs):
            self.is_open = False
            return
        had_menu = self._has_menu  # which Esc closes first
        chosen = self._draw_inside(theme)
        # Path.is_dir raises where a name is longer than the system takes.
        if len(chosen) == 1 and os.path.isdir(chosen[0]):
            self._go_into(chosen[0], self._kept_text())
        elif self._names_a_new_one and chosen and not os.path.isdir(chosen[0].parent):
            chosen = []  # as the list says: what was typed is not lost
        chosen = [path for path in chosen if not os.path.isdir(path)]
        if chosen or not self.is_open or (imgui.is_key_pressed(imgui.Key.escape) and not had_menu):
            imgui.close_current_popup()
            self.is_open = False
        imgui.end_popup()
        if chosen:
            self._choose(chosen)

    @property
    def _names_a_new_one(self) -> bool:
        return self.request.suggestion is not None

    def _kept_text(self) -> str:
        """Return the part of the typed text that stays when a folder is listed: the name of a new file."""
        is_name = self._names_a_new_one and not os.path.isdir(parse_path_input(self._folder, self._text).path)
        return Path(self._text).name if is_name else ""

    def _draw_inside(self, theme: Theme) -> list[Path]:
        """Draw what is in the box; return the files or the folder that were chosen."""
        heading(self.request.title)
        imgui.same_line()
        cut_text(printable(self._listed_folder), theme.quiet, keeps_end=True)
        # The Enter that asked for it, such as the palette's, names no file.
        entered = not imgui.is_window_appearing() and is_enter_pressed()
        if imgui.is_window_appearing() or self._refocus:
            self._refocus = False
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-sum(button_width(icon) + imgui.get_style().item_spacing.x for icon in _BESIDE))
        hint = "A name, or a path" if self._names_a_new_one else "Part of a name, or a path"
        is_typed, self._text = imgui.input_text_with_hint("##path", hint, self._text)
        if is_typed:
            self._marked = set()
        self._draw_beside()
        typed = parse_path_input(self._folder, self._text)
        if typed.folder != self._listed_folder:
            self._list(typed.folder)
        # A new name is none of those that are there.
        part = "" if self._names_a_new_one else typed.part
        shown = [row for row in self._listed if typed.part.startswith(".") or not row.name.startswith(".")]
        rows = [row for row in shown if part in row.name.lower()]
        self._follow_arrows([row.name for row in rows if row.is_folder or not self._names_a_new_one])
        chosen: list[Path] = []
        if imgui.begin_child("list", (0.0, -imgui.get_frame_height_with_spacing())):
            chosen = self._draw_rows(typed.folder, rows, theme)
        imgui.end_child()
        entered |= self._draw_buttons(theme)
        return chosen or (self._named(typed.folder, rows) if entered else [])

    def _draw_beside(self) -> None:
        """Draw the buttons beside the field, and the menus that they open."""
        for icon, menu, tip in zip(_BESIDE, ("places", "orders"), ("go to a place", "sort the list"), strict=True):
            imgui.same_line()
            if button(item(icon, menu), tip):
                imgui.open_popup(menu)
        self._has_menu = imgui.is_popup_open("places") or imgui.is_popup_open("orders")
        if imgui.begin_popup("places"):
            for place in dict.fromkeys(filter(None, (Path.home(), current_folder(), self.request.folder))):
                if imgui.menu_item_simple(item(printable(place), str(place))):
                    self._go_into(place, self._kept_text())
            imgui.end_popup()
        if imgui.begin_popup("orders"):
            for order in ORDERS:
                if imgui.menu_item_simple(item(sentence_case(order), order), "", order == self._order):
                    self._order = order
                    self._listed = in_order(self._listed, order)
            imgui.end_popup()

    def _draw_buttons(self, theme: Theme) -> bool:
        labels = (self.request.title.partition(" ")[0], "Cancel")
        gap = imgui.get_style().item_spacing.x
        left = imgui.get_content_region_avail().x - sum(button_width(label) + gap for label in labels)
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.quiet, _fitting(self.request.endings, left))
        item_tooltip(", ".join(self.request.endings), is_name=True)
        last_on_line(*labels)
        taken = primary_button(theme, item(labels[0], "takes"))
        continue_line(button_width(labels[1]))
        if imgui.button(item(labels[1], "leaves")):
            self.is_open = False
        return taken

    def _named(self, folder: Path, rows: list[FolderRow]) -> list[Path]:
        """Return the files, or the folder, that Enter chooses."""
        marked = [_path_of(folder, row.name) for row in (_PARENT, *rows) if row.name in self._marked]
        typed = parse_path_input(self._folder, self._text)
        if marked:
            return marked
        if not self._names_a_new_one and rows and not os.path.isfile(typed.path):
            return [folder / rows[0].name]
        return [typed.path] if self._text else []

    def _draw_rows(self, folder: Path, rows: list[FolderRow], theme: Theme) -> list[Path]:
        """Draw the list of a folder, with its parent first; return the file or folder that was double-clicked."""
        chosen: list[Path] = []
        flags = imgui.SelectableFlags_.no_auto_close_popups | imgui.SelectableFlags_.allow_double_click
        if self._scrolls:
            self._scrolls = False
            middle = next(place for place, row in enumerate(rows, start=1) if row.name == self._clicked) + 0.5
            height = imgui.get_text_line_height_with_spacing()
            imgui.set_scroll_y(max(0.0, middle * height - imgui.get_window_height() / 2.0))
        for place in rows_in_sight(len(rows) + 1, imgui.get_text_line_height_with_spacing()):
            row = _PARENT if place == 0 else rows[place - 1]
            if list_row(f"##{place}", row.name in self._marked, flags):
                if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
                    chosen = [_path_of(folder, row.name)]
                elif self._names_a_new_one and not row.is_folder:
                    self._go_into(folder, row.name)
                else:
                    self._mark(row.name, [row.name for row in rows])
            imgui.same_line(0.3 * imgui.get_font_size())
            imgui.text_colored(
                *(theme.group, icons.ICON_FA_FOLDER) if row.is_folder else (theme.mesh, icons.ICON_FA_FILE)
            )
            imgui.same_line(1.9 * imgui.get_font_size())
            _draw_facts(row, theme)
        if not rows:
            is_there = os.path.isdir(folder)
            text = "No files of this kind here" if is_there else f"There is no folder {printable(folder)}"
            imgui.text_colored(theme.quiet if is_there else theme.warm, text)
        return chosen

    def _mark(self, name: str, names: list[str]) -> None:
        """Mark a row that is clicked; with Ctrl or Shift beside others, where several may be chosen."""
        io = imgui.get_io()
        if self.request.several and io.key_shift and {name, self._clicked} <= {*names}:
            first, last = sorted((names.index(self._clicked), names.index(name)))
            self._marked = {*names[first : last + 1]}
        elif self.request.several and io.key_ctrl:
            self._marked ^= {name}
        else:
            self._marked = {name}
        self._clicked = name
        self._refocus = True  # so that keys go on typing a name

    def _follow_arrows(self, names: list[str]) -> None:
        """Mark the first of some rows, or the one below or above that which is marked, as the arrow keys say."""
        step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        if step and names:
            is_marked = self._clicked in self._marked and self._clicked in names
            place = names.index(self._clicked) + step if is_marked else 0
            self._clicked = names[min(max(place, 0), len(names) - 1)]
            self._marked, self._scrolls = {self._clicked}, True

    def _go_into(self, folder: Path, text: str = "") -> None:
        self._folder = folder
        self._text = text
        if self._listed_folder is not None:  # a field that is active would keep its text
            imgui.internal.clear_active_id()
        self._refocus = True
        self._list(folder)

    def _list(self, folder: Path) -> None:
        self._listed_folder = folder
        self._listed = in_order(list_folder(folder, self.request.endings), self._order)
        self._marked = set()


def _draw_facts(row: FolderRow, theme: Theme) -> None:
    """Draw the name of a row, and the size and date of a file, as far as there is room for both."""
    size = "" if row.is_folder else f"{max(1, row.size // 1024):,} KB"
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.changed_ns / 1e9)) if row.changed_ns else ""
    width = imgui.get_content_region_avail().x
    ends = imgui.get_cursor_pos_x() + width
    room = 16.0 * imgui.get_font_size()
    if not date or width < 2.0 * room:
        cut_text(printable(row.name))
        return
    shown = fitting(printable(row.name), width - room)
    imgui.text(shown)
    if shown != printable(row.name):
        item_tooltip(printable(row.name), is_name=True)
    date_width = imgui.calc_text_size(date).x
    for text, right in ((size, ends - date_width - imgui.get_font_size()), (date, ends)):
        imgui.same_line(right - imgui.calc_text_size(text).x)
        imgui.text_colored(theme.quiet, text)


def _path_of(folder: Path, name: str) -> Path:
    return folder.parent if name == _PARENT.name else folder / name


def _fitting(endings: Sequence[str], room: float) -> str:
    """Return as many endings as fit into a width in logical pixels, and the number of the others."""
    for count in range(len(endings), 0, -1):
        left_out = len(endings) - count
        text = ", ".join(endings[:count]) + (f" and {left_out} more" if left_out else "")
        if imgui.calc_text_size(text).x <= room:
            return text
    return ""
