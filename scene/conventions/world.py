"""World: which way is up, and how long a unit is: what coordinates need to be taken over elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.conventions.length_unit import METRES, NO_UNIT
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between


class World(NamedTuple):
    """The conventions of a scene, a file or a text on the clipboard."""

    up_axis: UpAxis
    length_unit: str = NO_UNIT

    def scale_to(self, other: World) -> float:
        """Return how many units of another world one is; 1 where either does not say what its units are."""
        if NO_UNIT in (self.length_unit, other.length_unit):
            return 1.0
        return METRES[self.length_unit] / METRES[other.length_unit]

    def linear_to(self, other: World) -> np.ndarray:
        """Return the (3, 3) float64 matrix from coordinates here to those of another world."""
        return turn_between(self.up_axis, other.up_axis) * self.scale_to(other)
