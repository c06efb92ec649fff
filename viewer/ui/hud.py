"""What lies over the picture: counts and times, loading, and what a person is still to read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from scene.selecting import with_all_below
from viewer.camera import view_name
from viewer.commands import CommandTable
from viewer.log import Entry
from viewer.ui.layout import Area
from viewer.ui.theme import Theme, with_opacity
from viewer.view import View, counts_text
from viewer.viewports import tiles

_PANEL = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_docking
)
_MARGIN = 10.0
_SWITCHES = ("octree.cells", "octree.culling", "octree.freeze")
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
    """What lies over the picture.

    Attributes:
        figures: counts and times, or None when they are hidden.
        status: a line at the bottom, or None where a bar below the picture has it.
        viewports: the parts of the picture, as fractions of its width and height, what each is called, and whether it
            is the active one; none where there is but one.
        loading: text and fraction done (None: nobody knows), or None when nothing takes long.
        toasts: what a person is still to read; until dismissed.
        measuring: (label, text) rows of the measuring tool, or None: it is off.
    """

    figures: Figures | None
    status: str | None
    loading: tuple[str, float | None] | None
    toasts: Sequence[Entry]
    measuring: Sequence[tuple[str, str]] | None = None
    viewports: Sequence[tuple[Area, str, bool]] = ()


def viewports_of(view: View) -> list[tuple[Area, str, bool]]:
    """As HudState has them, of a view's last picture."""
    if len(view.viewports) == 1:
        return []
    width, height = view.last_size
    return [
        (
            Area(part.x / width, part.y / height, (part.x + part.width) / width, (part.y + part.height) / height),
            view_name(viewport.camera) or ("orthographic" if viewport.camera.orthographic else "perspective"),
            viewport is view.active,
        )
        for viewport, part in zip(view.viewports, tiles(len(view.viewports), view.last_size), strict=True)
    ]


def figures_of(view: View, draw_calls: int, table: CommandTable) -> Figures:
    """The counts and times of a view's last frame, and how the commands that switch the octree stand."""
    stats = view.stats
    switches = [table[command_id] for command_id in _SWITCHES]
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
        switches=[(table.shown_keys(command), command.label.lower(), command.checked()) for command in switches],
    )


def name_of_selected(view: View) -> str:
    """The name of the object that was selected last, and how many others are; "" for none."""
    ids = view.selected_ids
    name = str(view.scene.names[ids[-1]]) if len(ids) else ""
    return f"{name} and {len(ids) - 1:,} more" if len(ids) > 1 else name


def status_of(view: View) -> str:
    """The status line: what is selected, or how to."""
    if len(view.selected_ids) == 0:
        return "click an object to select it"
    if len(view.selected_ids) > 1:
        return f"{len(view.selected_ids):,} objects selected"
    node_id = int(view.selected_ids[0])
    scene = view.scene
    is_group = scene.mesh_ids[node_id] < 0
    ids = with_all_below(scene, view.selected_ids) if is_group else view.selected_ids
    mesh_ids = scene.mesh_ids[ids]
    mesh_ids = mesh_ids[mesh_ids >= 0]
    objects = f"{len(mesh_ids):,} object" + ("s" if len(mesh_ids) != 1 else "") + ", " if is_group else ""
    rows = scene.meshes.rows
    counts = (int(rows[f"{name}_count"][mesh_ids].sum()) for name in ("triangle", "line", "point"))
    return f"{scene.path_of(node_id)}    {objects}{counts_text(*counts)}"


@dataclass(frozen=True)
class HudAnswers:
    """What the person did with it.

    Attributes:
        dismissed: the toasts. cancelled: the loading.
    """

    dismissed: bool
    cancelled: bool


