"""RayCaster: cast rays at the nodes of a SpatialIndex. Scene.raycast and Scene.raycast_many call it.

It keeps the triangle trees of the meshes. Everything else is read from the nodes for each query, so that it is
never out of date.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree.arguments import checked_ray, checked_rays
from octoscope.scene.bvh.arrays import BvhArrays, HitBuffer, MeshArrays, NodeArrays, RayHits, RayQuery
from octoscope.scene.bvh.store import MeshTrees
from octoscope.scene.nodes.arguments import checked_mask
from octoscope.scene.nodes.hierarchy import marks_of_nodes
from octoscope.scene.spatial.cast import RayTargets, cast_ray, cast_rays
from octoscope.scene.spatial.hit_attributes import describe_all, keep_once
from octoscope.scene.spatial.index import SpatialIndex
from octoscope.scene.system.processes import processor_count

BUILT_LATER = 100_000  # triangles: a single ray does not wait for the tree of a larger mesh, some 10 ms

HitFacts = tuple[int, int, np.ndarray]  # node, triangle, and the row that hit_attributes.describe writes

_ALL_NODES = np.empty(0, dtype=np.bool_)
_FIRST_ROOM = 64  # hits
_SHARE = 128  # rays that a thread takes at a time
_WAIT_FOR_EVERY_TREE = 2**62


class RayOptions(TypedDict):
    """The options of Scene.raycast."""

    layers: int
    back_faces: bool
    among: ArrayLike | None


class RayCaster:
    """Casts rays at the nodes' triangles; from several threads, as long as no thread edits the nodes."""

    def __init__(self, index: SpatialIndex) -> None:
        self._index = index
        self._trees = MeshTrees(index.nodes.meshes)
        self._lock = threading.Lock()  # kernels run without it

    def nearest(
        self, origin: ArrayLike, direction: ArrayLike, t_max: float, **options: Unpack[RayOptions]
    ) -> list[HitFacts]:
        """Return the nearest hit, or an empty list; arguments as for Scene.raycast."""
        origin, direction = checked_ray(origin, direction, t_max)
        facts = np.empty((1, 12))
        found = HitBuffer(np.empty((1, 4)), np.empty((1, 2), np.int64))
        query = _query(options, every=False)
        if _cast(*self._targets(options["among"]), origin, direction, t_max, query, found, facts) == 0:
            return []
        return [(*found.ids[0].tolist(), facts[0])]

    def every(
        self, origin: ArrayLike, direction: ArrayLike, t_max: float, **options: Unpack[RayOptions]
    ) -> list[HitFacts]:
        """Return all hits by ascending t; arguments as for Scene.raycast."""
        origin, direction = checked_ray(origin, direction, t_max)
        query = _query(options, every=True)
        targets, trees = self._targets(options["among"])
        room = _FIRST_ROOM
        while True:
            found = HitBuffer(np.empty((room, 4)), np.empty((room, 2), np.int64))
            count = _cast(targets, trees, origin, direction, t_max, query, found, np.empty((0, 12)))
            if count <= room:
                break
            room = count
        values, ids = found.values[:count], found.ids[:count]
        order = np.lexsort((ids[:, 1], values[:, 0], ids[:, 0]))
        found = HitBuffer(values[order], ids[order])
        kept = keep_once(targets.nodes, targets.meshes, found, float(np.abs(origin).max()))
        found = HitBuffer(found.values[kept], found.ids[kept])
        facts = describe_all(targets.nodes, targets.meshes, origin, direction, found)
        order = np.argsort(facts[:, 0], kind="stable")
        return [(*found.ids[row].tolist(), facts[row]) for row in order]

    def many(self, origins: ArrayLike, directions: ArrayLike, t_max: float, **options: Unpack[RayOptions]) -> RayHits:
        """Return the nearest hit of each ray; arguments as for Scene.raycast_many."""
        origins, directions = checked_rays(origins, directions, t_max)
        query = _query(options, every=False, brute_above=_WAIT_FOR_EVERY_TREE)
        hits = RayHits.none(len(origins))
        rays = np.arange(len(origins))
        targets, trees = self._targets(options["among"])
        while len(rays):
            built = trees.arrays()

            def cast(share: np.ndarray, built: BvhArrays = built) -> np.ndarray:
                count = cast_rays(targets, built, query, origins, directions, float(t_max), share, hits)
                return share[:count]

            rays = np.concatenate(_in_parallel(cast, np.split(rays, range(_SHARE, len(rays), _SHARE))))
            _build(trees, targets.wanted, wait=True)
        return hits

    @property
    def trees(self) -> MeshTrees:
        """The triangle trees of the nodes' present pool of meshes; replacing the pool replaces them."""
        trees, meshes = self._trees, self._index.nodes.meshes
        if trees.meshes is meshes:  # without the lock, which would take a ray half a microsecond
            return trees
        with self._lock:
            if self._trees.meshes is not meshes:
                self._trees = MeshTrees(meshes)
            return self._trees

    def trees_of(self, mesh_ids: np.ndarray) -> BvhArrays:
        """Return the trees of (m,) meshes with triangles, after building missing ones; others may be among them."""
        trees = self.trees
        trees.build(mesh_ids, _executor())
        return trees.arrays()

    def _targets(self, among: ArrayLike | None) -> tuple[RayTargets, MeshTrees]:
        """Collect the columns of the nodes as they are now, and the trees of their meshes."""
        nodes, meshes = self._index.nodes, self._index.nodes.meshes
        rows = meshes.rows
        tree, center = self._index.ray_tree()
        trees = self.trees
        marks = _ALL_NODES if among is None else marks_of_nodes(nodes, among)
        targets = RayTargets(
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
            trees.wanted(),
        )
        return targets, trees


