"""The octree in pictures: the cell that holds the active object and those above it; all cells; or a walk."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.features.octree_view.cells import SceneCells, StoredCell
from octoscope.viewer.features.octree_view.comparison import TreeComparison
from octoscope.viewer.features.octree_view.display import (
    OCTREE_DISPLAY,
    OPACITY,
    OctreeDisplay,
    drawn_cells,
)
from octoscope.viewer.features.octree_view.player import WalkPlayer
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import NO_CELLS, Decoration
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

_FADING, _FAINTEST = 0.6, 0.15  # opacity of a parent, as a share of its child's; of the root


class OctreeCells(Decoration):
    """The cells of the octree in the pictures of a view."""

    name = "octree"
    display = RedrawProperty[OctreeDisplay](Damage.SCENE)  # says which cells, and in which colours
    # another octree over the same objects, whose cells the last of several viewports shows, or None
    comparison = RedrawProperty[TreeComparison | None](Damage.SCENE)
    # draws all cells, also while an object is selected: else its cell and those above it
    shows_whole = RedrawProperty[bool](Damage.SCENE)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw, is_shown=False)
        self.view = view
        self.tree = SceneCells(view.index)  # the cells of the scene's octree
        self.display, self.comparison, self.shows_whole = OCTREE_DISPLAY, None, False
        self.player = WalkPlayer(view.scene, view.redraw)

    @property
    def selected(self) -> StoredCell | None:
        """The octree cell of the active object, or None."""
        ids = self.view.selected_ids
        return self.tree.cell_of(int(ids[-1])) if len(ids) else None

    @property
    def annotates(self) -> bool:
        """True during a walk, whether cells are shown otherwise or not."""
        return self.player.walk is not None

    @property
    def annotates_alone(self) -> bool:
        """True during a walk: labels and figures would lie over what is explained."""
        return self.annotates

    @property
    def follows_selection(self) -> bool:
        """True while the cell of the active object is drawn."""
        return self.is_shown and not self.shows_whole

    @property
    def drawn(self) -> OctreeDisplay:
        """The display of what is drawn: by level for an object's cell and its parents, else the chosen one."""
        return OCTREE_DISPLAY if self.follows_selection and self.selected is not None else self.display

    def cells(self, viewport: Viewport) -> np.ndarray:
        """Return the cells that are drawn in a viewport."""
        view, display = self.view, self.drawn
        position = viewport.snapshot.camera.position  # of the frame that is built: on its way during a transition
        if self.player.walk is not None:
            return self.player.cells(position)
        if not self.is_shown:
            return NO_CELLS
        selected = None if self.shows_whole else self.selected
        if selected is not None:
            cells = self.tree.with_parents(selected)
            rows = drawn_cells(cells, display, 1.0, None, position)
            rows[:, 7] = np.maximum(OPACITY * _FADING ** np.arange(len(rows)), _FAINTEST)
            return rows
        tree = (self.comparison if self._is_compared(viewport) else None) or self.tree
        frustum = (view.visibility.frozen or view.active.snapshot.frustum) if view.settings.culling else None
        return drawn_cells(tree.cells(empty=display.empty), display, tree.settings.cell_bounds, frustum, position)

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add what a walk asks, and the answer."""
        self.player.annotate(annotations)

    def title(self, viewport: Viewport) -> str:
        """Return that a viewport shows the other octree."""
        is_other = self.is_shown and self.comparison is not None and self._is_compared(viewport)
        return ", the other octree" if is_other else ""

    def _is_compared(self, viewport: Viewport) -> bool:
        return viewport is self.view.viewports[-1] and len(self.view.viewports) > 1


PART = DecorationPart(OctreeCells)