class Hud:
    """Draws what lies over the picture.

    Attributes:
        areas: where it lay when it was drawn last.
    """

    def __init__(self) -> None:
        self.areas: list[Area] = []

    def draw(self, state: HudState, theme: Theme, picture: Area, scale: float) -> HudAnswers:
        """Lay it out over the picture's part of the window."""
        self.areas = []
        self._draw_viewports(state.viewports, theme, picture)
        cancelled = state.loading is not None and self._draw_loading(*state.loading, picture, scale)
        if state.status is not None:
            self._draw_status(state.status, picture)
        if state.measuring is not None:
            self._draw_measuring(state.measuring, theme, picture)
        dismissed = bool(state.toasts) and self._draw_toasts(state.toasts, theme, picture, scale)
        if state.figures is not None:
            self._draw_figures(state.figures, theme, picture)
        return HudAnswers(dismissed, cancelled)

    def _begin(
        self, name: str, place: tuple[float, float], pivot: tuple[float, float] = (0.0, 0.0), *, opacity: float = 0.72
    ) -> None:
        imgui.set_next_window_pos(place, imgui.Cond_.always, pivot)
        imgui.set_next_window_bg_alpha(opacity)
        imgui.begin(name, None, _PANEL)

    def _end(self) -> None:
        position, size = imgui.get_window_pos(), imgui.get_window_size()
        self.areas.append(Area(position.x, position.y, position.x + size.x, position.y + size.y))
        imgui.end()

    def _draw_viewports(self, viewports: Sequence[tuple[Area, str, bool]], theme: Theme, picture: Area) -> None:
        """A name in each viewport's lower left corner, and a frame about the active one."""
        draw = imgui.get_background_draw_list()
        width, height = picture.size
        for part, name, is_active in viewports:
            left, top = picture.left + part.left * width, picture.top + part.top * height
            right, bottom = picture.left + part.right * width, picture.top + part.bottom * height
            color = imgui.get_color_u32(imgui.ImVec4(*(theme.warm if is_active else theme.quiet)))
            draw.add_text((left + _MARGIN, bottom - _MARGIN - imgui.get_font_size()), color, name)
            if is_active:
                draw.add_rect((left + 0.5, top + 0.5), (right - 0.5, bottom - 0.5), color)

    def _draw_figures(self, figures: Figures, theme: Theme, picture: Area) -> None:
        self._begin("figures", (picture.left + _MARGIN, picture.top + _MARGIN))
        imgui.push_style_var(imgui.StyleVar_.cell_padding, (imgui.get_style().cell_padding.x, 0.0))
        imgui.push_style_var_y(imgui.StyleVar_.item_spacing, imgui.get_style().item_spacing.y * 0.6)
        times = [(stage, "-" if math.isnan(ms) else f"{ms:.2f} ms") for stage, ms in figures.times_ms]
        lines = len(figures.counts) + len(times) + len(figures.switches) + 2
        has_room = picture.size[1] - 3.0 * _MARGIN > lines * imgui.get_text_line_height_with_spacing()
        for rows in (figures.counts, *([times] if has_room else [])):
            _draw_rows(rows, theme)
            imgui.separator()
        for key, what, on in figures.switches:
            imgui.text_colored(theme.warm if on else theme.quiet, f"[{key}] {what} {'on' if on else 'off'}")
        imgui.pop_style_var(2)
        self._end()

    def _draw_measuring(self, rows: Sequence[tuple[str, str]], theme: Theme, picture: Area) -> None:
        self._begin("measuring", (picture.right - _MARGIN, picture.bottom - _MARGIN), (1.0, 1.0))
        _draw_rows(rows, theme)
        self._end()

    def _draw_status(self, status: str, picture: Area) -> None:
        self._begin("status", (picture.left + _MARGIN, picture.bottom - _MARGIN), (0.0, 1.0))
        imgui.text(status)
        self._end()

    def _draw_loading(self, text: str, fraction: float | None, picture: Area, scale: float) -> bool:
        middle = (picture.left + picture.right) / 2.0
        self._begin("loading", (middle, picture.bottom - _MARGIN), (0.5, 1.0), opacity=0.9)
        imgui.text(text)
        if fraction is None:
            fraction = -imgui.get_time()  # Dear ImGui's way to draw a bar that only moves
        imgui.progress_bar(fraction, (min(320.0 * scale, picture.size[0] - 120.0), 0.0))
        imgui.same_line()
        cancelled = imgui.small_button("cancel")
        self._end()
        return cancelled

    def _draw_toasts(self, toasts: Sequence[Entry], theme: Theme, picture: Area, scale: float) -> bool:
        colors = {"error": theme.error, "warning": theme.warm, "info": theme.text}
        imgui.push_style_color(imgui.Col_.border, with_opacity(colors[toasts[-1].level], 0.6))
        self._begin("toasts", (picture.right - _MARGIN, picture.top + _MARGIN), (1.0, 0.0), opacity=0.92)
        # Never cut: a message begins with the file and ends with what to do.
        imgui.push_text_wrap_pos(max(120.0, min(_MESSAGE_WIDTH * scale, picture.size[0] - 4.0 * _MARGIN)))
        for entry in toasts[-_MOST_MESSAGES:]:
            imgui.text_colored(colors[entry.level], entry.text)
        imgui.pop_text_wrap_pos()
        if len(toasts) > _MOST_MESSAGES:
            imgui.text_colored(theme.quiet, f"and {len(toasts) - _MOST_MESSAGES} more, in the log")
        dismissed = imgui.small_button("dismiss")
        self._end()
        imgui.pop_style_color()
        return dismissed


def _draw_rows(rows: Sequence[tuple[str, str]], theme: Theme) -> None:
    """A table of quiet labels and their texts."""
    if imgui.begin_table("rows", 2, imgui.TableFlags_.sizing_fixed_fit):
        for label, text in rows:
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.text_colored(theme.quiet, label)
            imgui.table_next_column()
            imgui.text(text)
        imgui.end_table()
