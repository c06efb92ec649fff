"""SpatialIndex: the octree over a scene's nodes.

The octree holds a copy of the nodes' world spheres, by node id. The first query builds it; each query first updates it
by the nodes that have changed since the last. Its size and split level follow from the nodes unless they were fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree import CullStats, Frustum, Octree, OctreeStats
from octoscope.octree.queries.raycast import RayTree
from octoscope.scene.nodes.arguments import checked_mask
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.spatial.fitting import FARTHEST_INDEXED, fits_badly, fitting_tree, indexable
from octoscope.scene.spatial.incremental_bounds import IncrementalBounds
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import printable

_MOST_NAMED = 8  # broken nodes in a message
_GROWTH_LOOKED_AT = 1.125  # by so much more objects the tree may fit badly
_USUAL = IndexSettings()


class SpatialIndex:
    """The octree over the nodes that have a mesh."""

    def __init__(self, nodes: NodeTable, settings: IndexSettings = _USUAL) -> None:
        self.nodes = nodes  # those that were given
        self._settings = settings
        self._tree = Octree(np.zeros(3), 1.0, 1)
        self._is_built = False
        self._revision = 0  # of the world, that the tree has followed
        self._broken_ids = np.empty(0, dtype=np.int32)
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
            self._stats = None
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
            raise ValueError("an index stores each node in one cell; the octree panel compares it with leaves")
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
            f"to within {FARTHEST_INDEXED:g} of the origin"
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
        return self._of_layers(self.frozen().cull(frustum, stats=stats), checked_mask(layers))

    def query_box(self, lower: ArrayLike, upper: ArrayLike, *, layers: int = SHOWN) -> np.ndarray:
        """Return (k,) int32 ids of the nodes whose spheres touch a box; arguments as of Octree.query_box."""
        return self._of_layers(self.frozen().query_box(lower, upper), checked_mask(layers))

    def query_sphere(self, center: ArrayLike, radius: float, *, layers: int = SHOWN) -> np.ndarray:
        """Return (k,) int32 ids of the nodes whose spheres touch a ball; arguments as of Octree.query_sphere."""
        return self._of_layers(self.frozen().query_sphere(center, radius), checked_mask(layers))

    def frozen(self, *, completely: bool = False) -> Octree:
        """Return the tree as it is now, as Octree.frozen does: valid until a node changes, on any thread."""
        with self._updated_tree() as tree:
            return tree.frozen(completely=completely)

    def ray_tree(self) -> tuple[RayTree, np.ndarray]:
        """Return Octree.ray_tree, for kernels that test what is in the spheres, and the octree's centre (3,), world.

        Both are valid until a node changes, also while other threads ask for something.
        """
        with self.nodes.world_lock:  # as _updated_tree, whose generator would take a microsecond of each ray
            self.update()
            return self._tree.ray_tree(), self._tree.center

    def stats(self) -> OctreeStats:
        """Return facts about the octree, cached until the tree changes: panels ask for them in every frame."""
        self.update()
        known = self._stats
        if known is None:
            with self._updated_tree() as tree:
                known = self._stats = tree.stats()
        return known

    def _fit(self) -> None:
        """Build a tree that fits the nodes as they are now."""
        ids = np.flatnonzero(self.nodes.mesh_ids >= 0).astype(np.int32)
        self._tree = fitting_tree(self.nodes, self._settings, ids)
        self._bounds = IncrementalBounds()
        self._looked_at_count = len(ids)
        self._put(ids)

    def _fits_badly(self, coming: np.ndarray) -> bool:
        there = self._bounds.get(self.nodes, self._ids_in_tree)
        return fits_badly(self._tree, self.nodes, self._settings, there, coming)

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
