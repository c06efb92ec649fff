"""FindingsPanel: a row for each finding of a search; a click shows where it is, and buttons go through them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.editing.findings import Findings
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.items import (
    button,
    button_width,
    continue_line,
    cut_text,
    empty_state,
    item,
    item_tooltip,
    list_row,
    next_button,
    rows_in_sight,
)
from octoscope.viewer.ui.imgui.theme import Theme

_FLAGS = (
    imgui.TableFlags_.resizable
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.borders_inner_v
    | imgui.TableFlags_.pad_outer_x
)


class FindingsPanel(ABC):
    """Only the visible rows are drawn.

    Attributes of derived classes:
        columns: title, share of the width and tooltip of each column; the last one is drawn quietly.
        find_command: id and tooltip of the command that searches.
        noun: what a finding is called in the ids of the commands that go through them (commands.findings).
        purpose: a sentence of what is found, before the first search.
        none: one for a list that is empty after a search.
    """

    columns: Sequence[tuple[str, float, str]]
    find_command: tuple[str, str]
    noun: str
    purpose: str
    none: str

    def __init__(self, findings: Findings, run: Callable[[str], object]) -> None:
        self._findings = findings
        self._run = run  # a command by its id
        self._seen = -1  # place of the finding that was shown in the last frame

    @abstractmethod
    def _texts(self, row: int) -> Sequence[str]:
        """Return the texts of a row, for each column."""

    def _about(self, row: int) -> str:
        """Return the tooltip of a row, or ""."""
        return ""

    @abstractmethod
    def _draw_choices(self, theme: Theme) -> None:
        """Draw what decides which findings are listed, on the line of the buttons."""

    def draw(self, theme: Theme) -> None:
        """Draw buttons and rows."""
        findings = self._findings
        findings.update()
        count = len(findings.nodes)
        if not (count or findings.has_searched):
            if empty_state(theme, icons.ICON_FA_MAGNIFYING_GLASS, self.purpose, "Find"):
                self._run(self.find_command[0])
            return
        self._draw_button("Find", *self.find_command)
        imgui.begin_disabled(count == 0)
        for text, command_id, hint in (
            (icons.ICON_FA_CHEVRON_LEFT, f"select.previous_{self.noun}", f"the {self.noun} before"),
            (icons.ICON_FA_CHEVRON_RIGHT, f"select.next_{self.noun}", f"the next {self.noun}"),
            ("Isolate", "select.isolate", "show only what is selected, or all again"),
            ("Ignore", f"select.ignore_{self.noun}", "not a fault: leave it out until the next search"),
        ):
            continue_line(button_width(text))
            self._draw_button(text, command_id, hint)
        if next_button("Select all", "select all", "all objects that are listed"):
            findings.select_all()
        imgui.end_disabled()
        self._draw_choices(theme)
        if findings.ignored_count and next_button(f"Show {findings.ignored_count:,} ignored", "ignored", ""):
            findings.show_ignored()
        if count or findings.scope:
            shown = f"{findings.place + 1:,} of " if findings.place >= 0 else ""
            text = f"{shown}{count:,} {self.noun}{'s' if count != 1 else ''}{findings.scope}"
            continue_line(imgui.calc_text_size(text).x)
            imgui.text_colored(theme.quiet, text)
        if not count:
            empty_state(theme, icons.ICON_FA_CIRCLE_CHECK, self.none)
        elif imgui.begin_table("findings", len(self.columns), _FLAGS):
            self._draw_table(theme)
            imgui.end_table()

    def _draw_button(self, text: str, command_id: str, hint: str) -> None:
        if button(item(text, command_id), hint):
            self._run(command_id)

    def _draw_table(self, theme: Theme) -> None:
        findings = self._findings
        imgui.table_setup_scroll_freeze(0, 1)
        for title, share, _ in self.columns:
            imgui.table_setup_column(title, imgui.TableColumnFlags_.width_stretch, share)
        imgui.table_next_row(imgui.TableRowFlags_.headers)
        for place, (title, _, hint) in enumerate(self.columns):
            imgui.table_set_column_index(place)
            imgui.table_header(title)
            item_tooltip(hint)
        height, shown = imgui.get_text_line_height_with_spacing(), findings.place
        if shown not in (self._seen, -1):
            imgui.set_scroll_y(max(0.0, (shown + 1.5) * height - imgui.get_window_height() / 2.0))
        self._seen = shown
        chosen = None
        for row in rows_in_sight(len(findings.nodes), height):
            imgui.table_next_row(0, height)
            imgui.table_set_column_index(0)
            if list_row(f"##{row}", row == shown, imgui.SelectableFlags_.span_all_columns):
                chosen = row
            item_tooltip(self._about(row))
            imgui.same_line(0.0, 0.0)
            for place, text in enumerate(self._texts(row)):
                imgui.table_set_column_index(place)
                if place == 0:
                    imgui.same_line(0.0, 0.0)
                cut_text(text, theme.quiet if place == len(self.columns) - 1 else theme.text)
        if chosen is not None:
            findings.look_at(chosen)
            self._seen = chosen


def show_marks(marks: Decoration, is_in_front: Callable[[], bool], picture: Area) -> None:
    """Have the marks of the finding that is shown drawn as long as the panel is in front; an overlay."""
    marks.is_shown = is_in_front()
