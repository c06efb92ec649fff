"""KeySheet: what mouse and keys do, with a search field."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.ui.imgui.items import heading, sentence_case, wrapped_text
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.imgui.windows import FIXED
from octoscope.viewer.window.drags import BOX, LOOK, ORBIT, PAN, ZOOM, Drags

_SIZE = (600.0, 520.0)
_BOX = "box: to the right what {right}, to the left what {left}"
_DRAGS = {  # what a drag does, by its action
    ORBIT: "orbit about the middle of the view",
    PAN: "pan; while moving by keys orbit, and with Shift pan",
    ZOOM: "zoom",
    LOOK: "look around; W A S D and Q E fly meanwhile, by the keys in these places of an American keyboard; "
    "with Shift faster; the wheel changes the speed",
    BOX: _BOX,
}
_LEFT_ORBITS = "orbit about the point under the mouse"
_MOUSE = (
    ("Wheel", "zoom to the cursor"),
    ("Right click", "menu of the object there"),
    ("Click", "select; on nothing: select nothing"),
    ("Shift + click, Ctrl + click", "select as well; toggle"),
    ("Alt + click", "select what lies behind, and list the objects there"),
    ("Double click", "frame the object, orbit about that point"),
    (
        "Left drag on a handle",
        "move, rotate, scale; Shift is ten times finer, Ctrl inverts snapping, X Y Z and typed numbers, Esc cancels",
    ),
    ("Left drag after {box}", _BOX),
    ("Shift, Ctrl with a box", "add to the selection; remove from it"),
)


class KeySheet:
    """A window with a row for each command that has a key, and for what the mouse does."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.is_open = False
        self._query = ""

    def toggle(self) -> None:
        """Open the sheet, or close it."""
        self.is_open = not self.is_open
        self._query = ""

    def rows(self, table: CommandTable) -> list[tuple[str, str, str]]:
        """Return (group, keys, what they do) of each row that the search field leaves."""
        config = self._settings.config
        right, left = ("touches it", "lies in it")[:: 1 if config.box_right_touches else -1]
        words = {"box": table.shown_keys(table["select.box"]), "right": right, "left": left}
        mouse = (*_drag_rows(config.drags), *_MOUSE)
        rows = [("Mouse", gesture.format(**words), what.format(**words)) for gesture, what in mouse]
        for command in table.commands:
            keys = table.shown_keys(command)
            if keys:
                what = command.label + (f": {command.description}" if command.description else "")
                rows.append((command.menu.partition("/")[0], keys, what))
        sought = self._query.lower().split()
        return [row for row in rows if all(word in " ".join(row).lower() for word in sought)]

    def draw(
        self,
        table: CommandTable,
        theme: Theme,
        window_size: tuple[int, int],
        scale: float,
        note_area: Callable[[], object],
    ) -> None:
        """Draw the sheet, if it is open; call `note_area` inside its window."""
        if not self.is_open:
            return
        size = min(_SIZE[0] * scale, window_size[0] - 24.0), min(_SIZE[1] * scale, window_size[1] - 24.0)
        imgui.set_next_window_pos((window_size[0] / 2.0, window_size[1] / 2.0), imgui.Cond_.always, (0.5, 0.5))
        imgui.set_next_window_size(size)
        self.is_open = bool(imgui.begin("Keys and mouse", True, FIXED)[1])
        note_area()
        if imgui.is_window_appearing():
            imgui.set_keyboard_focus_here()
            imgui.set_window_focus()
        imgui.set_next_item_width(-1.0)
        _, self._query = imgui.input_text_with_hint("##query", "Search", self._query)
        if imgui.is_key_pressed(imgui.Key.escape) and imgui.is_window_focused(imgui.FocusedFlags_.child_windows):
            self.is_open = False
        if imgui.begin_table("rows", 2, imgui.TableFlags_.scroll_y):
            imgui.table_setup_column("keys", imgui.TableColumnFlags_.width_fixed, 0.32 * size[0])
            imgui.table_setup_column("what", imgui.TableColumnFlags_.width_stretch)
            group = None
            for row_group, keys, what in self.rows(table):
                if row_group != group:
                    imgui.table_next_row(0, 0.0 if group is None else 2.0 * imgui.get_text_line_height())
                    imgui.table_next_column()
                    if group is not None:
                        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + 0.7 * imgui.get_text_line_height())
                    group = row_group
                    heading(group)
                imgui.table_next_row()
                imgui.table_next_column()
                wrapped_text(keys, theme.warm)
                imgui.table_next_column()
                wrapped_text(sentence_case(what))
            imgui.end_table()
        imgui.end()


def _drag_rows(drags: Drags) -> list[tuple[str, str]]:
    """Return (gestures, what they do) of each thing that drags do."""
    gestures: dict[str, list[str]] = {}
    for gesture, action in drags.items():
        if action in _DRAGS:
            what = _LEFT_ORBITS if (gesture, action) == ("left", ORBIT) else _DRAGS[action]
            gestures.setdefault(what, []).append(f"{gesture.replace('+', ' + ')} drag")
    return [(sentence_case(", ".join(each)), what) for what, each in gestures.items()]
