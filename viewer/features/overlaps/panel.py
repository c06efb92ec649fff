"""The overlaps panel: a row for each pair of objects that reach into each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from imgui_bundle import imgui

from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.overlaps.overlap_list import PANEL_ID, OverlapList
from octoscope.viewer.ui.imgui.items import check_box, check_width, continue_line, item, item_tooltip
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.findings_panel import FindingsPanel
from octoscope.viewer.ui.widgets.fields import PICTURE_PX, FieldLook, NumberFields


class OverlapsPanel(FindingsPanel):
    """The pairs, the deepest first."""

    id, title, place, keys, starts_open = PANEL_ID, "Overlaps", "bottom", (), False
    columns = (
        ("Object", 3.0, ""),
        ("And", 3.0, ""),
        ("Depth", 1.2, "the way by which they get clear of each other; of what has moved since, at most, by its boxes"),
    )
    find_command = ("select.overlapping", "pairs of the selection with all others, if there is one")
    noun = "overlap"
    purpose = "Finds objects that intersect, or lie inside closed ones; of a selection, its pairs with all others."
    none = "No objects overlap."

    def __init__(self, context: Context, overlaps: OverlapList) -> None:
        super().__init__(overlaps, context.run)
        self._scene, self._view = context.scene, context.view
        self._overlaps = overlaps
        self._fields = NumberFields(partial(context.editor.log.tell, "Overlaps"), context.expect_field)

    def _texts(self, row: int) -> Sequence[str]:
        names, depth = self._scene.names, self._overlaps.depths[row]
        texts = [printable(str(names[node])) or "(no name)" for node in self._overlaps.pairs[row].tolist()]
        lower, upper = self._overlaps.common[row]
        inside = ", inside" if self._overlaps.inside[row] else ""
        return [*texts, "apart" if (lower > upper).any() else f"{self._overlaps.lengths.text(depth)}{inside}"]

    def _about(self, row: int) -> str:
        point, normal = self._overlaps.found_at(row)
        way = "  ".join(f"{part:.3f}" for part in normal.tolist())
        how = "one lies inside the other, without contact\n" if self._overlaps.inside[row] else ""
        where = f"around {self._overlaps.lengths.point(point)} when it was found"
        return f"{how}{where}\nthe second gets clear along {way}"

    def _draw_choices(self, theme: Theme) -> None:
        text = "Only different parents"
        continue_line(check_width(text))
        changed, only = check_box(item(text, "parents"), self._overlaps.only_different_parents)
        item_tooltip("leave out pairs of objects that hang below the same one: parts of one thing")
        if changed:
            self._overlaps.only_different_parents = only
        text, width = "Least depth", 5.0 * imgui.get_font_size()
        continue_line(imgui.calc_text_size(text).x + imgui.get_style().item_spacing.x + width)
        imgui.text_colored(theme.quiet, text)
        imgui.same_line()
        self._fields.begin(self)
        look = FieldLook(self._view.camera.pixel_size(PICTURE_PX), width=width, lengths=self._overlaps.lengths)
        depth = self._fields.number(text, self._overlaps.least_depth, look)
        item_tooltip("leave out pairs that overlap less; as they were found")
        if depth is not None:
            self._overlaps.least_depth = max(depth, 0.0)
