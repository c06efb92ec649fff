"""The switch of the light tool, in View > Light."""

from __future__ import annotations

from octoscope.viewer.commands.table import Declarations
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
