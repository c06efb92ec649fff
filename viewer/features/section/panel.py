"""The section panel: the planes that cut a part of the picture away, as numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from imgui_bundle import imgui

from octoscope.scene.measuring import Lengths
from octoscope.scene.measuring.lengths import number_text
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.frame.section import SectionPlane
from octoscope.viewer.ui.imgui.items import button_width, continue_line, item
from octoscope.viewer.ui.imgui.texts import item_tooltip
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import label
from octoscope.viewer.ui.widgets.fields import NumberFields

_PICTURE_PX = 800.0  # a pixel of a drag moves by about a pixel of a picture of this height
_DIRECTION_PER_PIXEL = 0.005
_GAP = 3.0
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
                continue_line(button_width(text), _GAP)
            imgui.begin_disabled(self._tool.is_full)
            if imgui.button(item(text, command_id)):
                self._run(command_id)
            imgui.end_disabled()
        for index, plane in enumerate(self._tool.planes):
            self._draw_plane(theme, index, plane)

    def _draw_plane(self, theme: Theme, index: int, plane: SectionPlane) -> None:
        tool = self._tool
        imgui.separator()
        if imgui.radio_button(item(f"Plane {index + 1}", f"active {index}"), tool.active == index):
            tool.active = index
        item_tooltip("has the handles in the picture")
        continue_line(button_width("Flip"))
        if imgui.button(item("Flip", f"flip {index}")):
            tool.change(index, plane.flipped)
        continue_line(button_width("Remove"), _GAP)
        if imgui.button(item("Remove", f"remove {index}")):
            tool.remove(index)
            return
        # Shown as the direction of what is cut away, so that a larger distance cuts away less.
        outward = -np.array(plane.normal) + 0.0
        changed = None
        label(theme, "Direction")
        width = (imgui.get_content_region_avail().x - 2.0 * _GAP) / 3.0
        for axis in range(3):
            if axis:
                imgui.same_line(0.0, _GAP)
            name = f"plane {index + 1} {'xyz'[axis]}"
            value = self._draw_field(name, float(outward[axis]), _DIRECTION_PER_PIXEL, width)
            if value is not None:
                changed = outward.copy()
                changed[axis] = value
        label(theme, "Distance")
        speed = self._editor.view.camera.pixel_size(_PICTURE_PX)
        distance = self._draw_field(
            f"plane {index + 1} distance",
            -plane.offset + 0.0,
            speed,
            imgui.get_content_region_avail().x,
            Lengths.of(self._editor.scene).text,
        )
        item_tooltip("from the world's origin along the direction; what lies beyond is cut away")
        try:
            if changed is not None:
                tool.turn(index, -changed)
            elif distance is not None:
                tool.change(index, SectionPlane.across(plane.normal, -distance))
        except ValueError as error:
            self._tell(f"Section: {error}")

    def _draw_field(
        self, name: str, value: float, speed: float, width: float, text_of: Callable[[float], str] = number_text
    ) -> float | None:
        changed = self._fields.field(
            name, name, np.array([value]), same=True, speed=speed, step=1.0, width=width, text_of=text_of
        )
        return None if changed is None else float(changed.values[0])
