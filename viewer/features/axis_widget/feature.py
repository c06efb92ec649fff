"""The axes in the corner as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.axis_widget.overlay import AxisOverlay
from octoscope.viewer.features.axis_widget.tool import AxisWidget
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.settings.kept import switch

command = Declarations("View", after="view.grid")


@command(
    "view.axes",
    "Axes in the corner",
    "a click looks along an axis, a drag orbits",
    checked=lambda widget: widget.enabled,
    synonyms=("axis widget", "navigation gizmo", "view cube", "compass", "orientation"),
)
def toggle_axes(widget: AxisWidget) -> None:
    widget.enabled = not widget.enabled


def _contribute(context: Context) -> Contribution:
    """Return the tool, its drawing and its switch."""
    widget = AxisWidget(context.view, context.tools.camera, context.scale)
    return Contribution(
        commands=command.bound_to(widget),
        tools=[widget],
        overlays=[AxisOverlay(widget)],
        settings={"view.axes": switch(widget, "enabled")},
    )


PART = WindowPart(_contribute)
