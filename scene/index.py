"""SpatialIndex: the one place where a scene meets an octree.

It owns nothing that could not be made anew: the octree holds a copy of the scene's world spheres, by node id, and
is told which ids changed. Its size and split level follow from the scene unless somebody fixed them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from octree import Cells, CullStats, Frustum, Octree, OctreeStats
from octree import Hit as OctreeHit
from octree.morton import coordinates_of, level_of
from octree.place import SMALLEST_ROOT
from octree.raycast import RayTree
from scene.layers import SELECTABLE, SHOWN

if TYPE_CHECKING:
    from scene.scene import Scene

_FARTHEST_INDEXED = 1e17  # so that no two are farther apart than octree.place allows
_MOST_NAMED = 8  # broken nodes in a message
_DEEPEST_CHOSEN = 7  # of two million leaves; smaller cells would be left at every step of what moves
_GROWTH_LOOKED_AT = 1.125  # by so much more objects the tree may fit badly
_SIZE_TOLERATED = 1.5  # of the root, before it is made anew; a tree's own growing doubles it
_SAMPLE = 2**14  # nodes that tell where nearly all are
_OUTLIER_FACTOR = 8.0  # when a few objects lie this many times farther out than all others, the cube ignores them


@dataclass(frozen=True, eq=False)
class StoredCell:
    """A cell of the octree.

    Attributes:
        code: locational, as octree.morton has it. level: the root's is 0.
        lower: (3,) float64, its corner of least x, y and z, world. edge: its length, world units.
    """

    code: int
    level: int
    lower: np.ndarray
    edge: float

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Its box (lower, upper), world."""
        return self.lower, self.lower + self.edge

    def drawn(self) -> Cells:
        """It alone, as the octree gives its cells; its count is not known here, and 0."""
        half = self.edge / 2.0
        return Cells((self.lower + half)[None], np.array([half]), np.array([self.level]), np.array([0]))


