"""Octree: a complete octree over spheres, divided to its deepest level without storing a cell.

The class checks its arguments, keeps the columns large enough and decides when to sort. Kernels do the work:
octree.building finds a sphere's cell, changes what is in the tree, sorts and divides it; SphereTree answers queries.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import checked_numbers
from octoscope.guesses import public
from octoscope.octree.arguments import checked_ids, checked_point, checked_whole, listed
from octoscope.octree.building import edit, placement
from octoscope.octree.building.divide import CapacityDivision, CompleteDivision, DividedCells
from octoscope.octree.building.sort import sorted_slots
from octoscope.octree.layout.slots import MAX_SPLIT_LEVEL, Slots
from octoscope.octree.records import OctreeStats
from octoscope.octree.sphere_tree import GUESSES, SphereTree

_SHORTEST_OVERFLOW = 64  # sorting again for fewer spheres than this is never worth it
_NO_ENTRIES = np.empty(0, dtype=np.int32)  # each sphere stands in one slot
_OUTSIDE_TOLERATED = 64  # or an eighth of all spheres: with more outside, the root grows


@public(
    instead={
        **GUESSES,
        **dict.fromkeys(("add", "append", "build"), "tree.insert(ids, centers, radii)"),
        **dict.fromkeys(("clear", "delete"), "tree.remove(ids)"),
        "update": "tree.move(ids, centers, radii)",
    },
    arguments={"depth": "it is called split_level", "size": "it is half_size, from the center to a side"},
)
class Octree(SphereTree):
    """An octree over spheres with int32 ids, for spheres that come, move and go.

    Examples:
        >>> centers, radii = np.random.uniform(0, 100, (1000, 3)), np.full(1000, 0.5)
        >>> tree = Octree(center=(50, 50, 50), half_size=50)  # the cube around most of them
        >>> tree.insert(np.arange(1000), centers, radii)
        >>> near = tree.query_sphere((50, 50, 50), radius=10)  # ids; tree.cull(frustum), tree.raycast(...) likewise
        >>> tree.move(near, centers[near] + (0, 1, 0), radii[near])

    Args:
        center: (3,) centre of the root cube, world units.
        half_size: half its edge length. Spheres outside it are found by every query, only more slowly; when they are
            many, the root grows by a power of two around the same centre.
        split_level: level of the leaves, 0 to 19; the root is level 0.
        looseness: how much larger a cell's bounds are than the cell, 1 or more. A sphere lies in the deepest cell that
            holds its centre and whose bounds contain it.
        capacity: a cell divides only when it holds more spheres than this, down to `split_level`, and collapses when
            half of that are left for some time; 0: the whole tree is divided beforehand.

    Raises:
        ValueError: a value outside the ranges above.
    """

    looseness: float

    def __init__(
        self,
        center: ArrayLike,
        half_size: float,
        split_level: int = 6,
        *,
        looseness: float = placement.LOOSENESS,
        capacity: int = 0,
    ) -> None:
        center = checked_point(center, "center")
        if not placement.SMALLEST_ROOT <= half_size <= placement.FARTHEST:
            raise ValueError(
                f"half_size must be {placement.SMALLEST_ROOT:g} to {placement.FARTHEST:g}, not {half_size}"
            )
        split_level = checked_whole(split_level, "split_level", MAX_SPLIT_LEVEL)
        if not (math.isfinite(looseness) and looseness >= 1.0):
            raise ValueError(f"looseness must be 1 or more, not {looseness}")
        super().__init__(center, half_size, split_level)
        self.looseness = float(looseness)
        capacity = checked_whole(capacity, "capacity", math.inf)
        self._division = CapacityDivision(capacity) if capacity else CompleteDivision()
        self._next_entry = _NO_ENTRIES
        self._placed_outside = 0  # since the root was last looked at
        self._set_half_size(float(half_size))

    @property
    def capacity(self) -> int:
        """The most spheres that a cell holds before it divides; 0: the whole tree is divided beforehand."""
        return self._division.capacity

    def __contains__(self, identifier: int) -> bool:
        return 0 <= identifier < len(self._slot_of) and bool(self._slot_of[identifier] != 0)

    def contains(self, ids: ArrayLike) -> np.ndarray:
        """Return (n,) bool: for each id, whether it is in the tree."""
        ids = checked_ids(ids)
        known = ids < len(self._slot_of)
        known[known] = self._slot_of[ids[known]] != 0
        return known

    def insert(self, ids: ArrayLike, centers: ArrayLike, radii: ArrayLike) -> None:
        """Add spheres. They are queued; the next query sorts them in.

        Args:
            ids: (n,) int, 0 or more, not in the tree.
            centers: (n, 3), world.
            radii: (n,), 0 or more.

        Raises:
            ValueError: bad arguments; the message has the offending ids, and the tree is as it was.
        """
        ids, centers, radii = self._checked(ids, centers, radii)
        if len(ids) == 0:
            return
        self._place(ids, centers, radii)
        self._make_room_for_ids(int(ids.max()) + 1)
        taken = edit.link_appended(self._slot_count, ids, self._slots.id_at, self._slot_of)
        if taken >= 0:
            problem = "already in the tree" if ids[taken] in self else "given twice"
            raise ValueError(f"id {ids[taken]} is {problem}")
        self._slot_count += len(ids)
        self._live_count += len(ids)

    def move(self, ids: ArrayLike, centers: ArrayLike, radii: ArrayLike) -> None:
        """Give spheres of the tree another centre and radius.

        Args:
            ids: (n,) int, in the tree.
            centers: (n, 3), world.
            radii: (n,), 0 or more.

        Raises:
            KeyError: ids that are not in the tree, which is left as it was.
            ValueError: as for `insert`.
        """
        ids, centers, radii = self._checked(ids, centers, radii)
        if len(ids) == 0:
            return
        self._require_known(ids)
        self._place(ids, centers, radii)
        self._slot_count, died = edit.commit_moves(
            self._sorted_count, self._slot_count, ids, self._slots, self._slot_of, self._next_entry
        )
        self._dead_count += died

    def remove(self, ids: ArrayLike) -> None:
        """Remove spheres.

        Raises:
            KeyError: ids that are not in the tree, which is left as it was.
            ValueError: ids given twice; the tree is left as it was.
        """
        ids = checked_ids(ids)
        if len(ids) == 0:
            return
        self._require_known(ids)
        self._slot_count, died = edit.remove_spheres(
            self._sorted_count, self._slot_count, ids, self._slots, self._slot_of, self._next_entry
        )
        self._dead_count += died
        self._live_count -= len(ids)

    def cell_of(self, identifier: int) -> int:
        """Return the locational code of the cell that a sphere is stored in; of any of them in a LeafOctree."""
        self._require_known(checked_ids([identifier]))
        self._prepare(completely=True)
        return self._code_at_slot(int(self._slot_of[identifier]) - 1)

    def stats(self) -> OctreeStats:
        """Measure the tree, once everything is sorted in."""
        self._prepare(completely=True)
        keys = self._slots.key[: self._slot_count]
        in_root = np.flatnonzero(keys == 0) if self.split_level else np.arange(self._slot_count)
        arrays = (*self._slots, self._slot_of, self._grid.table, self._found_t)
        arrays += (self._found_on_ray, self._next_entry, self._last_query_of)
        division = self._division
        arrays += division.cells
        return OctreeStats(
            split_level=self.split_level,
            cells=(8 ** (self.split_level + 1) - 1) // 7,
            occupied=int(np.count_nonzero(np.diff(keys))) + (len(keys) > 0),
            spheres=self._live_count,
            at_root=len(in_root),
            outside_root=int(np.count_nonzero(self._farthest(in_root) > self.half_size)),
            divided=len(division.cells.keys),
            divisions=division.made,
            collapses=division.collapsed,
            center=tuple(self.center.tolist()),
            half_size=self.half_size,
            memory_bytes=sum(array.nbytes for array in arrays),
        )

    def _set_half_size(self, half_size: float) -> None:
        self._grid = self._grid._replace(half_size=half_size)
        self._most_overhang = self._most_overhang_of(half_size * 0.5 ** np.arange(self.split_level + 1))

    def _most_overhang_of(self, half_sizes: np.ndarray) -> np.ndarray:
        """Return the most that a sphere can stick out of its cell, by level, for placement.extend_overhang."""
        return (self.looseness - 1.0) * half_sizes

    def _place(self, ids: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> None:
        """Write spheres behind the last slot, make room for them there, and find their cells."""
        needed = self._slot_count + len(ids)
        if needed > self._slots.capacity:
            self._slots = self._slots.grown(max(needed, 2 * self._slots.capacity))
        outside = placement.place_spheres(
            self._slot_count, centers, radii, self._slots, self.center, self.half_size, self.split_level,
            self.looseness, self._most_overhang, self._grid.overhang,
        )  # fmt: skip
        if outside < 0:
            good = (np.abs(centers - self.center).sum(axis=1) < placement.FARTHEST) & (radii >= 0.0)
            good &= radii < placement.FARTHEST
            raise ValueError(
                f"spheres that are not finite, of negative radius, or larger or farther from the tree's center than "
                f"{placement.FARTHEST:g}: ids {listed(ids[~good])}"
            )
        self._placed_outside += outside
        self._division.cut(self._slot_count, needed, self._slots, self.split_level)

    def _prepare(self, *, completely: bool = False) -> None:
        waiting = self._slot_count - self._sorted_count + self._dead_count
        tolerated = 0 if completely or not self._sorted_count else max(_SHORTEST_OVERFLOW, self._sorted_count // 16)
        if self._grow_root_if_worth_it() or waiting > tolerated:
            self._sort()

    def _sort(self) -> None:
        """Sort everything in: nothing waits afterwards, and nothing is dead. Arrays of `ray_tree` stay as they are."""
        if self._is_frozen:
            raise RuntimeError("a frozen tree answers volumes and rays alone, unless it was sorted completely")
        source = self._division.restored(
            self._slot_count, self._slots, self.half_size, self.split_level, self.looseness
        )
        something_left = self._dead_count > 0
        self._take_sorted(source, self._slot_count)
        # From here on everything is in order; what is still to be done may fail for want of memory.
        if something_left:  # else nothing has gone that the overhangs cover
            self._measure_overhang()
        self._division.divide(self._slots, self._slot_count, self._grid)

    def _take_sorted(self, source: Slots, count: int) -> None:
        """Replace the slots by the first `count` of `source`, sorted; where memory runs out, nothing changes."""
        above = self._division.sorted_above
        self._slots, self._grid, count = sorted_slots(source, count, self._grid, self._slot_of, above)
        self._sorted_count = self._slot_count = count
        self._dead_count = 0

    def _measure_overhang(self) -> None:
        """Make the grid's overhangs cover the spheres that are there and no others."""
        self._grid = self._grid._replace(overhang=np.zeros_like(self._grid.overhang))
        placement.extend_overhang(
            0, self._slot_count, self._slots, self.split_level, self._most_overhang, self._grid.overhang
        )

    def _grow_root_if_worth_it(self) -> bool:
        """Double the root until few spheres lie outside; around the same centre, so that no sphere changes.

        Returns:
            whether it has grown: everything is to be sorted anew then.
        """
        tolerated = max(_OUTSIDE_TOLERATED, self._live_count // 8)
        if self._placed_outside <= tolerated:
            return False
        self._placed_outside = 0
        farthest = np.sort(self._farthest(self._slots.id_at[: self._slot_count] >= 0))
        half_size = self.half_size
        while len(farthest) > tolerated and half_size < farthest[-1 - tolerated]:
            half_size *= 2.0
        if half_size == self.half_size:
            return False
        self._set_half_size(half_size)
        self._division.become(DividedCells.empty(0))
        self._slots = self._slots._replace(key=self._slots.key.copy())
        placement.find_keys(0, self._slot_count, self._slots, self.half_size, self.split_level, self.looseness)
        self._measure_overhang()
        return True

    def _farthest(self, which: np.ndarray) -> np.ndarray:
        """Return the largest coordinate of slots' centres about the root's centre, of any axis."""
        x, y, z = (np.abs(axis[: self._slot_count][which]) for axis in self._slots[:3])
        return np.maximum(np.maximum(x, y), z)

    def _existing_cells(self, level: int | None) -> np.ndarray:
        return self._division.existing_cells(self.split_level, level)

    def _make_room_for_ids(self, needed: int) -> None:
        """Lengthen the columns by id; all of them, or, where there is no memory, none."""
        self._slot_of = lengthened(self._slot_of, needed)

    def _checked(self, ids: ArrayLike, centers: ArrayLike, radii: ArrayLike) -> tuple[np.ndarray, ...]:
        ids = checked_ids(ids)
        centers, radii = checked_numbers(centers, "centers"), checked_numbers(radii, "radii")
        if centers.shape != (len(ids), 3) or radii.shape != (len(ids),):
            raise ValueError(
                f"{len(ids)} ids need centers of shape ({len(ids)}, 3) and radii of shape ({len(ids)},), "
                f"not {centers.shape} and {radii.shape}"
            )
        return ids, centers, radii

    def _require_known(self, ids: np.ndarray) -> None:
        known = self.contains(ids)
        if not known.all():
            raise KeyError(f"ids that are not in the tree: {listed(ids[~known])}")
        repeated = edit.first_repeated(ids, self._slot_of)
        if repeated >= 0:
            raise ValueError(f"id {ids[repeated]} is given twice")


def lengthened(column: np.ndarray, needed: int) -> np.ndarray:
    """Return a column with at least so many rows, the new ones zero; the column itself if it has them."""
    if needed <= len(column):
        return column
    longer = np.zeros(max(needed, 2 * len(column)), dtype=column.dtype)
    longer[: len(column)] = column
    return longer
