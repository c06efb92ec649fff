"""LinearOctree: the octree of a set that stays as it is, as deep as the keys allow.

Nothing is stored for a cell: the spheres stand in the order of their cells' Morton codes, and a cell is the run of
keys with its prefix (linear octree: Gargantini, 1982; Ericson, "Real-Time Collision Detection", 7.3.4). The walk is
the Octree's: a table for the upper levels, a search in the keys below.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import checked_numbers
from octoscope.guesses import public
from octoscope.octree.arguments import listed
from octoscope.octree.building import placement
from octoscope.octree.building.sort import sorted_slots
from octoscope.octree.layout.slots import MAX_SPLIT_LEVEL, Slots
from octoscope.octree.sphere_tree import GUESSES, SphereTree

_SAMPLE = 4096  # centres
_OUTLIER_FACTOR = 8.0  # when a few lie this many times farther out than all others, the root leaves them outside
_FEW_OUTSIDE = 0.02  # share of the spheres that may be outside on each side
_FARTHEST_CENTER = 1e300  # of the middle of a set; so that the way between two does not overflow


@public(
    instead={
        **GUESSES,
        **dict.fromkeys(
            ("insert", "move", "remove", "update"), "it stays as it is built; octoscope.Octree takes changes"
        ),
    },
)
class LinearOctree(SphereTree):
    """A static octree over spheres; a sphere's id is its index in the arrays that the tree was built from."""

    @classmethod
    def build(cls, centers: ArrayLike, radii: ArrayLike) -> LinearOctree:
        """Build the tree over spheres; its root cube follows from their centres.

        Args:
            centers: (n, 3), world.
            radii: (n,), 0 or more, world units.

        Raises:
            ValueError: arrays of other shapes, or values that are not finite; the message has their indices.
        """
        centers, radii = checked_numbers(centers, "centers"), checked_numbers(radii, "radii")
        if radii.ndim != 1 or centers.shape != (len(radii), 3):
            raise ValueError(
                f"centers must be of shape (n, 3) and radii of shape (n,), not {centers.shape} and {radii.shape}"
            )
        good = (np.abs(centers) < _FARTHEST_CENTER).all(axis=1) & (radii >= 0.0) & (radii < placement.FARTHEST)
        if not good.all():
            raise ValueError(f"spheres that are not finite, or of negative radius: {listed(np.flatnonzero(~good))}")
        middle, half_size = np.zeros(3), 0.0
        if len(centers):
            sample = centers[:: max(1, len(centers) // _SAMPLE)]
            middle, half_size = root_cube(centers.min(axis=0), centers.max(axis=0), sample)
        half_size = half_size or float(radii.max(initial=0.0)) or 1.0
        tree = cls(middle, max(half_size, placement.SMALLEST_ROOT), MAX_SPLIT_LEVEL)
        if not half_size <= placement.FARTHEST or not tree._fill(centers, radii):
            raise ValueError(f"spheres too far apart: more than {placement.FARTHEST:g} from their middle")
        return tree

    def _fill(self, centers: np.ndarray, radii: np.ndarray) -> bool:
        """Store and sort the spheres, unless one is too far away."""
        count = len(radii)
        source = Slots.empty(count)
        half_sizes = self.half_size * 0.5 ** np.arange(self.split_level + 1)
        most_overhang = (placement.LOOSENESS - 1.0) * half_sizes
        outside = placement.place_spheres(
            0, centers, radii, source, self.center, self.half_size, self.split_level, placement.LOOSENESS,
            most_overhang, self._grid.overhang,
        )  # fmt: skip
        if outside < 0:
            return False
        source.id_at[:] = np.arange(count, dtype=np.int32)
        self._slot_of = np.zeros(count, dtype=np.int32)
        self._slots, self._grid, _ = sorted_slots(source, count, self._grid, self._slot_of)
        self._sorted_count = self._slot_count = self._live_count = count
        return True


def root_cube(lower: np.ndarray, upper: np.ndarray, centers: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the middle of a root cube and half its size, 0 around a point.

    Where a few spheres lie far out, it leaves them outside: float32 positions are to be precise where most are.
    """
    few = int(_FEW_OUTSIDE * len(centers))  # on each side; np.percentile would import numpy.ma, which takes 15 ms
    most_lower, most_upper = np.partition(centers, (few, -1 - few), axis=0)[[few, -1 - few]]
    extent = (most_upper - most_lower).max()
    if (upper - lower).max() > _OUTLIER_FACTOR * extent > 0.0:
        lower, upper = most_lower - extent / 10.0, most_upper + extent / 10.0
    # A little more than the half: rounding must not put a centre on the border outside.
    return (lower + upper) / 2.0, float((upper - lower).max()) / 2.0 * 1.001
