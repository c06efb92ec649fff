"""The panel of measurements and labels: a click looks at one, a button renames it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene.annotations.labels import Label, plain_text
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.annotations.annotation_list import Annotation, AnnotationList
from octoscope.viewer.ui.imgui.items import button_width, continue_line, cut_text, empty_state, item_tooltip, list_row
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.widgets.rename_field import RenameField

_FLAGS = imgui.TableFlags_.resizable | imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_v
_ROW_FLAGS = imgui.SelectableFlags_.allow_double_click
_ADD = f"{icons.ICON_FA_TAG}  Add label"
_BUTTONS = 5  # of a row at most


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
        if not imgui.begin_table("annotations", 4, _FLAGS):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        room = _BUTTONS * (button_width(icons.ICON_FA_TRASH) + imgui.get_style().item_spacing.x)
        imgui.table_setup_column("Name", imgui.TableColumnFlags_.width_stretch, 3.0)
        imgui.table_setup_column("Kind", imgui.TableColumnFlags_.width_stretch, 1.0)
        imgui.table_setup_column("Value", imgui.TableColumnFlags_.width_stretch, 1.2)
        imgui.table_setup_column("##buttons", imgui.TableColumnFlags_.width_fixed, room)
        imgui.table_headers_row()
        clipper = imgui.ListClipper()
        clipper.begin(len(rows), height)
        act: Callable[[], object] | None = None
        while clipper.step():
            for place in range(clipper.display_start, clipper.display_end):
                imgui.table_next_row(0, height)
                imgui.push_id(place)
                act = self._draw_row(theme, rows[place]) or act
                imgui.pop_id()
        clipper.end()
        imgui.end_table()
        if act is not None:  # once the rows are drawn: it changes them
            act()

    def _draw_head(self, theme: Theme, count: int) -> None:
        run = self._context.run
        if imgui.button(_ADD):
            run("tools.add_label")
        continue_line(button_width("CSV"))
        if imgui.button("CSV"):
            run("file.export_annotations")
        item_tooltip("write all to a file")
        text = f"{count:,} {'row' if count == 1 else 'rows'}"
        continue_line(imgui.calc_text_size(text).x)
        imgui.text_colored(theme.quiet, text)

    def _draw_row(self, theme: Theme, each: Annotation) -> Callable[[], object] | None:
        """Draw one row; return what was asked for."""
        annotations = self._annotations
        act: Callable[[], object] | None = None
        color = theme.text if each.is_shown else theme.quiet
        imgui.table_set_column_index(0)
        if each is self._rename.row:
            new_name = self._rename.draw()
            act = None if new_name is None else partial(annotations.rename, each, new_name)
        else:
            name = annotations.name(each) if not isinstance(each, Label) else plain_text(each.text)
            if list_row("##row", False, flags=_ROW_FLAGS, size=(0.0, imgui.get_frame_height())):
                act = partial(annotations.go, each)
                if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
                    act = partial(self._rename.begin, each, annotations.name(each))
            imgui.same_line(0.0, 0.0)
            imgui.align_text_to_frame_padding()
            cut_text(printable(name) or "(no name)", color if name else theme.quiet)
        for column, text in ((1, annotations.kind(each)), (2, annotations.value(each))):
            imgui.table_set_column_index(column)
            imgui.align_text_to_frame_padding()
            cut_text(text, theme.quiet if column == 1 else color)
        imgui.table_set_column_index(3)
        return self._draw_buttons(each) or act

    def _draw_buttons(self, each: Annotation) -> Callable[[], object] | None:
        annotations = self._annotations
        eye = icons.ICON_FA_EYE if each.is_shown else icons.ICON_FA_EYE_SLASH
        shown = "hide it" if each.is_shown else "show it"
        buttons: list[tuple[str, str, Callable[[], object]]] = [
            (eye, shown, partial(annotations.set_shown, each, is_shown=not each.is_shown)),
            (
                icons.ICON_FA_PEN,
                "rename it, or double-click its name",
                partial(self._rename.begin, each, annotations.name(each)),
            ),
            (icons.ICON_FA_COPY, "copy it", lambda: self._context.copy(annotations.bare(each))),
            (icons.ICON_FA_TRASH, "remove it", partial(annotations.remove, each)),
        ]
        if isinstance(each, Label):
            hint = "look at it from where the view is now"
            buttons.append((icons.ICON_FA_VIDEO, hint, partial(annotations.set_camera, each)))
        act: Callable[[], object] | None = None
        for place, (icon, hint, do) in enumerate(buttons):
            if place:
                imgui.same_line()
            if imgui.button(icon):
                act = do
            item_tooltip(hint)
        return act
