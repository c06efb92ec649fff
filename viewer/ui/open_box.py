"""The box that files are opened with: a path to type, and what lies in its folder to choose from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from scene.text_file import printable
from viewer.ui.theme import Theme

_TITLE = "##open"
_SIZE = (640.0, 440.0)
_ENDINGS = (".obj", ".obj.gz", ".glb", ".gltf", ".ply", ".stl", ".off", ".3mf", ".octo.json")
_MOST_LISTED = 20_000


class OpenBox:
    """Within the window, for the system's own dialogs are missing on some systems without a word.

    Typing filters the folder's list; Enter opens what is typed, or the first that is listed. A click opens a file, or
    goes into a folder.

    Args:
        open_file: called with the path that was chosen.

    Attributes:
        is_open: whether it is on the screen, or will be with the next frame.
    """

    def __init__(self, open_file: Callable[[Path], object]) -> None:
        self.is_open = False
        self._open_file = open_file
        self._opening = False
        self._text = ""
        self._folder = Path()  # that names are looked for in
        self._listed_folder: Path | None = None
        self._listed: list[tuple[str, bool]] = []  # names, and whether each is a folder
        self._refocus = False

    def toggle(self) -> None:
        """Open it, or close it."""
        self.is_open = self._opening = not self.is_open
        if self._opening:
            self._go_into(self._listed_folder or Path.cwd())

    def draw(self, theme: Theme, window_size: tuple[int, int], scale: float) -> None:
        """Draw it, if it is open, and open what was chosen."""
        if self._opening:
            self._opening = False
            imgui.open_popup(_TITLE)
        size = tuple(min(side * scale, room - 24.0) for side, room in zip(_SIZE, window_size, strict=True))
        imgui.set_next_window_pos((window_size[0] / 2.0, window_size[1] / 2.0), imgui.Cond_.always, (0.5, 0.5))
        imgui.set_next_window_size(size)
        if not imgui.begin_popup(_TITLE, imgui.WindowFlags_.no_move):
            self.is_open = False
            return
        chosen = self._draw_inside(theme)
        if chosen is not None and chosen.is_dir():
            self._go_into(chosen)
            chosen = None
        if chosen is not None or not self.is_open or imgui.is_key_pressed(imgui.Key.escape):
            imgui.close_current_popup()
            self.is_open = False
        imgui.end_popup()
        if chosen is not None:
            self._open_file(chosen)

    def _draw_inside(self, theme: Theme) -> Path | None:
        imgui.text_colored(theme.quiet, printable(self._folder))
        if imgui.is_window_appearing() or self._refocus:
            self._refocus = False
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1.0)
        _, self._text = imgui.input_text_with_hint("##path", "a part of a name, or a path", self._text)
        typed = self._folder / os.path.expanduser(self._text)
        folder = typed if self._text.endswith(("/", os.sep)) else typed.parent if self._text else self._folder
        if folder != self._listed_folder:
            self._list(folder)
        part = "" if folder == typed else typed.name.lower()
        rows = [row for row in self._listed if part in row[0].lower()]
        chosen = None
        if imgui.is_key_pressed(imgui.Key.enter) or imgui.is_key_pressed(imgui.Key.keypad_enter):
            chosen = folder / rows[0][0] if rows and not typed.is_file() else typed if self._text else None
        if imgui.begin_child("list"):
            clipper = imgui.ListClipper()
            clipper.begin(len(rows) + 1, imgui.get_text_line_height_with_spacing())
            while clipper.step():
                for place in range(clipper.display_start, clipper.display_end):
                    name, is_folder = ("..", True) if place == 0 else rows[place - 1]
                    if imgui.selectable(f"##{place}", False, imgui.SelectableFlags_.no_auto_close_popups)[0]:
                        chosen = folder.parent if place == 0 else folder / name
                    imgui.same_line(4.0)
                    imgui.text_colored(theme.quiet, icons.ICON_FA_FOLDER if is_folder else icons.ICON_FA_FILE)
                    imgui.same_line(28.0)
                    imgui.text(name)
            clipper.end()
            if not rows:
                imgui.text_colored(theme.quiet, "nothing here that can be opened")
        imgui.end_child()
        return chosen

    def _go_into(self, folder: Path) -> None:
        self._folder = folder
        self._text = ""
        if self._listed_folder is not None:  # a field that is active would keep its text
            imgui.internal.clear_active_id()
        self._refocus = True
        self._list(folder)

    def _list(self, folder: Path) -> None:
        """Look at what is in a folder: folders first, and files of the kinds that can be opened."""
        self._listed_folder = folder
        self._listed = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    is_folder = entry.is_dir()
                    if is_folder or entry.name.lower().endswith(_ENDINGS):
                        self._listed.append((entry.name, is_folder))
                    if len(self._listed) == _MOST_LISTED:
                        break
        except OSError:  # no such folder, or not to be looked into: then there is nothing to choose from
            pass
        self._listed.sort(key=lambda row: (not row[1], row[0].startswith("."), row[0].lower()))
