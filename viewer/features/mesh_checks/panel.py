"""The mesh checks panel: a row for each fault that a check has found."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from octoscope.scene.checks.mesh_check import FAULT_KINDS
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.mesh_checks.fault_list import ALL_KINDS, PANEL_ID, FaultList
from octoscope.viewer.ui.imgui.items import continue_line, item, item_tooltip, list_row, next_button, sentence_case
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.findings_panel import FindingsPanel

_FACE_OUTWARD, _REMOVE = ("Face outward", "object.face_outward"), ("Remove bad faces", "object.remove_bad_faces")
_MENDS = {  # label and id of a command, by kind of fault
    "flipped edges": _FACE_OUTWARD,
    "inverted faces": _FACE_OUTWARD,
    "open edges": ("Fill holes...", "object.fill_holes"),
    "degenerate faces": _REMOVE,
    "duplicate faces": _REMOVE,
    "no normals": ("Smooth by angle...", "object.smooth"),
}
_WIDEST = max(FAULT_KINDS, key=len)
_WIDEST_MEND = max((label for label, _ in _MENDS.values()), key=len)


class MeshChecksPanel(FindingsPanel):
    """The faults, kind by kind."""

    id, title, place, keys, starts_open = PANEL_ID, "Mesh checks", "bottom", (), False
    columns = (("Object", 3.0, ""), ("Fault", 2.0, ""), ("Count", 1.0, "edges or faces that are wrong"))
    find_command = ("select.check_meshes", "what you selected, or all that is shown")
    noun = "fault"
    purpose = "Finds open edges, inverted faces and other faults, within the selection if there is one."
    none = "No faults were found."

    def __init__(self, context: Context, faults: FaultList) -> None:
        super().__init__(faults, context.run)
        self._names = context.scene
        self._faults = faults

    def _texts(self, row: int) -> Sequence[str]:
        faults, index = self._faults.faults, self._faults.places[row]
        name = printable(str(self._names.names[faults.nodes[index]])) or "(no name)"
        return name, sentence_case(str(faults.kinds[index])), f"{faults.counts[index]:,}"

    def _draw_choices(self, theme: Theme) -> None:
        counts, kind = self._faults.kind_counts, self._faults.kind
        shown = sentence_case(kind) if kind else "All kinds"
        width = imgui.calc_text_size(_WIDEST).x + 3.0 * imgui.get_frame_height()
        continue_line(width)
        imgui.set_next_item_width(width)
        if imgui.begin_combo("##kind", item(shown, "shown")):
            for each in (ALL_KINDS, *counts):
                text = f"{sentence_case(each)} ({counts[each]:,})" if each else "All kinds"
                if list_row(item(text, each or "all"), each == kind):
                    self._faults.kind = each
                if each:
                    item_tooltip(FAULT_KINDS[each])
            imgui.end_combo()
        kind = kind or self._faults.shown_kind
        label, command_id = _MENDS.get(kind, ("Mend", ""))
        # Always there and equally wide: else rows would move when another fault is shown.
        imgui.begin_disabled(not command_id or kind not in counts)
        mends = next_button(label, "mend", "mend what is selected", widest=_WIDEST_MEND)
        text, widest = (f"All {count:,}" for count in (counts.get(kind, 0), max(counts.values(), default=0)))
        mends_all = next_button(text, "mend all", f"{label} for all listed objects with {kind}", widest=widest)
        imgui.end_disabled()
        if mends_all:
            self._faults.select_kind(kind)
        if mends or mends_all:
            self._run(command_id)
