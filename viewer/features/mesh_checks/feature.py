"""Select > Faults > Check meshes, and the panel of the faults that it finds."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.findings import declare_findings
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.mesh_checks.decoration import FaultMarks
from octoscope.viewer.features.mesh_checks.fault_list import FaultList
from octoscope.viewer.features.mesh_checks.panel import MeshChecksPanel
from octoscope.viewer.ui.panels.findings_panel import show_marks

command = Declarations("Select", after="select.same_material")
declare_findings(
    command,
    "select.check_meshes",
    "Check meshes",
    "find open edges, inverted faces, missing normals ..., within the selection if there is one "
    "(unless the list selected it); show the first",
    noun="fault",
    one="the next object with a fault",
    synonyms=(
        *("mesh analysis", "3d print", "holes", "non-manifold", "inverted", "validate", "statistics", "cleanup"),
        *("mend", "repair", "fix"),
    ),
)


def _contribute(context: Context) -> Contribution:
    faults = FaultList(context)
    panel = MeshChecksPanel(context, faults)
    marks = partial(show_marks, context.view.decoration(FaultMarks), partial(context.is_in_front, panel.id))
    return Contribution(panels=[panel], overlays=[marks], commands=command.bound_to(faults))


PART = WindowPart(_contribute)
