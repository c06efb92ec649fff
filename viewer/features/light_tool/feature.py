"""Turning the key light as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution
from octoscope.viewer.features.light_tool.commands import command
from octoscope.viewer.features.light_tool.tool import LightTool


def contribute(context: Context) -> Contribution:
    """Return the tool and its switch."""
    tool = LightTool(context.view, context.tools.hand)
    return Contribution(commands=command.bound_to(tool), tools=[tool], status=lambda: tool.text)
