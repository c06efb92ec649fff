"""NameField: the field over the picture for the name of a measurement."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.scene.annotations.measurement import Measurement
from octoscope.scene.measuring.drawings import drawing_of
from octoscope.scene.measuring.measurements import world_points
from octoscope.viewer.features.measuring.tool import MeasureTool
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.windows import begin_over_picture
from octoscope.viewer.ui.widgets.rename_field import RenameField

_WIDTH = 16.0  # font sizes


class NameField:
    """Stands over the measurement's figure until Enter or Esc."""

    areas = ()

    def __init__(self, tool: MeasureTool) -> None:
        self._tool = tool
        self._field = RenameField[Measurement]()

    def draw(self, picture: Area) -> None:
        """Draw the field, if a measurement is being named."""
        named, view = self._tool.naming, self._tool.view
        if named is None:
            return
        if self._field.row is not named:
            self._field.begin(named, named.name)
        middle = drawing_of(named.kind, world_points(view.scene, named.anchors)).middle
        (place,) = view.active.snapshot.projection.pixels(middle[None])
        width = _WIDTH * imgui.get_font_size()
        left = min(max(picture.left + place[0] - width / 2.0, picture.left), picture.right - width - 24.0)
        top = min(max(picture.top + place[1] - 16.0, picture.top), picture.bottom - 48.0)
        begin_over_picture("##name of measurement", (left, top))
        name = self._field.draw(width)
        imgui.end()
        if self._field.row is None:
            self._tool.end_name(name)
