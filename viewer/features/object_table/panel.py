"""The panel of the table: rows of objects that can be sorted, filtered, selected and renamed, and two histograms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.selection import added, toggled
from octoscope.viewer.features.object_table.columns import Column
from octoscope.viewer.features.object_table.rows import BARS, Spread, TableRows
from octoscope.viewer.ui.imgui.items import (
    continue_line,
    cut_text,
    item_tooltip,
    list_row,
    next_button,
    tooltip,
    wrapped_text,
)
from octoscope.viewer.ui.imgui.theme import Theme, packed, with_opacity
from octoscope.viewer.ui.widgets.rename_field import RenameField
from octoscope.viewer.ui.widgets.row_scroll import RowScroll

# In heights of the text; bars are as high as two histograms have room for.
_FILTER_WIDTH, _SPREADS_WIDTH, _LEAST_TABLE = 16.0, 12.0, 35.0
_LEAST_BARS, _MOST_BARS = 1.2, 6.0
_WIDTHS = (3.0, 1.2, 1.2, 2.0, 2.0, 1.2)  # of the columns, as shares
_KEPT = (0, 2, 1, 3, 5, 4)  # the places of columns; where there is less room, the last are left out
_FLAGS = (
    imgui.TableFlags_.sortable
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.hideable
    | imgui.TableFlags_.reorderable
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.borders_inner_v
    | imgui.TableFlags_.pad_outer_x
)


class ObjectTable:
    """The panel.

    A click selects, with Ctrl it adds or removes, with Shift it selects a range of rows as they are sorted. A double
    click on a name opens a field to change it, elsewhere it frames the object. The arrow keys move the selection.
    """

    id, title, place, keys, starts_open = "objects", "Object table", "bottom", ("Ctrl+9",), False

    def __init__(self, editor: Editor, run: Callable[[str], object]) -> None:
        self._editor = editor
        self._run = run
        self.rows = TableRows(editor.scene)
        self._selection: np.ndarray | None = None  # as at the last frame
        self._anchor = -1  # object from which Shift selects a range
        self._shows = -1  # an object to scroll to
        self._scroll = RowScroll(editor.view)
        self._rename = RenameField[int]()

    def draw(self, theme: Theme) -> None:
        """Draw the filter, the rows and the histograms."""
        if self._editor.history.transaction is None:  # what is dragged changes in each frame
            self.rows.update()
        self._follow_selection()
        self._draw_head(theme)
        font, room = imgui.get_font_size(), imgui.get_content_region_avail().x
        has_spreads = room >= (_LEAST_TABLE + _SPREADS_WIDTH) * font
        width = room - _SPREADS_WIDTH * font if has_spreads else 0.0
        if imgui.begin_table("objects", len(self.rows.columns.all), _FLAGS, (width, 0.0)):
            self._draw_table(theme, width or room)
            imgui.end_table()
        if has_spreads:
            imgui.same_line()
            if imgui.begin_child("spreads"):
                lines = len(self.rows.spreads) * imgui.get_text_line_height_with_spacing()
                height = (imgui.get_content_region_avail().y - lines) / len(self.rows.spreads)
                height = min(max(height - imgui.get_style().item_spacing.y, _LEAST_BARS * font), _MOST_BARS * font)
                for place, spread in self.rows.spreads.items():
                    self._draw_spread(theme, self.rows.columns.all[place], spread, height)
            imgui.end_child()

    def _follow_selection(self) -> None:
        """Scroll to the active object, if the selection was changed elsewhere."""
        selection = self._editor.selected_ids
        if selection is not self._selection and len(selection):
            self._shows = int(selection[-1])
            if self._anchor not in selection:
                self._anchor = self._shows
        self._selection = selection

    def _draw_head(self, theme: Theme) -> None:
        rows, font = self.rows, imgui.get_font_size()
        imgui.set_next_item_width(min(_FILTER_WIDTH * font, imgui.get_content_region_avail().x))
        hint = f"{icons.ICON_FA_MAGNIFYING_GLASS}  Name, material or file"
        flags = imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.escape_clears_all
        _, rows.query = imgui.input_text_with_hint("##filter", hint, rows.query, flags)
        item_tooltip("a part of it, or a pattern such as wall_*; Enter selects all that it finds")
        if rows.query and imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.enter):
            rows.update()
            self._select(rows.ids)
        if next_button("CSV", "csv", "write these rows, in this order, to a file"):
            self._run("file.export_table")
        chosen = len(self._editor.selected_ids)
        text = f"{len(rows.ids):,} {'object' if len(rows.ids) == 1 else 'objects'}"
        text += f", {chosen:,} selected" if chosen else ""
        continue_line(imgui.calc_text_size(text).x)
        wrapped_text(text, theme.quiet)

    def _draw_table(self, theme: Theme, width: float) -> None:
        rows = self.rows
        imgui.table_setup_scroll_freeze(0, 1)
        most = width / (_LEAST_TABLE * imgui.get_font_size()) * sum(_WIDTHS)
        ends = np.cumsum([_WIDTHS[place] for place in _KEPT]).tolist()
        shown = {0, *(place for place, end in zip(_KEPT, ends, strict=True) if end <= most + 0.01)}
        for place, (column, share) in enumerate(zip(rows.columns.all, _WIDTHS, strict=True)):
            flags = imgui.TableColumnFlags_.width_stretch
            if column.is_number:
                flags |= imgui.TableColumnFlags_.prefer_sort_descending
            if place not in shown:
                flags |= imgui.TableColumnFlags_.disabled
            imgui.table_setup_column(column.title, flags, share)
        self._draw_titles()
        self._follow_sorting()
        ids, height = rows.ids, imgui.get_text_line_height_with_spacing()
        if self._shows >= 0:
            row = rows.row_of(self._shows)
            if row >= 0:
                self._scroll.reveal(row, height, imgui.get_window_height() - height)
            self._shows = -1
        self._scroll.follow()
        if imgui.is_window_focused() and not imgui.get_io().want_text_input:
            self._follow_keys()
        clipper = imgui.ListClipper()
        clipper.begin(len(ids), height)
        while clipper.step():
            shown = ids[clipper.display_start : clipper.display_end]
            texts = [column.shown(column.of(shown)) for column in rows.columns.all]
            for place, node_id in enumerate(shown.tolist()):
                imgui.table_next_row(0, height)
                self._draw_row(theme, clipper.display_start + place, node_id, [each[place] for each in texts])
        clipper.end()

    def _draw_titles(self) -> None:
        imgui.table_next_row(imgui.TableRowFlags_.headers)
        for place, column in enumerate(self.rows.columns.all):
            if imgui.table_set_column_index(place):
                end = imgui.get_cursor_screen_pos() + imgui.get_content_region_avail()
                imgui.table_header(f"###{column.title}" if column.is_number else column.title)
                if column.is_number:  # above the numbers, which end at the right, and beside the mark of sorting
                    room = imgui.calc_text_size(column.title).x
                    room += imgui.get_font_size() if place == self.rows.sorted_by else 0.0
                    top = imgui.get_item_rect_min().y + imgui.get_style().cell_padding.y
                    draw, color = imgui.get_window_draw_list(), imgui.get_color_u32(imgui.Col_.text)
                    draw.add_text((end.x - room, top), color, column.title)
                item_tooltip(f"{column.hint}; a click sorts")

    def _follow_sorting(self) -> None:
        specs = imgui.table_get_sort_specs()
        if specs is None or not specs.specs_dirty or not specs.specs_count:
            return
        chosen = specs.get_specs(0)
        self.rows.sorted_by = chosen.column_index
        self.rows.descends = chosen.get_sort_direction() == imgui.SortDirection.descending
        self.rows.update()
        specs.specs_dirty = False

    def _draw_row(self, theme: Theme, row: int, node_id: int, texts: list[str]) -> None:
        selection = self._editor.selected_ids
        selected = bool(self._editor.view.selection.mask(self._editor.scene.row_count)[node_id])
        is_active = selected and node_id == selection[-1]
        imgui.push_id(node_id)
        for place, text in enumerate(texts):
            if not imgui.table_set_column_index(place) and place:
                continue
            if place == 0:
                if node_id == self._rename.row:
                    if (new_name := self._rename.draw(is_low=True)) is not None:
                        self._editor.rename(node_id, new_name)
                    continue
                flags = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_double_click
                if list_row("##row", selected, flags, ground=theme.chosen if is_active else theme.also_chosen):
                    self._click(row, node_id)
                imgui.same_line(0.0, 0.0)
            elif self.rows.columns.all[place].is_number:
                room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
                imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(0.0, room))
            cut_text(text or ("(no name)" if place == 0 else ""), theme.text if place == 0 else theme.quiet)
        imgui.pop_id()

    def _click(self, row: int, node_id: int) -> None:
        io, selection = imgui.get_io(), self._editor.selected_ids
        if imgui.is_mouse_double_clicked(0):
            if imgui.table_get_hovered_column() == 0:
                self._rename.begin(node_id, str(self._editor.scene.names[node_id]))
                self.rows.keep(node_id)
            else:
                self._run("view.frame")
            return
        first = self.rows.row_of(self._anchor) if io.key_shift else -1
        if first >= 0:
            reached = self.rows.ids[min(first, row) : max(first, row) + 1]
            reached = np.append(reached[reached != node_id], np.int32(node_id))
            self._select(added(selection, reached) if io.key_ctrl else reached)
            return
        self._anchor = node_id
        self._select(toggled(selection, [node_id]) if io.key_ctrl else np.array([node_id], dtype=np.int32))

    def _select(self, ids: np.ndarray) -> None:
        """Select objects without scrolling to them."""
        self._editor.select(ids)
        self._selection = self._editor.selected_ids

    def _follow_keys(self) -> None:
        selection, ids = self._editor.selected_ids, self.rows.ids
        row = self.rows.row_of(int(selection[-1])) if len(selection) else -1
        for key, step in ((imgui.Key.down_arrow, 1), (imgui.Key.up_arrow, -1)):
            if imgui.is_key_pressed(key) and row >= 0 and 0 <= row + step < len(ids):
                self._click(row + step, int(ids[row + step]))
                self._shows = int(ids[row + step])

    def _draw_spread(self, theme: Theme, column: Column, spread: Spread, height: float) -> None:
        """Draw a histogram; a click on a bar selects the objects in it."""
        imgui.text_colored(theme.text, column.title)
        imgui.same_line()
        ends = spread.edges[[0, -1]][: np.count_nonzero(spread.counts)]  # equal numbers have one bar
        cut_text(" to ".join(column.shown(ends)), theme.quiet)
        corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        clicked = imgui.invisible_button(f"bars {column.title}", (max(width, 1.0), height))
        bar, gap = width / BARS, 1.0
        hovered = int((imgui.get_mouse_pos().x - corner.x) / bar) if imgui.is_item_hovered() else -1
        draw, tallest = imgui.get_window_draw_list(), max(int(spread.counts.max()), 1)
        draw.add_rect_filled(corner, (corner.x + width, corner.y + height), packed(with_opacity(theme.raised, 0.5)))
        for place, count in enumerate(spread.counts.tolist()):
            if count:
                left, top = corner.x + place * bar, corner.y + height * (1.0 - max(count / tallest, 0.03))
                color = theme.warm if place == hovered else theme.accent
                draw.add_rect_filled((left, top), (left + bar - gap, corner.y + height), packed(color))
        if 0 <= hovered < BARS:
            begin, end = column.shown(spread.edges[[hovered, hovered + 1]])
            count = int(spread.counts[hovered])
            tooltip(f"{begin} to {end}: {count:,} {'object' if count == 1 else 'objects'}\na click selects them")
            if clicked and count:
                self._select(self.rows.ids[spread.place_of == hovered])
