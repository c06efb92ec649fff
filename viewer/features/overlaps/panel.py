"""The overlaps panel: a row for each pair of objects that reach into each other; a click shows where."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene.measuring import Lengths
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.overlaps.overlap_list import OverlapList
from octoscope.viewer.ui.imgui.items import button_width, continue_line, cut_text, item, item_tooltip, list_row
from octoscope.viewer.ui.imgui.theme import Theme

_FLAGS = imgui.TableFlags_.resizable | imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_v
_TITLES = (
    ("Object", 3.0, ""),
    ("And", 3.0, ""),
    ("Depth up to", 1.2, "the least side of the box that both objects' boxes have in common"),
)


class OverlapsPanel:
    """The pairs, of which only the visible rows are drawn, and buttons that go through them."""

    id, title, place, keys, starts_open = "overlaps", "Overlaps", "bottom", (), False

    def __init__(self, context: Context, overlaps: OverlapList) -> None:
        self._context = context
        self._overlaps = overlaps
        self._seen = -1  # place of the pair that was shown in the last frame

    def draw(self, theme: Theme) -> None:
        """Draw buttons and rows."""
        overlaps, run = self._overlaps, self._context.run
        overlaps.update()
        count = len(overlaps.pairs)
        self._draw_button("Find", "select.overlapping", run, "within the selection if there is one")
        for text, command_id, hint in (
            (icons.ICON_FA_CHEVRON_LEFT, "select.previous_overlap", "the pair before"),
            (icons.ICON_FA_CHEVRON_RIGHT, "select.next_overlap", "the next pair"),
            ("Isolate", "select.isolate", "show only what is selected, or all again"),
            ("Ignore", "select.ignore_overlap", "not a fault: leave it out until the next search"),
        ):
            continue_line(button_width(text))
            imgui.begin_disabled(count == 0)
            self._draw_button(text, command_id, run, hint)
            imgui.end_disabled()
        if overlaps.ignored_count:
            text = f"Show {overlaps.ignored_count:,} ignored"
            continue_line(button_width(text))
            if imgui.button(item(text, "ignored")):
                overlaps.show_ignored()
        if count:
            shown = f"{overlaps.place + 1:,} of " if overlaps.place >= 0 else ""
            text = f"{shown}{count:,} {'pair' if count == 1 else 'pairs'}"
            continue_line(imgui.calc_text_size(text).x)
            imgui.text_colored(theme.quiet, text)
        if not count:
            none = "no objects reach into each other" if overlaps.has_searched else "nothing was looked for yet"
            imgui.text_colored(theme.quiet, none)
        elif imgui.begin_table("pairs", len(_TITLES), _FLAGS):
            self._draw_table(theme)
            imgui.end_table()

    def _draw_button(self, text: str, command_id: str, run: Callable[[str], object], hint: str) -> None:
        clicked = imgui.button(item(text, command_id))
        item_tooltip(hint)
        if clicked:
            run(command_id)

    def _draw_table(self, theme: Theme) -> None:
        overlaps, names = self._overlaps, self._context.scene.names
        imgui.table_setup_scroll_freeze(0, 1)
        for title, share, _ in _TITLES:
            imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, share)
        imgui.table_next_row(imgui.TableRowFlags_.headers)
        for place, (title, _, hint) in enumerate(_TITLES):
            imgui.table_set_column_index(place)
            imgui.table_header(title)
            if hint:
                item_tooltip(hint)
        height, shown = imgui.get_text_line_height_with_spacing(), overlaps.place
        if shown not in (self._seen, -1):
            imgui.set_scroll_y(max(0.0, (shown + 1.5) * height - imgui.get_window_height() / 2.0))
        self._seen = shown
        depths, lengths = overlaps.depths, Lengths.of(self._context.scene)
        chosen = None
        clipper = imgui.ListClipper()
        clipper.begin(len(overlaps.pairs), height)
        while clipper.step():
            for row in range(clipper.display_start, clipper.display_end):
                imgui.table_next_row(0, height)
                imgui.table_set_column_index(0)
                if list_row(f"##{row}", row == shown, imgui.SelectableFlags_.span_all_columns):
                    chosen = row
                imgui.same_line(0.0, 0.0)
                texts = [printable(str(names[node])) or "(no name)" for node in overlaps.pairs[row].tolist()]
                texts.append(lengths.text(depths[row]) if depths[row] > 0.0 else "apart")
                for place, text in enumerate(texts):
                    imgui.table_set_column_index(place)
                    if place == 0:
                        imgui.same_line(0.0, 0.0)
                    cut_text(text, theme.quiet if place == 2 else theme.text)
        clipper.end()
        if chosen is not None:
            overlaps.show(chosen)
            self._context.view.ease_cameras()
            self._seen = chosen
