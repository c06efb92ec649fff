"""SphereTree: the queries that every tree answers, and what their answers hold. Octree and LinearOctree fill its slots.

A tree is not for two threads at once: a query may sort, and uses scratch arrays. Each has its own `frozen` one.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree.arguments import (
    checked_box,
    checked_point,
    checked_radius,
    checked_ray,
    checked_whole,
)
from octoscope.octree.building.divide import complete_cells
from octoscope.octree.building.leaf_entries import deduplicate
from octoscope.octree.building.placement import FARTHEST
from octoscope.octree.frustum import Frustum
from octoscope.octree.layout.morton import decode_3d
from octoscope.octree.layout.slots import SORTED_ABOVE, Grid, Slots, ancestor_key, decode_keys, level_of
from octoscope.octree.queries import pairs, raycast, volumes
from octoscope.octree.queries.raycast import RayTree
from octoscope.octree.records import Cells, Contacts, CullStats, SphereHit

GUESSES = {
    **dict.fromkeys(("closest", "knn", "nearest"), "tree.query_sphere(center, radius), whose ids are to be compared"),
    **dict.fromkeys(("find", "query", "search"), "tree.query_box, query_sphere, cull and raycast"),
    **dict.fromkeys(("collisions", "overlaps", "query_pairs"), "tree.pairs()"),
    **dict.fromkeys(("count", "size"), "len(tree)"),
    **dict.fromkeys(("bounds", "root"), "tree.center and tree.half_size are its root's"),
    **dict.fromkeys(("depth", "max_depth"), "it is called split_level"),
    **dict.fromkeys(("leaves", "nodes"), "tree.cells()"),
    "in_frustum": "tree.cull(frustum)",
    "query_aabb": "it is called query_box",
    "query_ball": "it is called query_sphere",
    "ray": "tree.raycast(origin, direction)",
}
_BEYOND = 4.0 * FARTHEST  # farther than any sphere reaches
_ROUNDING = 2.0**-20  # slack of float32 volumes, relative to the root's size and the volume's distance
_NO_T = np.empty(0, dtype=np.float64)
_TOLERATED_BY_A_RAY = 4096  # spheres that wait: ten microseconds
_LARGEST_BATCH = 64  # objects that raycast_nearest hands to its test at once; the first alone, then twice as many


def flat_limit(count: int) -> int:
    """Return how many spheres in a run are tested one by one, of so many in all: walking shows more of a small tree."""
    return min(volumes.FLAT_LIMIT, max(SORTED_ABOVE, count // 64))


class SphereTree:
    """Spheres in sorted slots under a complete octree, and every way to ask for them.

    Queries answer with (k,) int32 ids, each once, in no particular order if none is stated. Rounding to float32 is
    always given to the sphere.
    """

    center: np.ndarray  # (3,) float64 centre of the root cube, world units; read-only

    def __init__(self, center: ArrayLike, half_size: float, split_level: int) -> None:
        self.center = np.array(center, dtype=np.float64)
        self.center.flags.writeable = False
        self._grid = Grid.empty(float(half_size), split_level)
        self._slots = Slots.empty(0)
        self._sorted_count = 0
        self._slot_count = 0
        self._dead_count = 0
        self._live_count = 0
        self._slot_of = np.zeros(0, dtype=np.int32)
        self._last_query_of = np.zeros(0, dtype=np.int64)  # by id, where spheres may have several entries
        self._query = 0
        self._is_frozen = False
        self._mask = np.zeros(volumes.CHUNK, dtype=np.uint8)
        self._found_on_ray = np.empty(0, dtype=np.int32)
        self._found_t = np.empty(0, dtype=np.float64)

    @property
    def half_size(self) -> float:
        """Half the edge length of the root cube, world units."""
        return self._grid.half_size

    @property
    def split_level(self) -> int:
        """Level of the leaves; the root is level 0."""
        return self._grid.split_level

    def __len__(self) -> int:
        return self._live_count

    def frozen(self, *, completely: bool = False) -> Self:
        """Return a tree over the same arrays with scratch arrays of its own, to be asked beside this one.

        It is valid until a sphere is inserted, moved or removed, and takes none itself. It answers volumes and rays, or
        all questions if it was sorted `completely`.
        """
        self._prepare(completely=completely)
        frozen = copy.copy(self)
        frozen._is_frozen = True
        frozen._mask = np.empty_like(self._mask)
        frozen._found_on_ray, frozen._found_t = np.empty(0, dtype=np.int32), _NO_T
        frozen._last_query_of = self._last_query_of.copy()
        return frozen

    def cull(self, frustum: Frustum, *, stats: CullStats | None = None) -> np.ndarray:
        """Find the spheres that touch a frustum; return (k,) int32 ids, each once, in no particular order.

        Every sphere that does is found. A sphere near a frustum's edge may be reported although it lies outside:
        six planes are tested, not the frustum's edges, and float32 rounding is always given to the sphere.

        Args:
            stats: what the query cost is added to it.
        """
        planes = frustum.planes_about(self.center)
        planes[:, 3] += (self.half_size + np.abs(planes[:, 3])) * _ROUNDING
        np.clip(planes[:, 3], -_BEYOND, _BEYOND, out=planes[:, 3])  # no sphere is farther out, or in
        counters = np.zeros(3, dtype=np.int64)
        found = self._collect(volumes.FRUSTUM, planes.astype(np.float32), counters)
        if stats is not None:
            visited, tested, copied = counters.tolist()
            stats.nodes_visited += visited
            stats.spheres_tested += tested
            stats.copied_untested += copied
        return found

    def query_box(self, lower: ArrayLike, upper: ArrayLike) -> np.ndarray:
        """Find the spheres that touch a box, its faces included.

        Args:
            lower, upper: (3,) corners, world; may be infinite.

        Raises:
            ValueError: a corner that is NaN, or lower above upper.
        """
        lower, upper = checked_box(lower, upper)
        box = np.zeros((6, 4), dtype=np.float32)
        for axis, middle in enumerate(self.center.tolist()):
            # At most beyond all spheres, where float32 can still calculate.
            begin = min(max(lower[axis] - middle, -_BEYOND), _BEYOND)
            end = min(max(upper[axis] - middle, -_BEYOND), _BEYOND)
            box[0, axis] = begin - (self.half_size + abs(begin)) * _ROUNDING
            box[1, axis] = end + (self.half_size + abs(end)) * _ROUNDING
        return self._collect(volumes.BOX, box, np.zeros(3, dtype=np.int64))

    def query_sphere(self, center: ArrayLike, radius: float) -> np.ndarray:
        """Find the spheres that touch a ball, its surface included.

        Args:
            center: (3,), world.
            radius: 0 or more, world units; may be infinite.

        Raises:
            ValueError: a value that is NaN, a centre that is not finite, a negative radius.
        """
        center, radius = checked_point(center, "a ball's center"), checked_radius(radius)
        distance = math.dist(center.tolist(), self.center.tolist())
        if distance > _BEYOND + radius:
            return np.empty(0, dtype=np.int32)
        if radius > _BEYOND:  # all of it, or its surface is where float32 cannot tell
            return self.query_box((-math.inf,) * 3, (math.inf,) * 3)
        ball = np.zeros((6, 4), dtype=np.float32)
        ball[0, :3] = center - self.center
        ball[0, 3] = radius + (self.half_size + distance + radius) * _ROUNDING
        return self._collect(volumes.BALL, ball, np.zeros(3, dtype=np.int64))

    def raycast(
        self, origin: ArrayLike, direction: ArrayLike, *, t_max: float = math.inf
    ) -> tuple[np.ndarray, np.ndarray]:
        """Find every sphere that a ray enters, nearest first.

        Args:
            origin: (3,), world.
            direction: (3,), world, of any length; t is in world units whatever its length.

        Returns:
            ids (k,) int32, and t_enter (k,) float64: where the ray enters each sphere, 0 when it begins inside.

        Raises:
            ValueError: a value that is not finite, or a direction of length zero.
        """
        origin, direction = checked_ray(origin, direction, t_max)
        self._prepare()
        return self._on_ray(origin - self.center, direction, 0.0, float(t_max))

    def raycast_nearest(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        test: Callable[[np.ndarray], ArrayLike] | None = None,
        *,
        t_max: float = math.inf,
    ) -> SphereHit | None:
        """Find what a ray hits first, asking `test` from front to back until nothing nearer can follow.

        Args:
            origin: (3,), world.
            direction: (3,), world, of any length.
            test: takes ids (n,) int32 whose spheres the ray enters, nearest first, and returns (n,) t: where the ray
                hits each object within its sphere, world units from the origin, inf or NaN where it does not. It must
                not change the tree. None: the spheres are the objects.

        Raises:
            ValueError: as for `raycast`, or `test` returned something of another shape.
        """
        origin, direction = checked_ray(origin, direction, t_max)
        self._prepare()
        local_origin = origin - self.center
        if test is None:
            slot, t = raycast.nearest_sphere(self._as_arrays(), local_origin, direction, float(t_max))
            return None if slot < 0 else self._hit(slot, t, origin, direction)
        best_id, best_t, batch_size = -1, float(t_max), 1
        # Slices of the ray, each twice as long as the one before: few spheres are looked for that are not needed.
        begin, length = 0.0, 4.0 * self.half_size / 2.0 ** min(self.split_level, 6)
        end_of_root = float(np.abs(local_origin).sum()) + 6.0 * self.half_size
        while begin <= best_t:
            end = begin + length if begin + length < end_of_root else math.inf
            ids, t_enter = self._on_ray(local_origin, direction, begin, min(end, best_t))
            while len(ids) and t_enter[0] <= best_t:
                batch = ids[:batch_size][t_enter[:batch_size] <= best_t]
                ids, t_enter = ids[batch_size:], t_enter[batch_size:]
                batch_size = min(2 * batch_size, _LARGEST_BATCH)
                t = np.asarray(test(batch.copy()), dtype=np.float64)
                if t.shape != batch.shape:
                    raise ValueError(f"test must return t of shape {batch.shape}, not {t.shape}")
                t = np.where(t >= 0.0, t, math.inf)
                nearest = int(t.argmin())
                if t[nearest] < best_t or (best_id < 0 and t[nearest] <= best_t < math.inf):
                    best_id, best_t = int(batch[nearest]), float(t[nearest])
            if end == math.inf:
                break
            begin, length = math.nextafter(end, math.inf), 2.0 * length
        if best_id < 0:
            return None
        if best_id >= len(self._slot_of) or self._slot_of[best_id] == 0:
            raise RuntimeError(f"test removed id {best_id} while the ray was cast")
        return self._hit(int(self._slot_of[best_id]) - 1, best_t, origin, direction)

    def ray_tree(self) -> RayTree:
        """Return the tree as octree.queries.raycast.next_run walks it, for kernels that test what is in the spheres.

        It is valid until a sphere is inserted, moved or removed; queries leave its arrays as they are. Spheres that
        wait to be sorted are sorted only when they are a large part of all: one ray tests them sooner than they are
        sorted. A sphere may have several entries in a LeafOctree.
        """
        if self._slot_count - self._sorted_count > max(_TOLERATED_BY_A_RAY, self._sorted_count // 4):
            self._prepare()
        return self._as_arrays()

    def _as_arrays(self) -> RayTree:
        return RayTree(self._sorted_count, self._slot_count, self._slots, self._grid)

    def pairs(self) -> np.ndarray:
        """Find the pairs of spheres that overlap or touch: (m, 2) int32 ids, the lower one first."""
        return self._pairs()[0]

    def contacts(self) -> Contacts:
        """Find the pairs that `pairs` finds, each with its normal, depth and point.

        They are those of the spheres as they are stored: float32 about the tree's centre, none smaller than given.
        """
        ids, places, slots = self._pairs()
        centers = np.stack([column[places] for column in slots[:3]], axis=-1).astype(np.float64)  # (m, 2, 3)
        radii = slots.r[places].astype(np.float64)
        between = centers[:, 1] - centers[:, 0]
        distances = np.linalg.norm(between, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            normals = np.where(distances[:, None] > 0.0, between / distances[:, None], (1.0, 0.0, 0.0))
        # Along the normal, from the first centre: where the second sphere begins, but not before the first does, and
        # where the first ends, but not behind the second, which may lie within it.
        begins = np.maximum(distances - radii[:, 1], -radii[:, 0])
        ends = np.minimum(radii[:, 0], distances + radii[:, 1])
        points = self.center + centers[:, 0] + normals * ((begins + ends) / 2.0)[:, None]
        return Contacts(ids, normals, np.maximum(radii.sum(axis=1) - distances, 0.0), points)

    def _pairs(self) -> tuple[np.ndarray, np.ndarray, Slots]:
        """Return the ids of all pairs, the places of their spheres in the columns, (m, 2) each, and the columns."""
        slots, grid, count = self._each_once()
        ids = slots.id_at[:count]
        found = np.empty((max(1024, 2 * count), 2), dtype=np.int32)
        while True:
            total = pairs.find_pairs(count, slots, grid, found)
            if total <= len(found):
                break
            found = np.empty((total, 2), dtype=np.int32)
        found = found[:total]
        is_turned = ids[found[:, 0]] > ids[found[:, 1]]
        places = np.where(is_turned[:, None], found[:, ::-1], found)
        return ids[places], places, slots

    def cells(self, *, occupied: bool = True, level: int | None = None) -> Cells:
        """List cells of the tree, for drawing.

        Args:
            occupied: leave out the cells that hold nothing.
            level: list the cells of this level and count the spheres in and below them; None: list the cells of all
                levels and count the spheres that each holds itself.

        Raises:
            ValueError: no such level; or all of a tree that is too large to list: give a level then.
        """
        if level is not None:
            level = checked_whole(level, "level", self.split_level)
        self._prepare(completely=True)
        keys = self._slots.key[: self._slot_count]
        if level is not None:
            keys = ancestor_key(keys[level_of(keys) >= level], level, self.split_level)
        keys, counts = np.unique(keys, return_counts=True)
        if not occupied:
            complete = self._existing_cells(level)
            all_counts = np.zeros(len(complete), dtype=counts.dtype)
            all_counts[np.searchsorted(complete, keys)] = counts
            keys, counts = complete, all_counts
        levels, codes = decode_keys(keys, self.split_level)
        half_sizes = self.half_size * 0.5**levels
        coordinates = np.stack(decode_3d(codes), axis=1)
        centers = self.center - self.half_size + (2 * coordinates + 1) * half_sizes[:, None]
        return Cells(centers, half_sizes, levels, counts)

    def _existing_cells(self, level: int | None) -> np.ndarray:
        return complete_cells(self.split_level, level)

    def _prepare(self, *, completely: bool = False) -> None:
        """Sort what arrived since the last query, if it is much, or all of it (`completely`); here nothing arrives."""

    def _each_once(self) -> tuple[Slots, Grid, int]:
        """Return sorted slots with one live entry for each sphere, the grid over them, and how many they are."""
        self._prepare(completely=True)
        return self._slots, self._grid, self._slot_count

    def _collect(self, kind: int, volume: np.ndarray, counters: np.ndarray) -> np.ndarray:
        self._prepare()
        found = np.empty(self._slot_count + 1, dtype=np.int32)
        count = volumes.collect(
            self._sorted_count,
            self._slot_count,
            self._dead_count > 0,
            flat_limit(self._live_count),
            self._slots,
            self._grid,
            kind,
            volume,
            self._mask,
            found,
            counters,
        )
        if len(self._last_query_of):
            count = self._deduplicate(count, found, _NO_T)
        found = found[:count]
        return found.copy() if 2 * count < self._slot_count else found  # a view would keep the whole buffer alive

    def _on_ray(
        self, local_origin: np.ndarray, direction: np.ndarray, t_min: float, t_max: float
    ) -> tuple[np.ndarray, np.ndarray]:
        if len(self._found_t) < self._slot_count:
            self._found_on_ray = np.empty(self._slots.capacity, dtype=np.int32)
            self._found_t = np.empty(self._slots.capacity, dtype=np.float64)
        ids, t_enter = self._found_on_ray, self._found_t
        count = raycast.spheres_on_ray(
            self._sorted_count, self._slot_count, self._slots, self._grid, local_origin, direction, t_min, t_max,
            ids, t_enter,
        )  # fmt: skip
        if len(self._last_query_of):
            count = self._deduplicate(count, ids, t_enter)
        ids, t_enter = ids[:count], t_enter[:count]
        order = np.lexsort((ids, t_enter))
        return ids[order], t_enter[order]

    def _deduplicate(self, count: int, ids: np.ndarray, t: np.ndarray) -> int:
        self._query += 1
        return deduplicate(count, ids, t, self._query, self._last_query_of)

    def _hit(self, slot: int, t: float, origin: np.ndarray, direction: np.ndarray) -> SphereHit:
        point = origin + t * direction
        center = self.center + [column[slot] for column in self._slots[:3]]
        normal = point - center
        length = math.sqrt(normal.dot(normal))
        normal = normal / length if length > 0.0 else -direction
        return SphereHit(int(self._slots.id_at[slot]), float(t), point, normal, self._code_at_slot(slot))

    def _code_at_slot(self, slot: int) -> int:
        level, code = decode_keys(int(self._slots.key[slot]), self.split_level)
        return 1 << 3 * level | code
