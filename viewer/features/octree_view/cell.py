"""The inspector's section about the octree cell of an object."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from imgui_bundle import imgui

from octoscope.scene.measuring import Lengths
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.ui.imgui.items import item
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import fact


class CellSection:
    """The cell that holds an object, with buttons that show it. `run` runs a command by its id."""

    title = "Octree"

    def __init__(self, cells: OctreeCells, run: Callable[[str], object]) -> None:
        self._cells = cells
        self._run = run
        self._count: Memo[int] = Memo()

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the section for one node."""
        view = self._cells.view
        cell = self._cells.tree.cell_of(int(ids[-1]))
        if cell is None:
            imgui.text_colored(theme.quiet, "not in the octree")
            return
        lower, upper = cell.bounds
        lengths = Lengths.of(view.scene)
        fact(theme, "level", f"{cell.level}" + (", the root" if cell.level == 0 else ""))
        fact(theme, "edge", lengths.text(cell.edge))
        fact(theme, "from", lengths.point(lower))
        fact(theme, "to", lengths.point(upper))
        fact(theme, "code", f"{cell.code:o}")
        others = self._count.get(ids, state, lambda: self._cells.tree.count_in(cell)) - 1
        fact(theme, "shared with", f"{others:,} {'object' if others == 1 else 'objects'}" if others else "none")
        width = (imgui.get_content_region_avail().x - 3.0) / 2.0
        if imgui.button(item("Hide it" if self._cells.shows_selected else "Show it", "shows"), (width, 0.0)):
            self._run("octree.selected_cell")
        imgui.same_line(0.0, 3.0)
        if imgui.button("Frame it", (width, 0.0)):
            self._run("octree.frame_cell")
