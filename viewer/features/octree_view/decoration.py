"""The octree in pictures: its cells, and the one that holds the active object."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.features.octree_view.cells import SceneCells, StoredCell
from octoscope.viewer.features.octree_view.display import OCTREE_DISPLAY, ListedTree, OctreeDisplay, drawn_cells
from octoscope.viewer.frame.decoration import NO_CELLS, Decoration
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport


class OctreeCells(Decoration):
    """The cells of the octree in the pictures of a view."""

    name = "octree"
    display = RedrawProperty[OctreeDisplay](Damage.SCENE)  # says which cells, and in which colours
    # another octree over the same objects, whose cells the last of several viewports shows, or None
    comparison = RedrawProperty[ListedTree | None](Damage.SCENE)
    # draws the cell of the active object, while the others are not shown
    shows_selected = RedrawProperty[bool](Damage.SCENE)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw, is_shown=False)
        self.view = view
        self.tree = SceneCells(view.index)  # the cells of the scene's octree
        self.display, self.comparison, self.shows_selected = OCTREE_DISPLAY, None, False

    @property
    def selected(self) -> StoredCell | None:
        """The octree cell of the active object, or None."""
        ids = self.view.selected_ids
        return self.tree.cell_of(int(ids[-1])) if len(ids) else None

    @property
    def follows_selection(self) -> bool:
        """True while the cell of the active object is drawn."""
        return self.shows_selected

    def cells(self, viewport: Viewport) -> np.ndarray:
        """Return the cells that are drawn in a viewport."""
        view, display = self.view, self.display
        position = viewport.snapshot.camera.position  # of the frame that is built: on its way during a transition
        if not self.is_shown:
            cell = self.selected if self.shows_selected else None
            return NO_CELLS if cell is None else drawn_cells(cell.drawn(), OCTREE_DISPLAY, 1.0, None, position)
        tree = (self.comparison if self._is_compared(viewport) else None) or self.tree
        frustum = (view.visibility.frozen or view.active.snapshot.frustum) if view.settings.culling else None
        return drawn_cells(tree.cells(empty=display.empty), display, tree.settings.cell_bounds, frustum, position)

    def title(self, viewport: Viewport) -> str:
        """Return that a viewport shows the other octree."""
        is_other = self.is_shown and self.comparison is not None and self._is_compared(viewport)
        return ", the other octree" if is_other else ""

    def _is_compared(self, viewport: Viewport) -> bool:
        return viewport is self.view.viewports[-1] and len(self.view.viewports) > 1


PART = DecorationPart(OctreeCells)