def _query(options: RayOptions, *, every: bool, brute_above: int = BUILT_LATER) -> RayQuery:
    return RayQuery(checked_mask(options["layers"]), bool(options["back_faces"]), every, brute_above)


def _cast(
    targets: RayTargets,
    trees: MeshTrees,
    origin: np.ndarray,
    direction: np.ndarray,
    t_max: float,
    query: RayQuery,
    found: HitBuffer,
    facts: np.ndarray,
) -> int:
    """Cast one ray; where a mesh of moderate size lacks its tree, build the tree and cast again."""
    while True:
        built = trees.arrays()
        count, wants, incomplete = cast_ray(targets, built, query, origin, direction, float(t_max), found, facts)
        if wants:
            _build(trees, targets.wanted, wait=False)
        if not incomplete:
            return count


def _build(trees: MeshTrees, wanted: np.ndarray, *, wait: bool) -> None:
    """Build the trees that rays wanted, and clear `wanted`; without `wait`, large ones are built by another thread."""
    mesh_ids = np.flatnonzero(wanted)
    wanted[mesh_ids] = False
    if not wait:
        large = trees.meshes.rows["triangle_count"][mesh_ids] > BUILT_LATER
        for mesh_id in mesh_ids[large].tolist():
            trees.build_later(mesh_id, _executor())
        mesh_ids = mesh_ids[~large]
    if len(mesh_ids):
        trees.build(mesh_ids, _executor())


def _in_parallel(cast: Callable[[np.ndarray], np.ndarray], shares: list[np.ndarray]) -> list[np.ndarray]:
    """Call `cast` for each share, on all cores; return the results in no order.

    This thread works as well, and does not wait for helpers that have not begun: with busy cores it is no slower than
    one thread alone.
    """
    done: list[np.ndarray] = []

    def work() -> None:
        while shares:
            try:
                share = shares.pop()
            except IndexError:  # another thread was quicker
                return
            done.append(cast(share))

    helpers = [_executor().submit(work) for _ in range(min(processor_count(), len(shares)) - 1)]
    work()
    for helper in helpers:
        if not helper.cancel():
            helper.result()
    return done


@cache
def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(processor_count(), thread_name_prefix="rays")
