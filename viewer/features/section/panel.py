"""The section panel: the planes that cut a part of the picture away, as numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene.measuring import Lengths
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.frame.section import SectionPlane
from octoscope.viewer.ui.imgui.items import (
    button_width,
    continue_line,
    empty_state,
    item,
    item_tooltip,
    radio_button,
    small_gap,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import label
from octoscope.viewer.ui.widgets.fields import PICTURE_PX, FieldLook, NumberFields

_DIRECTION_PER_PIXEL = 0.005
_ADDED = (("section.add_x", "X"), ("section.add_y", "Y"), ("section.add_z", "Z"), ("section.add_view", "View"))


class SectionPanel:
    """Shows the planes of a section: direction and distance of each, buttons to flip and to remove it."""

    id, title, place, keys, starts_open = "section", "Section", "right", ("Ctrl+8",), False

    def __init__(
        self, editor: Editor, tool: SectionTool, run: Callable[[str], object], expect_field: Callable[[], object]
    ) -> None:
        self._editor = editor
        self._tell = partial(editor.log.tell, "Section")
        self._tool = tool
        self._run = run
        self._fields = NumberFields(self._tell, expect_field)

    def draw(self, theme: Theme) -> None:
        """Draw the planes, and buttons that add some."""
        self._fields.begin(self._tool)
        label(theme, "Cut across")
        for number, (command_id, text) in enumerate(_ADDED):
            if number:
                continue_line(button_width(text), small_gap())
            imgui.begin_disabled(self._tool.is_full)
            if imgui.button(item(text, command_id)):
                self._run(command_id)
            imgui.end_disabled()
        if not self._tool.planes:
            text = "A plane cuts away what lies on one side of it, in the picture alone."
            empty_state(theme, icons.ICON_FA_SCISSORS, text)
        for index, plane in enumerate(self._tool.planes):
            self._draw_plane(theme, index, plane)

    def _draw_plane(self, theme: Theme, index: int, plane: SectionPlane) -> None:
        tool = self._tool
        imgui.separator()
        if radio_button(item(f"Plane {index + 1}", f"active {index}"), tool.active == index):
            tool.active = index
        item_tooltip("has the handles in the picture")
        continue_line(button_width("Flip"))
        if imgui.button(item("Flip", f"flip {index}")):
            tool.change(index, plane.flipped)
        continue_line(button_width("Remove"), small_gap())
        if imgui.button(item("Remove", f"remove {index}")):
            tool.remove(index)
            return
        # Shown as the direction of what is cut away, so that a larger distance cuts away less.
        outward = -np.array(plane.normal) + 0.0
        label(theme, "Direction")
        changed = self._fields.vector(f"plane {index + 1}", outward, FieldLook(_DIRECTION_PER_PIXEL))
        label(theme, "Distance")
        look = FieldLook(self._editor.view.camera.pixel_size(PICTURE_PX), lengths=Lengths.of(self._editor.scene))
        distance = self._fields.number(f"plane {index + 1} distance", -plane.offset + 0.0, look)
        item_tooltip("from the world's origin along the direction; what lies beyond is cut away")
        try:
            if changed is not None:
                tool.turn(index, -changed)
            elif distance is not None:
                tool.change(index, SectionPlane.across(plane.normal, -distance))
        except ValueError as error:
            self._tell(f"Section: {error}")
