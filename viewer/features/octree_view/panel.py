"""The octree panel: which cells are drawn, how the tree is built, another tree beside it, and the last pictures."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from numpy.typing import ArrayLike

from octoscope.octree import Frustum
from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.octree.layout.slots import MAX_SPLIT_LEVEL
from octoscope.scene import SpatialIndex
from octoscope.scene.measuring import Lengths
from octoscope.scene.spatial.index_settings import PLACEMENTS, IndexSettings
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.jobs import JobKind, Jobs
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.features.octree_view.comparison import TreeComparison, TreeFigures
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.display import COLORINGS, VERDICT_COLORS, level_colors
from octoscope.viewer.features.octree_view.words import explained, meaning
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.stats import FrameStats
from octoscope.viewer.ui.imgui.docking import Area, free_corner
from octoscope.viewer.ui.imgui.items import (
    button_width,
    check_box,
    continue_check,
    continue_line,
    cut_text,
    item,
    item_tooltip,
    next_button,
    primary_button,
    radio_button,
    sentence_case,
    slider,
    small_gap,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.imgui.windows import begin_over_picture
from octoscope.viewer.ui.panels.inspector.rows import Headings, choice, fact, label, quiet

_LAST_PICTURES = 240
_MOST_LOOSE = 4.0
_MOST_CAPACITY = 256
_DEEPEST = 9  # that the slider goes to
_PLACEMENT_NAMES = {"cell": "smallest cell", "loose": "loose cell", "leaves": "every leaf it touches"}
_COLORING_NAMES = {"level": "level", "count": "number of objects", "cull": "last cull"}
_VERDICT_NAMES = {OUTSIDE: "outside", INTERSECTING: "cut by the border", INSIDE: "inside"}
_STEP_SECONDS = 0.1, 4.0  # of slow motion, at least and at most
_SWATCH = imgui.ColorEditFlags_.no_tooltip | imgui.ColorEditFlags_.no_drag_drop
_PLOT_HEIGHT = 2.6  # of the text's

Made = TypeVar("Made")


class OctreePanel:
    """Shows and changes what is drawn of the octree, and the octree itself."""

    id, title, place, keys, starts_open = "octree", "Octree", "right", ("Ctrl+7",), False

    def __init__(
        self, cells: OctreeCells, jobs: Jobs, run: Callable[[str], object], explain: Callable[[str], object]
    ) -> None:
        self.headings = Headings()
        self._cells = cells
        self._view = cells.view
        self._jobs = jobs
        self._run = run  # a command by its id
        self._explain = explain  # opens the guide at a section
        self._own = _SettingsFields("own", PLACEMENTS[:2])
        self._other = _SettingsFields("other", PLACEMENTS)
        self._other_settings = IndexSettings(placement="leaves")
        self._figures: tuple[TreeFigures, TreeFigures] | None = None
        self._has_new_figures = False  # since they were last drawn
        self._figures_revision = -1  # of the world
        self._figures_frustum: Frustum | None = None
        self._last_stats: FrameStats | None = None
        self._last_pictures: dict[str, deque[float]] = {
            name: deque(maxlen=_LAST_PICTURES) for name in ("objects drawn", "cells visited", "cull ms")
        }

    def draw(self, theme: Theme) -> None:
        """Draw the foldouts."""
        self._note_picture()
        if imgui.text_link("How an octree works"):
            self._run("octree.guide")
        item_tooltip("the page of the guide; words have tooltips, and a right click on one opens its section")
        for title, draw, section in (
            ("Cells", self._draw_display, "4-one-cell-for-each-sphere"),
            ("Slow motion", self._draw_walk, "in-slow-motion"),
            ("Tree", self._draw_tree, "5-loose-bounds"),
            ("Comparison", self._draw_comparison, "3-divide-beforehand"),
            ("Last pictures", self._draw_last_pictures, "6-ask-it"),
        ):
            top = imgui.get_cursor_screen_pos().y
            if self.headings.draw(title, theme, meaning(title)):
                draw(theme)
            is_over = imgui.is_window_hovered() and top <= imgui.get_mouse_pos().y < imgui.get_cursor_screen_pos().y
            if is_over and imgui.is_mouse_clicked(imgui.MouseButton_.right):
                self._explain(section)

    def _draw_display(self, theme: Theme) -> None:
        view, cells, display = self._view, self._cells, self._cells.display
        if explained(check_box("Show cells", cells.is_shown)[0], "show cells"):
            self._run("octree.cells")
        imgui.begin_disabled(not cells.is_shown)
        if explained(radio_button("Selection", not cells.shows_whole), "selection"):
            cells.shows_whole = False
        continue_check("Whole tree")
        if explained(radio_button("Whole tree", cells.shows_whole), "whole tree"):
            cells.shows_whole = True
        imgui.end_disabled()
        if cells.follows_selection:  # a line in any case, that nothing below moves
            name = None if cells.selected is None else printable(view.scene.names[view.selected_ids[-1]])
            cut_text("Nothing is selected: all cells" if name is None else f"The cell of {name}", theme.quiet)
        names = [_COLORING_NAMES[name] for name in COLORINGS]
        place = COLORINGS.index(display.coloring)
        index = choice(theme, "colour by", "coloring", place, names, meaning("colour by"))
        if index is not None:
            self._run(f"octree.color_{COLORINGS[index]}")
        self.draw_colors()
        deepest = view.index.stats().split_level
        label(theme, "levels", hint=meaning("levels"))
        imgui.set_next_item_width(-1.0)
        lowest, highest = (min(level, deepest) for level in (display.lowest_level, display.highest_level))
        changed, lowest, highest = imgui.drag_int_range2("##levels", lowest, highest, 0.05, 0, deepest)
        if changed:
            highest = MAX_SPLIT_LEVEL if highest >= deepest else highest
            cells.display = replace(display, lowest_level=max(0, lowest), highest_level=max(0, highest))
        for attribute, text in (("loose", "Loose bounds"), ("empty", "Empty cells")):
            if explained(check_box(item(text, attribute), getattr(display, attribute))[0], text):
                self._run(f"octree.{attribute}")
        if explained(check_box("Bounding spheres", view.settings.show_spheres)[0], "bounding spheres"):
            self._run("view.object_spheres")
        freeze = "Freeze the frustum" if view.visibility.frozen is None else "Release the frustum"
        if explained(imgui.button(item(freeze, "freeze")), "freeze the frustum"):
            self._run("octree.freeze")
        continue_line(button_width("Frame root"))
        if explained(imgui.button("Frame root"), "frame root"):
            self._run("octree.frame_root")

    def _draw_walk(self, theme: Theme) -> None:
        player = self._cells.player
        for place, (text, name) in enumerate((("Cull", "cull"), ("Ray", "ray"))):
            if place:
                continue_line(button_width(text))
            is_on = player.walk is not None and player.walk.title == name
            clicked = (partial(primary_button, theme) if is_on else imgui.button)(item(text, f"walk_{name}"))
            if clicked:
                self._run(f"octree.walk_{name}")
            if player.walk is None:  # else it would lie over what it explains
                explained(clicked, name)
        if player.is_outdated:
            continue_line(button_width("Stop"))
            if explained(imgui.button(item("Stop", "octree.walk_end")), "stop"):
                self._run("octree.walk_end")
            quiet(theme, "the scene has changed since")
        if player.walk is None:
            return
        plain = imgui.SliderFlags_.no_input  # the label says the number, as the grab would cover it
        label(theme, f"step {player.place + 1} of {player.last + 1}")
        imgui.set_next_item_width(-1.0)
        changed, number = slider("##step", player.place + 1, 1, player.last + 1, "", plain)
        if changed:
            player.place = round(number) - 1
        label(theme, f"{player.step_seconds:.1f} s a step", hint=meaning("speed"))
        imgui.set_next_item_width(-1.0)
        changed, seconds = slider("##speed", player.step_seconds, *_STEP_SECONDS, "", plain)
        if changed:
            player.step_seconds = seconds
        icon = icons.ICON_FA_PAUSE if player.is_playing else icons.ICON_FA_PLAY
        for text, command_id, hint in (
            (icons.ICON_FA_BACKWARD_STEP, "octree.walk_back", "step back"),
            (icon, "octree.walk_play", "play or pause"),
            (icons.ICON_FA_FORWARD_STEP, "octree.walk_next", "next step"),
            ("Record", "octree.walk_record", "all steps as an animated GIF"),
            ("Stop", "octree.walk_end", "look from where you were again"),
        ):
            if next_button(text, command_id, hint):
                self._run(command_id)
        if player.walk is None:  # a click on Stop has ended it
            return
        self._draw_legend([*VERDICT_COLORS.values()], player.walk.verdicts)

    def draw_colors(self) -> None:
        """Draw the legend of the cells."""
        display = self._cells.drawn
        if display.coloring == "cull":
            self._draw_legend([*VERDICT_COLORS.values()], _VERDICT_NAMES.values())
        elif display.coloring == "level":
            deepest = self._view.index.stats().split_level
            shown = range(display.lowest_level, min(display.highest_level, deepest) + 1)
            self._draw_legend(level_colors(shown), map(str, shown), "level of this colour")

    def _draw_legend(self, colors: ArrayLike, names: Iterable[str], word: str = "") -> None:
        """Draw colours, sRGB, as they are seen in the picture, with a name for each, which it or `word` explains."""
        seen = self._view.settings.shown_backdrop.seen(colors).tolist()
        for place, (color, name) in enumerate(zip(seen, names, strict=True)):
            if place:
                continue_line(imgui.calc_text_size(f"{icons.ICON_FA_SQUARE} {name}").x)
            side = imgui.get_text_line_height()
            imgui.color_button(f"##{name} {place}", [*color, 1.0], _SWATCH, (side, side))  # with a rim
            imgui.same_line(0.0, imgui.get_style().item_inner_spacing.x)
            imgui.text(sentence_case(name))
            item_tooltip(meaning(word or name))

    def _draw_tree(self, theme: Theme) -> None:
        index = self._view.index
        settings = self._own.draw(theme, index.settings, index.stats().split_level)
        if settings is not None:
            self._begin(partial(TreeComparison, index, settings), partial(self._build_by, settings))

    def _build_by(self, settings: IndexSettings, _: TreeComparison) -> None:
        """Build the scene's octree by other settings, whose kernels have run for a tree of their own before."""
        self._view.index.settings = settings
        self._view.redraw.request(Damage.SCENE)
        self._view.times.reset()

    def _begin(self, make: Callable[[], Made], then: Callable[[Made], object]) -> None:
        """Make trees beside the window: some kinds have to be compiled first, which takes seconds."""
        if not self._jobs.is_busy(JobKind.MEASURE):
            self._jobs.begin(JobKind.MEASURE, "building octrees", lambda _: make(), then)

    def _draw_comparison(self, theme: Theme) -> None:
        view, index = self._view, self._view.index
        changed = self._other.draw(theme, self._other_settings, index.stats().split_level)
        self._other_settings = changed or self._other_settings
        asked = explained(imgui.button("Measure both"), "measure both")
        continue_line(button_width("Show side by side"))
        beside = explained(imgui.button("Show side by side"), "show side by side")
        if asked or beside or (changed is not None and self._figures is not None):
            frustum = view.visibility.frozen or view.snapshot.frustum
            make = partial(_measured, index, index.settings, self._other_settings, frustum)
            self._begin(make, partial(self._show_measured, frustum, beside))
        if self._cells.comparison is not None and explained(imgui.button("End the comparison"), "end the comparison"):
            self._cells.comparison = None
            self._view.layout.show_as_before()
        if self._figures is not None:
            _draw_figures(theme, *self._figures)
            if self._has_new_figures:
                imgui.set_scroll_here_y(1.0)  # below the fold of a small window
            self._has_new_figures = False
            if self._figures_revision != index.nodes.world_revision:
                quiet(theme, "the scene has changed since")
            elif not _is_same(self._figures_frustum, view.visibility.frozen or view.snapshot.frustum):
                quiet(theme, "the view has changed since")

    def _show_measured(
        self, frustum: Frustum | None, beside: bool, made: tuple[TreeComparison, TreeFigures, TreeFigures]
    ) -> None:
        """Show what was measured of two trees, and the other one beside the scene's, if that was asked for."""
        view, (other, own_figures, other_figures) = self._view, made
        self._figures, self._has_new_figures = (own_figures, other_figures), True
        self._figures_revision, self._figures_frustum = other.revision, frustum
        if beside or self._cells.comparison is not None:
            self._cells.comparison = other
        if beside:
            self._cells.is_shown = self._cells.shows_whole = True
            view.layout.show_for_now(2)

    def _draw_last_pictures(self, theme: Theme) -> None:
        for name, values in self._last_pictures.items():
            if not values:
                continue
            imgui.text_colored(theme.quiet, f"{sentence_case(name)}: {values[-1]:,.{2 if 'ms' in name else 0}f}")
            item_tooltip(meaning(name))
            size = (imgui.get_content_region_avail().x, _PLOT_HEIGHT * imgui.get_font_size())
            array = np.array(values, dtype=np.float32)
            imgui.plot_lines(f"##{name}", array, scale_min=0.0, scale_max=float(array.max()) or 1.0, graph_size=size)

    def _note_picture(self) -> None:
        """Keep the counts and the time of the last picture, if it is new."""
        view = self._view
        if view.stats is self._last_stats:
            return
        self._last_stats = view.stats
        cull_ms = view.times.last_ms("cull")
        for name, value in (
            ("objects drawn", view.stats.drawn),
            ("cells visited", view.stats.nodes_visited),
            ("cull ms", cull_ms),
        ):
            if not math.isnan(value):
                self._last_pictures[name].append(float(value))


