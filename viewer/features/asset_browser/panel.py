"""The asset browser's panel: a grid of thumbnails, of which only those in sight are described."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, imgui_ctx

from octoscope.scene.formats.endings import stem_of
from octoscope.scene.measuring import Lengths
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.document.file_names import FolderRow
from octoscope.viewer.features.asset_browser.asset_folder import AssetFolder
from octoscope.viewer.features.asset_browser.placing import Asked, CarriedFile, Placer
from octoscope.viewer.features.asset_browser.thumbnails import Thumbnail, Thumbnails
from octoscope.viewer.settings.settings_file import open_file
from octoscope.viewer.ui.imgui.items import (
    button,
    button_width,
    check_box,
    continue_check,
    continue_line,
    empty_state,
    fitting,
    is_enter_pressed,
    item,
    item_tooltip,
    next_button,
    slider,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.widgets.thumbnail_grid import SIZES, cells_in_sight, draw_cell, walked

_NAME_LINES = 2
_ROOM_FOR_ONE_LINE = 58.0  # font sizes: the path stands beside the tools then


class AssetPanel:
    """Shows a folder. A double click or Enter places a file in the middle of the picture, or goes into a folder.

    What is placed so while that is still selected stands beside it. The arrow keys go through the grid. A drag places a
    file, or all files of a folder, where the mouse points.

    Attributes:
        size: of a cell, logical pixels at scale 1.
        dragged: the file or folder that is dragged out of the panel, or None.
    """

    id, title, place, keys, starts_open = "assets", "Asset browser", "bottom", (), False

    def __init__(self, folder: AssetFolder, thumbnails: Thumbnails, placer: Placer, context: Context) -> None:
        self.size = 72.0
        self.dragged: FolderRow | None = None
        self._folder = folder
        self._thumbnails = thumbnails
        self._placer = placer
        self._context = context
        self._marked: Path | None = None
        self._enters_grid = False  # from the field above
        self._may_drag = False  # True from a press of the mouse until a drag begins, which Esc may end

    def thumbnail_of(self, row: FolderRow) -> Thumbnail | None:
        """Return what is known of a file; None for a folder."""
        return None if row.is_folder else self._thumbnails.of(self._folder.asset(row))

    def carry(self, row: FolderRow) -> CarriedFile:
        """Begin to bring a file, or those of a folder, into the scene."""
        path = self._folder.path / row.name
        self._folder.note_used(path)
        return self._placer.carry(path)

    def draw(self, theme: Theme) -> None:
        """Draw the tools, the path and the grid."""
        self._draw_tools(theme)  # above the path, whose length changes while another one is typed
        if imgui.get_content_region_avail().x > _ROOM_FOR_ONE_LINE * imgui.get_font_size():
            imgui.same_line()
        self._draw_path(theme)
        if self._enters_grid:
            imgui.set_next_window_focus()
        if imgui.begin_child("grid"):
            self._draw_grid(theme)
        imgui.end_child()
        self._thumbnails.work()

    def _draw_path(self, theme: Theme) -> None:
        """Draw the folders above, each of which is a button, as many as there is room for."""
        folder = self._folder.path
        room = imgui.get_content_region_avail().x - button_width(icons.ICON_FA_ARROW_UP)  # of what is left of the line
        if button(item(icons.ICON_FA_ARROW_UP, "up"), "the folder above"):
            self._folder.go(folder.parent)
        shown: list[Path] = []
        for each in (folder, *folder.parents):
            room -= button_width(printable(each.name) or "/") + imgui.get_style().item_spacing.x
            if room < 0.0 and shown:
                break
            shown.insert(0, each)
        for each in shown:
            imgui.same_line()
            if imgui.button(item(printable(each.name) or "/", str(each))):
                self._folder.go(each)
            item_tooltip(printable(each), is_name=True)

    def _draw_tools(self, theme: Theme) -> None:
        folder, style = self._folder, imgui.get_style()
        width = min(11.0 * imgui.get_font_size(), imgui.get_content_region_avail().x)
        imgui.set_next_item_width(width)
        hint = fitting(f"{icons.ICON_FA_MAGNIFYING_GLASS}  Name or path", width - 2.0 * style.frame_padding.x)
        _, folder.query = imgui.input_text_with_hint("##find", hint, folder.query)
        if imgui.is_item_deactivated() and is_enter_pressed() and folder.enter():
            imgui.set_keyboard_focus_here(-1)  # what is typed next is looked for in it
        self._enters_grid = imgui.is_item_active() and imgui.is_key_pressed(imgui.Key.down_arrow)
        if self._enters_grid:
            imgui.internal.clear_active_id()
        continue_line(button_width(icons.ICON_FA_STAR))
        path = str(folder.path)
        is_favourite = path in folder.favourites
        color = theme.accent if is_favourite else theme.quiet
        with imgui_ctx.push_style_color(imgui.Col_.text, imgui.ImVec4(*color)):
            if imgui.button(item(icons.ICON_FA_STAR, "favourite")):
                folder.toggle_favourite(path)
        item_tooltip("take this folder from the favourites" if is_favourite else "add it to the favourites")
        if next_button("Favourites", "Favourites", "favourites and recent folders"):
            imgui.open_popup("folders")
        corner = imgui.get_item_rect_min().x, imgui.get_item_rect_max().y
        imgui.set_next_window_pos(corner, imgui.Cond_.appearing)
        self._draw_folders(theme)
        if next_button(icons.ICON_FA_ARROWS_ROTATE, "again", "list the folder again"):
            folder.refresh()
        continue_check("Align to surface")
        _, self._placer.aligned = check_box("Align to surface", self._placer.aligned)
        item_tooltip("what is placed follows the normal of the surface; Shift inverts it")
        continue_check("Place by origin")
        _, self._placer.by_origin = check_box("Place by origin", self._placer.by_origin)
        item_tooltip("what is placed has the origin of its file under the mouse, else the middle of its lower side")
        width = 5.0 * imgui.get_font_size()
        continue_line(width, style.item_spacing.x)
        imgui.set_next_item_width(width)
        _, self.size = slider("##size", self.size, *SIZES, "%.0f px")
        item_tooltip("size of the thumbnails")

    def _draw_folders(self, theme: Theme) -> None:
        if not imgui.begin_popup("folders"):
            return
        for title, paths in (
            ("Favourites", self._folder.favourites),
            ("Recent", self._folder.recent),
            ("Places", [str(Path.home())]),
        ):
            if paths:
                imgui.text_colored(theme.quiet, title)
            for path in paths:
                if imgui.menu_item_simple(item(printable(path), f"{title} {path}")):
                    self._folder.go(path)
        imgui.end_popup()

    def _draw_grid(self, theme: Theme) -> None:
        rows = self._folder.rows
        if not rows:
            is_there = os.path.isdir(self._folder.path)
            none_here = (
                "No such files here or in folders below." if self._folder.query else "No files with meshes here."
            )
            text = "Looking through folders below ..." if self._folder.is_searching else none_here
            text = text if is_there else "There is no such folder."
            action = "" if self._folder.query else "Folder above"
            if empty_state(theme, icons.ICON_FA_FOLDER_OPEN, text, action):
                self._folder.go(self._folder.path.parent)
            return
        came_to = self._walk(rows)
        for number in cells_in_sight(len(rows), self.size, came_to, lines=_NAME_LINES):
            if self._draw_cell(rows[number], theme, scrolls=number == came_to):
                return  # another folder is shown

    def _walk(self, rows: list[FolderRow]) -> int | None:
        """Mark another cell as the arrow keys say; return its number, or None."""
        folder = self._folder.path
        marked = next((number for number, row in enumerate(rows) if folder / row.name == self._marked), None)
        number = walked(marked, len(rows), self.size, enters=self._enters_grid)
        if number is not None:
            self._marked = folder / rows[number].name
        return number

    def _draw_cell(self, row: FolderRow, theme: Theme, *, scrolls: bool) -> bool:
        """Draw a file or a folder; return whether the user goes into the folder."""
        path, picture = self._folder.path / row.name, icons.ICON_FA_FOLDER
        if not row.is_folder:
            thumbnail = self.thumbnail_of(row)
            picture = icons.ICON_FA_HOURGLASS_HALF if thumbnail is None else icons.ICON_FA_BAN
            if thumbnail is not None and thumbnail.pixels is not None:
                picture = self._context.image_of(thumbnail.pixels)
        color = theme.group if row.is_folder else theme.quiet
        is_marked = path == self._marked
        draw_cell(
            printable(path.name if row.is_folder else stem_of(path)),
            row.name,
            self.size,
            picture,
            theme,
            is_marked=is_marked,
            glyph_color=color,
            lines=_NAME_LINES,
        )
        if scrolls:
            imgui.internal.scroll_to_item()
        if imgui.is_item_clicked():
            self._marked, self._may_drag = path, True
        is_entered = is_marked and imgui.is_window_focused() and is_enter_pressed()
        is_double = is_entered or (imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left))
        # Where frames take long, the button is up again in the first frame that the mouse has moved in.
        is_held = imgui.is_item_active() or imgui.is_item_deactivated()
        way = imgui.get_mouse_drag_delta(imgui.MouseButton_.left, 0.0)
        if self._may_drag and is_held and math.hypot(way.x, way.y) > imgui.get_io().mouse_drag_threshold:
            self.dragged, self._may_drag = row, False
        if row.is_folder:
            if self.dragged is None:
                does = "Double-click opens it; a drag into the picture places all its files"
                item_tooltip(f"{printable(row.name)}\n{does}", is_name=True)
            if is_double:
                self._folder.go(path)
            return is_double or self._draw_menu(row, path)
        if self.dragged is None:
            item_tooltip(_about(row, thumbnail, self._context.scene.length_unit), is_name=True)
        if is_double:
            self._place(row)
        return self._draw_menu(row, path)

    def _place(self, row: FolderRow) -> None:
        carried = self.carry(row)
        carried.show(Asked(carried.surface(self._context.view.middle), in_row=True))
        carried.let_go()

    def _draw_menu(self, row: FolderRow, path: Path) -> bool:
        """Draw the menu of a right click on a cell; return whether the user goes into the folder."""
        is_entered = False
        if imgui.begin_popup_context_item():
            self._marked, document, name = path, self._context.document, str(path)
            if imgui.menu_item_simple("Place"):
                self._place(row)
            if imgui.menu_item_simple("Open", enabled=row.is_folder or document.can_leave):
                is_entered = row.is_folder
                (self._folder.go if row.is_folder else document.open)(path)
            if imgui.menu_item_simple("Show in folder"):
                open_file(path.parent)
            if row.is_folder and imgui.menu_item_simple("Favourite", selected=name in self._folder.favourites):
                self._folder.toggle_favourite(name)
            imgui.end_popup()
        return is_entered


def _about(row: FolderRow, thumbnail: Thumbnail | None, scene_unit: str) -> str:
    """Return a tooltip about a file; one without a unit of length takes that of the scene."""
    lines = [printable(row.name), readable_bytes(row.size)]
    if thumbnail is not None and thumbnail.problem:
        lines.append(printable(thumbnail.problem))
    elif thumbnail is not None:
        box, facts = np.array(thumbnail.facts["box"]), thumbnail.facts
        sides = box[1] - box[0]
        size = Lengths(float(sides.max()), facts["length_unit"] or scene_unit).sides(sides)
        objects = "1 object" if facts["objects"] == 1 else f"{facts['objects']:,} objects"
        lines.append(f"{objects}, {facts['triangles']:,} triangles, {size}")
    return "\n".join([*lines, "Drag it into the picture, or double-click"])
