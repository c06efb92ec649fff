"""FrameStatistics: counts and times of the last frame over the picture, all of them or their sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.frame.view import View
from octoscope.viewer.ui.imgui.items import sentence_case
from octoscope.viewer.ui.imgui.theme import Theme


@dataclass(frozen=True)
class FrameStatistics:
    """The contents of the statistics."""

    summary: str
    counts: Sequence[tuple[str, str]]  # (label, text) rows
    times_ms: Sequence[tuple[str, float]]  # (stage, milliseconds) rows; NaN: not known yet
    switches: Sequence[tuple[str, str, bool]]  # (key, name, whether it is on)


def statistics_of(view: View, draw_calls: int, table: CommandTable, hidden: int = 0) -> FrameStatistics:
    """Return counts and times of a view's last frame, summed over viewports, and what the commands of drawing show."""
    each = [viewport.stats for viewport in view.viewports]
    objects, several = each[0].objects, len(each) > 1
    sums = {
        name: sum(getattr(stats, name) for stats in each)
        for name in ("drawn", "tiny", "triangles", "lines", "points", "nodes_visited", "spheres_tested")
    }
    drawn = f"{sums['drawn']:,} in {len(each)} views" if several else f"{sums['drawn']:,} of {objects:,} objects"
    lens = "orthographic" if view.camera.orthographic else "perspective"
    times_ms = view.times.medians_ms()
    switches = [each for each in table.commands if each.menu == "Octree" and each.checked and each.keys]
    if view.visibility.isolated_ids is not None:  # which hides most of a scene
        switches.append(table["select.isolate"])
    known_ms = {stage: ms for stage, ms in times_ms.items() if not math.isnan(ms)}
    at_once_ms = min(known_ms.get("render", 0.0), known_ms.get("card", 0.0))  # both happen at the same time
    return FrameStatistics(
        summary=f"{sum(known_ms.values()) - at_once_ms:.1f} ms",
        counts=(
            ("drawn", drawn),
            *([("too small", f"{sums['tiny']:,}")] if sums["tiny"] else []),
            *([("hidden", f"{hidden:,}")] if hidden else []),
            *([("objects", f"{objects:,}")] if several else []),
            *((name, f"{sums[name]:,}") for name in ("triangles", "lines", "points") if sums[name]),
            ("draw calls", f"{draw_calls:,}"),
            ("cells visited", f"{sums['nodes_visited']:,}"),
            ("spheres tested", f"{sums['spheres_tested']:,}"),
            *([] if several else [("lens", lens)]),
        ),
        times_ms=tuple(times_ms.items()),
        switches=[
            (", ".join(map(str, table.keys_of(command)[:1])), command.label.lower(), command.is_on)
            for command in switches
        ],
    )


def draw_statistics(statistics: FrameStatistics, theme: Theme, height: float, *, is_short: bool) -> None:
    """Draw as much as there is room for, or the summary alone."""
    if is_short:
        imgui.text(statistics.summary)
        return
    imgui.push_style_var(imgui.StyleVar_.cell_padding, (imgui.get_style().cell_padding.x, 0.0))
    imgui.push_style_var_y(imgui.StyleVar_.item_spacing, imgui.get_style().item_spacing.y * 0.6)
    times = [(stage, "-" if math.isnan(ms) else f"{ms:.2f} ms") for stage, ms in statistics.times_ms]
    lines = len(statistics.counts) + len(times) + len(statistics.switches) + 2
    has_room = height > lines * imgui.get_text_line_height_with_spacing()
    for rows in (statistics.counts, *([times] if has_room else [])):
        draw_rows(rows, theme)
        imgui.separator()
    for key, what, on in statistics.switches:
        imgui.text_colored(theme.warm if on else theme.quiet, f"[{key}] {what} {'on' if on else 'off'}")
    imgui.pop_style_var(2)


def draw_rows(rows: Sequence[tuple[str, str]], theme: Theme) -> None:
    """Draw a table of quiet labels and their texts."""
    if imgui.begin_table("rows", 2, imgui.TableFlags_.sizing_fixed_fit):
        for label, text in rows:
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.text_colored(theme.quiet, sentence_case(label))
            imgui.table_next_column()
            imgui.text(text)
        imgui.end_table()
