"""The forms of arrays: copies of objects in rows, grids and rings, along a path, and on a surface."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene import Edit, EditError, Scene, editing
from octoscope.scene.annotations.measurement import PATH
from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.editing.scattering import path_through
from octoscope.scene.measuring.measurements import shown_measurements, world_points
from octoscope.scene.nodes.bounds import world_size
from octoscope.scene.system.memory import readable_bytes
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.edit_preview import EditPreview
from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, NumberField, Outcome, Values
from octoscope.viewer.editing.editor import LARGE, Editor
from octoscope.viewer.editing.selection import NO_CURSOR

_MOST = 10**6
_MOST_SHOWN = 1000  # objects that are made anew for each number that is typed
_SAME_PLACE = 0.01  # of an object's size: a ring of a smaller radius is a pile
_WORTH_SAYING = 10 * 2**20  # bytes
_MAKES = ChoiceField("makes", (("instances", "instances"), ("copies", "copies with meshes of their own")), "instances")
_MAKE_ROW = ("Make", (_MAKES,))
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class _Copies(NamedTuple):
    """Copies that values of a form ask for."""

    number: int  # for each node
    arguments: tuple[Any, ...]  # of the operation, after the nodes
    options: dict[str, Any]
    note: str = ""  # added to the line about them


def make_copies(
    editor: Editor, count: int, operation: Callable[..., Edit], ids: np.ndarray, *arguments: object, **options: object
) -> None:
    """Run an operation that makes `count` copies of nodes; in the background if they are many."""
    scene = editor.scene
    if scene.alive[ids].all() and editing.cost_of_copies(scene, ids, count).nodes > LARGE:
        editor.run_in_background("making copies", operation, ids, *arguments, **options)
    else:
        editor.run(operation, ids, *arguments, **options)


def grid_form(context: Context) -> Form:
    """Return the form for copies of the selected nodes in a row or grid."""
    editor = context.editor
    ids = editor.selected_ids
    size = world_size(editor.scene, ids)

    def copies(values: Values) -> _Copies | str:
        counts = _each_axis(values, "count")
        count = math.prod(counts.tolist()) - 1  # of Python's ints, which do not overflow
        if count == 0:
            return "the count includes the original: raise it along X, Y or Z"
        steps, relative = _each_axis(values, "step"), values["by"] == "sizes"
        lengths = steps * (size if relative else 1.0)
        still = [name for name, count, step in zip("XYZ", counts, lengths, strict=True) if count > 1 and step == 0.0]
        note = f"; along {' and '.join(still)} all are in the same place" if still else ""
        return _Copies(count, (counts, np.diag(steps)), {"relative": relative, "staggered": values["staggered"]}, note)

    counts = [NumberField(f"count {axis}", 3 if axis == "x" else 1, axis.upper(), True, 1, _MOST) for axis in _AXES]
    unit = editor.scene.length_unit
    steps = [
        NumberField(
            f"step {axis}", 1.0, axis.upper(), unit=lambda entered: unit if entered["by"] == "units" else NO_UNIT
        )
        for axis in _AXES
    ]
    by = ChoiceField("by", (("sizes", "times its size"), ("units", unit or "units")), "sizes")
    offset = CheckField("staggered", "offset every second row by half a step", False)
    rows = (("Count", tuple(counts)), ("Step", tuple(steps)), ("", (by,)), ("", (offset,)))
    return _form("Array", rows, editor, editing.array, ids, copies)


def ring_form(context: Context) -> Form:
    """Return the form for copies of the selected nodes in a ring."""
    editor, frame = context.editor, context.tools.gizmo.frame()
    bounds = editor.view.visibility.box_around(editor.selected_ids)
    middle, size = (np.zeros(3), 0.0) if bounds is None else (np.mean(bounds, axis=0), np.ptp(bounds, axis=0).max())
    about = "origin" if (cursor := editor.scene.cursor) is None else "cursor"
    centers = {"origin": np.zeros(3), "cursor": cursor, "pivot": None if frame is None else frame.origin}

    def copies(values: Values) -> _Copies | str:
        if (center := centers[values["about"]]) is None:
            return NO_CURSOR
        angle_rad = math.radians(values["angle"])
        options = {
            "center": center,
            "axis": _AXES[values["axis"]],
            "angle_rad": angle_rad if values["by"] == "all" else angle_rad * values["count"],
            "turned": values["turned"],
        }
        axis = np.array(_AXES[values["axis"]])
        away = np.abs((middle - center) * (1.0 - axis)).max()
        note = "" if away > _SAME_PLACE * size else "; all are in the same place: the axis goes through the object"
        return _Copies(values["count"] - 1, (values["count"],), options, note)

    by = ChoiceField("by", (("all", "in total"), ("each", "between neighbours")), "all")
    rows = (
        ("Count", (NumberField("count", 6, whole=True, least=2, most=_MOST),)),
        ("Angle (°)", (NumberField("angle", 360.0), by)),
        ("Axis", (ChoiceField("axis", tuple((axis, axis.upper()) for axis in _AXES), editor.scene.up_axis),)),
        ("About", (ChoiceField("about", tuple((each, each) for each in centers), about),)),
        ("", (CheckField("turned", "rotate the copies", True),)),
    )
    return _form("Radial array", rows, editor, editing.radial_array, editor.selected_ids, copies)


def path_form(context: Context) -> Form:
    """Return the form for copies of the active node along a path through other selected ones, or the last measured."""
    editor = context.editor
    others, ids = np.split(editor.selected_ids, [-1])
    points = path_through(editor.scene, others) if len(others) else _measured_path(editor.scene)

    def copies(values: Values) -> _Copies | str:
        if len(points) < 2:
            return "measure a path; or select its points, or an object with lines, and then what is to be copied"
        options = {name: values[name] for name in ("closed", "turned")}
        return _Copies(values["count"], (points, values["count"]), options)

    rows = (
        ("Count", (NumberField("count", 10, whole=True, least=1, most=_MOST),)),
        ("", (CheckField("turned", "turn the X axis along the path", True),)),
        ("", (CheckField("closed", "lead back to the first point", False),)),
    )
    return _form("Array along path", rows, editor, editing.array_along, ids, copies)


def _measured_path(scene: Scene) -> np.ndarray:
    """Return (p, 3) world points of the last path that was measured; none without one."""
    paths = [each.anchors for each in shown_measurements(scene) if each.kind == PATH]
    return world_points(scene, paths[-1] if paths else ())


def surface_form(context: Context) -> Form:
    """Return the form for copies of the selected nodes on the surface of the active one."""
    editor = context.editor
    *ids, surface = editor.selected_ids.tolist()
    unit = editor.scene.length_unit

    def copies(values: Values) -> _Copies | str:
        options = {name: values[name] for name in ("seed", "aligned", "turned", "least_distance")}
        return _Copies(math.ceil(values["count"] / len(ids)), (surface, values["count"]), options)

    rows = (
        ("Count", (NumberField("count", 50, whole=True, least=1, most=_MOST),)),
        ("Least distance", (NumberField("least_distance", 0.0, least=0.0, unit=lambda entered: unit),)),
        ("Seed", (NumberField("seed", 0, whole=True, least=0, most=2**32 - 1),)),
        ("", (CheckField("aligned", "align to the surface", False),)),
        ("", (CheckField("turned", "rotate each at random", True),)),
    )
    return _form("Scatter on surface", rows, editor, editing.scatter, np.array(ids), copies)


def _form(
    title: str,
    rows: tuple[tuple[str, tuple[Any, ...]], ...],
    editor: Editor,
    operation: Callable[..., Edit],
    ids: np.ndarray,
    copies: Callable[[Values], _Copies | str],
) -> Form:
    """Return the form of an operation that makes copies; `copies` returns what values ask for, or why it cannot be."""

    def submit(values: Values) -> None:
        asked = copies(values)
        assert isinstance(asked, _Copies)
        options = {**asked.options, "copy_meshes": values["makes"] == "copies"}
        make_copies(editor, asked.number, operation, ids, *asked.arguments, **options)

    def preview(values: Values) -> Edit | None:
        asked = copies(values)
        assert isinstance(asked, _Copies)
        if editing.cost_of_copies(editor.scene, ids, asked.number).nodes > _MOST_SHOWN:
            return None
        return operation(editor.scene, ids, *asked.arguments, **asked.options)

    def outcome(values: Values) -> Outcome:
        asked = copies(values)
        if isinstance(asked, str):
            return Outcome(asked, is_possible=False)
        cost = editing.cost_of_copies(editor.scene, ids, asked.number, copy_meshes=values["makes"] == "copies")
        try:
            editing.require_room(cost)
        except EditError as error:
            return Outcome(str(error), is_possible=False)
        which = "1 more object" if cost.nodes == 1 else f"{cost.nodes:,} more objects"
        memory = f", about {readable_bytes(cost.nbytes)} of memory" if cost.nbytes >= _WORTH_SAYING else ""
        unseen = "; they are shown when they are made" if cost.nodes > _MOST_SHOWN else ""
        return Outcome(f"{which}{memory}{asked.note}{unseen}")

    return Form(title, (*rows, _MAKE_ROW), submit, "Make", outcome, EditPreview(editor, preview))


def _each_axis(values: Values, name: str) -> np.ndarray:
    return np.array([values[f"{name} {axis}"] for axis in _AXES])
