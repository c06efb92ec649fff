"""The commands that select, hide and isolate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scene import Overlaps, OverlapSearch, change_nodes, selecting
from scene.nodes.hierarchy import with_all_below
from viewer.commands.table import Command
from viewer.editing.editor import Editor
from viewer.editing.selection import added
from viewer.editing.selection_facts import AN_OBJECT
from viewer.tools.select_tool import SelectTool


def select_commands(editor: Editor, tool: SelectTool) -> tuple[Command, ...]:  # noqa: C901
    """What can be done with the selection, and by it."""
    view, scene, hover = editor.view, editor.scene, tool.hover

    def shown() -> np.ndarray:
        """(rows,) bool by node id: what is not hidden, nor left out by isolation."""
        mask = np.zeros(scene.row_count, dtype=bool)
        mask[view.shown_ids()] = True
        return mask

    def has_selection() -> bool:
        return len(editor.selected_ids) > 0

    def select_all() -> None:
        editor.select(selecting.selectable_ids(scene, shown()))

    def select_none() -> None:
        if not tool.cancel():
            editor.select([])

    def invert() -> None:
        editor.select(selecting.inverted_ids(scene, editor.selected_ids, shown()))

    def select_if_any(ids: np.ndarray) -> None:
        if len(ids):
            editor.select(ids)

    def select_parents() -> None:
        select_if_any(selecting.parent_ids(scene, editor.selected_ids))

    def select_children() -> None:
        select_if_any(selecting.child_ids(scene, editor.selected_ids))

    def select_below() -> None:
        below = with_all_below(scene, editor.selected_ids)
        editor.select(added(editor.selected_ids, np.setdiff1d(below, editor.selected_ids)))

    def select_same_mesh() -> None:
        same = selecting.same_mesh_ids(scene, editor.selected_ids, shown())
        editor.select(added(same, editor.selected_ids))

    def select_same_material() -> None:
        materials = selecting.material_ids_of(scene, editor.selected_ids)
        same = selecting.with_material_ids(scene, materials, shown())
        editor.select(added(same, editor.selected_ids))

    def select_overlapping() -> None:
        view.update()
        ids = np.intersect1d(editor.selected_ids, view.shown_ids()) if has_selection() else view.shown_ids()
        search = OverlapSearch(scene, ids=ids)
        editor.work.begin("looking for overlaps", search.run, show_overlaps)

    def show_overlaps(overlaps: Overlaps) -> None:
        # Objects may have been deleted while it was looked for.
        crossing, touching = (pairs[scene.alive[pairs].all(axis=1)] for pairs in overlaps)
        editor.select(np.unique(crossing))
        counts = len(crossing), len(touching)
        crossing, touching = ("1 pair" if count == 1 else f"{count:,} pairs" for count in counts)
        if overlaps.left_out:
            editor.log.say("warning", f"overlapping: {overlaps.left_out}")
        editor.log.say("info", f"overlapping: {crossing} of objects; only touching: {touching}")

    def set_flag(verb: str, ids: np.ndarray, selects: np.ndarray, **flag: bool) -> None:
        what = str(scene.names[ids[0]]) if len(ids) == 1 else f"{len(ids):,} objects"
        edit = change_nodes(scene, ids, label=f"{verb} {what}", **flag)
        editor.do(replace(edit, selects=selects.astype(np.int32)))

    nothing = np.empty(0, dtype=np.int32)

    def hide() -> None:
        set_flag("Hide", editor.selected_ids, nothing, hidden=True)

    def show_all() -> None:
        view.isolated_ids = None
        ids = np.flatnonzero(scene.hidden & scene.alive)
        if len(ids):
            set_flag("Show", ids, ids, hidden=False)

    def lock() -> None:
        set_flag("Lock", editor.selected_ids, nothing, unselectable=True)

    def unlock_all() -> None:
        ids = np.flatnonzero(scene.unselectable & scene.alive)
        set_flag("Unlock", ids, ids, unselectable=False)

    def toggle_hover() -> None:
        hover.enabled = not hover.enabled
        hover.refresh()

    def of_selection(command_id: str, label: str, run: Callable[[], object], **more: object) -> Command:
        return Command(command_id, label, run, "Select", enabled=has_selection, refusal=AN_OBJECT, **more)

    return (
        Command(
            "select.all", "Select all", select_all, "Select", keys=("A",), description="all objects that are shown"
        ),
        Command(
            "select.none",
            "Select nothing",
            select_none,
            "Select",
            keys=("Alt+A",),
            description="select nothing; leave box selection",
            synonyms=("deselect", "clear selection"),
        ),
        Command("select.invert", "Invert selection", invert, "Select", keys=("Ctrl+I",)),
        Command(
            "select.box",
            "Box select",
            tool.toggle_boxes,
            "Select",
            keys=("B",),
            description="draw a box: to the right selects what touches it, to the left what lies in it",
            checked=lambda: tool.draws_boxes,
            synonyms=("marquee", "rectangle select"),
        ),
        of_selection("select.parents", "Select parents", select_parents, keys=("[",), separated=True),
        of_selection("select.children", "Select children", select_children, keys=("]",)),
        of_selection("select.below", "Select all below", select_below, keys=("Shift+]",)),
        of_selection("select.same_mesh", "Select same mesh", select_same_mesh, keys=("L",)),
        of_selection("select.same_material", "Select same material", select_same_material, keys=("Shift+L",)),
        Command(
            "select.overlapping",
            "Select overlapping",
            select_overlapping,
            "Select",
            description="objects whose triangles overlap, within the selection if there is one",
            enabled=lambda: not editor.work.busy,
            synonyms=("collisions", "intersections", "clashes", "interference"),
        ),
        of_selection("select.hide", "Hide", hide, keys=("H",), separated=True),
        Command(
            "select.show_all",
            "Show all",
            show_all,
            "Select",
            keys=("Alt+H",),
            description="show and select what was hidden; end isolation",
            enabled=lambda: view.isolated_ids is not None or bool((scene.hidden & scene.alive).any()),
            synonyms=("unhide", "reveal"),
        ),
        Command(
            "select.isolate",
            "Isolate",
            view.toggle_isolation,
            "Select",
            keys=("/", "Shift+H"),
            description="show the selection alone, or all again",
            enabled=lambda: has_selection() or view.isolated_ids is not None,
            checked=lambda: view.isolated_ids is not None,
            synonyms=("solo", "local view", "show only"),
        ),
        of_selection("select.lock", "Lock", lock, description="make unselectable: clicks go through", separated=True),
        Command(
            "select.unlock_all",
            "Unlock all",
            unlock_all,
            "Select",
            description="make locked objects selectable again",
            enabled=lambda: bool((scene.unselectable & scene.alive).any()),
        ),
        Command(
            "select.hover",
            "Highlight under the mouse",
            toggle_hover,
            "Select",
            keys=("Ctrl+H",),
            description="outline what a click would select",
            checked=lambda: hover.enabled,
            synonyms=("hover", "preselection"),
        ),
    )
