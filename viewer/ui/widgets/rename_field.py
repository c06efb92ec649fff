"""RenameField: a text field in a row of a list, in which its name is typed anew, or over the picture."""

from __future__ import annotations

from typing import Generic, TypeVar

from imgui_bundle import imgui, imgui_ctx

from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.windows import begin_over_picture
from octoscope.viewer.ui.widgets.focus_request import FocusRequest

Row = TypeVar("Row")
_WIDTH, _HEIGHT = 20.0, 3.0  # over the picture, font sizes


class RenameField(Generic[Row]):
    """The field for one row at a time: Enter, or a click elsewhere, takes the name that was typed, Esc leaves the old.

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

    def draw_over_picture(self, picture: Area, place: tuple[float, float], hint: str = "") -> str | None:
        """Draw the field about a place, logical pixels from the picture's corner; return the name once it is typed."""
        room = picture.grown(-1.5 * imgui.get_font_size())
        size = _WIDTH * imgui.get_font_size(), _HEIGHT * imgui.get_font_size()
        wanted = picture.left + place[0] - size[0] / 2.0, picture.top + place[1] - size[1] / 2.0
        left = max(room.left, min(wanted[0], room.right - size[0]))
        begin_over_picture("##name over the picture", (left, max(room.top, min(wanted[1], room.bottom - size[1]))))
        name = self.draw(min(size[0], room.size[0]), hint)
        imgui.end()
        return name

    def draw(self, width: float = -1.0, hint: str = "", *, is_low: bool = False) -> str | None:
        """Draw the field, by default over the rest of the line, or as low as a text; return a name that was typed."""
        self._focus.before_field()
        imgui.set_next_item_width(width)
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        padding = (3.0, 0.0) if is_low else imgui.get_style().frame_padding
        with imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, padding):
            entered, self._name = imgui.input_text_with_hint("##name", hint, self._name, flags)
        self._focus.after_field()
        if imgui.is_key_pressed(imgui.Key.escape):
            self.row = None
        elif entered or (imgui.is_item_deactivated() and not self._focus.is_open):
            self.row = None
            return self._name
        return None
