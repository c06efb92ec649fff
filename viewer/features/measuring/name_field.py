"""NameField: the field over the picture for the name of a measurement."""

from __future__ import annotations

from octoscope.scene.annotations.measurement import Measurement
from octoscope.scene.measuring.drawings import drawing_of
from octoscope.scene.measuring.measurements import world_points
from octoscope.viewer.features.measuring.tool import MeasureTool
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.widgets.rename_field import RenameField


class NameField:
    """Stands over the measurement's figure until Enter or Esc."""

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
        name = self._field.draw_over_picture(picture, tuple(place.tolist()))
        if self._field.row is None:
            self._tool.end_name(name)
