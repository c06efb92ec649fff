"""The axes in the corner as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.axis_widget.commands import command
from octoscope.viewer.features.axis_widget.overlay import AxisOverlay
from octoscope.viewer.features.axis_widget.tool import AxisWidget
from octoscope.viewer.features.contribution import Contribution
from octoscope.viewer.settings.kept import switch


def contribute(context: Context) -> Contribution:
    """Return the tool, its drawing and its switch."""
    widget = AxisWidget(context.view, context.tools.camera, context.scale)
    return Contribution(
        commands=command.bound_to(widget),
        tools=[widget],
        overlays=[AxisOverlay(widget)],
        settings={"view.axes": switch(widget, "enabled")},
    )
