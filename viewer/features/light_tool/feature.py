"""Turning the key light as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.features.light_tool.tool import LightTool

command = Declarations("View/Light", after="view.maximise")


@command(
    "light.turn",
    "Turn key light",
    "by drags over the picture, until Esc",
    keys=("Alt+L",),
    checked=lambda tool: tool.is_on,
    synonyms=("light direction", "rotate light", "move light", "sun", "lamp", "lighting"),
)
def turn(tool: LightTool) -> None:
    tool.toggle()


def _contribute(context: Context) -> Contribution:
    tool = LightTool(context.view, context.tools.hand)
    return Contribution(commands=command.bound_to(tool), tools=[tool], status=lambda: tool.text)


PART = WindowPart(_contribute)
