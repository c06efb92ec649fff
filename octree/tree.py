"""Octree: a complete octree over spheres, preallocated to its split level, in flat arrays.

This class is the door: it checks what comes in, keeps the columns large enough and decides when to sort. The work
is done by the kernels in edit.py, cull.py and raycast.py; numbering.py explains how cells are counted.

What is stored: one column each for x, y, z, radius (float32 about the tree's centre), cell and id, in cell order,
and `start`, the first slot of each cell. What changes cell waits unsorted in an overflow behind the sorted slots
and every query tests it flat; the next query sorts everything anew when the overflow has grown too long to be worth
it. Sorting a million spheres takes about 20 ms, so nothing cleverer pays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octree import cull, edit, raycast
from octree.arguments import checked_ids, checked_ray, listed
from octree.frustum import Frustum
from octree.numbering import MAX_SPLIT_LEVEL, axis_offsets, decode_cells, subtree_sizes

_FARTHEST = 1e30  # beyond, float32 cannot hold squares of coordinates, let alone differences
_SHORTEST_OVERFLOW = 64  # sorting again for fewer spheres than this is never worth it
_SHORTEST_FLAT = 8  # spheres that are always tested one by one; in a small tree walking costs nothing, and shows more
_ROUNDING = 2.0**-20  # slack of the float32 planes, relative to the root's size


@dataclass
class CullStats:
    """What culling cost; `Octree.cull` adds to it."""

    nodes_visited: int = 0
    spheres_tested: int = 0
    copied_untested: int = 0


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells for drawing: centres (n, 3) float64 and half sizes (n,) float64 in world units, levels and counts (n,)."""

    centers: np.ndarray
    half_sizes: np.ndarray
    levels: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True)
class OctreeStats:
    """Facts about a tree.

    Attributes:
        split_level: level of the leaves; the root is level 0.
        cells: cells that the complete tree has.
        occupied: cells that hold at least one sphere of their own.
        spheres: spheres in the tree.
        at_root: of these, the ones in no smaller cell: too large, or outside the root cube.
        overflow: of these, the ones waiting to be sorted in.
        center, half_size: the root cube, world units.
        memory_bytes: what the columns take.
    """

    split_level: int
    cells: int
    occupied: int
    spheres: int
    at_root: int
    overflow: int
    center: tuple[float, float, float]
    half_size: float
    memory_bytes: int


