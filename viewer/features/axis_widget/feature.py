"""The axes in the corner as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.axis_widget.overlay import AxisOverlay
from octoscope.viewer.features.axis_widget.tool import AxisWidget
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.settings import kept

command = Declarations("View", after="view.grid")


switch(
    command,
    "enabled",
    "view.axes",
    "Axes in the corner",
    "a click looks along an axis, a drag orbits",
    synonyms=("axis widget", "navigation gizmo", "view cube", "compass", "orientation"),
)


def _contribute(context: Context) -> Contribution:
    widget = AxisWidget(context.view, context.tools.camera, context.scale)
    return Contribution(
        commands=command.bound_to(widget),
        tools=[widget],
        overlays=[AxisOverlay(widget)],
        settings={"view.axes": kept.switch(widget, "enabled")},
    )


PART = WindowPart(_contribute)
