"""IndexSettings: how the octree over a scene's nodes is built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.octree import LeafOctree, Octree
from octoscope.octree.building.placement import LOOSENESS

PLACEMENTS = ("cell", "loose", "leaves")


@dataclass(frozen=True)
class IndexSettings:
    """Settings that an octree is built by. None of them changes an answer, only how fast it comes."""

    split_level: int | None = None  # level of the leaves; None lets it follow from the number of objects
    # half the root cube's edge, world units; None lets it follow from the scene's bounds
    half_size: float | None = None
    # one of PLACEMENTS, the cells that a sphere is stored in: the smallest "cell" that contains it; the smallest that
    # contains it with its bounds made larger by `looseness` ("loose"); or all "leaves" that the sphere touches
    placement: str = "loose"
    looseness: float = LOOSENESS  # of loose cells, how much larger their bounds are than the cell, 1 or more
    capacity: int = 0  # most spheres that a cell holds before it is divided; 0: the whole tree is divided beforehand

    def __post_init__(self) -> None:
        """Refuse a placement that there is not, and numbers out of range, by a ValueError."""
        if self.placement not in PLACEMENTS:
            raise ValueError(f"placement must be one of {', '.join(PLACEMENTS)}, not {self.placement!r}")
        self.make_tree(
            np.zeros(3), 1.0 if self.half_size is None else self.half_size, self.split_level or 0
        )  # which checks the numbers

    @property
    def cell_bounds(self) -> float:
        """Factor by which the bounds of a cell are larger than the cell itself."""
        return self.looseness if self.placement == "loose" else 1.0

    def make_tree(self, center: np.ndarray, half_size: float, split_level: int) -> Octree:
        """Return an empty tree with a root cube and a level of its leaves, world units."""
        if self.placement == "leaves":
            return LeafOctree(center, half_size, split_level, capacity=self.capacity)
        return Octree(center, half_size, split_level, looseness=self.cell_bounds, capacity=self.capacity)
