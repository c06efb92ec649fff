"""What a scene is asked through its octree: which it owns, keeps up to date, and casts rays with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from scene.index import SpatialIndex
from scene.layers import SHOWN
from scene.rays.arrays import BvhArrays
from scene.rays.caster import RayCaster
from scene.rays.hit import Hit, RayHits

if TYPE_CHECKING:
    from scene.scene import Scene


OWN = ("_index", "_unindexed", "_ray_caster")  # attributes that know which scene they belong to


class Spatial:
    """The part of Scene that needs its octree; there is one octree for a scene."""

    def __init__(self) -> None:
        super().__init__()
        self._index: SpatialIndex | None = None
        self._unindexed: list[np.ndarray] = []  # ids that changed and the index has not heard of
        self._ray_caster: RayCaster | None = None

    @property
    def index(self: Scene) -> SpatialIndex:
        """The octree over the nodes, brought up to date with them; made when it is first asked for."""
        self.update_world()
        if self._index is None:
            self._index = SpatialIndex(self)
        if self._unindexed:
            changed, self._unindexed = self._unindexed, []
            if len(changed) > 1:
                any_changed = np.zeros(self.row_count, dtype=np.bool_)
                for ids in changed:
                    any_changed[ids] = True
                changed = [np.flatnonzero(any_changed).astype(np.int32)]
            self._index.apply(changed[0])
        return self._index

    def fit_index(self: Scene, *, split_level: int | None = None, half_size: float | None = None) -> SpatialIndex:
        """Make the octree anew, with a split level and a size of one's own; as SpatialIndex."""
        self.update_world()
        self._unindexed.clear()
        self._index = SpatialIndex(self, split_level=split_level, half_size=half_size)
        return self._index

    def fit_index_like(self: Scene, other: Scene) -> None:
        """Make the octree anew, with what was chosen for another scene's."""
        chosen = {} if other._index is None else other._index.chosen
        self.fit_index(**chosen)

    def _adopt_index(self: Scene, other: Scene) -> bool:
        """Take another scene's octree, of nodes that are this one's now; False: it has none that is up to date."""
        if other._index is None or other._unindexed or other.is_stale:
            return False
        self._index, self._unindexed = other._index, []
        self._index.scene = self
        return True

    def _say_changed(self, ids: np.ndarray) -> None:
        """The nodes that update_world recomputed: the octree hears of them before it is asked again."""
        if self._index is not None and len(ids):
            self._unindexed.append(ids)

    def raycast(
        self: Scene,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_max: float = np.inf,
        layers: int = SHOWN,
        back_faces: bool = True,
        all_hits: bool = False,
        among: np.ndarray | None = None,
    ) -> Hit | list[Hit] | None:
        """The nearest triangle on a ray, or None; with `all_hits` every one, by ascending t.

        The scene is brought up to date first. A mesh gets a tree of its triangles when a ray first meets it; one that
        is large gets it in a thread, and is tested triangle by triangle until then, with the same answer. Several
        threads may cast rays at once, once the scene is up to date and as long as nobody edits it.

        Args:
            origin, direction: (3,), world; the direction of any length above 0.
            t_max: the ray's length, world units. layers: mask of scene.layers: which nodes count.
            back_faces: False leaves out triangles whose normal points along the ray.
            all_hits: where a ray meets the edge or the corner that triangles of one mesh share, it meets it once.
            among: (n,) bool, by node id: the nodes that count, of those beyond it none; None for all.

        Raises:
            ValueError: a value is not finite, the direction has no length, or `among` is not (n,) bool.
        """
        cast = self._rays.every if all_hits else self._rays.nearest
        return cast(origin, direction, t_max, layers=layers, back_faces=back_faces, among=among)

    def raycast_many(
        self: Scene,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_max: float = np.inf,
        layers: int = SHOWN,
        back_faces: bool = True,
        among: np.ndarray | None = None,
    ) -> RayHits:
        """The nearest triangle on each of n rays, on as many threads as there are cores; waits for trees it needs.

        Args:
            origins, directions: (n, 3). The others, and what is raised: as for `raycast`.
        """
        return self._rays.many(origins, directions, t_max, layers=layers, back_faces=back_faces, among=among)

    def mesh_trees(self: Scene, mesh_ids: np.ndarray) -> BvhArrays:
        """The triangle trees of meshes, for kernels that look for triangles; waits for those that are missing.

        Args:
            mesh_ids: (m,) int of meshes with triangles. Others may have trees as well, from earlier on.
        """
        return self._rays.trees_of(mesh_ids)

    @property
    def _rays(self: Scene) -> RayCaster:
        if self._ray_caster is None:
            self._ray_caster = RayCaster(self)
        return self._ray_caster
