"""CursorTool: a right click with Shift places the 3D cursor. Object > Snap: cursor, objects and origins to others."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene import change_scene, editing
from octoscope.scene.nodes.bounds import pivot_points
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.editor import REFUSED, Editor
from octoscope.viewer.editing.selection import AN_OBJECT, NO_CURSOR
from octoscope.viewer.tools.gizmo.settings import SNAP_KINDS
from octoscope.viewer.tools.intents import Intent, RightClick

command = Declarations("Object/Snap", after="object.lay_out")
of_selection = partial(command, enabled=has_selection, refusal=AN_OBJECT)
with_cursor = partial(command, enabled=lambda context: context.scene.cursor is not None, refusal=NO_CURSOR)
of_both = partial(
    command,
    enabled=lambda context: has_selection(context) and context.scene.cursor is not None,
    refusal=f"{AN_OBJECT}, and place the 3D cursor by a right click with Shift",
    repeats=True,
)


def follow(context: Context, intent: Intent) -> bool:
    """Place the 3D cursor by a right click with Shift; while snapping to vertices or edges is on, at one of these."""
    match intent:
        case RightClick(location, shift=True):
            settings = context.tools.gizmo.settings
            found = location.snap(SNAP_KINDS.get(settings.target, ()) if settings.snaps else ())
            _place(context.editor, location.surface().point if found is None else found.point)
            return True
    return False


# The cursor goes somewhere.


of_selection(
    "cursor.to_selected",
    "Cursor to selected",
    "to the mean of the selected objects' origins, or middles",
    synonyms=("3d cursor", "snap cursor"),
)(lambda context: _place(context.editor, _points(context).mean(axis=0)))


@of_selection(
    "cursor.to_active", "Cursor to active", "to the active object's origin, or middle", synonyms=("3d cursor",)
)
def cursor_to_active(context: Context) -> None:
    _place(context.editor, _points(context)[-1])


command("cursor.to_origin", "Cursor to world origin", "to 0, 0, 0", synonyms=("3d cursor", "reset cursor"))(
    lambda context: _place(context.editor, np.zeros(3))
)


@with_cursor("cursor.to_grid", "Cursor to grid", "to the nearest multiples of the snapping step")
def cursor_to_grid(context: Context) -> None:
    assert context.scene.cursor is not None
    _place(context.editor, _on_grid(context, context.scene.cursor))


with_cursor("cursor.remove", "Remove cursor", "new objects are then added in the middle of the picture")(
    lambda context: _place(context.editor, None)
)

command(
    "cursor.menu",
    "Snap menu at mouse",
    "opens it there, as Shift+S does in Blender",
    menu="Object",
    in_context_menu=False,
    needs_window=True,
    keys=(),
    blender_keys=("Shift+S",),
    synonyms=("snap pie",),
)(lambda context: context.open_menu("Object/Snap"))


# The selection goes somewhere, each object by its origin, or by the middle of a box that this lies outside of.


of_both(
    "object.to_cursor",
    "Selection to cursor",
    "each object's origin to the 3D cursor, or its middle where the origin lies outside",
    separated=True,
    synonyms=("move to cursor",),
)(lambda context: _move(context, context.scene.cursor))


@of_both(
    "object.to_cursor_together",
    "Selection to cursor, keep offset",
    "all as they lie to one another, the mean of their origins to the 3D cursor",
)
def selection_to_cursor_together(context: Context) -> None:
    cursor = context.scene.cursor
    assert cursor is not None
    matrix = np.eye(4)
    matrix[:3, 3] = cursor - _points(context).mean(axis=0)
    context.change(editing.transform, matrix)


@of_selection(
    "object.to_grid", "Selection to grid", "each origin to the nearest multiples of the snapping step", repeats=True
)
def selection_to_grid(context: Context) -> None:
    _move(context, _on_grid(context, _points(context)))


@of_selection(
    "object.to_active", "Selection to active", "each origin, or middle, to that of the active object", repeats=True
)
def selection_to_active(context: Context) -> None:
    _move(context, _points(context)[-1])


of_both(
    "object.origin_to_cursor",
    "Origin to cursor",
    "bring the origin of each to the 3D cursor; objects stay where they are",
    separated=True,
    synonyms=("set origin", "pivot", "origin to 3d cursor"),
)(lambda context: context.change(editing.set_origin, context.scene.cursor))


def _place(editor: Editor, point: ArrayLike | None) -> None:
    label = "Remove 3D cursor" if point is None else "Place 3D cursor"
    if point is not None and not np.isfinite(point).all():
        editor.log.say("error", f"{label}: it would be out of the range of numbers", REFUSED)
        return
    editor.do_annotations(change_scene(editor.scene, label=label, cursor=point))


def _points(context: Context) -> np.ndarray:
    return pivot_points(context.scene, context.selected_ids)


def _move(context: Context, points: ArrayLike) -> None:
    """Bring each selected object to a point."""
    origins = context.scene.world_from_local[context.selected_ids, :3, 3]
    context.change(editing.set_world, translation=origins + (points - _points(context)))


def _on_grid(context: Context, points: ArrayLike) -> np.ndarray:
    step = context.tools.gizmo.settings.step
    return np.round(np.asarray(points) / step) * step


PART = WindowPart(lambda context: Contribution(commands=command.bound_to(context), tools=[partial(follow, context)]))
