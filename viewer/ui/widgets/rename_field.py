"""RenameField: a text field in a row of a list, in which its name is typed anew."""

from __future__ import annotations

from typing import Generic, TypeVar

from imgui_bundle import imgui

from octoscope.viewer.ui.widgets.focus_request import FocusRequest

Row = TypeVar("Row")


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

    def draw(self, width: float = -1.0) -> str | None:
        """Draw the field, by default over the rest of the line; return the new name once it is typed."""
        self._focus.before_field()
        imgui.set_next_item_width(width)
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        entered, self._name = imgui.input_text("##name", self._name, flags)
        self._focus.after_field()
        if imgui.is_key_pressed(imgui.Key.escape):
            self.row = None
        elif entered or (imgui.is_item_deactivated() and not self._focus.is_open):
            self.row = None
            return self._name
        return None
