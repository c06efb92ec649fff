"""Texts of the window's title and of the status bar."""

from __future__ import annotations

from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.document import Document
from octoscope.viewer.frame.stats import counts_text
from octoscope.viewer.frame.view import View
from octoscope.viewer.tools.tools import Tools
from octoscope.viewer.ui.overlays.status_bar import Status


def title_of(view: View, document: Document) -> str:
    """Return the title of the window: the selection, the name of the scene, the name of the program."""
    return " - ".join(filter(None, (name_of_selected(view), document.title, "Octoscope")))


def status_bar(
    view: View, document: Document, tools: Tools, line: str, *, flies: bool, streams: str = "", problem_count: int = 0
) -> Status:
    """Return the contents of the status bar."""
    to_come = f"{streams}    " if streams else ""
    problems = "" if not problem_count else "1 problem    " if problem_count == 1 else f"{problem_count:,} problems    "
    unsaved = "unsaved    " if document.is_unsaved else ""
    isolated = "" if view.visibility.isolated_ids is None else "isolated    "
    moves = f"{tools.gizmo.settings.text}    " if len(view.selected_ids) else ""
    drawn = f"{view.stats.drawn:,} of {view.stats.objects:,} objects drawn"
    counts = f"{to_come}{unsaved}{problems}{isolated}{moves}{drawn}"
    return Status(tools.camera.flying_text if flies else line, counts)


def line_of(view: View, document: Document, tools: Tools, *, status: str = "", hint: str = "") -> str:
    """Return what a tool says while it is used, else what is being opened, else what is selected."""
    used = tools.gizmo.text() or status or tools.select.text
    return used or hint or ("" if len(view.selected_ids) else document.opening) or status_of(view)


def name_of_selected(view: View) -> str:
    """Return the name of the active object and the number of other selected ones; "" if none is selected."""
    ids = view.selected_ids
    name = printable(view.scene.names[ids[-1]]) if len(ids) else ""
    return f"{name} and {len(ids) - 1:,} more" if len(ids) > 1 else name


def status_of(view: View) -> str:
    """Return what is selected, or how to select something."""
    if len(view.scene) == 0:
        return "drop files on the window to begin"
    if len(view.selected_ids) == 0:
        return "click an object to select it"
    if len(view.selected_ids) > 1:
        return f"{len(view.selected_ids):,} objects selected"
    node_id = int(view.selected_ids[0])
    scene = view.scene
    is_group = scene.mesh_ids[node_id] < 0
    ids = with_all_below(scene, view.selected_ids) if is_group else view.selected_ids
    mesh_ids = scene.mesh_ids[ids]
    mesh_ids = mesh_ids[mesh_ids >= 0]
    objects = f"{len(mesh_ids):,} object" + ("s" if len(mesh_ids) != 1 else "") + ", " if is_group else ""
    rows = scene.meshes.rows
    counts = (int(rows[f"{name}_count"][mesh_ids].sum()) for name in ("triangle", "line", "point"))
    return f"{printable(scene.path_of(node_id))}    {objects}{counts_text(*counts)}"
