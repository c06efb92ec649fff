"""Select > Overlaps > Find overlaps, and the panel of the pairs that it finds."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.findings import declare_findings
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.overlaps.decoration import OverlapMark
from octoscope.viewer.features.overlaps.overlap_list import OverlapList
from octoscope.viewer.features.overlaps.panel import OverlapsPanel
from octoscope.viewer.ui.panels.findings_panel import show_marks

command = Declarations("Select", after="select.same_material")
declare_findings(
    command,
    "select.overlapping",
    "Find overlaps",
    "pairs of objects whose triangles overlap, of the selection with all others if there is one; show the first",
    noun="overlap",
    one="the next pair of objects",
    synonyms=("overlaps", "select overlapping", "collisions", "intersections", "clashes", "interference"),
)


def _contribute(context: Context) -> Contribution:
    overlaps = OverlapList(context)
    panel = OverlapsPanel(context, overlaps)
    marks = partial(show_marks, context.view.decoration(OverlapMark), partial(context.is_in_front, panel.id))
    return Contribution(panels=[panel], overlays=[marks], commands=command.bound_to(overlaps))


PART = WindowPart(_contribute)
