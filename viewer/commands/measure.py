"""The commands that measure."""

from __future__ import annotations

from scene.measurement import ANGLE, DISTANCE
from viewer.commands.table import Command
from viewer.tools.measure_tool import MeasureTool


def measure_commands(tool: MeasureTool) -> tuple[Command, ...]:
    """Return the commands of the measuring tool."""

    def something_measured() -> bool:
        return tool.last() is not None

    return (
        Command(
            "tools.measure_distance",
            "Measure distance",
            lambda: tool.toggle(DISTANCE),
            "Tools",
            keys=("M",),
            description="between two points; Esc or a right click drops them, Del removes the last",
            checked=lambda: tool.kind == DISTANCE,
            synonyms=("ruler", "length", "dimension"),
        ),
        Command(
            "tools.measure_angle",
            "Measure angle",
            lambda: tool.toggle(ANGLE),
            "Tools",
            keys=("Shift+M",),
            description="between three points, at the second",
            checked=lambda: tool.kind == ANGLE,
            synonyms=("protractor",),
        ),
        Command(
            "tools.copy_figure",
            "Copy figure",
            tool.copy,
            "Tools",
            description="the last figure, or the selection's size; Ctrl+C while measuring",
            enabled=lambda: something_measured() or len(tool.view.selected_ids) > 0,
        ),
        Command(
            "tools.remove_measurement",
            "Remove last measurement",
            tool.remove_last,
            "Tools",
            enabled=something_measured,
        ),
    )
