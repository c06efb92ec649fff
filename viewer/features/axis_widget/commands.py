"""The switch of the axes in the corner, in the View menu."""

from __future__ import annotations

from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.axis_widget.tool import AxisWidget

command = Declarations("View", after="view.color_bars")


@command(
    "view.axes",
    "Axes in the corner",
    "a click looks along an axis, a drag orbits",
    checked=lambda widget: widget.enabled,
    synonyms=("axis widget", "navigation gizmo", "view cube", "compass", "orientation"),
)
def toggle_axes(widget: AxisWidget) -> None:
    widget.enabled = not widget.enabled
