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

_DECIMALS = {"mm": 2, "cm": 2}  # by unit, of lengths in a scene of a usual size
_USUAL_DECIMALS = 3  # with any other unit, or none
_LEAST_DIGITS = 3  # of a length, and of the scene's size, however small they are
_MOST_DIGITS = 7  # of the scene's size; what lies below them is rounding, or no longer seen
_ROUNDING = 5.0  # in the last of them: a length below that is 0
_DIGITS = 6  # of numbers that are no lengths, and of those with a power of ten
_MOST_DECIMALS, _GREATEST = 12, 1e15  # beyond them numbers are written with a power of ten


@dataclass(frozen=True)
class Lengths:
    """Writes the lengths of a scene, all with the same decimals: in one of 35 m to the millimetre.

    The decimals are the unit's, more in tiny scenes and for tiny lengths, fewer in huge scenes. Zeros at the end stay,
    so that a figure does not jump while it is dragged. Thousands are separated, as those of counts are.

    Attributes:
        scene_size: the longest side of the scene's box; 0 where there is none: each number has six digits, without
            zeros at the end.
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

    def alike(self, values: Iterable[float]) -> Lengths:
        """Return what writes lengths that belong together with the same decimals, the most that one asks for."""
        finite = [float(value) for value in values if self._is_sized and math.isfinite(value)]
        return replace(self, decimals=max(map(self._decimals_of, finite), default=self.decimals))

    def text(self, value: float) -> str:
        """Write a length or a coordinate."""
        return self._with_unit(self.number(value))

    def area(self, value: float) -> str:
        """Write an area."""
        return self._with_unit(self._of_figure(value).number(value), "²")

    def volume(self, value: float) -> str:
        """Write a volume."""
        return self._with_unit(self._of_figure(value).number(value), "³")

    def _of_figure(self, value: float) -> Lengths:
        """Return what writes an area or a volume: with the decimals of lengths, and more where it is tiny."""
        return replace(self, scene_size=min(abs(value), self.scene_size if self._is_sized else math.inf))

    def number(self, value: float, *, is_alone: bool = True) -> str:
        """Write a length or a coordinate without its unit; one beside others has no more decimals than they."""
        value = float(value)
        if not math.isfinite(value):
            return f"{value}"
        decimals = self._decimals_of(value if is_alone else 0.0)
        if decimals > _MOST_DECIMALS or abs(value) >= _GREATEST:
            return f"{value:.{_DIGITS}g}"
        text = f"{round(value, decimals) + 0.0:,.{decimals}f}"
        return text if self._is_sized or self.decimals is not None or not decimals else text.rstrip("0").rstrip(".")

    @property
    def _is_sized(self) -> bool:
        return 0.0 < self.scene_size < math.inf

    def _decimals_of(self, value: float) -> int:
        """Return with how many decimals a finite number is written."""
        if self.decimals is not None:
            return self.decimals
        if not self._is_sized:
            return max(0, _DIGITS - 1 - _power(value)) if value else 0
        power = _power(self.scene_size)
        least = max(_DECIMALS.get(self.unit, _USUAL_DECIMALS), _LEAST_DIGITS - 1 - power)
        decimals = min(least, _MOST_DIGITS - 1 - power)
        if value and abs(value) >= _ROUNDING * 10.0 ** (power - _MOST_DIGITS + 1):
            decimals = max(decimals, _LEAST_DIGITS - 1 - _power(value))
        return max(0, decimals)

    def point(self, point: Iterable[float]) -> str:
        """Write the coordinates of a point (3,)."""
        return self._with_unit("  ".join(self.number(value, is_alone=not self._is_sized) for value in point))

    def sides(self, sides: Iterable[float]) -> str:
        """Write the sides of a box (3,)."""
        sides = tuple(sides)
        return self._with_unit(" x ".join(map(self.alike(sides).number, sides)))

    def _with_unit(self, text: str, power: str = "") -> str:
        return f"{text} {self.unit}{power}" if self.unit else text


def number_text(value: float) -> str:
    """Write a number that is no length, such as an area, an angle or a factor: six digits."""
    return Lengths().number(value)


def _power(value: float) -> int:
    """Return the power of ten of a number's first digit."""
    return math.floor(math.log10(abs(value)))
