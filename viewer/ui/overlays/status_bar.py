"""The status bar: what is selected, how much is drawn, and the keys of palette and key sheet."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.document.document import Document
from octoscope.viewer.frame.stats import counts_text
from octoscope.viewer.frame.view import View
from octoscope.viewer.tools.tools import Tools
from octoscope.viewer.ui.imgui.items import fitting, item_tooltip, sentence_case
from octoscope.viewer.ui.imgui.theme import Theme

_BETWEEN = "    "


@dataclass(frozen=True)
class Status:
    """The contents of the status bar."""

    text: str  # what a tool says while it is used, else what is selected; on the left
    counts: str  # parts with four blanks between them, on the right; if they do not fit, only the first are shown
    problems: str = ""  # the one of them that says how many there are


def draw_status_bar(status: Status, table: CommandTable, theme: Theme, scale: float) -> None:
    """Draw the bar over the width of the window; texts are shortened to fit."""
    flags = (
        imgui.WindowFlags_.no_scrollbar
        | imgui.WindowFlags_.no_saved_settings
        | imgui.WindowFlags_.menu_bar
        | imgui.WindowFlags_.no_docking
    )
    height = imgui.get_frame_height()
    if (
        imgui.internal.begin_viewport_side_bar("##status", imgui.get_main_viewport(), imgui.Dir.down, height, flags)
        and imgui.begin_menu_bar()
    ):
        room = imgui.get_window_width() - 16.0 * scale
        hint = "   ".join(
            f"{table.shown_keys(command)} {command.label}" for command in (table["help.keys"], table["help.commands"])
        )
        needed = imgui.calc_text_size(status.text).x + 24.0 * scale
        parts = list(map(sentence_case, status.counts.split(_BETWEEN)))
        fewer = (_BETWEEN.join(parts[:count]) for count in range(len(parts), 0, -1))
        for right in (_BETWEEN.join((*parts, hint)), *fewer, hint, ""):
            width = imgui.calc_text_size(right).x
            if needed + width <= room or not right:
                break
        text = status.text
        while _BETWEEN in text and imgui.calc_text_size(text).x > room:  # keys stand behind what is to be done
            text = text.rpartition(_BETWEEN)[0]
        imgui.text(fitting(text, room, keeps_end=True))
        if right:
            imgui.same_line(room - width)
            for part in right.partition(status.problems) if status.problems else (right,):
                imgui.text_colored(theme.quiet, part)
                if part and part == status.problems:
                    item_tooltip("of the opened files; a click lists them in Messages")
                    if imgui.is_item_clicked():
                        table.run(table["panel.messages"])
                imgui.same_line(0.0, 0.0)
        imgui.end_menu_bar()
    imgui.end()


def status_bar(
    view: View, document: Document, tools: Tools, line: str, *, flies: bool, streams: str = "", problem_count: int = 0
) -> Status:
    """Return the contents of the status bar."""
    to_come = f"{streams}    " if streams else ""
    problems = f"{problem_count:,} problem{'s' if problem_count > 1 else ''}" if problem_count else ""
    unsaved = "unsaved    " if document.is_unsaved else ""
    isolated = "" if view.visibility.isolated_ids is None else "isolated    "
    moves = f"{tools.gizmo.settings.text}    " if len(view.selected_ids) else ""
    drawn = f"{view.stats.drawn:,} of {view.stats.objects:,} objects drawn"
    counts = f"{to_come}{unsaved}{problems and problems + _BETWEEN}{isolated}{moves}{drawn}"
    return Status(tools.camera.flying_text if flies else line, counts, problems)


def line_of(view: View, document: Document, tools: Tools, *, status: str = "", hint: str = "") -> str:
    """Return what a tool says while it is used, else what is being opened, else what is selected."""
    used = tools.gizmo.text() or status or tools.select.text
    return (
        sentence_case(used or hint)
        or ("" if len(view.selected_ids) else sentence_case(document.opening))
        or status_of(view)
    )


def name_of_selected(view: View) -> str:
    """Return the name of the active object and the number of other selected ones; "" if none is selected."""
    ids = view.selected_ids
    name = printable(view.scene.names[ids[-1]]) if len(ids) else ""
    return f"{name} and {len(ids) - 1:,} more" if len(ids) > 1 else name


def status_of(view: View) -> str:
    """Return what is selected, or how to select something."""
    if len(view.scene) == 0:
        return "Drop files on the window to begin"
    if len(view.selected_ids) == 0:
        return "Click an object to select it"
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