class _SettingsFields:
    """Fields for the settings of a tree; a slider applies when it is let go, as building a tree may take a moment."""

    def __init__(self, name: str, placements: tuple[str, ...]) -> None:
        self._name = name
        self._placements = placements
        self._held: IndexSettings | None = None

    def draw(self, theme: Theme, settings: IndexSettings, split_level: int) -> IndexSettings | None:
        """Draw the fields, and return other settings if the user chose some; `split_level` is that of the tree."""
        shown = self._held or settings
        chosen: IndexSettings | None = None
        names = [_PLACEMENT_NAMES[name] for name in self._placements]
        place = self._placements.index(shown.placement)
        index = choice(theme, "stored in", f"placement {self._name}", place, names, meaning("stored in"))
        if index is not None:
            chosen = replace(shown, placement=self._placements[index])
        if shown.placement == "loose":
            label(theme, "looseness", hint=meaning("looseness"))
            value = self._slide("looseness", shown.looseness, 1.0, _MOST_LOOSE)
            shown = replace(shown, looseness=value)
        label(theme, "capacity", hint=meaning("capacity"))
        capacity = round(self._slide("capacity", shown.capacity, 0, _MOST_CAPACITY))
        shown = replace(shown, capacity=capacity)
        label(theme, "depth", hint=meaning("depth"))
        level = split_level if shown.split_level is None else shown.split_level
        wanted = round(self._slide("split level", level, 0, max(_DEEPEST, level)))
        if wanted != level:
            shown = replace(shown, split_level=wanted)
        text = "Depth from the number of objects"
        if shown.split_level is not None and explained(imgui.button(item(text, f"levels {self._name}")), text):
            chosen = replace(shown, split_level=None)
        if chosen is not None or shown == settings:
            self._held = None
            return chosen
        if imgui.is_any_item_active():
            self._held = shown
            return None
        self._held = None
        return shown

    def _slide(self, name: str, value: float, least: float, most: float) -> float:
        imgui.set_next_item_width(-1.0)
        if isinstance(value, int):
            text = "No limit" if name == "capacity" and value == 0 else "%d"
            return slider(f"##{name} {self._name}", value, int(least), int(most), text)[1]
        return slider(f"##{name} {self._name}", value, least, most, "%.2f")[1]


