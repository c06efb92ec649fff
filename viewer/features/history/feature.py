"""The history panel: a row for each edit; a click undoes or redoes up to it."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.scene.system.text_file import printable
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.ui.imgui.items import fitting, item_tooltip, list_row, rows_in_sight
from octoscope.viewer.ui.imgui.theme import Theme


class HistoryPanel:
    """A list of all edits that can be undone or redone, of which only the visible rows are drawn."""

    id, title, place, keys, starts_open = "history", "History", "bottom", ("Ctrl+4",), False

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._shown_position = -1

    def draw(self, theme: Theme) -> None:
        """Draw the rows."""
        history = self._editor.history
        position = history.position
        if imgui.begin_child("list"):
            height = imgui.get_text_line_height_with_spacing()
            if position != self._shown_position:
                self._shown_position = position
                imgui.set_scroll_y(max(0.0, (position + 1) * height - imgui.get_window_height() / 2.0))
            chosen = None
            for row in rows_in_sight(len(history.entries) + 1, height):
                label = printable(history.entries[row - 1].label) if row else self._beginning()
                if list_row(f"##{row}", row == position):
                    chosen = row
                fits = fitting(label, imgui.get_content_region_avail().x - 2.0 * imgui.get_style().frame_padding.x)
                if fits != label:
                    item_tooltip(label, is_name=True)
                imgui.same_line(imgui.get_style().frame_padding.x)
                imgui.text_colored(theme.text if row <= position else theme.quiet, fits)
            if chosen is not None:
                self._editor.go_to(chosen)
        imgui.end_child()

    def _beginning(self) -> str:
        forgotten = self._editor.history.forgotten
        return f"{forgotten:,} older ones dropped" if forgotten else "Opened"


PART = WindowPart(lambda context: Contribution(panels=[HistoryPanel(context.editor)]))
