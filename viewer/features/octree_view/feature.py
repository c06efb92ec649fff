"""The view of the octree as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution
from octoscope.viewer.features.octree_view.cell import CellSection
from octoscope.viewer.features.octree_view.commands import command, of_nodes
from octoscope.viewer.features.octree_view.panel import OctreePanel
from octoscope.viewer.settings.kept import switch


def contribute(context: Context) -> Contribution:
    """Return the panel, the section, the commands and the switch."""
    return Contribution(
        panels=[OctreePanel(context.view, context.editor.jobs, context.run)],
        commands=[*command.bound_to(context), *of_nodes.bound_to(context)],
        sections=[CellSection(context.editor, context.run)],
        settings={"view.octree": switch(context.view.settings, "show_octree")},
    )
