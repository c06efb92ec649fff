"""SceneCells: the cells of a scene's octree, listed again only when it has changed; StoredCell: the one of a node."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from octoscope.octree import Cells, Octree
from octoscope.octree.layout.morton import coordinates_of, level_of_code
from octoscope.scene import SpatialIndex
from octoscope.scene.spatial.index_settings import IndexSettings

MOST_EMPTY = 8**5  # empty cells of a level that are listed; deeper levels have too many


@dataclass(frozen=True, eq=False)
class StoredCell:
    """The cell that a node's sphere is stored in."""

    code: int  # locational code (octree.layout.morton)
    level: int  # 0 for the root
    lower: np.ndarray  # (3,) float64, the corner of least x, y and z, world
    edge: float  # edge length, world units

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """World box (lower, upper)."""
        return self.lower, self.lower + self.edge


class SceneCells:
    """The cells of an index."""

    def __init__(self, index: SpatialIndex) -> None:
        self._index = index
        self._state: tuple[object, ...] = ()  # of the index when the tree was taken
        self._tree = Octree(np.zeros(3), 1.0, 1)
        self._listed: dict[bool, Cells] = {}  # by whether empty ones are among them

    @property
    def settings(self) -> IndexSettings:
        """The settings of the index."""
        return self._index.settings

    def _frozen(self) -> Octree:
        state = self._index.nodes.world_revision, self._index.settings
        if state != self._state:
            self._tree, self._listed = self._index.frozen(completely=True), {}
            self._state = state
        return self._tree

    def cells(self, *, empty: bool = False) -> Cells:
        """Return all cells, as `listed_cells` does."""
        tree = self._frozen()
        if empty not in self._listed:
            self._listed[empty] = listed_cells(tree, empty=empty)
        return self._listed[empty]

    def cell_of(self, node_id: int) -> StoredCell | None:
        """Return the cell that a node's sphere is stored in; None for a node that is not in the tree."""
        tree = self._frozen()
        if not tree.contains(np.array([node_id], dtype=np.int32))[0]:
            return None
        code = tree.cell_of(node_id)
        level = int(level_of_code(code))
        edge = 2.0 * tree.half_size / 2**level
        lower = tree.center - tree.half_size + edge * np.array(coordinates_of(code), dtype=np.float64)
        return StoredCell(code, level, lower, edge)

    @property
    def root(self) -> tuple[np.ndarray, np.ndarray]:
        """World box (lower, upper) of the root."""
        tree = self._frozen()
        return tree.center - tree.half_size, tree.center + tree.half_size

    def with_parents(self, cell: StoredCell) -> Cells:
        """Return a cell and all above it, the root last; the counts of their spheres are not known, and 0."""
        tree = self._frozen()
        levels = np.arange(cell.level, -1, -1)
        half_sizes = tree.half_size / 2.0**levels
        coordinates = np.stack(coordinates_of(cell.code >> 3 * (cell.level - levels)), axis=1)
        centers = tree.center - tree.half_size + (2 * coordinates + 1) * half_sizes[:, None]
        return Cells(centers, half_sizes, levels, np.zeros_like(levels))

    def count_in(self, cell: StoredCell) -> int:
        """Count the spheres that are stored in a cell itself, in no smaller one."""
        cells = self.cells()
        at_level = np.flatnonzero(cells.levels == cell.level)
        offsets = np.abs(cells.centers[at_level] - (cell.lower + cell.edge / 2.0)).max(axis=1, initial=0.0)
        return int(cells.counts[at_level][offsets < cell.edge / 4.0].sum())


def listed_cells(tree: Octree, *, empty: bool) -> Cells:
    """Return a tree's cells that store spheres, with their numbers.

    Args:
        empty: adds cells that hold nothing, in no smaller cell either, of levels that have no more than MOST_EMPTY.
    """
    parts = [tree.cells()]
    for level in range(tree.split_level + 1 if empty else 0):
        if 8**level <= MOST_EMPTY:
            cells = tree.cells(occupied=False, level=level)
            parts.append(Cells(*(getattr(cells, field.name)[cells.counts == 0] for field in fields(Cells))))
    return Cells(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Cells)))
