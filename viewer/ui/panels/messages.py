"""The messages panel: problems of opened files by kind, and the log."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.document.import_report import Message, counts_by_kind
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import OF_FILES, LogEntry
from octoscope.viewer.ui.imgui.items import (
    cut_text,
    empty_state,
    fitting,
    item,
    item_tooltip,
    list_row,
    rows_in_sight,
    sentence,
    sentence_case,
    tab_list,
)
from octoscope.viewer.ui.imgui.theme import Theme


class MessagesPanel:
    """Two lists, of which only visible rows are drawn; `messages` returns the same list as long as nothing changed."""

    id, title, place, keys, starts_open = "messages", "Messages", "bottom", ("Ctrl+3",), False

    def __init__(self, editor: Editor, messages: Callable[[], list[Message]]) -> None:
        self._editor = editor
        self._messages = messages
        self._kind = ""  # of problems to show, or "" for all
        self._listed: list[Message] = []
        self._listed_for: tuple[object, str] | None = None
        self._counts: dict[str, int] = {}
        self._current = -1
        self._tab = "files"  # id of the present one

    def lists(self, toast: LogEntry) -> bool:
        """Return whether the present tab has what a toast says."""
        return toast in self._editor.log.entries if self._tab == "log" else toast.subject == OF_FILES

    def draw(self, theme: Theme) -> None:
        """Draw the list of the selected tab."""
        messages = self._messages()
        labels = {"files": f"Problems  {sum(message.count for message in messages):,}", "log": "Log"}
        self._tab = tab_list(theme, "lists", labels, self._tab)
        if self._tab == "log":
            self._draw_log(theme)
        else:
            self._draw_messages(messages, theme)

    def _draw_messages(self, messages: list[Message], theme: Theme) -> None:
        if not messages:
            empty_state(theme, icons.ICON_FA_CIRCLE_CHECK, "No problems were found in the files.")
            return
        if self._listed_for is None or self._listed_for[0] is not messages or self._listed_for[1] != self._kind:
            self._counts = counts_by_kind(messages)
            self._kind = self._kind if self._kind in self._counts else ""
            self._listed = [message for message in messages if self._kind in ("", message.kind)]
            self._listed_for = (messages, self._kind)
            self._current = -1
        self._draw_kinds()
        if imgui.begin_child("list"):
            for row in rows_in_sight(len(self._listed), imgui.get_text_line_height_with_spacing()):
                self._draw_message(row, self._listed[row], theme)
        imgui.end_child()

    def _draw_kinds(self) -> None:
        kinds = {"": f"All kinds  {sum(self._counts.values()):,}"}
        kinds |= {kind: f"{sentence_case(kind)}  {count:,}" for kind, count in self._counts.items()}
        imgui.set_next_item_width(220.0 * imgui.get_style().font_scale_main)
        if imgui.begin_combo("##kind", kinds[self._kind]):
            for kind, label in kinds.items():
                if list_row(item(label, f"kind {kind}"), kind == self._kind):
                    self._kind = kind
            imgui.end_combo()

    def _draw_message(self, row: int, message: Message, theme: Theme) -> None:
        clicked = list_row(f"##{row}", row == self._current)
        what = "select it" if len(message.node_ids) else "copy the file and line" if message.place else ""
        item_tooltip("\n".join(filter(None, (message.text, what and f"Click to {what}"))), is_name=True)
        imgui.same_line(imgui.get_style().frame_padding.x)
        icon, color = icons.ICON_FA_TRIANGLE_EXCLAMATION, theme.warm
        if message.level == "error":
            icon, color = icons.ICON_FA_CIRCLE_XMARK, theme.error
        imgui.text_colored(color, icon)
        imgui.same_line()
        shown = fitting(message.text, imgui.get_content_region_avail().x)
        imgui.text(shown)
        if clicked:
            self._current = row
            if len(message.node_ids):
                self._editor.select(message.node_ids)
            elif message.place:
                imgui.set_clipboard_text(message.place)
                self._editor.log.say("info", f"copied {message.place}")

    def _draw_log(self, theme: Theme) -> None:
        colors = {"error": theme.error, "warning": theme.warm, "info": theme.text}
        entries = self._editor.log.entries
        if imgui.begin_child("log"):
            if not entries:
                empty_state(theme, icons.ICON_FA_LIST, "What the window says is listed here.")
            at_end = imgui.get_scroll_y() >= imgui.get_scroll_max_y()
            for row in rows_in_sight(len(entries), imgui.get_text_line_height_with_spacing()):
                entry = entries[row]
                imgui.text_colored(theme.quiet, entry.clock)
                imgui.same_line()
                if entry.settled:
                    cut_text(f"{sentence(entry.text)}  (settled)", theme.quiet)
                else:
                    cut_text(sentence(entry.text), colors[entry.level])
            if at_end:
                imgui.set_scroll_here_y(1.0)
        imgui.end_child()