def _measured(
    index: SpatialIndex, own: IndexSettings, other: IndexSettings, frustum: Frustum | None
) -> tuple[TreeComparison, TreeFigures, TreeFigures]:
    """Return the other of two trees over the objects of an index, and the figures of both, with a frustum."""
    trees = TreeComparison(index, own), TreeComparison(index, other)
    return trees[1], trees[0].measure(frustum), trees[1].measure(frustum)


def _is_same(one: Frustum | None, other: Frustum | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one.planes, other.planes) and np.array_equal(one.origin, other.origin)


def _draw_figures(theme: Theme, own: TreeFigures, other: TreeFigures) -> None:
    if not imgui.begin_table("figures", 3):
        return
    for title in ("", "This tree", "The other"):
        imgui.table_next_column()
        imgui.text_colored(theme.quiet, title)
    for name, value in (
        ("cells in use", lambda figures: f"{figures.stats.occupied:,}"),
        ("at the root", lambda figures: f"{figures.stats.at_root:,}"),
        ("memory", lambda figures: readable_bytes(figures.stats.memory_bytes)),
        ("built", lambda figures: f"{figures.build_ms:.1f} ms"),
        ("culled", lambda figures: f"{figures.cull_ms:.3f} ms"),
        ("visited", lambda figures: f"{figures.cull_cost.nodes_visited:,}"),
        ("tested", lambda figures: f"{figures.cull_cost.spheres_tested:,}"),
        ("found", lambda figures: f"{figures.visible:,}"),
    ):
        imgui.table_next_column()
        imgui.text_colored(theme.quiet, sentence_case(name))
        item_tooltip(meaning(name))
        for figures in (own, other):
            imgui.table_next_column()
            imgui.text(value(figures))
    imgui.end_table()


