"""Lengths: lengths and coordinates as a person reads them, by the size of the scene that they belong to."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene.conventions.length_unit import NO_UNIT

if TYPE_CHECKING:
    from octoscope.scene.scene import Scene

_DIGITS = 6  # of the scene's size; what lies below them is rounding, or no longer seen
_LEAST_DIGITS = 3  # of a length in such a scene, however small it is
_MOST_DECIMALS, _GREATEST = 12, 1e15  # beyond them numbers are written with a power of ten


@dataclass(frozen=True)
class Lengths:
    """Writes the lengths of a scene, all to the same step: in one of 35 m to a tenth of a millimetre.

    Attributes:
        scene_size: the longest side of the scene's box; 0 where it is not known, then each number has six digits.
        unit: the scene's, one of LENGTH_UNITS; it stands behind what is written.
        decimals: with how many lengths, areas and volumes are written; None: as many as the size asks for.
    """

    scene_size: float = 0.0
    unit: str = NO_UNIT
    decimals: int | None = None

    @classmethod
    def of(cls, scene: Scene) -> Lengths:
        """Return those of a scene."""
        bounds = scene.index.bounds()
        with np.errstate(over="ignore"):
            size = 0.0 if bounds is None else float((bounds[1] - bounds[0]).max())
        return cls(size, scene.length_unit, scene.length_decimals)

    def text(self, value: float) -> str:
        """Write a length or a coordinate."""
        return self._with_unit(self.number(value))

    def area(self, value: float) -> str:
        """Write an area."""
        return self._with_unit(replace(self, scene_size=0.0).number(value), "²")

    def volume(self, value: float) -> str:
        """Write a volume."""
        return self._with_unit(replace(self, scene_size=0.0).number(value), "³")

    def number(self, value: float) -> str:
        """Write a length or a coordinate without its unit."""
        value = float(value)
        if not math.isfinite(value) or value == 0.0:
            return f"{value + 0.0:.{self.decimals or 0}f}"
        if self.decimals is not None and abs(value) < _GREATEST:
            return f"{round(value, self.decimals) + 0.0:.{self.decimals}f}"
        size = self.scene_size if 0.0 < self.scene_size < math.inf else abs(value)
        step = _power(size) - _DIGITS + 1
        if abs(value) < 0.5 * 10.0**step:
            return "0"
        decimals = max(0, -min(step, _power(value) - _LEAST_DIGITS + 1))
        if decimals > _MOST_DECIMALS or abs(value) >= _GREATEST:
            return f"{value:.{_DIGITS}g}"
        text = f"{value:.{decimals}f}"
        return text.rstrip("0").rstrip(".") if decimals else text

    def point(self, point: Iterable[float]) -> str:
        """Write the coordinates of a point (3,)."""
        return self._with_unit("  ".join(map(self.number, point)))

    def sides(self, sides: Iterable[float]) -> str:
        """Write the sides of a box (3,)."""
        return self._with_unit(" x ".join(map(self.number, sides)))

    def _with_unit(self, text: str, power: str = "") -> str:
        return f"{text} {self.unit}{power}" if self.unit else text


def number_text(value: float) -> str:
    """Write a number that is no length, such as an area, an angle or a factor: six digits."""
    return Lengths().number(value)


def _power(value: float) -> int:
    """Return the power of ten of a number's first digit."""
    return math.floor(math.log10(abs(value)))
