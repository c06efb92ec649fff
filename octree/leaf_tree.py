"""LeafOctree: an octree that stores a sphere in every leaf that it touches, as textbooks do ("3D Collisions").

It serves comparisons: each query finds a sphere through several entries and reports it once, so that every query is
slower than the Octree's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.octree.building import leaf_entries, placement
from octoscope.octree.building.sort import sorted_slots
from octoscope.octree.layout.slots import Grid, Slots
from octoscope.octree.tree import Octree, lengthened


class LeafOctree(Octree):
    """An octree over spheres, each stored in every leaf that it touches; one that touches thousands, in larger cells.

    A sphere that arrives or moves is stored in the one cell that contains it whole until the next sort. One that
    reaches outside the root cube is stored in the root alone, as in the Octree, and every query tests it.

    Args:
        center: (3,) centre of the root cube, world units.
        half_size: half its edge length, world units; as for Octree.
        split_level: level of the leaves, 0 to 19.
        capacity: as for Octree, counting the spheres that touch a cell.

    Raises:
        ValueError: a value outside the ranges above.
    """

    @advises()
    def __init__(self, center: ArrayLike, half_size: float, split_level: int = 6, *, capacity: int = 0) -> None:
        super().__init__(center, half_size, split_level, looseness=1.0, capacity=capacity)

    def _most_overhang_of(self, half_sizes: np.ndarray) -> np.ndarray:
        return np.full_like(half_sizes, np.inf)

    def _sort(self) -> None:
        spheres = self._gathered()
        entries, count = leaf_entries.leaf_entries(
            spheres, self._live_count, self.half_size, self.split_level, self._division
        )
        next_entry = np.zeros(entries.capacity, dtype=np.int32)
        self._take_sorted(entries, count)
        self._next_entry = next_entry
        leaf_entries.link_entries(count, self._slots.id_at, self._slot_of, self._next_entry)
        self._measure_overhang()

    def _each_once(self) -> tuple[Slots, Grid, int]:
        self._prepare(completely=True)
        spheres = self._gathered()
        placement.find_keys(0, self._live_count, spheres, self.half_size, self.split_level, placement.LOOSENESS)
        grid = Grid.empty(self.half_size, self.split_level)
        return sorted_slots(spheres, self._live_count, grid, np.empty_like(self._slot_of))

    def _gathered(self) -> Slots:
        """Return every sphere once, in any order, without its key."""
        spheres = Slots.empty(self._live_count)
        leaf_entries.gather_spheres(self._slot_count, self._slots, self._slot_of, spheres)
        return spheres

    def _make_room_for_ids(self, needed: int) -> None:
        # The longer column first: without memory for the other, it does no harm.
        self._last_query_of = lengthened(self._last_query_of, needed)
        super()._make_room_for_ids(needed)
