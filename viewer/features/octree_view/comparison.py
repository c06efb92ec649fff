"""TreeComparison: another octree over the objects of a scene, to see what its settings do and what queries cost."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from octoscope.octree import Cells, CullStats, Frustum, Octree, OctreeStats
from octoscope.scene import SpatialIndex
from octoscope.scene.spatial.fitting import fitting_tree
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.viewer.features.octree_view.cells import listed_cells

_BUILT = 3  # times, of which the shortest counts: in the first kernels are loaded, and pictures may be drawn meanwhile
_REPEATED = 5  # queries, of which the median counts


@dataclass(frozen=True)
class TreeFigures:
    """Counts and times of one tree."""

    stats: OctreeStats  # of the tree
    build_ms: float  # for inserting all spheres and sorting them in, milliseconds
    cull_ms: float  # median for a cull, milliseconds
    cull_cost: CullStats  # cells and spheres that the cull looked at
    visible: int  # spheres that it found


def tree_over(index: SpatialIndex, settings: IndexSettings) -> Octree:
    """Return a tree by other settings over the spheres of an index."""
    ids, nodes = index.all_ids(), index.nodes
    tree, spheres = fitting_tree(nodes, settings, ids), nodes.world_spheres[ids]
    tree.insert(ids, spheres[:, :3], spheres[:, 3])
    return tree


class TreeComparison:
    """A tree of its own over the spheres of an index, as they were when it was made."""

    def __init__(self, index: SpatialIndex, settings: IndexSettings) -> None:
        self.settings = settings  # as given
        index.update()
        self.revision = index.nodes.world_revision  # of the scene's world when it was made
        times_ms = []
        for _ in range(_BUILT):
            begin = time.perf_counter()
            self._tree = tree_over(index, settings)
            self._tree.cull(_EVERYTHING)  # sorts the spheres in
            times_ms.append(1e3 * (time.perf_counter() - begin))
        self._build_ms = min(times_ms)
        self._cells: dict[bool, Cells] = {}

    def cells(self, *, empty: bool = False) -> Cells:
        """Return the tree's cells, as `listed_cells` does."""
        if empty not in self._cells:
            self._cells[empty] = listed_cells(self._tree, empty=empty)
        return self._cells[empty]

    def measure(self, frustum: Frustum | None) -> TreeFigures:
        """Measure a cull, and return all figures of the tree; without a frustum, everything is in view."""
        times_ms, visible, cost = [], np.empty(0, dtype=np.int32), CullStats()
        for _ in range(_REPEATED):
            cost = CullStats()
            begin = time.perf_counter()
            visible = self._tree.cull(frustum or _EVERYTHING, stats=cost)
            times_ms.append(1e3 * (time.perf_counter() - begin))
        median_ms = float(np.median(times_ms))
        return TreeFigures(self._tree.stats(), self._build_ms, median_ms, cost, len(visible))


_EVERYTHING = Frustum.from_matrix(np.diag([1e-17, 1e-17, 1e-17, 1.0]))
