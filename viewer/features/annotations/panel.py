"""The panel of measurements and labels: a click looks at one, a button renames it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, imgui_ctx

from octoscope.scene.annotations.labels import Label, plain_text
from octoscope.scene.annotations.measurement import TITLES
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.annotations.annotation_list import Annotation, AnnotationList
from octoscope.viewer.features.annotations.label_field import LINES
from octoscope.viewer.ui.imgui.items import (
    button,
    continue_line,
    cut_text,
    empty_state,
    list_row,
    next_button,
    rows_in_sight,
    sentence_case,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.widgets.rename_field import RenameField

_FLAGS = imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_v | imgui.TableFlags_.pad_outer_x
_ROW_FLAGS = (
    imgui.SelectableFlags_.allow_double_click
    | imgui.SelectableFlags_.span_all_columns
    | imgui.SelectableFlags_.allow_overlap
)
_ADD = f"{icons.ICON_FA_TAG}  Add label"
_WIDE = 34.0  # font sizes of a panel with room for the kinds, and for a button for each act


class AnnotationsPanel:
    """A row for each measurement and label, of which only those on the screen are drawn."""

    id, title, place, keys, starts_open = "annotations", "Measurements and labels", "bottom", ("Ctrl+0",), False

    def __init__(self, context: Context, annotations: AnnotationList) -> None:
        self._context = context
        self._annotations = annotations
        self._rename = RenameField[Annotation]()

    def draw(self, theme: Theme) -> None:
        """Draw buttons and rows."""
        rows = self._annotations.all
        if not rows:
            text = "Measurements and labels are listed here: a label is a text at a point of an object."
            if empty_state(theme, icons.ICON_FA_RULER, text, _ADD):
                self._context.run("tools.add_label")
            return
        self._draw_head(theme, len(rows))
        height = imgui.get_frame_height_with_spacing()
        is_wide = imgui.get_content_region_avail().x >= _WIDE * imgui.get_font_size()
        if not imgui.begin_table("annotations", 4, _FLAGS):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        imgui.table_setup_column("Name", imgui.TableColumnFlags_.width_stretch)
        fixed = imgui.TableColumnFlags_.width_fixed  # as wide as what they hold: names are cut
        imgui.table_setup_column("Value", fixed)
        imgui.table_setup_column("Kind", fixed if is_wide else fixed | imgui.TableColumnFlags_.disabled)
        imgui.table_setup_column("##buttons", fixed)
        imgui.table_headers_row()
        act: Callable[[], object] | None = None
        for place in rows_in_sight(len(rows), height):
            imgui.table_next_row(0, height)
            with imgui_ctx.push_id(str(place)):
                act = self._draw_row(theme, rows[place], is_wide=is_wide) or act
        imgui.end_table()
        if act is not None:  # once the rows are drawn: it changes them
            act()

    def _draw_head(self, theme: Theme, count: int) -> None:
        run = self._context.run
        if imgui.button(_ADD):
            run("tools.add_label")
        if next_button("CSV", "csv", "write all to a file"):
            run("file.export_annotations")
        text = f"{count:,} {'row' if count == 1 else 'rows'}"
        continue_line(imgui.calc_text_size(text).x)
        imgui.text_colored(theme.quiet, text)

    def _draw_row(self, theme: Theme, each: Annotation, *, is_wide: bool) -> Callable[[], object] | None:
        """Draw one row; return what was asked for."""
        annotations = self._annotations
        act: Callable[[], object] | None = None
        color = theme.text if each.is_shown else theme.quiet
        imgui.table_set_column_index(0)
        if each is self._rename.row:
            new_name = self._rename.draw(lines=LINES if isinstance(each, Label) else 1)
            act = None if new_name is None else partial(annotations.rename, each, new_name)
        else:
            name = annotations.name(each) if not isinstance(each, Label) else plain_text(each.text)
            if list_row("##row", False, flags=_ROW_FLAGS, size=(0.0, imgui.get_frame_height())):
                act = partial(annotations.go, each)
                if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
                    act = partial(self._rename.begin, each, annotations.name(each))
            imgui.open_popup_on_item_click("acts")
            imgui.same_line(0.0, 0.0)
            imgui.align_text_to_frame_padding()
            cut_text(printable(name) or "(no name)", color if name else theme.quiet)
        kind = sentence_case(TITLES.get(annotations.kind(each), "label"))
        for column, text, its_color in ((1, annotations.value(each), color), (2, kind, theme.quiet)):
            if imgui.table_set_column_index(column):
                imgui.align_text_to_frame_padding()
                imgui.text_colored(its_color, text)
        imgui.table_set_column_index(3)
        return self._draw_acts(each, is_wide=is_wide) or act

    def _draw_acts(self, each: Annotation, *, is_wide: bool) -> Callable[[], object] | None:
        """Draw the acts on one as buttons, as far as there is room, and as a menu; return the one that was chosen."""
        annotations = self._annotations
        acts: list[tuple[str, str, Callable[[], object]]] = [
            (
                icons.ICON_FA_EYE if each.is_shown else icons.ICON_FA_EYE_SLASH,
                "Hide" if each.is_shown else "Show",
                partial(annotations.set_shown, each, is_shown=not each.is_shown),
            ),
            (icons.ICON_FA_PEN, "Rename", partial(self._rename.begin, each, annotations.name(each))),
            (icons.ICON_FA_COPY, "Copy", lambda: self._context.copy(annotations.bare(each))),
            (icons.ICON_FA_TRASH, "Remove", partial(annotations.remove, each)),
        ]
        if isinstance(each, Label):
            acts.append((icons.ICON_FA_VIDEO, "Use the present view", partial(annotations.set_camera, each)))
        chosen: Callable[[], object] | None = None
        for icon, label, act in acts if is_wide else acts[:1]:
            if button(icon, label):
                chosen = act
            imgui.same_line()
        if not is_wide and imgui.button(icons.ICON_FA_ELLIPSIS):
            imgui.open_popup("acts")
        if imgui.begin_popup("acts"):
            for icon, label, act in acts:
                if imgui.menu_item_simple(f"{icon}  {label}"):
                    chosen = act
            imgui.end_popup()
        return chosen
