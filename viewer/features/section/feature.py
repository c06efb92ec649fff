"""The section as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.features.section.commands import command
from octoscope.viewer.features.section.panel import SectionPanel
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.ui.overlays.gizmo_overlay import HandlesOverlay


def _contribute(context: Context) -> Contribution:
    """Return the tool with its handles, the panel and the commands."""
    tool = SectionTool(context.editor, context.tools.gizmo.settings, context.scale)
    return Contribution(
        panels=[SectionPanel(context.editor, tool, context.run, context.expect_field)],
        commands=command.bound_to(tool),
        tools=[tool],
        overlays=[HandlesOverlay(tool)],
        status=lambda: tool.text() or "",
        hint=lambda: tool.hint,
    )


PART = WindowPart(_contribute)
