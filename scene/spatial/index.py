"""SpatialIndex: the octree over a scene's nodes.

The octree holds a copy of the nodes' world spheres, by node id. The first query builds it; each query first updates it
by the nodes that have changed since the last. Its size and split level follow from the nodes unless they were fixed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree import Cells, CullStats, Frustum, Octree, OctreeStats
from octoscope.octree.arguments import checked_mask
from octoscope.octree.building.placement import SMALLEST_ROOT
from octoscope.octree.layout.morton import coordinates_of, level_of
from octoscope.octree.linear import root_cube
from octoscope.octree.queries.raycast import RayTree
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.spatial.incremental_bounds import IncrementalBounds
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import printable

_FARTHEST_INDEXED = 1e17  # so that no two are farther apart than octree.building.placement allows
_MOST_NAMED = 8  # broken nodes in a message
_DEEPEST_CHOSEN = 7  # of two million leaves; smaller cells would be left at every step of what moves
_GROWTH_LOOKED_AT = 1.125  # by so much more objects the tree may fit badly
_SIZE_TOLERATED = 1.5  # of the root, before it is made anew; a tree's own growing doubles it
MOST_EMPTY = 8**5  # empty cells of a level that are listed; deeper levels have too many
_USUAL = IndexSettings()
_SAMPLE = 2**14  # nodes that tell where nearly all are


@dataclass(frozen=True, eq=False)
class StoredCell:
    """A cell of the octree."""

    code: int  # locational code (octree.layout.morton)
    level: int  # 0 for the root
    lower: np.ndarray  # (3,) float64, the corner of least x, y and z, world
    edge: float  # edge length, world units

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """World box (lower, upper)."""
        return self.lower, self.lower + self.edge

    def drawn(self) -> Cells:
        """Return the cell in the form that cells are drawn in; the count of its spheres is not known, and 0."""
        half = self.edge / 2.0
        return Cells((self.lower + half)[None], np.array([half]), np.array([self.level]), np.array([0]))


class SpatialIndex:
    """The octree over the nodes that have a mesh."""

    def __init__(self, nodes: NodeTable, settings: IndexSettings = _USUAL) -> None:
        self.nodes = nodes  # those that were given
        self._settings = settings
        self._tree = Octree(np.zeros(3), 1.0, 1)
        self._is_built = False
        self._revision = 0  # of the world, that the tree has followed
        self._broken_ids = np.empty(0, dtype=np.int32)
        self._cells: dict[bool, Cells] = {}  # of the present tree, by whether empty ones are among them
        self._stats: OctreeStats | None = None  # of the present tree
        self._layers = 0  # all layers that some node is in
        self._looked_at_count = 0  # number of objects when _fits_badly was last asked
        self._bounds = IncrementalBounds()

    def __len__(self) -> int:
        self.update()
        return len(self._tree)

    @property
    def is_current(self) -> bool:
        """True if the tree is built and has followed all changes of the nodes."""
        return self._is_built and self._revision == self.nodes.world_revision

    def update(self) -> None:
        """Build the tree, or update it by the nodes that have changed.

        Every query does this first; call it to choose the time.
        """
        if self.is_current:
            return
        with self.nodes.world_lock:
            if self.is_current:  # another thread was quicker
                return
            self._cells, self._stats = {}, None
            if self._is_built:
                self._follow(self.nodes.changed_since(self._revision))
            else:
                self._fit()
                self._is_built = True
            self._layers = int(np.bitwise_or.reduce(self.nodes.layers, initial=0))
            self._revision = self.nodes.world_revision  # last: until then other threads wait

    @property
    def settings(self) -> IndexSettings:
        """The settings that the tree is built by; setting them has it built again by the next query.

        Raises:
            ValueError: set to leaves as placement: kernels of rays expect each node to be stored once.
        """
        return self._settings

    @settings.setter
    def settings(self, settings: IndexSettings) -> None:
        if settings.placement == "leaves":
            raise ValueError("an index stores each node in one cell; another_tree compares it with leaves")
        with self.nodes.world_lock:
            self._settings = settings
            self._is_built = False

    def take(self, other: SpatialIndex) -> None:
        """Take over another index's tree after its nodes became this one's; rebuild it later if it is not current."""
        if other.is_current:
            vars(self).update(vars(other), nodes=self.nodes)
            other.nodes = self.nodes  # so that nothing holds the other nodes any more
            self._revision = self.nodes.world_revision
        else:
            self._is_built = False

    @contextmanager
    def _updated_tree(self) -> Iterator[Octree]:
        """Update the tree and hold it against other threads, only for as long as it is sorted: a window waits, too."""
        with self.nodes.world_lock:
            self.update()
            yield self._tree

    def bounds(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the world box (lower, upper) of all nodes in the tree, hidden ones too; None for an empty tree."""
        with self._updated_tree():
            return self._bounds.get(self.nodes, self._ids_in_tree)

    def broken_ids(self) -> np.ndarray:
        """Return (k,) int32 nodes that are not in the tree because their world sphere is not finite, or too far out."""
        self.update()
        return self._broken_ids

    def all_ids(self) -> np.ndarray:
        """Return (n,) int32 ids of all nodes in the tree."""
        with self._updated_tree():
            return self._ids_in_tree()

    def _ids_in_tree(self) -> np.ndarray:
        shown = np.flatnonzero(self.nodes.mesh_ids >= 0).astype(np.int32)
        return shown if len(shown) == len(self._tree) else shown[self._tree.contains(shown)]

    def shown_ids(self) -> np.ndarray:
        """Return (n,) int32 ids of the nodes in the tree that are not hidden."""
        ids = self.all_ids()
        return self._of_layers(ids, SHOWN)

    def broken_messages(self, sources: Sequence[StrPath]) -> list[str]:
        """Return a line for the user about `broken_ids`, or nothing; `sources` are those of the scene."""
        broken_ids = self.broken_ids()
        if len(broken_ids) == 0:
            return []
        rows, named = self.nodes.meshes.rows, broken_ids[:_MOST_NAMED]
        shown = []
        for name, mesh in zip(self.nodes.names[named].tolist(), self.nodes.mesh_ids[named].tolist(), strict=True):
            source, line = int(rows["source"][mesh]), int(rows["source_line"][mesh])
            place = f": line {line}" if line else ""
            shown.append(f"{printable(name)} ({printable(sources[source])}{place})" if source >= 0 else printable(name))
        names = ", ".join(shown)
        more = f" and {len(broken_ids) - _MOST_NAMED} more" if len(broken_ids) > _MOST_NAMED else ""
        return [
            f"not shown, because position or size is out of range: {names}{more}; scale them down or move them nearer, "
            f"to within {_FARTHEST_INDEXED:g} of the origin"
        ]

    def _follow(self, changed_ids: np.ndarray) -> None:
        """Update the tree by nodes that have changed."""
        shown = self.nodes.mesh_ids[changed_ids] >= 0
        ids = changed_ids[shown]
        emptied = changed_ids[~shown]
        if len(emptied):
            self._tree.remove(emptied[self._tree.contains(emptied)])
            self._bounds.follow(self.nodes, emptied, emptied[:0], len(self._tree))
            if len(self._broken_ids):
                self._broken_ids = np.setdiff1d(self._broken_ids, emptied).astype(np.int32)
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
        """Return (k,) int32 ids of the nodes whose spheres touch a frustum; `layers`: mask of nodes.layers."""
        return self._of_layers(self._frozen().cull(frustum, stats=stats), checked_mask(layers))

    def query_box(self, lower: ArrayLike, upper: ArrayLike, *, layers: int = SHOWN) -> np.ndarray:
        """Return (k,) int32 ids of the nodes whose spheres touch a box; arguments as of Octree.query_box."""
        return self._of_layers(self._frozen().query_box(lower, upper), checked_mask(layers))

    def query_sphere(self, center: ArrayLike, radius: float, *, layers: int = SHOWN) -> np.ndarray:
        """Return (k,) int32 ids of the nodes whose spheres touch a ball; arguments as of Octree.query_sphere."""
        return self._of_layers(self._frozen().query_sphere(center, radius), checked_mask(layers))

    def _frozen(self) -> Octree:
        with self._updated_tree() as tree:
            return tree.frozen()

    def ray_tree(self) -> tuple[RayTree, np.ndarray]:
        """Return Octree.ray_tree, for kernels that test what is in the spheres, and the octree's centre (3,), world.

        Both are valid until a node changes, also while other threads ask for something.
        """
        with self._updated_tree() as tree:
            return tree.ray_tree(), tree.center

    def cells(self, *, empty: bool = False) -> Cells:
        """Return the octree's cells with the number of spheres that each stores, cached until the tree changes.

        Args:
            empty: adds those that hold nothing, in no smaller cell either, as `listed_cells` does.
        """
        self.update()
        known = self._cells
        if empty not in known:
            with self._updated_tree() as tree:
                frozen = tree.frozen(completely=True)
            known[empty] = listed_cells(frozen, empty=empty)
        return known[empty]

    def cell_of(self, node_id: int) -> StoredCell | None:
        """Return the cell that a node's sphere is stored in; None for a node that is not in the tree."""
        with self._updated_tree() as tree:
            if not tree.contains(np.array([node_id], dtype=np.int32))[0]:
                return None
            code, half_size = tree.cell_of(node_id), tree.half_size
        level = int(level_of(code))
        edge = 2.0 * half_size / 2**level
        lower = tree.center - half_size + edge * np.array(coordinates_of(code), dtype=np.float64)
        return StoredCell(code, level, lower, edge)

    def count_in(self, cell: StoredCell) -> int:
        """Count the spheres that are stored in a cell itself, in no smaller one."""
        cells = self.cells()
        at_level = np.flatnonzero(cells.levels == cell.level)
        offsets = np.abs(cells.centers[at_level] - (cell.lower + cell.edge / 2.0)).max(axis=1, initial=0.0)
        return int(cells.counts[at_level][offsets < cell.edge / 4.0].sum())

    def stats(self) -> OctreeStats:
        """Return facts about the octree, cached until the tree changes: panels ask for them in every frame."""
        self.update()
        known = self._stats
        if known is None:
            with self._updated_tree() as tree:
                known = self._stats = tree.stats()
        return known

    def another_tree(self, settings: IndexSettings) -> Octree:
        """Return a tree of its own over the same spheres, to compare what settings do."""
        ids = self.all_ids()
        tree = self._fitting_tree(settings, ids)
        spheres = self.nodes.world_spheres[ids]
        tree.insert(ids, spheres[:, :3], spheres[:, 3])
        return tree

    def _fit(self) -> None:
        """Build a tree that fits the nodes as they are now."""
        ids = np.flatnonzero(self.nodes.mesh_ids >= 0).astype(np.int32)
        self._tree = self._fitting_tree(self._settings, ids)
        self._bounds = IncrementalBounds()
        self._looked_at_count = len(ids)
        self._put(ids)

    def _fitting_tree(self, settings: IndexSettings, ids: np.ndarray) -> Octree:
        """Return an empty tree that fits nodes, of which some may be broken."""
        sound = ids[self._sound(ids)]
        center, half_size = self._root_cube(_sample(sound), self.nodes.own_bounds(sound), settings.half_size)
        return settings.make_tree(center, half_size, _level_for(len(ids), settings.split_level))

    def _fits_badly(self, coming: np.ndarray) -> bool:
        """Tell whether a tree built for its nodes and the coming ones would differ from the present one.

        Files that join a scene may change its size, its middle, or the number of its objects by much.
        """
        coming = coming[self._sound(coming)]
        there = self._bounds.get(self.nodes, self._ids_in_tree)
        boxes = [box for box in (there, self.nodes.own_bounds(coming)) if box is not None]
        if not boxes:
            return False
        ids = np.flatnonzero(self.nodes.mesh_ids >= 0)
        box = np.min([lower for lower, _ in boxes], axis=0), np.max([upper for _, upper in boxes], axis=0)
        sample = _sample(ids)
        center, half_size = self._root_cube(sample[self._sound(sample)], box, self._settings.half_size)
        tree = self._tree
        if _level_for(len(ids), self._settings.split_level) != tree.split_level:
            return True
        if self._settings.half_size is not None:  # what somebody chose is kept, and grows where it must
            return False
        far_off = np.abs(center - tree.center).max() > half_size / 2.0
        return far_off or not 1.0 / _SIZE_TOLERATED < half_size / tree.half_size < _SIZE_TOLERATED

    def _put(self, ids: np.ndarray) -> None:
        """Insert, move or remove the spheres of nodes in the tree."""
        spheres = self.nodes.world_spheres[ids]
        sound = indexable(spheres)
        known = self._tree.contains(ids)
        self._tree.remove(ids[known & ~sound])
        comes = sound & ~known
        self._tree.insert(ids[comes], spheres[comes, :3], spheres[comes, 3])
        stays = known & sound
        stays = slice(None) if stays.all() else stays  # copying all of it takes longer than moving it
        self._tree.move(ids[stays], spheres[stays, :3], spheres[stays, 3])
        if len(self._broken_ids) or not sound.all():
            self._broken_ids = np.union1d(np.setdiff1d(self._broken_ids, ids), ids[~sound]).astype(np.int32)
        self._bounds.follow(self.nodes, ids, ids[sound], len(self._tree))

    def _of_layers(self, ids: np.ndarray, layers: int) -> np.ndarray:
        """Return the nodes among these that are in one of the layers."""
        if self._layers & ~layers == 0:
            return ids
        return ids[self.nodes.layers[ids] & layers != 0]

    def _sound(self, ids: np.ndarray) -> np.ndarray:
        """Return (n,) bool: which nodes' spheres can be indexed."""
        return indexable(self.nodes.world_spheres[ids])

    def _root_cube(
        self, ids: np.ndarray, box: tuple[np.ndarray, np.ndarray] | None, chosen: float | None
    ) -> tuple[np.ndarray, float]:
        """Compute centre and half size of the root cube: around all nodes, but for a few that lie far out.

        Args:
            ids: of the nodes that can be indexed, or of a sample of them.
            box: world box (lower, upper) of all nodes that can be indexed; None for no nodes.
            chosen: half size that somebody chose, or None.
        """
        if box is None or len(ids) == 0:
            return np.zeros(3), chosen or 1.0
        middle, half_size = root_cube(*box, self.nodes.world_spheres[ids, :3])
        if chosen is not None:
            half_size = chosen
        return middle, max(half_size, SMALLEST_ROOT) if half_size > 0.0 else 1.0