def draw_legend_over(panel: OctreePanel, cells: OctreeCells, is_in_front: Callable[[], bool], picture: Area) -> None:
    """Draw the legend of the cells at the right of the picture, while the panel is not in front; an overlay.

    In the middle of the right edge, or below where it would lie over the axes of several views.
    """
    is_needed = cells.is_shown and cells.player.walk is None and cells.drawn.coloring != "count"
    if is_needed and not is_in_front():
        width, height = cells.view.free_size
        free = replace(picture, right=picture.left + width, bottom=picture.top + height)
        room = free.grown(-imgui.get_style().window_padding.x)
        window = imgui.internal.find_window_by_name("octree legend")  # of the last frame
        size = (0.0, 0.0) if window is None else (window.size.x, window.size.y)
        covered = [Area(*each).moved(picture.left, picture.top) for each in cells.view.covered]
        corner = free_corner(room, size, covered, ((1.0, 0.5), (1.0, 1.0)))
        begin_over_picture("octree legend", room.corner(*corner), corner)
        imgui.text("Levels" if cells.drawn.coloring == "level" else "Cells")
        panel.draw_colors()
        imgui.end()


class CellFoldout:
    """The cell that holds an object, with buttons that show it. `run` runs a command by its id."""

    title = "Octree"

    def __init__(self, cells: OctreeCells, run: Callable[[str], object]) -> None:
        self._cells = cells
        self._run = run
        self._count: Memo[int] = Memo()

    def is_for(self, ids: np.ndarray, state: State) -> bool:
        """Return whether one node is selected."""
        return len(ids) == 1

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for one node."""
        view = self._cells.view
        cell = self._cells.tree.cell_of(int(ids[-1]))
        if cell is None:
            quiet(theme, "not in the octree")
            return
        lower, upper = cell.bounds
        lengths = Lengths.of(view.scene)
        others = self._count.get(ids, state, lambda: self._cells.tree.count_in(cell)) - 1
        for name, text in (
            ("level", f"{cell.level}" + (", the root" if cell.level == 0 else "")),
            ("edge length", lengths.text(cell.edge)),
            ("from", lengths.point(lower)),
            ("to", lengths.point(upper)),
            ("code", f"{cell.code:o}"),
            ("shared with", f"{others:,} {'object' if others == 1 else 'objects'}" if others else "None"),
        ):
            fact(theme, name, text, meaning(name))
        width = (imgui.get_content_region_avail().x - small_gap()) / 2.0
        if imgui.button(item("Hide it" if self._cells.follows_selection else "Show it", "shows"), (width, 0.0)):
            self._run("octree.selected_cell")
        imgui.same_line(0.0, small_gap())
        if imgui.button("Frame it", (width, 0.0)):
            self._run("octree.frame_cell")
