"""The Select menu: selecting, hiding, isolating, locking."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from octoscope.scene import change_nodes, selecting
from octoscope.scene.nodes.bounds import world_boxes, world_size
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.forms import ChoiceField, Form, NumberField, Values
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.selection import AN_OBJECT, added
from octoscope.viewer.settings.config import DECLARED

command = Declarations("Select")
of_selection = partial(command, enabled=has_selection, refusal=AN_OBJECT)
_HIERARCHY, _PROPERTY, _OPTIONS = (f"Select/{submenu}" for submenu in ("Hierarchy", "By property", "Options"))


command(
    "select.find",
    "Find",
    "find by name or pattern in the outliner; Enter selects all that fit",
    keys=("Ctrl+F",),
    synonyms=("search", "filter"),
)(lambda context: context.find())

command("select.all", "Select all", "all objects that are shown", keys=("A",))(
    lambda context: context.editor.select(selecting.selectable_ids(context.scene, context.is_shown))
)


@command(
    "select.none",
    "Select nothing",
    "select nothing; leave box selection",
    keys=("Alt+A",),
    synonyms=("deselect", "clear selection"),
)
def select_none(context: Context) -> None:
    if not context.tools.select.cancel():
        context.editor.select([])


@command("select.invert", "Invert selection", keys=("Ctrl+I",))
def invert(context: Context) -> None:
    context.editor.select(selecting.inverted_ids(context.scene, context.selected_ids, context.is_shown))


command(
    "select.box",
    "Box select",
    "draw a box: to the right selects what lies in it, to the left what touches it",
    keys=("B",),
    checked=lambda context: context.tools.select.draws_boxes,
    needs_window=True,
    synonyms=("marquee", "rectangle select"),
)(lambda context: context.tools.select.toggle_boxes())


@of_selection("select.parents", "Select parents", menu=_HIERARCHY, keys=("[",), separated=True)
def select_parents(context: Context) -> None:
    _select_if_any(context.editor, selecting.parent_ids(context.scene, context.selected_ids))


@of_selection("select.children", "Select children", menu=_HIERARCHY, keys=("]",))
def select_children(context: Context) -> None:
    _select_if_any(context.editor, selecting.child_ids(context.scene, context.selected_ids))


@of_selection("select.below", "Select all below", menu=_HIERARCHY, keys=("Shift+]",))
def select_below(context: Context) -> None:
    ids = context.selected_ids
    context.editor.select(added(ids, np.setdiff1d(with_all_below(context.scene, ids), ids)))


@of_selection("select.same_mesh", "Select same mesh", menu=_PROPERTY, keys=("L",))
def select_same_mesh(context: Context) -> None:
    same = selecting.same_mesh_ids(context.scene, context.selected_ids, context.is_shown)
    context.editor.select(added(same, context.selected_ids))


@of_selection("select.same_material", "Select same material", menu=_PROPERTY, keys=("Shift+L",))
def select_same_material(context: Context) -> None:
    materials = selecting.material_ids_of(context.scene, context.selected_ids)
    same = selecting.with_material_ids(context.scene, materials, context.is_shown)
    context.editor.select(added(same, context.selected_ids))


@of_selection(
    "select.similar",
    "Select similar",
    "objects as large as the active one, in any rotation, with as many triangles",
    menu=_PROPERTY,
    asks=True,
    synonyms=("same size", "alike", "copies"),
)
def select_similar(context: Context) -> None:
    scene, active = context.scene, int(context.selected_ids[-1])

    def submit(values: Values) -> None:
        ids = selecting.similar_ids(scene, active, values["tolerance"] / 100.0, context.is_shown)
        context.editor.select(added(ids, np.array([active])))

    field = NumberField("tolerance", 5.0, least=0.0, most=100.0)
    context.ask(Form("Select similar", (("May differ by (%)", (field,)),), submit, "Select"))


@command(
    "select.by_size",
    "Select by size",
    "objects whose box has a longest side within limits, such as all small parts",
    menu=_PROPERTY,
    asks=True,
    synonyms=("small objects", "large objects", "tiny", "dimensions"),
)
def select_by_size(context: Context) -> None:
    ids = context.selected_ids
    size = float(world_size(context.scene, ids).max()) if has_selection(context) else 1.0

    def submit(values: Values) -> None:
        found = selecting.of_size_ids(context.scene, values["least"], values["most"], context.is_shown)
        context.editor.select(found)
        context.editor.log.say("info", f"selected by size: {len(found):,} objects")

    limits = (("least", 0.0, "from"), ("most", size, "to"))
    fields = tuple(NumberField(*limit, least=0.0, unit=lambda entered: context.scene.length_unit) for limit in limits)
    context.ask(Form("Select by size", (("Longest side", fields),), submit, "Select"))


@command(
    "select.by_distance",
    "Select by distance",
    "objects within a distance of the active one, or of the 3D cursor",
    menu=_PROPERTY,
    asks=True,
    enabled=lambda context: has_selection(context) or context.scene.cursor is not None,
    refusal=f"{AN_OBJECT}, or place the 3D cursor",
    synonyms=("near", "nearby", "radius", "proximity"),
)
def select_by_distance(context: Context) -> None:
    scene, cursor, active = context.scene, context.scene.cursor, context.selected_ids[-1:]
    boxes = {}
    if len(active):
        boxes["active"] = world_boxes(scene, active)[0]
    if cursor is not None:
        boxes["cursor"] = np.stack([cursor, cursor])

    def submit(values: Values) -> None:
        found = selecting.near_ids(scene, boxes[values["of"]], values["distance"], context.is_shown)
        context.editor.select(added(found, active) if values["of"] == "active" else found)
        context.editor.log.say("info", f"selected by distance: {len(found):,} objects")

    size = float(world_size(scene, active).max()) if len(active) else 1.0
    names = {"active": "the active object", "cursor": "the 3D cursor"}
    of = ChoiceField("of", tuple((name, names[name]) for name in boxes), next(iter(boxes)))
    distance = NumberField("distance", size, least=0.0, unit=lambda entered: context.scene.length_unit)
    rows = ("Within", (distance,)), ("Of", (of,))
    context.ask(Form("Select by distance", rows, submit, "Select"))


@command(
    "select.cut",
    "Select what is cut",
    "objects of which the section cuts a part away, and leaves a part",
    menu=_PROPERTY,
    enabled=lambda context: bool(context.view.settings.section),
    refusal="there is no section",
    synonyms=("clipping plane", "cross section", "intersected", "sliced"),
)
def select_cut(context: Context) -> None:
    cut = np.zeros(context.scene.row_count, dtype=bool)
    cut[context.view.visibility.cut_ids(context.view.settings.section)] = True
    context.editor.select(selecting.selectable_ids(context.scene, cut))


of_selection("select.hide", "Hide", keys=("H",), separated=True)(
    lambda context: _set_flag(context.editor, "Hide", context.selected_ids, hidden=True)
)


@command(
    "select.show_all",
    "Show all",
    "show and select what was hidden; end isolation",
    keys=("Alt+H",),
    enabled=lambda context: context.view.visibility.isolated_ids is not None or len(_hidden_ids(context)) > 0,
    synonyms=("unhide", "reveal"),
)
def show_all(context: Context) -> None:
    context.view.visibility.isolated_ids = None
    ids = _hidden_ids(context)
    if len(ids):
        _set_flag(context.editor, "Show", ids, selects=ids, hidden=False)


command(
    "select.isolate",
    "Isolate",
    "show the selection alone, or all again",
    keys=("/", "Shift+H"),
    enabled=lambda context: has_selection(context) or context.view.visibility.isolated_ids is not None,
    checked=lambda context: context.view.visibility.isolated_ids is not None,
    synonyms=("solo", "local view", "show only"),
)(lambda context: context.view.visibility.toggle_isolation(context.view.selected_ids))

of_selection("select.lock", "Lock", "make unselectable: clicks go through", separated=True)(
    lambda context: _set_flag(context.editor, "Lock", context.selected_ids, unselectable=True)
)


@command(
    "select.unlock_all",
    "Unlock all",
    "make locked objects selectable again",
    enabled=lambda context: len(_locked_ids(context)) > 0,
)
def unlock_all(context: Context) -> None:
    ids = _locked_ids(context)
    _set_flag(context.editor, "Unlock", ids, selects=ids, unselectable=False)


switch(
    command,
    "settings.config.box_right_touches",
    "select.right_touches",
    DECLARED["box_right_touches"].label,
    DECLARED["box_right_touches"].about,
    menu=_OPTIONS,
    synonyms=("crossing selection", "window selection", "box direction"),
)

switch(
    command,
    "settings.config.clicks_take_files",
    "select.whole_files",
    DECLARED["clicks_take_files"].label,
    DECLARED["clicks_take_files"].about,
    menu=_OPTIONS,
    synonyms=("group selection", "collection instance", "instanced scene", "assembly"),
)


@command(
    "select.hover",
    "Highlight under the mouse",
    "outline what a click would select",
    menu=_OPTIONS,
    keys=("Ctrl+H",),
    checked=lambda context: context.tools.select.hover.enabled,
    needs_window=True,
    synonyms=("hover", "preselection"),
)
def toggle_hover(context: Context) -> None:
    hover = context.tools.select.hover
    hover.enabled = not hover.enabled
    hover.refresh()


def _select_if_any(editor: Editor, ids: np.ndarray) -> None:
    if len(ids):
        editor.select(ids)


def _hidden_ids(context: Context) -> np.ndarray:
    return np.flatnonzero(context.scene.hidden & context.scene.alive)


def _locked_ids(context: Context) -> np.ndarray:
    return np.flatnonzero(context.scene.unselectable & context.scene.alive)


def _set_flag(editor: Editor, verb: str, ids: np.ndarray, selects: np.ndarray | None = None, **flag: bool) -> None:
    """Set a flag of nodes, and select `selects`, or nothing."""
    what = str(editor.scene.names[ids[0]]) if len(ids) == 1 else f"{len(ids):,} objects"
    edit = change_nodes(editor.scene, ids, label=f"{verb} {what}", **flag)
    selected_ids = np.empty(0, dtype=np.int32) if selects is None else selects.astype(np.int32)
    editor.do(replace(edit, selects=selected_ids))