def _level_for(count: int, chosen: int | None) -> int:
    """Return the level of the leaves for so many objects, or the one that somebody chose."""
    if chosen is not None:
        return chosen
    return min(_DEEPEST_CHOSEN, max(1, math.ceil(math.log(max(count, 1), 8))))


def listed_cells(tree: Octree, *, empty: bool) -> Cells:
    """Return a tree's cells that store spheres, with their numbers.

    Args:
        empty: adds cells that hold nothing, in no smaller cell either, of levels that have no more than MOST_EMPTY.
    """
    parts = [tree.cells()]
    for level in range(tree.split_level + 1 if empty else 0):
        if 8**level <= MOST_EMPTY:
            cells = tree.cells(occupied=False, level=level)
            parts.append(_cells_where(cells, cells.counts == 0))
    return Cells(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Cells)))


def _cells_where(cells: Cells, which: np.ndarray) -> Cells:
    return Cells(*(getattr(cells, field.name)[which] for field in fields(Cells)))


def _sample(ids: np.ndarray) -> np.ndarray:
    """Return at most _SAMPLE of the ids, chosen at random."""
    return ids if len(ids) <= _SAMPLE else ids[np.random.default_rng(0).integers(len(ids), size=_SAMPLE)]


def indexable(spheres: np.ndarray) -> np.ndarray:
    """Return (n,) bool: which spheres (n, 4), centre and radius, an octree can hold; not those with NaN."""
    return (np.abs(spheres) < _FARTHEST_INDEXED).all(axis=1)
