"""Select > Select overlapping, and the panel of the pairs that it finds."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.overlaps.overlap_list import OverlapList
from octoscope.viewer.features.overlaps.panel import OverlapsPanel

command = Declarations("Select", after="select.same_material")
_SYNONYMS = ("collisions", "intersections", "clashes", "interference")


@command(
    "select.overlapping",
    "Select overlapping",
    "objects whose triangles overlap, within the selection if there is one; View > Panels > Overlaps lists them",
    enabled=lambda overlaps: not overlaps.is_busy,
    synonyms=_SYNONYMS,
)
def select_overlapping(overlaps: OverlapList) -> None:
    overlaps.find()


of_pairs = partial(
    command,
    menu="Select/Overlaps",
    enabled=lambda overlaps: overlaps.has_any,
    refusal="look for overlaps first: Select > Select overlapping",
    synonyms=_SYNONYMS,
)


@of_pairs("select.next_overlap", "Next overlap", "select the next pair of objects, and look at where they overlap")
def show_next(overlaps: OverlapList) -> None:
    overlaps.step(1)


@of_pairs("select.previous_overlap", "Previous overlap", "select the pair before")
def show_previous(overlaps: OverlapList) -> None:
    overlaps.step(-1)


@of_pairs("select.ignore_overlap", "Ignore overlap", "leave the pair out of the list until the next search")
def ignore(overlaps: OverlapList) -> None:
    overlaps.ignore()


def _contribute(context: Context) -> Contribution:
    overlaps = OverlapList(context)
    return Contribution(panels=[OverlapsPanel(context, overlaps)], commands=command.bound_to(overlaps))


PART = WindowPart(_contribute)
