"""Select > Select overlapping."""

from __future__ import annotations

from functools import partial

import numpy as np

from octoscope.scene import Overlaps, OverlapSearch
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind

command = Declarations("Select", after="select.same_material")


@command(
    "select.overlapping",
    "Select overlapping",
    "objects whose triangles overlap, within the selection if there is one",
    enabled=lambda context: not context.editor.jobs.is_busy(JobKind.EDIT),
    synonyms=("collisions", "intersections", "clashes", "interference"),
)
def select_overlapping(context: Context) -> None:
    context.view.update()
    shown_ids = context.view.visibility.shown_ids()
    chosen_ids = with_all_below(context.scene, context.selected_ids) if has_selection(context) else shown_ids
    ids = np.intersect1d(chosen_ids, shown_ids)
    search = OverlapSearch(context.scene, ids=ids)
    context.editor.jobs.begin(JobKind.EDIT, "looking for overlaps", search.run, partial(_show_overlaps, context.editor))


def _show_overlaps(editor: Editor, overlaps: Overlaps) -> None:
    # Objects may have been deleted during the search.
    crossing, touching = (pairs[editor.scene.alive[pairs].all(axis=1)] for pairs in overlaps)
    editor.select(np.unique(crossing))
    counts = len(crossing), len(touching)
    crossing, touching = ("1 pair" if count == 1 else f"{count:,} pairs" for count in counts)
    if overlaps.left_out:
        editor.log.say("warning", f"overlapping: {overlaps.left_out}")
    editor.log.say("info", f"overlapping: {crossing} of objects; only touching: {touching}")


def _contribute(context: Context) -> Contribution:
    return Contribution(commands=command.bound_to(context))


PART = WindowPart(_contribute)
