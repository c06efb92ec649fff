"""What a scene is asked through its octree: which it owns, keeps up to date, and casts rays with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from scene.bvh.arrays import BvhArrays
from scene.nodes.layers import SHOWN
from scene.spatial.index import SpatialIndex
from scene.spatial.ray_hits import Hit, RayHits
from scene.spatial.raycast import RayCaster

if TYPE_CHECKING:
    from scene.scene import Scene


OWN = ("_index", "_ray_caster", "world_lock")  # attributes that know which scene they belong to


class Spatial:
    """The part of Scene that needs its octree; there is one octree for a scene."""

    def __init__(self) -> None:
        super().__init__()
        self._index: SpatialIndex | None = None
        self._ray_caster: RayCaster | None = None

    @property
    def index(self: Scene) -> SpatialIndex:
        """The octree over the nodes, brought up to date with them; made when it is first asked for."""
        if self._index is None:
            with self.world_lock:
                if self._index is None:  # no other thread was quicker
                    self._index = SpatialIndex(self)
        self._index.update()
        return self._index

    def fit_index(self: Scene, *, split_level: int | None = None, half_size: float | None = None) -> SpatialIndex:
        """Make the octree anew, with a split level and a size of one's own; as SpatialIndex."""
        self._index = SpatialIndex(self, split_level=split_level, half_size=half_size)
        return self._index

    def fit_index_like(self: Scene, other: Scene) -> None:
        """Make the octree anew, with what was chosen for another scene's."""
        chosen = {} if other._index is None else other._index.chosen
        self.fit_index(**chosen)

    @property
    def is_stale(self) -> bool:
        """Whether nodes were set, and the world or the octree has not followed: the next who asks for it waits."""
        return super().is_stale or (self._index is not None and not self._index.is_current)

    def _take_nodes(self: Scene, other: Scene) -> None:
        """As NodeTable, with the octree if that is up to date; else one is made when it is asked for."""
        index = other._index if other._index is not None and other._index.is_current else None
        super()._take_nodes(other)
        self._index = index
        if index is not None:
            index.move_to(self)

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

        A mesh gets a tree of its triangles when a ray first meets it; one that is large gets it in a thread, and is
        tested triangle by triangle until then, with the same answer. Several threads may cast rays at once, as long as
        nobody edits the scene.

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
