"""LabelField: the field over the picture for the text of a label that was begun."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.viewer.features.annotations.tool import LabelTool
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.widgets.focus_request import FocusRequest

_WIDTH = 22.0  # font sizes
_FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.always_auto_resize
)


class LabelField:
    """Stands beside the point until Enter or Esc."""

    areas = ()

    def __init__(self, tool: LabelTool) -> None:
        self._tool = tool
        self._text = ""
        self._anchor: object = None  # for which the text is being typed
        self._focus = FocusRequest()

    def draw(self, picture: Area) -> None:
        """Draw the field, if a label was begun."""
        anchor = self._tool.pending
        if anchor is not self._anchor:
            self._anchor, self._text = anchor, ""
            self._focus.begin()
        if anchor is None:
            return
        x, y = self._tool.pending_pixel
        width = _WIDTH * imgui.get_font_size()
        left = min(max(picture.left + x + 16.0, picture.left), max(picture.left, picture.right - width - 24.0))
        top = min(max(picture.top + y - 48.0, picture.top), picture.bottom - 48.0)
        imgui.set_next_window_pos((left, top))
        if imgui.begin("##label", None, _FLAGS)[0]:
            self._focus.before_field()
            imgui.set_next_item_width(width)
            hint = "text, **bold**, [link](https://...)"
            flags = imgui.InputTextFlags_.enter_returns_true
            entered, self._text = imgui.input_text_with_hint("##text", hint, self._text, flags)
            self._focus.after_field()
            if entered:
                self._tool.finish(self._text)
            elif imgui.is_key_pressed(imgui.Key.escape):
                self._tool.finish("")
        imgui.end()