class SpatialIndex:
    """The octree over a scene's nodes that have a mesh.

    Args:
        split_level: level of the leaves; None lets it follow from the number of objects.
        half_size: half the root cube's edge, world units; None lets it follow from the scene's bounds.

    Attributes:
        bounds: world box (lower, upper) of all that is in the tree: never too small, and as large as it must be again
            once what made it larger has moved back; None while it is empty.
        broken_ids: nodes whose world sphere is not finite (a transform overflowed); they are not in the tree.
    """

    def __init__(self, scene: Scene, *, split_level: int | None = None, half_size: float | None = None) -> None:
        self.scene = scene
        self.bounds: tuple[np.ndarray, np.ndarray] | None = None
        self._last_box: tuple[np.ndarray, np.ndarray] | None = None  # of what was put last
        self.broken_ids = np.empty(0, dtype=np.int32)
        self._split_level = split_level
        self._half_size = half_size
        self._cells: Cells | None = None
        self._layer_of = np.empty(0, dtype=np.uint8)  # by id, as the tree has it
        self._fit()

    def __len__(self) -> int:
        return len(self._tree)

    @property
    def chosen(self) -> dict[str, float | int | None]:
        """What it was made with."""
        return {"split_level": self._split_level, "half_size": self._half_size}

    def all_ids(self) -> np.ndarray:
        """(n,) int32 ids of all nodes in the tree."""
        shown = np.flatnonzero(self.scene.mesh_ids >= 0).astype(np.int32)
        return shown if len(shown) == len(self) else shown[self._tree.contains(shown)]

    def shown_ids(self) -> np.ndarray:
        """(n,) int32 ids of the nodes in the tree that are not hidden."""
        ids = self.all_ids()
        return ids[self._layer_of[ids] & SHOWN != 0]

    def broken_messages(self) -> list[str]:
        """A line about the nodes that are not in the tree because their spheres are not finite, or too far out."""
        if len(self.broken_ids) == 0:
            return []
        names = ", ".join(self.scene.names[self.broken_ids[:_MOST_NAMED]].tolist())
        more = f" and {len(self.broken_ids) - _MOST_NAMED} more" if len(self.broken_ids) > _MOST_NAMED else ""
        return [f"not shown, because position or size is out of range: {names}{more}"]

    def apply(self, changed_ids: np.ndarray) -> None:
        """Take in the ids that `Scene.update_world` returned."""
        shown = self.scene.mesh_ids[changed_ids] >= 0
        ids = changed_ids[shown]
        emptied = changed_ids[~shown]
        if len(emptied):
            self._tree.remove(emptied[self._tree.contains(emptied)])
            if len(self.broken_ids):
                self.broken_ids = np.setdiff1d(self.broken_ids, emptied).astype(np.int32)
            self._cells = None
        if len(ids) == 0:
            return
        coming = ids[~self._tree.contains(ids)]
        count = len(self._tree) + len(coming)
        if count > self._looked_at_count * _GROWTH_LOOKED_AT:  # a few cannot change much
            self._looked_at_count = count
            if self._fits_badly(coming):
                self._fit()
                return
        self._put(ids)

    def cull(self, frustum: Frustum, *, layers: int = SHOWN, stats: CullStats | None = None) -> np.ndarray:
        """(k,) int32 ids of the nodes whose spheres touch the frustum; `layers`: mask of scene.layers."""
        return self._tree.cull(frustum, layers=layers, stats=stats)

    def raycast(
        self, origin: ArrayLike, direction: ArrayLike, *, t_max: float = np.inf, layers: int = SHOWN
    ) -> tuple[np.ndarray, np.ndarray]:
        """Ids of the nodes whose spheres a ray enters, nearest first, and where it does."""
        return self._tree.raycast(origin, direction, t_max=t_max, layers=layers)

    def raycast_nearest(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        test: Callable[[np.ndarray], ArrayLike],
        *,
        t_max: float = np.inf,
        layers: int = SHOWN,
    ) -> OctreeHit | None:
        """The nearest of the nodes' hits that `test` knows; as Octree.raycast_nearest."""
        return self._tree.raycast_nearest(origin, direction, test, t_max=t_max, layers=layers)

    def ray_tree(self) -> tuple[RayTree, np.ndarray]:
        """The octree for kernels that test what is in its spheres, and its centre (3,), world; see Octree.ray_tree."""
        return self._tree.ray_tree(), self._tree.center

    def cells(self) -> Cells:
        """The octree's occupied cells; gathered once after each change."""
        if self._cells is None:
            self._cells = self._tree.cells()
        return self._cells

    def cell_of(self, node_id: int) -> StoredCell | None:
        """The cell that a node's sphere is stored in, or None for a node that is not in the tree."""
        if not self._tree.contains(np.array([node_id], dtype=np.int32))[0]:
            return None
        code = self._tree.cell_of(node_id)
        level = int(level_of(code))
        edge = 2.0 * self._tree.half_size / 2**level
        lower = self._tree.center - self._tree.half_size + edge * np.array(coordinates_of(code), dtype=np.float64)
        return StoredCell(code, level, lower, edge)

    def count_in(self, cell: StoredCell) -> int:
        """How many spheres are stored in a cell, and in no smaller one; gathers `cells` anew after a change."""
        cells = self.cells()
        at_level = np.flatnonzero(cells.levels == cell.level)
        offsets = np.abs(cells.centers[at_level] - (cell.lower + cell.edge / 2.0)).max(axis=1, initial=0.0)
        return int(cells.counts[at_level][offsets < cell.edge / 4.0].sum())

    def stats(self) -> OctreeStats:
        """The octree's facts."""
        return self._tree.stats()

    def _fit(self) -> None:
        """Make a tree that fits the scene as it is now, and fill it."""
        ids = np.flatnonzero(self.scene.mesh_ids >= 0).astype(np.int32)
        sound = ids[self._sound(ids)]
        center, half_size = self._root_cube(_sample(sound), self.scene.bounds(sound))
        self._tree = Octree(center, half_size, self._level_for(len(ids)))
        self.bounds = None
        self._looked_at_count = len(ids)
        self._put(ids)

    def _fits_badly(self, coming: np.ndarray) -> bool:
        """Whether a tree for these nodes beside those that it has would be another one.

        Joined files make a scene of another size, elsewhere, or of more objects than what the tree was made for.
        """
        boxes = [box for box in (self.bounds, self.scene.bounds(coming[self._sound(coming)])) if box is not None]
        if not boxes:
            return False
        ids = np.flatnonzero(self.scene.mesh_ids >= 0)
        box = np.min([lower for lower, _ in boxes], axis=0), np.max([upper for _, upper in boxes], axis=0)
        sample = _sample(ids)
        center, half_size = self._root_cube(sample[self._sound(sample)], box)
        tree = self._tree
        if self._level_for(len(ids)) != tree.split_level:
            return True
        if self._half_size is not None:  # what somebody chose is kept, and grows where it must
            return False
        far_off = np.abs(center - tree.center).max() > half_size / 2.0
        return far_off or not 1.0 / _SIZE_TOLERATED < half_size / tree.half_size < _SIZE_TOLERATED

    def _level_for(self, count: int) -> int:
        if self._split_level is not None:
            return self._split_level
        return min(_DEEPEST_CHOSEN, max(1, math.ceil(math.log(max(count, 1), 8))))

    def _put(self, ids: np.ndarray) -> None:
        """Bring the tree's copy of these nodes' spheres up to date."""
        self._cells = None
        spheres = self.scene.world_spheres[ids]
        sound = indexable(spheres)
        known = self._tree.contains(ids)
        layers = self.scene.layers[ids]
        self._make_room(self.scene.row_count)
        stays = known & sound & (self._layer_of[ids] == layers)
        self._layer_of[ids] = layers
        self._tree.remove(ids[known & ~stays])
        comes = sound & ~stays
        self._tree.insert(ids[comes], spheres[comes, :3], spheres[comes, 3], layers=layers[comes])
        stays = slice(None) if stays.all() else stays  # copying all of it takes longer than moving it
        self._tree.move(ids[stays], spheres[stays, :3], spheres[stays, 3])
        if len(self.broken_ids) or not sound.all():
            self.broken_ids = np.union1d(np.setdiff1d(self.broken_ids, ids), ids[~sound]).astype(np.int32)
        box = self.scene.bounds(ids[sound])
        if box is not None:
            lower, upper = box if self.bounds is None else self.bounds
            if known.any() and self._leaves_border(box):
                lower, upper = box if np.count_nonzero(sound) == len(self) else self.scene.bounds(self.all_ids())
            self.bounds = np.minimum(lower, box[0]), np.maximum(upper, box[1])
        self._last_box = box

    def _leaves_border(self, box: tuple[np.ndarray, np.ndarray]) -> bool:
        """Whether what was put last reached a side of the bounds that what is put now does not: it may be the same."""
        if self._last_box is None:
            return False
        (lower, upper), (last_lower, last_upper) = self.bounds, self._last_box
        at_lower, at_upper = (last_lower <= lower) & (box[0] > lower), (last_upper >= upper) & (box[1] < upper)
        return bool(at_lower.any() or at_upper.any())

    def _make_room(self, count: int) -> None:
        if count > len(self._layer_of):
            grown = np.full(max(count, 2 * len(self._layer_of)), SELECTABLE, dtype=np.uint8)
            grown[: len(self._layer_of)] = self._layer_of
            self._layer_of = grown

    def _sound(self, ids: np.ndarray) -> np.ndarray:
        """(n,) bool: whose spheres can be indexed."""
        return indexable(self.scene.world_spheres[ids])

    def _root_cube(self, ids: np.ndarray, box: tuple[np.ndarray, np.ndarray] | None) -> tuple[np.ndarray, float]:
        """Centre and half size of a cube about the scene, or about nearly all of it when little lies far out.

        Args:
            ids: of nodes that can be indexed, or of a sample of them. box: of all nodes that can be indexed.
        """
        if box is None or len(ids) == 0:
            return np.zeros(3), self._half_size or 1.0
        lower, upper = box
        bulk_lower, bulk_upper = np.percentile(self.scene.world_spheres[ids, :3], (2.0, 98.0), axis=0)
        if (upper - lower).max() > _OUTLIER_FACTOR * (bulk_upper - bulk_lower).max() > 0.0:
            margin = (bulk_upper - bulk_lower).max() / 10.0
            lower, upper = bulk_lower - margin, bulk_upper + margin
        # A little more than the half: rounding must not put an object on the border outside.
        half_size = (upper - lower).max() / 2.0 * 1.001
        if self._half_size is not None:
            half_size = self._half_size
        return (lower + upper) / 2.0, max(half_size, SMALLEST_ROOT) if half_size > 0.0 else 1.0


def _sample(ids: np.ndarray) -> np.ndarray:
    """Some of very many."""
    return ids if len(ids) <= _SAMPLE else ids[np.random.default_rng(0).integers(len(ids), size=_SAMPLE)]


def indexable(spheres: np.ndarray) -> np.ndarray:
    """(n,) bool: which of (n, 4) spheres, centre and radius, an octree can hold; NaN it cannot."""
    return (np.abs(spheres) < _FARTHEST_INDEXED).all(axis=1)
