"""CardTimes: what the ways of drawing a picture cost on one card, beside each other, and which of them pay there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

_MOST_OF_BETTER = 0.95  # of a quality's cost, that of the next lower one may be: else it would not be worth its looks
_LEAST_SAVED = 0.2  # of the triangles of a picture, by occlusion culling
_FEWEST_CULLED = 20_000  # triangles


@dataclass(frozen=True)
class CardTimes:
    """The costs on one card.

    Attributes:
        costs: of each of QUALITIES, as a share of the best one's, where pixels take all of the time.
        most_at_corners: triangles for each pixel, up to which a simple light is faster at the corners of triangles.
        fewest_culled: triangles of a picture, from which on it pays to look for hidden objects.
        shadows: cost of a picture with shadows, as a share of the best quality's without them.
    """

    costs: tuple[float, ...]
    most_at_corners: float
    fewest_culled: float
    shadows: float = 3.0

    @staticmethod
    def of_software() -> CardTimes:
        """Return those of Mesa's llvmpipe, for a processor that draws."""
        return CardTimes((1.0, 0.42, 0.085, 0.06), 1.0, 100_000.0)

    @staticmethod
    def unmeasured() -> CardTimes:
        """Return guesses for a card that was not measured yet: to read depths back costs it a million triangles."""
        return CardTimes((1.0, 0.42, 0.085, 0.06), 1.0, 2_000_000.0)

    @staticmethod
    def from_measured(
        qualities_ms: Sequence[float],
        pixel_ms: tuple[float, float],
        triangle_ms: tuple[float, float],
        culling_ms: float,
        shadowed_ms: float,
    ) -> CardTimes:
        """Return what follows from the times of pictures.

        Args:
            qualities_ms: of one picture of few triangles, in each of QUALITIES.
            pixel_ms: of a pixel in a simple light, calculated at pixels, and at corners.
            triangle_ms: of a triangle, likewise.
            culling_ms: of the look for hidden objects.
            shadowed_ms: of the picture of few triangles in the best quality, with shadows.
        """
        costs = [1.0]
        for milliseconds in qualities_ms[1:]:
            costs.append(min(milliseconds / qualities_ms[0], _MOST_OF_BETTER * costs[-1]))
        saved, added = pixel_ms[0] - pixel_ms[1], triangle_ms[1] - triangle_ms[0]
        most_at_corners = 0.0 if saved <= 0.0 else saved / added if added > 0.0 else math.inf
        fewest = culling_ms / (_LEAST_SAVED * triangle_ms[0]) if triangle_ms[0] > 0.0 else math.inf
        shadows = max(shadowed_ms / qualities_ms[0], 1.0)
        return CardTimes(tuple(costs), most_at_corners, max(fewest, _FEWEST_CULLED), shadows)

    @staticmethod
    def from_table(table: Mapping[str, Any]) -> CardTimes:
        """Return what `as_table` has put into a file; a TypeError or ValueError, if something else stands there."""
        times = CardTimes(
            tuple(map(float, table["costs"])),
            *(float(table[name]) for name in ("most_at_corners", "fewest_culled", "shadows")),
        )
        costs = times.costs
        if len(costs) != len(CardTimes.of_software().costs) or costs[0] != 1.0 or not costs[-1] > 0.0:
            raise ValueError("no costs of the qualities")
        if any(not lower < better for better, lower in pairwise(costs)):
            raise ValueError("a lower quality costs no less")
        if not (times.most_at_corners >= 0.0 and times.fewest_culled > 0.0):
            raise ValueError("no numbers of triangles")
        if not times.shadows >= 1.0:
            raise ValueError("shadows cost nothing")
        return times

    def as_table(self) -> dict[str, Any]:
        """Return all as JSON can hold it."""
        return asdict(self)
