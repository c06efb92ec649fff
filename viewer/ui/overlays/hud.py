"""Hud: statistics, progress, messages and a tool's rows over the picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from imgui_bundle import imgui, imgui_ctx

from octoscope.viewer.editing.log import LogEntry
from octoscope.viewer.ui.imgui.docking import Area, free_corner
from octoscope.viewer.ui.imgui.items import item, sentence, sentence_case
from octoscope.viewer.ui.imgui.theme import Theme, with_opacity
from octoscope.viewer.ui.imgui.windows import begin_over_picture
from octoscope.viewer.ui.overlays.statistics import FrameStatistics, draw_rows, draw_statistics
from octoscope.viewer.ui.overlays.viewport_labels import ViewportLabel, draw_viewport_labels

Rows = list[tuple[str, str]]
_MARGIN = 10.0
_MOST_MESSAGES = 8
_MESSAGE_WIDTH = 620.0  # logical pixels; longer ones are wrapped
# For a CornerBox: shares across and down.
_CORNERS = ((1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (1.0, 0.5), (0.0, 0.5))
_LEAST_MESSAGE_WIDTH = 260.0  # beside what is at the left; with less room, below it


@dataclass(frozen=True)
class CornerBox:
    """The contents of the box."""

    rows: Rows
    # x, y of points that the box does not cover, fractions of the picture's width and height
    free: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class HudState:
    """The contents of the overlays."""

    statistics: FrameStatistics | None
    status: str | None
    # text and fraction that is done (None: unknown), or None if nothing takes long
    loading: tuple[str, float | None] | None
    toasts: Sequence[LogEntry]
    corner_box: CornerBox | None = None
    viewports: Sequence[ViewportLabel] = ()
    # what is drawn in the corners of viewports, which toasts and statistics stay beside or below, logical pixels
    corners: Sequence[Area] = ()
    free_size: tuple[float, float] = (math.inf, math.inf)  # of the picture beside rulers, logical pixels
    is_empty: bool = False  # whether the scene is empty and nothing is being read; then the start box is shown
    cancel: Callable[[], object] = lambda: None  # ends what takes long
    dismiss: Callable[[], object] = lambda: None  # removes the toasts
    can_take: Callable[[tuple[str, str]], bool] = lambda offer: True  # whether a toast's offer can be taken now
    take: Callable[[LogEntry], object] = lambda entry: None  # takes the offer of a toast


class Hud:
    """Draws over the picture."""

    def __init__(self) -> None:
        self.areas: list[Area] = []  # of the window that took the mouse in the last frame
        # Those and the toolbar's, but for messages, from the picture's corner.
        self.lasting: list[Area] = []
        self.corner_box = Area(0.0, 0.0, 0.0, 0.0)  # where that was last, which leaves the mouse to the picture
        self._margin = _MARGIN
        self._statistics_width = 0.0  # in the last frame
        self.reads_toasts = False  # whether the mouse was over the messages in the last frame

    def draw(
        self,
        state: HudState,
        theme: Theme,
        picture: Area,
        scale: float,
        *,
        toolbar: Area | None = None,
        is_short: bool = False,
    ) -> None:
        """Draw over the picture; `is_short` leaves the sum of all times of the statistics."""
        self.areas, self.reads_toasts = [], False
        whole, (width, height) = picture, state.free_size
        right, bottom = min(whole.right, whole.left + width), min(whole.bottom, whole.top + height)
        picture = replace(whole, right=right, bottom=bottom)
        left = 0.0 if toolbar is None else toolbar.right - picture.left
        none = Area(picture.size[0], 0.0, picture.size[0], 0.0)
        upper = [area for area in state.corners if area.top == min(each.top for each in state.corners)]
        corner = max(upper, key=lambda area: area.right, default=none)
        first = min((area for area in upper if area.left > left), key=lambda area: area.left, default=corner)
        self._margin = _MARGIN * scale
        if state.loading is not None:
            self._draw_loading(*state.loading, state.cancel, picture, scale)
        if state.status is not None:
            begin_over_picture("status", picture.grown(-self._margin).corner(0.0, 1.0), (0.0, 1.0))
            imgui.text(state.status)
            self._end()
        beside = None
        if state.statistics is not None:
            self._draw_statistics(state.statistics, theme, picture, left, first, is_short=is_short)
            beside = self.areas[-1]
        free = replace(picture, left=picture.left + left)
        below = replace(free, top=free.top + corner.bottom)
        lasting = [*self.areas, *([toolbar] if toolbar else [])]
        self.lasting = [area.moved(-picture.left, -picture.top) for area in lasting]
        if state.toasts:
            self._draw_toasts(state, theme, below, scale, beside)
        covered = [*self.areas, *([toolbar] if toolbar else [])]
        if state.corner_box is not None and state.corner_box.rows:
            points = [whole.corner(*point) for point in state.corner_box.free]
            others = [*self.areas, corner.moved(picture.left, picture.top)]
            others += [Area(*point, *point).grown(self._margin) for point in points]
            self._draw_corner_box(state.corner_box.rows, others, theme, free)
            covered.append(self.corner_box)
        draw_viewport_labels(state.viewports, theme, whole, scale, covered, counts=beside is not None)

    def _end(self) -> None:
        self.areas.append(Area.of_window())
        imgui.end()

    def _draw_statistics(
        self, statistics: FrameStatistics, theme: Theme, picture: Area, left: float, corner: Area, *, is_short: bool
    ) -> None:
        """Draw them at the top, or below what lies in the upper right corner if they reach that far."""
        width = corner.left - left - self._margin
        top = picture.top + (self._margin if self._statistics_width <= width else corner.bottom)
        # Two windows: a single one would keep its old size for one more frame.
        begin_over_picture("statistics sum" if is_short else "statistics", (picture.left + left + self._margin, top))
        draw_statistics(statistics, theme, picture.bottom - top - 2.0 * self._margin, is_short=is_short)
        self._end()
        self._statistics_width = self.areas[-1].size[0]

    def _draw_corner_box(self, rows: Rows, others: Sequence[Area], theme: Theme, free: Area) -> None:
        """Draw rows in a corner beside other areas, labels above the texts if it is narrow; clicks go through it."""
        room, inside = free.size[0], free.grown(-self._margin)
        corner = free_corner(inside, self.corner_box.size, others, _CORNERS)
        begin_over_picture("corner box", inside.corner(*corner), corner, imgui.WindowFlags_.no_inputs)
        gap = 4.0 * imgui.get_style().cell_padding.x + 2.0 * (imgui.get_style().window_padding.x + self._margin)
        widths = [max(imgui.calc_text_size(row[column]).x for row in rows) for column in (0, 1)]
        if sum(widths) + gap <= room:
            draw_rows(rows, theme)
        else:
            for label, text in rows:
                imgui.text_colored(theme.quiet, sentence_case(label))
                if imgui.calc_text_size(label).x + imgui.calc_text_size(text).x + gap <= room:
                    imgui.same_line()
                imgui.text(text)
        self.corner_box = Area.of_window()
        imgui.end()

    def _draw_loading(
        self, text: str, fraction: float | None, cancel: Callable[[], object], picture: Area, scale: float
    ) -> None:
        middle = (picture.left + picture.right) / 2.0
        begin_over_picture("loading", (middle, picture.bottom - self._margin), (0.5, 1.0))
        imgui.text(sentence(text))
        if fraction is None:
            fraction = -imgui.get_time()  # draws a bar without a fraction
        imgui.progress_bar(fraction, (min(320.0 * scale, picture.size[0] - 120.0), 0.0))
        imgui.same_line()
        if imgui.small_button("Cancel"):
            cancel()
        self._end()

    def _draw_toasts(self, state: HudState, theme: Theme, picture: Area, scale: float, beside: Area | None) -> None:
        """Draw messages at the right, or below what is at the left if both do not fit side by side."""
        toasts = state.toasts
        # Not shortened: a message begins with the file and ends with what to do.
        wrap = max(120.0, min(_MESSAGE_WIDTH * scale, picture.size[0] - 4.0 * self._margin))
        width = max(imgui.calc_text_size(sentence(entry.text)).x for entry in toasts[-_MOST_MESSAGES:])
        top = picture.top
        if beside is not None:
            room = picture.right - beside.right - 2.0 * (imgui.get_style().window_padding.x + self._margin)
            if room >= _LEAST_MESSAGE_WIDTH * scale:
                wrap = min(wrap, room)
            elif room < min(wrap, width):
                top = max(top, beside.bottom)
        colors = {"error": theme.error, "warning": theme.warm, "info": theme.text}
        imgui.push_style_color(imgui.Col_.border, with_opacity(colors[toasts[-1].level], 0.6))
        begin_over_picture("toasts", (picture.right - self._margin, top + self._margin), (1.0, 0.0))
        with imgui_ctx.push_text_wrap_pos(wrap):
            for entry in toasts[-_MOST_MESSAGES:]:
                imgui.text_colored(colors[entry.level], sentence(entry.text))
                if entry.offer and state.can_take(entry.offer) and imgui.small_button(item(*entry.offer)):
                    state.take(entry)
        if len(toasts) > _MOST_MESSAGES:
            imgui.text_colored(theme.quiet, f"And {len(toasts) - _MOST_MESSAGES} more, in the log")
        stays = any(entry.level != "info" for entry in toasts)
        if stays and imgui.small_button("Dismiss"):
            state.dismiss()
        self.reads_toasts = imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item)
        self._end()
        imgui.pop_style_color()
