"""The console's panel: what was typed and printed, and a field of several lines below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import imgui, imgui_ctx

from octoscope.viewer.features.console.console import Console
from octoscope.viewer.ui.imgui.fonts import font_of_code
from octoscope.viewer.ui.imgui.items import button, button_width, rows_in_sight, wrapped_text
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.widgets.focus_request import FocusRequest

_MOST_ROWS = 8  # of the field
_HINT = (
    "Python with scene, selection, window, np and octoscope; Tab completes names, Up brings back what was typed, "
    "Ctrl+C ends what runs for too long"
)
_FIRST_FRAMES = 10  # of the program: a panel that appears later was opened just now
_FLAGS = imgui.InputTextFlags_
_FIELD_FLAGS = (
    _FLAGS.enter_returns_true | _FLAGS.ctrl_enter_for_new_line | _FLAGS.callback_completion | _FLAGS.callback_always
)


class ConsolePanel:
    """Output, of which only the visible lines are drawn, and the field.

    Args:
        expect_field: called before the field appears again, which takes the keyboard.
    """

    id, title, place, keys, starts_open = "console", "Console", "bottom", ("Shift+F4",), False

    def __init__(self, console: Console, expect_field: Callable[[], object]) -> None:
        self._console = console
        self._expect_field = expect_field
        self._text = ""
        self._focus = FocusRequest()
        self._goes_to_end = False  # whether the cursor is brought behind the text
        self._at = (0, 0)  # rows above and below the cursor

    def draw(self, theme: Theme) -> None:
        """Draw output and field."""
        rows = min(self._text.count("\n") + 1, _MOST_ROWS)
        height = rows * imgui.get_text_line_height() + 2.0 * imgui.get_style().frame_padding.y
        self._draw_output(theme, height + imgui.get_style().item_spacing.y)
        buttons = sum(button_width(text) + imgui.get_style().item_spacing.x for text in ("Copy", "Clear"))
        width = imgui.get_content_region_avail().x - buttons
        if imgui.is_window_appearing() and imgui.get_frame_count() > _FIRST_FRAMES:
            self._take_keyboard()
        self._focus.before_field()
        with imgui_ctx.push_font(font_of_code(self._text), 0.0):
            entered, self._text = imgui.input_text_multiline(
                "##input", self._text, (width, height), _FIELD_FLAGS, self._note_cursor
            )
            self._focus.after_field()
        if entered:
            self._text = self._console.enter(self._text)
            self._goes_to_end = True
            self._take_keyboard()
        imgui.same_line()
        if button("Copy", "all that was typed and printed"):
            imgui.set_clipboard_text("\n".join(text for _, text in self._console.lines))
        imgui.same_line()
        if imgui.button("Clear"):
            self._console.clear()

    def _take_keyboard(self) -> None:
        self._focus.begin()
        self._expect_field()

    def _draw_output(self, theme: Theme, room_below: float) -> None:
        colors = {"input": theme.quiet, "output": theme.text, "error": theme.error}
        lines = self._console.lines
        if imgui.begin_child("output", (0.0, -room_below), 0, imgui.WindowFlags_.horizontal_scrollbar):
            if not lines:
                wrapped_text(_HINT, theme.quiet)
            at_end = imgui.get_scroll_y() >= imgui.get_scroll_max_y()
            for row in rows_in_sight(len(lines), imgui.get_text_line_height_with_spacing()):
                kind, text = lines[row]
                with imgui_ctx.push_font(font_of_code(text), 0.0):
                    imgui.text_colored(colors[kind], text)
            if at_end:
                imgui.set_scroll_here_y(1.0)
        imgui.end_child()

    def _note_cursor(self, data: Any) -> int:
        """Complete a name at Tab, and go through what was typed at the arrows beyond the first and last row."""
        text, place = data.buf, len(data.buf.encode()[: data.cursor_pos].decode(errors="ignore"))
        if data.event_flag == _FLAGS.callback_completion:
            data.insert_chars(data.cursor_pos, self._console.complete(text[:place]))
            return 0
        if self._goes_to_end:
            self._goes_to_end = False
            data.cursor_pos = data.selection_start = data.selection_end = data.buf_text_len
        above, below = self._at
        step = -1 if above == 0 and imgui.is_key_pressed(imgui.Key.up_arrow) else 0
        step += 1 if below == 0 and imgui.is_key_pressed(imgui.Key.down_arrow) else 0
        if step and (other := self._console.step(text, step)) != text:
            data.delete_chars(0, data.buf_text_len)
            data.insert_chars(0, other)
            text, place = other, len(other)
        self._at = text[:place].count("\n"), text[place:].count("\n")
        return 0
