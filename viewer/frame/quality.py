"""Quality: how well a picture is drawn; CardTimes: what that costs; QualityController chooses it for what moves.

What stands still is refined to the best picture (viewer.rendering.renderer), so a lower quality is only seen in motion.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

# A choice of the user: as good as the budget allows while the picture moves, and refined when it stands still; never
# reduced, and refined; or neither.
MODES = ("automatic", "best", "constant")
BUDGET_MS = 33.0  # for a frame while the picture moves
_MEASURED = 3  # frames, of which the median counts
_BETTER_SHARE = 0.75  # of the budget: a better picture has to fit into that, so that the choice does not flicker
_MOST_BANDS = 8
_SHORTEST_MS = 0.01  # of a frame


@dataclass(frozen=True)
class Quality:
    """A way to draw a picture."""

    is_multisampled: bool  # True takes several samples a pixel, where the card can
    has_full_light: bool  # False leaves out highlights and reflections
    scale: float  # share of the picture's width and height that is drawn, and then enlarged
    has_shadows: bool = False  # whether other surfaces keep light off, as in pictures that stand still


BEST = Quality(is_multisampled=True, has_full_light=True, scale=1.0)
SHADOWED = replace(BEST, has_shadows=True)  # of pictures that move, on cards that are fast enough
UNSAMPLED = Quality(is_multisampled=False, has_full_light=True, scale=1.0)
SAMPLES = (1, 4, 16)  # a pixel that a still picture can have: UNSAMPLED, BEST, and BEST refined
# From the best to the fastest; CardTimes says what they cost. Enlarging a picture pays only if it is much smaller.
QUALITIES = (
    BEST,
    UNSAMPLED,
    Quality(is_multisampled=False, has_full_light=False, scale=1.0),
    Quality(is_multisampled=False, has_full_light=False, scale=0.5),
)
_FIRST_ON_SOFTWARE = 2
_MOST_OF_BETTER = 0.95  # of a quality's cost, that of the next lower one may be: else it would not be worth its looks
_LEAST_SAVED = 0.2  # of the triangles of a picture, by occlusion culling
_FEWEST_CULLED = 20_000  # triangles


@dataclass(frozen=True)
class CardTimes:
    """Relative costs of the ways of drawing a picture on one card, and the sizes of scenes from which each pays.

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
        """Return what a file has of `asdict`; a TypeError or ValueError, if something else stands there."""
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


class QualityController:
    """Chooses the quality of pictures that move, by the times that frames took.

    A quality that does not fit the budget gives way to the best one that is expected to; a better one comes back when
    it is expected to take less than three quarters of the budget. So do shadows, where a card draws: they depend on
    more than pixels, so once they took too long, it is learned how long that was beside a picture without them.

    Args:
        times: of the card; they may be replaced once they were measured.
        is_software: whether the processor draws: then it begins with a simple light.
    """

    def __init__(self, times: CardTimes, *, is_software: bool) -> None:
        self.times = times
        self._level = _FIRST_ON_SOFTWARE if is_software else 0  # index in QUALITIES
        self._recent: deque[float] = deque(maxlen=_MEASURED)  # milliseconds at this level
        self._known: dict[int, float] = {}  # last median by level, those measured last at the end
        self._is_new = True  # nothing was measured at this level yet
        self._is_software = is_software
        self._draws_shadows = False
        self._slow_ms: float | None = None  # of shadowed frames that took too long, until it is known what others take
        self._shadow_ms: tuple[float, float] | None = None  # then: with shadows, and without

    def quality(self, mode: str) -> Quality:
        """Return the quality for a picture that moves; `mode` is one of MODES."""
        if mode != "automatic":
            return BEST
        return SHADOWED if self._draws_shadows else QUALITIES[self._level]

    def note(self, quality: Quality, milliseconds: float) -> None:
        """Note how long a frame of a quality took, and choose the quality of the next one."""
        if quality is not self.quality("automatic"):
            return
        if self._is_new:  # it may have compiled shaders, or made framebuffers
            self._is_new = False
            return
        self._recent.append(milliseconds)
        if len(self._recent) < _MEASURED:
            return
        if self._draws_shadows:
            milliseconds = sorted(self._recent)[_MEASURED // 2]
            if milliseconds > BUDGET_MS:
                self._draws_shadows, self._slow_ms = False, milliseconds
                self._recent.clear()
            return
        self._known.pop(self._level, None)
        self._known[self._level] = sorted(self._recent)[_MEASURED // 2]
        if self._known[self._level] > BUDGET_MS:
            fitting = (level for level in range(self._level + 1, len(QUALITIES)) if self._expected(level) <= BUDGET_MS)
            self._change(next(fitting, len(QUALITIES) - 1))
        elif self._level > 0 and self._expected(self._level - 1) < _BETTER_SHARE * BUDGET_MS:
            self._change(self._level - 1)
        elif self._level == 0 and not self._is_software:
            self._consider_shadows(self._known[0])

    def _consider_shadows(self, without_ms: float) -> None:
        without_ms = max(without_ms, _SHORTEST_MS)
        if self._slow_ms is not None:
            self._shadow_ms, self._slow_ms = (self._slow_ms, without_ms), None
        expected_ms = self.times.shadows * without_ms
        if self._shadow_ms is not None:  # in another scene it may have been for its triangles, or its pixels
            slow_ms, then_ms = self._shadow_ms
            expected_ms = max(expected_ms, min(slow_ms * without_ms / then_ms, slow_ms + without_ms - then_ms))
        if expected_ms < _BETTER_SHARE * BUDGET_MS:
            self._draws_shadows, self._is_new = True, True
            self._recent.clear()

    def bands(self) -> int:
        """Return into how many bands the best picture is divided so that each is drawn within the budget.

        What does not depend on pixels is done again for each band; it is allowed to take as long as the rest.
        """
        if self._level not in self._known:
            return _MOST_BANDS if self._level else 1
        fixed_ms, pixels_ms = self._parts()
        return min(max(1, math.ceil(pixels_ms / max(BUDGET_MS - fixed_ms, fixed_ms))), _MOST_BANDS)

    def _change(self, level: int) -> None:
        if level != self._level:
            self._level = level
            self._recent.clear()
            self._is_new = level not in self._known

    def _expected(self, level: int) -> float:
        """Return the milliseconds that a frame of a level is expected to take."""
        fixed_ms, pixels_ms = self._parts()
        return fixed_ms + pixels_ms * self.times.costs[level]

    def _parts(self) -> tuple[float, float]:
        """Return the milliseconds of the best quality that do not depend on it, and those that do.

        They follow from the times of this level and of the one before it: earlier ones may be of another scene. Where
        only this one's is known, all is taken to depend.
        """
        here_ms, cost = self._known[self._level], self.times.costs[self._level]
        others = [level for level in self._known if level != self._level]
        if not others:
            return 0.0, here_ms / cost
        other = others[-1]
        slope = (self._known[other] - here_ms) / (self.times.costs[other] - cost)
        pixels_ms = min(max(slope, 0.0), here_ms / cost)
        return here_ms - pixels_ms * cost, pixels_ms
