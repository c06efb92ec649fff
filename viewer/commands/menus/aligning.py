"""The form of Object > Align > Align."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from octoscope.scene import Edit, editing
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.edit_preview import EditPreview
from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, Outcome, Values
from octoscope.viewer.editing.editor import LARGE
from octoscope.viewer.editing.selection import NO_CURSOR

_AXES = "xyz"
_SIDES = (("min", "Minimum"), ("centre", "Centre"), ("max", "Maximum"))
_TARGETS = (
    ("selection", "Selection's box"),
    ("active", "Active object"),
    ("origin", "World origin"),
    ("cursor", "3D cursor"),
)


def align_form(context: Context) -> Form:
    """Return the form that aligns the selected nodes along some axes, to one another or to something else."""
    scene, editor, ids = context.scene, context.editor, context.selected_ids
    targets: dict[str, Any] = {
        "selection": None,
        "active": world_boxes(scene, ids[-1:])[0],
        "origin": np.zeros(3),
        "cursor": scene.cursor,
    }

    def options(values: Values) -> dict[str, Any]:
        return {"to": targets[values["to"]]} | {axis: values["side"] for axis in _AXES if values[axis]}

    def outcome(values: Values) -> Outcome:
        if not any(values[axis] for axis in _AXES):
            return Outcome("tick one or more axes", is_possible=False)
        if values["to"] == "cursor" and scene.cursor is None:
            return Outcome(NO_CURSOR, is_possible=False)
        return Outcome("")

    def preview(values: Values) -> Edit | None:
        return None if len(ids) > LARGE else editing.align(scene, ids, **options(values))

    rows = (
        ("Along", tuple(CheckField(axis, axis.upper(), False) for axis in _AXES)),
        ("Side", (ChoiceField("side", _SIDES, "centre"),)),
        ("Relative to", (ChoiceField("to", _TARGETS, "active"),)),
    )
    submit = partial(editor.run_on_nodes, ids, editing.align)
    return Form(
        "Align objects", rows, lambda values: submit(**options(values)), "Align", outcome, EditPreview(editor, preview)
    )
