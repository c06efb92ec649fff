"""Measuring as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.features.measuring.commands import command
from octoscope.viewer.features.measuring.tool import MeasureTool


def _contribute(context: Context) -> Contribution:
    """Return the tool with its figures, and the commands."""
    editor = context.editor
    tool = MeasureTool(
        editor.view, editor.do_measurements, context.copy, context.tools.hand, lambda: editor.read_only is None
    )
    return Contribution(
        commands=command.bound_to(tool), tools=[tool], status=lambda: tool.text, corner_box=tool.corner_box
    )


PART = WindowPart(_contribute)
