"""LabelField: the field over the picture for the text of a label that was begun."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.scene.annotations.measurement import Anchor
from octoscope.viewer.features.annotations.decoration import LABEL_COLOR
from octoscope.viewer.features.annotations.tool import LabelTool
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.theme import packed
from octoscope.viewer.ui.widgets.rename_field import RenameField

LINES = 3  # of a field for a text
_ABOVE, _DOT = 3.5, 0.25  # where the field is, radius of the dot at the point, font sizes


class LabelField:
    """Stands above the point until Enter, a click elsewhere, or Esc, which drops the label."""

    def __init__(self, tool: LabelTool) -> None:
        self._tool = tool
        self._field = RenameField[Anchor]()

    def draw(self, picture: Area) -> None:
        """Draw the field, if a label was begun."""
        anchor, (x, y), font = self._tool.pending, self._tool.pending_pixel, imgui.get_font_size()
        if anchor is None:
            return
        if self._field.row is not anchor:
            self._field.begin(anchor, "")
        dot = picture.left + x, picture.top + y
        imgui.get_background_draw_list().add_circle_filled(dot, _DOT * font, packed((*LABEL_COLOR, 1.0)))
        hint = "text, **bold**, [link](https://...)"
        text = self._field.draw_over_picture(picture, (x, y - _ABOVE * font), hint, lines=LINES)
        if self._field.row is None:
            self._tool.finish(text or "")
