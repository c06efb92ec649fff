"""The bookmarks panel: a click goes to a bookmark, a button renames it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, imgui_ctx

from octoscope.scene.system.text_file import printable
from octoscope.viewer.features.bookmarks.bookmark_list import BookmarkList
from octoscope.viewer.ui.imgui.items import button, button_width, empty_state, fitting, item_tooltip, list_row
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.widgets.rename_field import RenameField


class BookmarksPanel:
    """A row for each bookmark."""

    id, title, place, keys, starts_open = "bookmarks", "Bookmarks", "right", ("Ctrl+5",), False

    def __init__(self, bookmarks: BookmarkList) -> None:
        self._bookmarks = bookmarks
        self._rename = RenameField[str]()

    def draw(self, theme: Theme) -> None:
        """Draw the rows."""
        names, adds = self._bookmarks.names, f"{icons.ICON_FA_PLUS}  Add bookmark"
        if not names:
            text = "A bookmark keeps where the camera is. A project keeps its bookmarks."
            if empty_state(theme, icons.ICON_FA_BOOKMARK, text, adds):
                self._bookmarks.add()
            return
        if imgui.button(adds):
            self._bookmarks.add()
        for place, name in enumerate(names):
            with imgui_ctx.push_id(str(place)):
                if name != self._rename.row:
                    self._draw_row(name)
                elif (new_name := self._rename.draw()) is not None:
                    self._bookmarks.rename(name, new_name)

    def _draw_row(self, name: str) -> None:
        gap = imgui.get_style().item_spacing.x
        room = button_width(icons.ICON_FA_PEN) + button_width(icons.ICON_FA_TRASH) + 2.0 * gap
        width = max(40.0, imgui.get_content_region_avail().x - room)
        is_current = name == self._bookmarks.current
        corner = imgui.get_cursor_screen_pos()  # of the row; the item also covers the gaps around it
        if list_row("##row", is_current, size=(width, imgui.get_frame_height())):
            self._bookmarks.go(name)
        draw = imgui.get_window_draw_list()
        padding = imgui.get_style().frame_padding.y
        shown = printable(name) or "(no name)"
        fits = fitting(shown, width - 4.0)
        if fits != shown:
            item_tooltip(shown, is_name=True)
        draw.add_text((corner.x + 4.0, corner.y + padding), imgui.get_color_u32(imgui.Col_.text), fits)
        imgui.same_line()
        if button(icons.ICON_FA_PEN, "rename it"):
            self._rename.begin(name, name)
        imgui.same_line()
        if imgui.button(icons.ICON_FA_TRASH):
            self._bookmarks.remove(name)
