"""RenameField: a text field in a row of a list, in which its name is typed anew, or over the picture."""

from __future__ import annotations

from typing import Generic, TypeVar

from imgui_bundle import imgui, imgui_ctx

from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.windows import begin_over_picture
from octoscope.viewer.ui.widgets.focus_request import FocusRequest

Row = TypeVar("Row")
_WIDTH, _PADDING = 20.0, 2.0  # over the picture, font sizes
_SEVERAL_LINES = (
    imgui.internal.InputTextFlagsPrivate_.multiline
    | imgui.InputTextFlags_.word_wrap
    | imgui.InputTextFlags_.ctrl_enter_for_new_line
)


class RenameField(Generic[Row]):
    """The field for one row at a time: Enter, or a click elsewhere, takes the name that was typed, Esc leaves the old.

    In a field of several lines Shift or Ctrl with Enter begins a new one.

    Attributes:
        row: the row that is being renamed, or None.
    """

    def __init__(self) -> None:
        self.row: Row | None = None
        self._name = ""
        self._focus = FocusRequest()

    def begin(self, row: Row, name: str) -> None:
        """Rename a row; its field has the name that it has now, all of it selected."""
        self.row, self._name = row, name
        self._focus.begin()

    def draw_over_picture(
        self, picture: Area, place: tuple[float, float], hint: str = "", *, lines: int = 1
    ) -> str | None:
        """Draw the field about a place, logical pixels from the picture's corner; return the name once it is typed."""
        room = picture.grown(-1.5 * imgui.get_font_size())
        size = _WIDTH * imgui.get_font_size(), (lines + _PADDING) * imgui.get_font_size()
        wanted = picture.left + place[0] - size[0] / 2.0, picture.top + place[1] - size[1] / 2.0
        left = max(room.left, min(wanted[0], room.right - size[0]))
        begin_over_picture("##name over the picture", (left, max(room.top, min(wanted[1], room.bottom - size[1]))))
        name = self.draw(min(size[0], room.size[0]), hint, lines=lines)
        imgui.end()
        return name

    def draw(self, width: float = -1.0, hint: str = "", *, is_low: bool = False, lines: int = 1) -> str | None:
        """Draw the field, by default over the rest of the line, or as low as a text; return a name that was typed."""
        self._focus.before_field()
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        padding = (3.0, 0.0) if is_low else imgui.get_style().frame_padding
        with imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, padding):
            size = width, 0.0
            if lines > 1:
                flags |= _SEVERAL_LINES
                size = width, lines * imgui.get_text_line_height() + 2.0 * imgui.get_style().frame_padding.y
            entered, self._name = imgui.internal.input_text_ex("##name", hint, self._name, size, flags)
        if lines > 1 and imgui.is_item_activated():  # auto_select_all is for one line
            imgui.internal.get_input_text_state(imgui.get_item_id()).select_all()
        self._focus.after_field()
        if imgui.is_key_pressed(imgui.Key.escape):
            self.row = None
        elif entered or (imgui.is_item_deactivated() and not self._focus.is_open):
            self.row = None
            return self._name
        return None
