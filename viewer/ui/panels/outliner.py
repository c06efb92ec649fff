"""Outliner: the tree of nodes, of which only the visible rows are drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene import change_nodes, editing, selecting
from octoscope.scene.one_object_files import with_whole_files
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.missing_meshes import MissingMeshFinder
from octoscope.viewer.ui.imgui.items import empty_state, fitting, item_tooltip, list_row, rows_in_sight, tooltip
from octoscope.viewer.ui.imgui.theme import Theme, packed
from octoscope.viewer.ui.panels.outliner_rows import OutlinerRows
from octoscope.viewer.ui.widgets.focus_request import FocusRequest
from octoscope.viewer.ui.widgets.rename_field import RenameField
from octoscope.viewer.ui.widgets.row_scroll import RowScroll

_PAYLOAD = "nodes"
_EDGE = 0.25  # part of a row's height at each end, where what is dropped becomes its neighbour
_OPEN, _CLOSED = icons.ICON_FA_CARET_DOWN, icons.ICON_FA_CARET_RIGHT
_MESH, _GROUP, _MISSING = icons.ICON_FA_CUBE, icons.ICON_FA_FOLDER, icons.ICON_FA_LINK_SLASH
_FLAGS = {  # column: icon if set, icon if not, and verbs for the click
    "hidden": (icons.ICON_FA_EYE_SLASH, icons.ICON_FA_EYE, ("Hide", "Show")),
    "unselectable": (icons.ICON_FA_LOCK, icons.ICON_FA_LOCK_OPEN, ("Lock", "Unlock")),
}


class Outliner:
    """A list of nodes, with a field that filters it by name or pattern; Enter selects all matches.

    A click selects, with Ctrl it adds or removes, with Shift it selects a range. A double click on the name changes it,
    elsewhere it frames the node. The arrow opens it, with Shift all of its descendants. A row that is dragged onto
    another becomes its child, between two others their sibling, and stays where it is in the world. The arrow keys move
    the selection, open and close. The active row is highlighted the most.
    """

    id, title, place, keys, starts_open = "outliner", "Outliner", "left", ("Ctrl+1",), True

    def __init__(
        self, editor: Editor, *, frame_selection: Callable[[], object], open_menu: Callable[[], object]
    ) -> None:
        self._editor = editor
        self._frame_selection = frame_selection
        self._open_menu = open_menu
        self.rows = OutlinerRows(editor.scene)
        self._missing_meshes = MissingMeshFinder(editor.scene)
        self._selection: np.ndarray | None = None  # as at the last frame
        self._anchor = -1  # node from which Shift selects a range
        self._show_row_of = -1  # a node to scroll to
        self._row_height = 0.0  # as at the last frame, logical pixels
        self._scroll = RowScroll(editor.view)
        self._rename = RenameField[int]()
        self._find_focus = FocusRequest()

    def begin_rename(self) -> None:
        """Open a text field in the row of the active node."""
        ids = self._editor.selected_ids
        if len(ids):
            if self.rows.row_of(int(ids[-1])) < 0:
                self.rows.query = ""
            self.rows.reveal(int(ids[-1]))
            self.rows.update()
            node_id = self._show_row_of = int(self.rows.ids[self.rows.row_of(int(ids[-1]))])
            self._rename.begin(node_id, str(self._editor.scene.names[node_id]))

    def find(self) -> None:
        """Give the keyboard to the filter."""
        self._find_focus.begin()

    def draw(self, theme: Theme) -> None:
        """Draw the filter and the rows."""
        self._follow_selection()
        self._draw_filter(theme)
        self.rows.update()
        focused = imgui.is_window_focused(imgui.FocusedFlags_.child_windows)
        if imgui.begin_child("rows"):
            if focused and not imgui.get_io().want_text_input:
                self._follow_keys()
            self._draw_rows(theme)
        imgui.end_child()

    def _follow_selection(self) -> None:
        """Reveal the active node, if the selection was changed elsewhere."""
        selection = self._editor.selected_ids
        if selection is not self._selection and len(selection):
            last = int(selection[-1])
            self.rows.reveal(last)
            self._show_row_of = last
            if self._anchor not in selection:
                self._anchor = last
        self._selection = selection

    def _is_selected(self, row: int) -> bool:
        mask = self._editor.view.selection.mask(self._editor.scene.row_count)
        return bool(mask[self._nodes_of(row)].any())

    def _nodes_of(self, row: int) -> list[int]:
        """Return the node of a row, and that of the object's file if the row is both."""
        return sorted({int(self.rows.ids[row]), int(self.rows.tops[row])})

    def _draw_filter(self, theme: Theme) -> None:
        self._find_focus.before_field()
        query = self.rows.query
        note = f"{self.rows.match_count:,}" if query else ""
        style = imgui.get_style()
        gaps = 2.0 * (style.item_spacing.x + style.frame_padding.x) + 1.0
        room = imgui.calc_text_size(note).x + imgui.calc_text_size(icons.ICON_FA_XMARK).x + gaps
        imgui.set_next_item_width(-room if query else -1.0)
        room = imgui.get_content_region_avail().x - 2.0 * imgui.get_style().frame_padding.x
        hints = (f"{icons.ICON_FA_MAGNIFYING_GLASS}  {hint}" for hint in ("Find by name or pattern", "Find"))
        changed, query = imgui.input_text_with_hint(
            "##filter",
            next((hint for hint in hints if imgui.calc_text_size(hint).x <= room), ""),
            query,
            imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.escape_clears_all,
        )
        self._find_focus.after_field()
        if changed:
            self._look_for(query)
        if query and imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.enter):
            self._editor.select(selecting.named_ids(self._editor.scene, self.rows.query))
        if query:
            imgui.same_line()
            imgui.text_colored(theme.quiet, note)
            imgui.same_line()
            if imgui.small_button(icons.ICON_FA_XMARK):
                self._look_for("")
            item_tooltip("clear the filter")

    def _look_for(self, query: str) -> None:
        self.rows.query = query
        imgui.set_scroll_y(0.0)
        selection = self._editor.selected_ids
        if not query and len(selection):  # keep the found node in sight
            self.rows.reveal(int(selection[-1]))
            self._show_row_of = int(selection[-1])

    def _draw_rows(self, theme: Theme) -> None:
        rows, height = self.rows, imgui.get_text_line_height_with_spacing()
        if height != self._row_height and len(self._editor.selected_ids):  # another scale
            self._show_row_of = int(self._editor.selected_ids[-1])
        self._row_height = height
        if self._show_row_of >= 0:
            row = rows.row_of(self._show_row_of)
            if row >= 0:
                self._scroll.reveal(row, height, imgui.get_window_height())
            self._show_row_of = -1
        self._scroll.follow()
        if not len(rows):
            icon, text = _GROUP, "The scene is empty. Drop files on the window, or add an object."
            if rows.query:
                icon, text = icons.ICON_FA_MAGNIFYING_GLASS, "No object has that name."
            empty_state(theme, icon, text)
            return
        ids, depths, has_children = rows.ids, rows.depths, rows.has_children
        scene = self._editor.scene
        names, mesh_ids, is_shown = scene.names, scene.mesh_ids, self._editor.view.visibility.shown_rows()
        is_missing = self._missing_meshes.current.is_missing
        colors = {
            "text": packed(theme.text),
            "quiet": packed(theme.quiet),
            _MESH: packed(theme.mesh),
            _GROUP: packed(theme.group),
            _MISSING: packed(theme.warm),
        }
        for row in rows_in_sight(len(rows), height):
            if row >= len(ids) or rows.ids is not ids:
                continue  # a row above was opened or closed: draw the rest in the next frame
            node_id = int(ids[row])
            self._draw_row(
                row,
                node_id,
                int(depths[row]),
                None if not has_children[row] else bool(rows.query or rows.open[node_id]),
                printable(names[node_id]),
                _MESH if mesh_ids[node_id] >= 0 else _MISSING if is_missing[node_id] else _GROUP,
                bool(is_shown[node_id]),
                theme,
                colors,
            )

    def _draw_row(
        self,
        row: int,
        node_id: int,
        depth: int,
        is_open: bool | None,
        name: str,
        icon: str,
        is_shown: bool,
        theme: Theme,
        colors: dict[str, int],
    ) -> None:
        """Draw one row; `is_open` is None if the node has no children."""
        imgui.push_id(node_id)
        corner = imgui.get_cursor_screen_pos()
        font = imgui.get_font_size()
        arrow = corner.x + 2.0 + depth * font * 0.9
        if self._rename.row == node_id:
            imgui.set_cursor_screen_pos((arrow + 2.2 * font, corner.y))
            if (new_name := self._rename.draw(is_low=True)) is not None:
                self._editor.rename(node_id, new_name)
            imgui.set_cursor_screen_pos(corner)
            imgui.dummy((0.0, imgui.get_text_line_height()))  # as high as other rows
            imgui.pop_id()
            return
        flags = imgui.SelectableFlags_.allow_double_click
        nodes, selected = self._nodes_of(row), self._is_selected(row)
        is_active = selected and self._editor.selected_ids[-1] in nodes
        clicked = list_row("##row", selected, flags, ground=theme.chosen if is_active else theme.also_chosen)
        self._draw_drag(node_id)
        if imgui.is_item_hovered() and imgui.is_mouse_released(imgui.MouseButton_.right):
            if not selected:
                self._select([node_id])
            self._open_menu()
        text, quiet = colors["text"], colors["quiet"]
        draw = imgui.get_window_draw_list()
        right = corner.x + imgui.get_content_region_avail().x
        line = imgui.get_text_line_height()
        hovered = imgui.is_mouse_hovering_rect(corner, (right, corner.y + line))
        if is_open is not None:
            draw.add_text((arrow, corner.y), quiet, _OPEN if is_open else _CLOSED)
        draw.add_text((arrow + 0.95 * font, corner.y), colors[icon], icon)
        left, shown = arrow + 2.3 * font, name or "(no name)"
        flagged = hovered or any(getattr(self._editor.scene, column)[nodes].any() for column in _FLAGS)
        end = right - ((len(_FLAGS) * 1.35 + 0.4) * font if flagged else 0.0)  # names are cut before the icons
        fits = fitting(shown, end - left)
        draw.add_text((left, corner.y), text if name and is_shown else quiet, fits)
        if hovered and imgui.is_window_hovered() and fits != shown:
            tooltip(shown)
        elif hovered and icon == _MISSING and imgui.is_window_hovered():
            (place,) = self._missing_meshes.among(np.array([node_id]))
            tooltip(f"missing file: {self._missing_meshes.text_of(place)}")
        flag_clicked = False
        for place, column in enumerate(_FLAGS):
            place_of_icon = (right - (place + 1) * 1.35 * font, corner.y)
            flag_clicked |= self._draw_flag(row, column, place_of_icon, hovered, quiet)
        if clicked and not flag_clicked:
            mouse_x = imgui.get_mouse_pos().x
            on_arrow = is_open is not None and arrow - 3.0 <= mouse_x < arrow + 0.9 * font
            if on_arrow and not self.rows.query:
                self._set_open(node_id, not is_open, imgui.get_io().key_shift)
            elif not imgui.is_mouse_double_clicked(0):
                self._click(row, node_id)
            elif self._editor.read_only is None and left <= mouse_x < left + imgui.calc_text_size(fits).x:
                self._rename.begin(node_id, str(self._editor.scene.names[node_id]))
            else:
                self._frame_selection()
        imgui.pop_id()

    def _draw_flag(self, row: int, column: str, corner: tuple[float, float], row_is_hovered: bool, color: int) -> bool:
        """Draw the icon of a flag that is set or hovered; toggle it on a click, and return whether it was clicked."""
        scene, nodes = self._editor.scene, self._nodes_of(row)
        is_set = bool(getattr(scene, column)[nodes].any())
        if not (is_set or row_is_hovered):
            return False
        set_icon, other_icon, verbs = _FLAGS[column]
        size = imgui.get_text_line_height()
        imgui.get_window_draw_list().add_text(corner, color, set_icon if is_set else other_icon)
        near = imgui.is_mouse_hovering_rect(corner, (corner[0] + size, corner[1] + size))
        if not (near and imgui.is_mouse_released(0) and imgui.is_window_hovered()):
            return False
        ids = self._editor.selected_ids if self._is_selected(row) else np.array(nodes[:1])
        what = scene.names[self.rows.ids[row]] if len(ids) == 1 else f"{len(ids):,} objects"
        label = f"{verbs[is_set]} {what}"
        self._editor.do(change_nodes(scene, np.union1d(ids, nodes), label=label, **{column: not is_set}))
        return True

    def _draw_drag(self, node_id: int) -> None:
        """Make the row a source and target of drags; the target becomes the parent, near its edges the neighbour."""
        if imgui.begin_drag_drop_source(imgui.DragDropFlags_.source_no_preview_tooltip):
            imgui.set_drag_drop_payload_py_id(_PAYLOAD, node_id)
            imgui.end_drag_drop_source()
        if imgui.begin_drag_drop_target():
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            share = (imgui.get_mouse_pos().y - low.y) / max(high.y - low.y, 1.0)
            is_beside = not _EDGE <= share <= 1.0 - _EDGE
            flags = imgui.DragDropFlags_.none
            if is_beside:
                flags = imgui.DragDropFlags_.accept_no_draw_default_rect
                y, color = low.y if share < 0.5 else high.y, imgui.get_color_u32(imgui.Col_.drag_drop_target)
                imgui.get_window_draw_list().add_line((low.x, y), (high.x, y), color, 2.0)
            payload = imgui.accept_drag_drop_payload_py_id(_PAYLOAD, flags)
            if payload is not None:
                dragged, editor = payload.data_id, self._editor
                chosen = editor.selected_ids if self._is_selected(self.rows.row_of(dragged)) else np.array([dragged])
                if is_beside:
                    editor.run_on_nodes(chosen, editing.place_beside, node_id, after=share > 0.5)
                else:
                    editor.run_on_nodes(with_whole_files(editor.scene, chosen), editing.reparent, node_id)
                    self.rows.set_open([node_id], True)
            imgui.end_drag_drop_target()

    def _set_open(self, node_id: int, is_open: bool, all_below: bool) -> None:
        if all_below:
            self.rows.set_open_below(node_id, is_open)
        else:
            self.rows.set_open([node_id], is_open)

    def _select(self, ids: np.ndarray | list[int]) -> None:
        """Select nodes without scrolling to them."""
        self._editor.select(ids)
        self._selection = self._editor.selected_ids

    def _click(self, row: int, node_id: int) -> None:
        io, selection = imgui.get_io(), self._editor.selected_ids
        anchor_row = self.rows.row_of(self._anchor) if self._anchor >= 0 else -1
        if io.key_shift and anchor_row >= 0:
            reached = self.rows.between(anchor_row, row)
            if io.key_ctrl:
                reached = np.concatenate((selection[~np.isin(selection, reached)], reached))
            self._select(np.concatenate((reached[reached != node_id], [node_id])))
            return
        self._anchor = node_id
        if not io.key_ctrl:
            self._select([node_id])
        elif self._is_selected(row):
            self._select(selection[~np.isin(selection, self._nodes_of(row))])
        else:
            self._select(np.append(selection, node_id))

    def _follow_keys(self) -> None:
        rows, selection = self.rows, self._editor.selected_ids
        if not len(selection) or not len(rows):
            return
        node_id = int(selection[-1])
        row = rows.row_of(node_id)
        for key, step in ((imgui.Key.down_arrow, 1), (imgui.Key.up_arrow, -1)):
            if imgui.is_key_pressed(key) and not imgui.get_io().key_ctrl and 0 <= row + step < len(rows):
                self._click(row + step, int(rows.ids[row + step]))
                self._show_row_of = int(rows.ids[row + step])
        if row >= 0 and not rows.query and rows.has_children[row]:
            for key, is_open in ((imgui.Key.right_arrow, True), (imgui.Key.left_arrow, False)):
                if imgui.is_key_pressed(key) and bool(rows.open[node_id]) != is_open:
                    self._set_open(node_id, is_open, imgui.get_io().key_shift)
                    rows.update()
                    return
        if row >= 0 and imgui.is_key_pressed(imgui.Key.left_arrow):
            parent = int(self._editor.scene.parents[rows.tops[row]])
            if parent >= 0:
                self._select([parent])
                self._anchor = self._show_row_of = parent
