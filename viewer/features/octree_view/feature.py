"""The view of the octree as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.features.octree_view.cell import CellSection
from octoscope.viewer.features.octree_view.commands import command, of_nodes
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.panel import OctreePanel
from octoscope.viewer.settings.kept import switch


def _contribute(context: Context) -> Contribution:
    """Return the panel, the section, the commands and the switch."""
    cells = context.view.decoration(OctreeCells)
    return Contribution(
        panels=[OctreePanel(cells, context.editor.jobs, context.run)],
        commands=[*command.bound_to(cells), *of_nodes.bound_to(cells)],
        sections=[CellSection(cells, context.run)],
        settings={"view.octree": switch(cells, "is_shown")},
    )


PART = WindowPart(_contribute)
