"""RayCaster: rays through the nodes that an octree has. Scene.raycast and Scene.raycast_many are its door.

It keeps the trees of the meshes, which are a pool's, and takes everything else from the nodes anew for each query,
so that nothing here can be out of date.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octree.arguments import checked_mask, checked_ray, checked_rays
from octree.raycast import RayTree
from scene.bvh.arrays import BvhArrays, HitBuffer, MeshArrays, NodeArrays, RayHits, RayQuery
from scene.bvh.store import MeshTrees
from scene.nodes.node_table import marks_of_nodes
from scene.spatial.cast import cast_ray, cast_rays
from scene.spatial.hit_attributes import describe_all, keep_once
from scene.spatial.index import SpatialIndex

BUILT_LATER = 100_000  # triangles: a single ray does not wait for the tree of a larger mesh, some 10 ms

HitFacts = tuple[int, int, np.ndarray]  # node, triangle, and what hit_attributes.describe writes

_ALL_NODES = np.empty(0, dtype=np.bool_)
_FIRST_ROOM = 64  # hits
_SHARE = 128  # rays that a thread takes at a time
_WAIT_FOR_EVERY_TREE = 2**62


class _Asked(NamedTuple):
    """What the kernels take, as it is when a query is asked.

    Attributes:
        tree, center: as SpatialIndex.ray_tree. wanted: (meshes,) bool, written: whose triangle trees are to be built.
    """

    tree: RayTree
    center: np.ndarray
    nodes: NodeArrays
    meshes: MeshArrays
    trees: MeshTrees
    wanted: np.ndarray


class RayCaster:
    """Casts rays against the nodes of an octree that have triangles; from several threads, while nobody edits it."""

    def __init__(self, index: SpatialIndex) -> None:
        self._index = index
        self._trees = MeshTrees(index.nodes.meshes)
        self._lock = threading.Lock()  # kernels run without it

    def nearest(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        t_max: float,
        *,
        layers: int,
        back_faces: bool,
        among: np.ndarray | None,
    ) -> list[HitFacts]:
        """As Scene.raycast; none, or one."""
        origin, direction = checked_ray(origin, direction, t_max)
        facts = np.empty((1, 12))
        found = HitBuffer(np.empty((1, 4)), np.empty((1, 2), np.int64))
        query = RayQuery(checked_mask(layers), bool(back_faces), False, BUILT_LATER)
        if _cast(self._asked(among), origin, direction, t_max, query, found, facts) == 0:
            return []
        return [(*found.ids[0].tolist(), facts[0])]

    def every(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        t_max: float,
        *,
        layers: int,
        back_faces: bool,
        among: np.ndarray | None,
    ) -> list[HitFacts]:
        """As Scene.raycast with all_hits."""
        origin, direction = checked_ray(origin, direction, t_max)
        query = RayQuery(checked_mask(layers), bool(back_faces), True, BUILT_LATER)
        asked = self._asked(among)
        room = _FIRST_ROOM
        while True:
            found = HitBuffer(np.empty((room, 4)), np.empty((room, 2), np.int64))
            count = _cast(asked, origin, direction, t_max, query, found, np.empty((0, 12)))
            if count <= room:
                break
            room = count
        values, ids = found.values[:count], found.ids[:count]
        order = np.lexsort((ids[:, 1], values[:, 0], ids[:, 0]))
        found = HitBuffer(values[order], ids[order])
        kept = keep_once(asked.nodes, asked.meshes, found, float(np.abs(origin).max()))
        found = HitBuffer(found.values[kept], found.ids[kept])
        facts = describe_all(asked.nodes, asked.meshes, origin, direction, found)
        order = np.argsort(facts[:, 0], kind="stable")
        return [(*found.ids[row].tolist(), facts[row]) for row in order]

    def many(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        t_max: float,
        *,
        layers: int,
        back_faces: bool,
        among: np.ndarray | None,
    ) -> RayHits:
        """As Scene.raycast_many."""
        origins, directions = checked_rays(origins, directions, t_max)
        query = RayQuery(checked_mask(layers), bool(back_faces), False, _WAIT_FOR_EVERY_TREE)
        hits = RayHits.none(len(origins))
        rays = np.arange(len(origins))
        tree, center, nodes, meshes, trees, wanted = self._asked(among)
        while len(rays):
            built = trees.arrays()

            def cast(share: np.ndarray, built: BvhArrays = built) -> np.ndarray:
                count = cast_rays(
                    tree, center, nodes, meshes, built, query, origins, directions, float(t_max), share, hits, wanted
                )
                return share[:count]

            rays = np.concatenate(_dealt_out(cast, np.split(rays, range(_SHARE, len(rays), _SHARE))))
            _build(trees, wanted, wait=True)
        return hits

    @property
    def trees(self) -> MeshTrees:
        """The trees of the pool of meshes that the nodes have now; it may be another than before."""
        with self._lock:
            return self._trees_now()

    def _trees_now(self) -> MeshTrees:
        if self._trees.meshes is not self._index.nodes.meshes:
            self._trees = MeshTrees(self._index.nodes.meshes)
        return self._trees

    def trees_of(self, mesh_ids: np.ndarray) -> BvhArrays:
        """The trees of meshes, after building those that are missing; those of others may be among them."""
        trees = self.trees
        trees.build(mesh_ids, _executor())
        return trees.arrays()

    def _asked(self, among: np.ndarray | None) -> _Asked:
        """What the kernels take of the nodes as they are now."""
        nodes, meshes = self._index.nodes, self._index.nodes.meshes
        rows = meshes.rows
        with self._lock:
            tree, center = self._index.ray_tree()
            trees = self._trees_now()
        marks = _ALL_NODES if among is None else marks_of_nodes(among, nodes.row_count)
        return _Asked(
            tree,
            center,
            NodeArrays(nodes.mesh_ids, nodes.world_from_local, nodes.layers, marks),
            MeshArrays(
                rows["first_vertex"],
                rows["first_triangle"],
                rows["triangle_count"],
                rows["lower"],
                rows["upper"],
                meshes.vertices["position"],
                meshes.triangles["corners"],
                meshes.vertices["uv"],
            ),
            trees,
            np.zeros(len(meshes), dtype=np.bool_),
        )


def _cast(
    asked: _Asked,
    origin: np.ndarray,
    direction: np.ndarray,
    t_max: float,
    query: RayQuery,
    found: HitBuffer,
    facts: np.ndarray,
) -> int:
    """Cast one ray; where a mesh of moderate size lacks its tree, build that and cast it again."""
    tree, center, nodes, meshes, trees, wanted = asked
    while True:
        built = trees.arrays()
        count, wants, incomplete = cast_ray(
            tree, center, nodes, meshes, built, query, origin, direction, float(t_max), found, facts, wanted
        )
        if wants:
            _build(trees, wanted, wait=False)
        if not incomplete:
            return count


def _build(trees: MeshTrees, wanted: np.ndarray, *, wait: bool) -> None:
    """Build the trees that rays wanted, and forget what they wanted; without `wait`, large ones later."""
    mesh_ids = np.flatnonzero(wanted)
    wanted[mesh_ids] = False
    if not wait:
        large = trees.meshes.rows["triangle_count"][mesh_ids] > BUILT_LATER
        for mesh_id in mesh_ids[large].tolist():
            trees.build_later(mesh_id, _executor())
        mesh_ids = mesh_ids[~large]
    if len(mesh_ids):
        trees.build(mesh_ids, _executor())


def _dealt_out(cast: Callable[[np.ndarray], np.ndarray], shares: list[np.ndarray]) -> list[np.ndarray]:
    """What `cast` returns for each share, in no order.

    This thread works, too, and waits for no other that has not begun: a batch never takes longer than it would alone.
    """
    done: list[np.ndarray] = []

    def work() -> None:
        while shares:
            try:
                share = shares.pop()
            except IndexError:  # another thread was quicker
                return
            done.append(cast(share))

    helpers = [_executor().submit(work) for _ in range(min(os.cpu_count() or 1, len(shares)) - 1)]
    work()
    for helper in helpers:
        if not helper.cancel():
            helper.result()
    return done


@cache
def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="rays")