class Octree:
    """A loose octree over spheres with int32 ids. Not for two threads at once: a query may sort, and uses scratch.

    Args:
        center: (3,) centre of the root cube, world units.
        half_size: half its edge length. Spheres outside it are found by every query, only more slowly.
        split_level: level of the leaves, 0 to 9.
        looseness: how much larger a cell's bounds are than the cell, above 1. A sphere lies in the cell that holds
            its centre, on the deepest level where its radius is at most (looseness - 1) * the cell's half size.

    Raises:
        ValueError: a value outside the ranges above.
    """

    def __init__(self, center: ArrayLike, half_size: float, split_level: int = 6, *, looseness: float = 2.0) -> None:
        center = np.array(center, dtype=np.float64)
        if center.shape != (3,) or not np.isfinite(center).all():
            raise ValueError(f"center must be three finite numbers, not {center}")
        if not (np.isfinite(half_size) and 0.0 < half_size < _FARTHEST):
            raise ValueError(f"half_size must be positive and below {_FARTHEST:g}, not {half_size}")
        if not 0 <= split_level <= MAX_SPLIT_LEVEL:
            raise ValueError(f"split_level must be 0 to {MAX_SPLIT_LEVEL}, not {split_level}")
        if not (np.isfinite(looseness) and looseness > 1.0):
            raise ValueError(f"looseness must be above 1, not {looseness}")
        self.center = center
        self.half_size = float(half_size)
        self.split_level = int(split_level)
        self.looseness = float(looseness)
        self._sizes = subtree_sizes(split_level)
        self._offsets = axis_offsets(split_level)
        half_sizes = half_size * 0.5 ** np.arange(split_level + 1)
        self._level_limits = ((looseness - 1.0) * half_sizes).astype(np.float32)
        self._start = np.zeros(int(self._sizes[0]) + 2, dtype=np.int32)
        self._reach = np.zeros(split_level + 1, dtype=np.float64)
        self._slot_of = np.zeros(0, dtype=np.int32)
        self._spheres = np.empty((4, 0), dtype=np.float32)
        self._cell = np.empty(0, dtype=np.int32)
        self._id_at = np.empty(0, dtype=np.int32)
        self._sorted_count = 0
        self._slot_count = 0
        self._live_count = 0
        self._mask = np.zeros(cull.CHUNK, dtype=np.uint8)
        self._found = np.empty(1, dtype=np.int32)
        self._found_t = np.empty(0, dtype=np.float64)

    def __len__(self) -> int:
        return self._live_count

    def __contains__(self, identifier: int) -> bool:
        return 0 <= identifier < len(self._slot_of) and bool(self._slot_of[identifier] != 0)

    def contains(self, ids: ArrayLike) -> np.ndarray:
        """(n,) bool: which of the ids are in the tree."""
        ids = checked_ids(ids)
        known = ids < len(self._slot_of)
        known[known] = self._slot_of[ids[known]] != 0
        return known

    def insert(self, ids: ArrayLike, centers: ArrayLike, radii: ArrayLike) -> None:
        """Add spheres. They are queued; the next query sorts them in.

        Args:
            ids: (n,) int, 0 or more, not in the tree.
            centers: (n, 3), world. radii: (n,), 0 or more.

        Raises:
            ValueError: with the offending ids; the tree is as it was.
        """
        ids, centers, radii = self._checked(ids, centers, radii)
        if len(ids) == 0:
            return
        self._grow_ids(int(ids.max()) + 1)
        taken = edit.reserve_ids(ids, self._slot_of)
        if taken >= 0:
            problem = "already in the tree" if ids[taken] in self else "given twice"
            raise ValueError(f"id {ids[taken]} is {problem}")
        self._grow_slots(self._slot_count + len(ids))
        self._store(centers, radii)
        edit.link_appended(self._slot_count, ids, self._id_at, self._slot_of)
        self._slot_count += len(ids)
        self._live_count += len(ids)

    def move(self, ids: ArrayLike, centers: ArrayLike, radii: ArrayLike) -> None:
        """Give spheres of the tree a new place and radius; arguments as for `insert`.

        Raises:
            KeyError: ids that are not in the tree. ValueError: as for `insert`. The tree is as it was.
        """
        ids, centers, radii = self._checked(ids, centers, radii)
        self._require_known(ids)
        self._grow_slots(self._slot_count + len(ids))
        self._store(centers, radii)
        self._slot_count = edit.settle_moved(
            self._sorted_count, self._slot_count, ids, *self._spheres, self._cell, self._id_at, self._slot_of
        )

    def remove(self, ids: ArrayLike) -> None:
        """Remove spheres.

        Raises:
            KeyError: ids that are not in the tree. ValueError: ids given twice. The tree is as it was.
        """
        ids = checked_ids(ids)
        self._require_known(ids)
        self._slot_count = edit.remove_spheres(
            self._sorted_count, self._slot_count, ids, *self._spheres, self._cell, self._id_at, self._slot_of
        )
        self._live_count -= len(ids)

    def cull(self, frustum: Frustum, *, stats: CullStats | None = None) -> np.ndarray:
        """Find the spheres that touch a frustum.

        Every sphere that does is found. A sphere near a frustum's edge may be reported although it lies outside:
        six planes are tested, not the frustum's edges, and float32 rounding is always given to the sphere.

        Returns:
            (k,) int32 ids, each once, in no particular order.
        """
        self._sort_if_worth_it()
        planes = frustum.planes.copy()
        planes[:, 3] += planes[:, :3] @ self.center
        planes[:, 3] += (self.half_size + np.abs(planes[:, 3])) * _ROUNDING
        counters = np.zeros(3, dtype=np.int64)
        count = cull.cull_tree(
            self._sorted_count,
            self._slot_count,
            self._has_dead(),
            min(cull.FLAT_LIMIT, max(_SHORTEST_FLAT, self._live_count // 64)),
            *self._spheres,
            self._id_at,
            self._start,
            self._sizes,
            self._reach,
            self.half_size,
            planes.astype(np.float32),
            self._mask,
            self._found,
            counters,
        )
        if stats is not None:
            stats.nodes_visited += int(counters[0])
            stats.spheres_tested += int(counters[1])
            stats.copied_untested += int(counters[2])
        return self._found[:count].copy()

    def raycast(
        self, origin: ArrayLike, direction: ArrayLike, *, t_max: float = np.inf
    ) -> tuple[np.ndarray, np.ndarray]:
        """Find every sphere that a ray enters, nearest first.

        Args:
            origin, direction: (3,), world; the direction is normalised, so that t is in world units.
            t_max: length of the ray.

        Returns:
            ids (k,) int32, and t_enter (k,) float64: where the ray enters each sphere, 0 from inside it.

        Raises:
            ValueError: a value that is not finite, or a direction of length zero.
        """
        origin, direction = checked_ray(origin, direction, t_max)
        self._sort_if_worth_it()
        if len(self._found_t) < len(self._found):
            self._found_t = np.empty(len(self._found), dtype=np.float64)
        count = raycast.raycast_tree(
            self._sorted_count,
            self._slot_count,
            *self._spheres,
            self._id_at,
            self._start,
            self._sizes,
            self._reach,
            self.half_size,
            origin - self.center,
            direction,
            float(t_max),
            self._found,
            self._found_t,
        )
        order = np.argsort(self._found_t[:count], kind="stable")
        return self._found[:count][order], self._found_t[:count][order]

    def cells(self) -> Cells:
        """The occupied cells: those that hold spheres of their own."""
        self._sort_if_worth_it()
        live = self._id_at[: self._slot_count] >= 0
        numbers, counts = np.unique(self._cell[: self._slot_count][live], return_counts=True)
        levels, coordinates = decode_cells(numbers, self.split_level)
        half_sizes = self.half_size * 0.5**levels
        centers = self.center - self.half_size + (2 * coordinates + 1) * half_sizes[:, None]
        return Cells(centers, half_sizes, levels, counts)

    def stats(self) -> OctreeStats:
        """Facts about the tree as it stands."""
        cells = self.cells()
        columns = (self._spheres, self._cell, self._id_at, self._slot_of, self._start, self._found)
        return OctreeStats(
            split_level=self.split_level,
            cells=int(self._sizes[0]),
            occupied=len(cells.counts),
            spheres=self._live_count,
            at_root=int(cells.counts[cells.levels == 0].sum()),
            overflow=self._slot_count - self._sorted_count,
            center=tuple(self.center.tolist()),
            half_size=self.half_size,
            memory_bytes=sum(column.nbytes for column in columns),
        )

    def validate(self) -> None:
        """Check every invariant of the arrays; AssertionError says which one is broken. For tests: it is slow."""
        live = np.flatnonzero(self._id_at[: self._slot_count] >= 0)
        dead = np.flatnonzero(self._id_at[: self._slot_count] < 0)
        ids = self._id_at[live]
        assert len(live) == self._live_count, "live slots differ from the count"
        assert len(np.unique(ids)) == len(ids), "an id stands in two slots"
        assert (self._slot_of[ids] == live + 1).all(), "slot_of does not lead back to the slot"
        assert np.count_nonzero(self._slot_of) == len(ids), "slot_of knows ids that have no slot"
        assert (dead < self._sorted_count).all(), "a dead slot in the overflow"
        assert (self._spheres[3, dead] == edit.DEAD_RADIUS).all(), "a dead slot that could be seen"
        cell = self._cell[: self._sorted_count]
        assert (np.diff(cell) >= 0).all(), "sorted slots are not in cell order"
        assert self._start[0] == 0 and self._start[-2] == self._sorted_count, "start does not span the sorted slots"
        assert (np.diff(self._start) >= 0).all(), "start is not ascending"
        assert (np.repeat(np.arange(len(self._start) - 2), np.diff(self._start)[:-1]) == cell).all(), "start is wrong"
        spheres = self._spheres[:, live].astype(np.float64)
        levels, coordinates = decode_cells(self._cell[live], self.split_level)
        half_sizes = self.half_size * 0.5**levels
        below_root = levels > 0
        centers = -self.half_size + (2 * coordinates + 1) * half_sizes[:, None]
        outside = np.abs(spheres[:3].T - centers).max(axis=1, initial=0.0) - half_sizes
        assert (outside[below_root] <= self.half_size * 2.0**-19).all(), "a sphere's centre is not in its cell"
        limits = self._level_limits[levels]
        assert (spheres[3] <= limits)[below_root].all(), "a sphere sticks out of its loose cell"
        assert (spheres[3] <= self._reach[levels])[below_root].all(), "reach does not cover a sphere"
        assert (np.diff(self._reach[1:]) <= 0).all(), "reach grows with the level"

    def _store(self, centers: np.ndarray, radii: np.ndarray) -> None:
        """Write spheres behind the last slot, where there is room, and find their cells."""
        edit.store_spheres(
            self._slot_count,
            centers,
            radii,
            *self._spheres,
            self._cell,
            self.center,
            self.half_size,
            self._level_limits,
            self._offsets,
            self._reach,
        )

    def _has_dead(self) -> bool:
        return self._live_count != self._slot_count

    def _sort_if_worth_it(self) -> None:
        overflow = self._slot_count - self._sorted_count
        dead = self._slot_count - self._live_count
        if overflow + dead > (max(_SHORTEST_OVERFLOW, self._sorted_count // 16) if self._sorted_count else 0):
            self._sort()

    def _sort(self) -> None:
        capacity = len(self._id_at)
        spheres, cell, id_at = self._spheres, self._cell, self._id_at
        self._spheres = np.empty((4, capacity), dtype=np.float32)
        self._cell = np.empty(capacity, dtype=np.int32)
        self._id_at = np.empty(capacity, dtype=np.int32)
        count = edit.sort_by_cell(
            self._slot_count, spheres, self._spheres, id_at, self._id_at, cell, self._cell, self._start, self._slot_of
        )
        self._sorted_count = self._slot_count = count

    def _grow_slots(self, needed: int) -> None:
        capacity = len(self._id_at)
        if needed <= capacity:
            return
        capacity = max(needed, 2 * capacity if capacity else 0)
        self._spheres = _grown(self._spheres, capacity)
        self._cell = _grown(self._cell, capacity)
        self._id_at = _grown(self._id_at, capacity)
        self._found = np.empty(capacity + 1, dtype=np.int32)

    def _grow_ids(self, needed: int) -> None:
        if needed > len(self._slot_of):
            slot_of = np.zeros(max(needed, 2 * len(self._slot_of)), dtype=np.int32)
            slot_of[: len(self._slot_of)] = self._slot_of
            self._slot_of = slot_of

    def _checked(self, ids: ArrayLike, centers: ArrayLike, radii: ArrayLike) -> tuple[np.ndarray, ...]:
        ids = checked_ids(ids)
        centers = np.ascontiguousarray(centers, dtype=np.float64)
        radii = np.ascontiguousarray(radii, dtype=np.float64)
        if centers.shape != (len(ids), 3) or radii.shape != (len(ids),):
            raise ValueError(
                f"{len(ids)} ids need centers of shape ({len(ids)}, 3) and radii of shape ({len(ids)},), "
                f"not {centers.shape} and {radii.shape}"
            )
        if edit.first_unusable(centers, radii, self.center, _FARTHEST) >= 0:
            good = (np.abs(centers - self.center) < _FARTHEST).all(axis=1) & (radii >= 0.0) & (radii < _FARTHEST)
            raise ValueError(f"spheres that are not finite, or of negative radius: ids {listed(ids[~good])}")
        return ids, centers, radii

    def _require_known(self, ids: np.ndarray) -> None:
        """Every id is in the tree, and stands there once, or KeyError or ValueError."""
        known = self.contains(ids)
        if not known.all():
            raise KeyError(f"ids that are not in the tree: {listed(ids[~known])}")
        repeated = edit.first_repeated(ids, self._slot_of)
        if repeated >= 0:
            raise ValueError(f"id {ids[repeated]} is given twice")


def _grown(column: np.ndarray, capacity: int) -> np.ndarray:
    grown = np.empty((*column.shape[:-1], capacity), dtype=column.dtype)
    grown[..., : column.shape[-1]] = column
    return grown
