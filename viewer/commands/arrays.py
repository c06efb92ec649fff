"""The forms of array and radial array: copies of objects in rows, grids and rings."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from octoscope.scene import Edit, EditError, editing
from octoscope.scene.nodes.bounds import world_size
from octoscope.scene.system.memory import readable_bytes
from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, NumberField, Outcome, Values
from octoscope.viewer.editing.editor import LARGE, Editor
from octoscope.viewer.tools.gizmo.tool import GizmoTool

_MOST = 10**6
_WORTH_SAYING = 10 * 2**20  # bytes
_MAKES = ChoiceField("makes", (("instances", "instances"), ("copies", "copies with meshes of their own")), "instances")
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def make_copies(
    editor: Editor, count: int, operation: Callable[..., Edit], ids: np.ndarray, *arguments: object, **options: object
) -> None:
    """Run an operation that makes `count` copies of nodes; in the background if they are many."""
    if editing.cost_of_copies(editor.scene, ids, count).nodes > LARGE:
        editor.run_in_background("making copies", operation, ids, *arguments, **options)
    else:
        editor.run(operation, ids, *arguments, **options)


def grid_form(editor: Editor) -> Form:
    """Return the form for copies of the selected nodes in a row or grid."""
    ids = editor.selected_ids
    size = world_size(editor.scene, ids)

    def outcome(values: Values) -> Outcome:
        counts = _each_axis(values, "count")
        copies = math.prod(counts.tolist()) - 1  # of Python's ints, which do not overflow
        if copies == 0:
            return Outcome("the count includes the original: raise it along X, Y or Z", is_possible=False)
        steps = _each_axis(values, "step") * (size if values["by"] == "sizes" else 1.0)
        still = [name for name, count, step in zip("XYZ", counts, steps, strict=True) if count > 1 and step == 0.0]
        note = f"; along {' and '.join(still)} all are in the same place" if still else ""
        return _outcome(editor, ids, copies, values, note)

    def submit(values: Values) -> None:
        make_copies(
            editor,
            math.prod(_each_axis(values, "count").astype(int).tolist()) - 1,
            editing.array,
            ids,
            _each_axis(values, "count"),
            np.diag(_each_axis(values, "step")),
            relative=values["by"] == "sizes",
            copy_meshes=values["makes"] == "copies",
        )

    counts = [NumberField(f"count {axis}", 3 if axis == "x" else 1, axis.upper(), True, 1, _MOST) for axis in _AXES]
    steps = [NumberField(f"step {axis}", 1.1, axis.upper()) for axis in _AXES]
    by = ChoiceField("by", (("sizes", "times its size"), ("units", "units")), "sizes")
    rows = (("Count", tuple(counts)), ("Step", tuple(steps)), ("", (by,)), ("Make", (_MAKES,)))
    return Form("Array", rows, submit, "Make", outcome)


def ring_form(editor: Editor, gizmo: GizmoTool) -> Form:
    """Return the form for copies of the selected nodes in a ring; `gizmo` has the cursor and the pivot."""
    ids = editor.selected_ids

    def center(values: Values) -> np.ndarray | None:
        if values["about"] == "origin":
            return np.zeros(3)
        if values["about"] == "cursor":
            return gizmo.cursor
        frame = gizmo.frame()
        return None if frame is None else frame.origin

    def outcome(values: Values) -> Outcome:
        if center(values) is None:
            return Outcome("there is no cursor yet: click a point in the picture", False)
        return _outcome(editor, ids, values["count"] - 1, values)

    def submit(values: Values) -> None:
        angle_rad = math.radians(values["angle"])
        make_copies(
            editor,
            values["count"] - 1,
            editing.radial_array,
            ids,
            values["count"],
            center=center(values),
            axis=_AXES[values["axis"]],
            angle_rad=angle_rad if values["by"] == "all" else angle_rad * values["count"],
            turned=values["turned"],
            copy_meshes=values["makes"] == "copies",
        )

    rows = (
        ("Count", (NumberField("count", 6, whole=True, least=2, most=_MOST),)),
        (
            "Angle",
            (
                NumberField("angle", 360.0),
                ChoiceField("by", (("all", "° in total"), ("each", "° between neighbours")), "all"),
            ),
        ),
        ("Axis", (ChoiceField("axis", tuple((axis, axis.upper()) for axis in _AXES), "y"),)),
        ("About", (ChoiceField("about", tuple((each, each) for each in ("origin", "cursor", "pivot")), "origin"),)),
        ("", (CheckField("turned", "rotate the copies", True),)),
        ("Make", (_MAKES,)),
    )
    return Form("Radial array", rows, submit, "Make", outcome)


def _outcome(editor: Editor, ids: np.ndarray, copies: int, values: Values, note: str = "") -> Outcome:
    cost = editing.cost_of_copies(editor.scene, ids, copies, copy_meshes=values["makes"] == "copies")
    try:
        editing.require_room(cost)
    except EditError as error:
        return Outcome(str(error), is_possible=False)
    which = "1 more object" if cost.nodes == 1 else f"{cost.nodes:,} more objects"
    memory = f", about {readable_bytes(cost.nbytes)} of memory" if cost.nbytes >= _WORTH_SAYING else ""
    return Outcome(f"{which}{memory}{note}")


def _each_axis(values: Values, name: str) -> np.ndarray:
    return np.array([values[f"{name} {axis}"] for axis in _AXES])
