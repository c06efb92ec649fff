"""The heads-up panels over the picture: counts and times, status line, key sheet, loading, messages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from viewer.commands import Command
from viewer.view import View, counts_text

_PANEL = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_move
)
_MARGIN = 10.0
_QUIET = imgui.ImVec4(0.62, 0.66, 0.72, 1.0)
_WARM = imgui.ImVec4(1.0, 0.72, 0.30, 1.0)
_MOST_MESSAGES = 8
_MESSAGE_WIDTH = 620.0  # logical pixels; longer ones go on in the next line


@dataclass(frozen=True)
class Figures:
    """What the heads-up panel shows.

    Attributes:
        counts: (label, text) rows. times_ms: (stage, milliseconds) rows below them; NaN is not known yet.
        switches: (key, what it switches, whether it is on).
    """

    counts: Sequence[tuple[str, str]]
    times_ms: Sequence[tuple[str, float]]
    switches: Sequence[tuple[str, str, bool]]


@dataclass(frozen=True)
class HudState:
    """What the panels show.

    Attributes:
        figures: the heads-up panel, or None when it is hidden.
        status: the line at the bottom, about the selection.
        loading: text and fraction done, or None when nothing is loading.
        messages: what went wrong or was skipped, one line each; until dismissed.
        key_sheet: (keys, what they do) rows of the key sheet, or None when it is hidden.
    """

    figures: Figures | None
    status: str
    loading: tuple[str, float] | None
    messages: Sequence[str]
    key_sheet: Sequence[tuple[str, str]] | None


def figures_of(view: View, draw_calls: int, commands: Sequence[Command]) -> Figures:
    """The counts and times of a view's last frame, and how the commands that switch something stand."""
    stats = view.stats
    return Figures(
        counts=(
            ("drawn", f"{stats.drawn:,} of {stats.objects:,} objects"),
            ("triangles", f"{stats.triangles:,}"),
            *((name, f"{count:,}") for name, count in (("lines", stats.lines), ("points", stats.points)) if count),
            ("draw calls", f"{draw_calls:,}"),
            ("nodes visited", f"{stats.nodes_visited:,}"),
            ("spheres tested", f"{stats.spheres_tested:,}"),
            ("lens", "orthographic" if view.camera.orthographic else "perspective"),
        ),
        times_ms=tuple(view.times.medians_ms().items()),
        switches=[
            (command.shown, command.switch[0], command.switch[1]())
            for command in commands
            if command.switch is not None
        ],
    )


def status_of(view: View) -> str:
    """The status line: what is selected, or how to."""
    if len(view.selected_ids) == 0:
        return "click an object to select it    F1: keys"
    node_id = int(view.selected_ids[0])
    scene = view.scene
    mesh_id = scene.mesh_ids[node_id]
    rows = scene.meshes.rows
    counts = [int(rows[f"{name}_count"][mesh_id]) if mesh_id >= 0 else 0 for name in ("triangle", "line", "point")]
    return f"{scene.path_of(node_id)}    {counts_text(*counts)}"


@dataclass(frozen=True)
class HudAnswers:
    """What the person did with the panels.

    Attributes:
        dismissed: the messages. cancelled: the loading.
    """

    dismissed: bool
    cancelled: bool


class Hud:
    """Draws the panels and knows where they are."""

    def __init__(self) -> None:
        self._rectangles: list[tuple[float, float, float, float]] = []

    def covers(self, point: tuple[float, float]) -> bool:
        """Whether a panel of the last drawing lies over a point, logical pixels from the top left."""
        return any(x0 <= point[0] < x1 and y0 <= point[1] < y1 for x0, y0, x1, y1 in self._rectangles)

    def draw(self, state: HudState, size: tuple[int, int]) -> HudAnswers:
        """Lay the panels out in a window of this logical size, between new_frame and render."""
        self._rectangles = []
        if state.figures and state.key_sheet is None:  # in a small window they would lie over each other
            self._draw_figures(state.figures)
        self._draw_status(state, size)
        cancelled = state.loading is not None and self._draw_loading(*state.loading, size)
        dismissed = bool(state.messages) and self._draw_messages(state.messages, size)
        if state.key_sheet is not None:
            self._draw_key_sheet(state.key_sheet, size)
        return HudAnswers(dismissed, cancelled)

    def _begin(
        self, name: str, place: tuple[float, float], pivot: tuple[float, float] = (0.0, 0.0), *, opacity: float = 0.72
    ) -> None:
        imgui.set_next_window_pos(place, imgui.Cond_.always, pivot)
        imgui.set_next_window_bg_alpha(opacity)
        imgui.begin(name, None, _PANEL)

    def _end(self) -> None:
        position, size = imgui.get_window_pos(), imgui.get_window_size()
        self._rectangles.append((position.x, position.y, position.x + size.x, position.y + size.y))
        imgui.end()

    def _draw_figures(self, figures: Figures) -> None:
        self._begin("figures", (_MARGIN, _MARGIN))
        times = [(stage, "-" if math.isnan(ms) else f"{ms:.2f} ms") for stage, ms in figures.times_ms]
        for rows in (figures.counts, times):
            if imgui.begin_table("rows", 2, imgui.TableFlags_.sizing_fixed_fit):
                for label, text in rows:
                    imgui.table_next_row()
                    imgui.table_next_column()
                    imgui.text_colored(_QUIET, label)
                    imgui.table_next_column()
                    imgui.text(text)
                imgui.end_table()
            imgui.separator()
        for key, what, on in figures.switches:
            imgui.text_colored(_WARM if on else _QUIET, f"[{key}] {what} {'on' if on else 'off'}")
        self._end()

    def _draw_status(self, state: HudState, size: tuple[int, int]) -> None:
        self._begin("status", (_MARGIN, size[1] - _MARGIN), (0.0, 1.0))
        imgui.text(state.status)
        self._end()

    def _draw_loading(self, text: str, fraction: float, size: tuple[int, int]) -> bool:
        self._begin("loading", (size[0] / 2.0, size[1] - _MARGIN), (0.5, 1.0))
        imgui.text(text)
        imgui.progress_bar(fraction, (320.0, 0.0))
        imgui.same_line()
        cancelled = imgui.small_button("cancel")
        self._end()
        return cancelled

    def _draw_messages(self, messages: Sequence[str], size: tuple[int, int]) -> bool:
        self._begin("messages", (size[0] - _MARGIN, _MARGIN), (1.0, 0.0))
        # Never cut: a message begins with the file and ends with what to do.
        imgui.push_text_wrap_pos(min(_MESSAGE_WIDTH, size[0] - 4.0 * _MARGIN))
        for message in messages[:_MOST_MESSAGES]:
            imgui.text_colored(_WARM, message)
        imgui.pop_text_wrap_pos()
        if len(messages) > _MOST_MESSAGES:
            imgui.text_colored(_QUIET, f"and {len(messages) - _MOST_MESSAGES} more, on standard error")
        dismissed = imgui.small_button("dismiss")
        self._end()
        return dismissed

    def _draw_key_sheet(self, rows: Sequence[tuple[str, str]], size: tuple[int, int]) -> None:
        self._begin("keys", (size[0] / 2.0, size[1] / 2.0), (0.5, 0.5), opacity=0.95)
        if imgui.begin_table("rows", 2, imgui.TableFlags_.sizing_fixed_fit):
            for keys, what in rows:
                imgui.table_next_row()
                imgui.table_next_column()
                imgui.text_colored(_WARM, keys)
                imgui.table_next_column()
                imgui.text(what)
            imgui.end_table()
        self._end()
