"""BrowserOctree: cells of the octree in browsers, and their switch."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.features.octree_view.cells import SceneCells
from octoscope.viewer.features.octree_view.display import NO_CELLS, OctreeDisplay, drawn_cells
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart

_MOST_CELLS = 20_000


class BrowserOctree:
    """The cells of the octree in browsers."""

    commands = ()

    def __init__(self, front: BrowserFront) -> None:
        self.is_shown = False  # whether they are drawn
        self._scene = front.editor.scene
        self._settings = front.context.view.settings
        self._tree = SceneCells(self._scene.index)
        self._overlays = front.overlays
        self._switch = front.controls.gui.add_checkbox("Octree", False)
        front.controls.follow(self._switch, self._follow)

    def _follow(self) -> None:
        self.is_shown = bool(self._switch.value)

    def update(self) -> None:
        """Draw the cells that are in use again where they have changed."""
        overlays, shown, backdrop = self._overlays, self.is_shown, self._settings.shown_backdrop
        if not overlays.is_new("octree", (shown, backdrop, self._scene.world_revision if shown else 0)):
            return
        tree = self._tree.cells() if shown else NO_CELLS
        cells = drawn_cells(tree, OctreeDisplay(), 1.0, None, overlays.origin)[:_MOST_CELLS]
        lower = overlays.origin + cells[:, :3].astype(np.float64) - cells[:, 3:4]
        corners = box_corners(np.zeros(3), np.ones(3))[BOX_EDGES] * (2.0 * cells[:, 3, None, None, None])
        lines = (lower[:, None, None] + corners).reshape(-1, 2, 3)
        colors = np.repeat(backdrop.seen(cells[:, 4:7]), len(BOX_EDGES) * 2, axis=0).reshape(-1, 2, 3)
        overlays.lines("octree", lines, colors, 1.5)


PART = BrowserPart(BrowserOctree)
