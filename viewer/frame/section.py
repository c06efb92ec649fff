"""Section: up to six planes that cut away a part of what is seen. It is a way of seeing: the scene stays whole."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from octoscope.scene.measuring.lengths import Lengths, number_text

MOST_PLANES = 6
GRAMMAR = "x<1.5, y>0, or 1,1,0<2.5 for a plane across any direction"
_TEXT = re.compile(r"\s*(?P<direction>[^<>=]+?)\s*(?P<sign>[<>=])\s*(?P<number>[^<>=]+?)\s*")
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_FARTHEST = 1e15  # offset of a plane from the world's origin, world units
ON_PLANE = 1e-9  # of the numbers that a distance is the sum of: a point that was found on a plane lies so near it
_ROUNDING = 1e-12  # of the numbers that a distance is the sum of; many times what they round

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class SectionPlane:
    """A plane of a section. Points with `normal . point >= offset` are kept, as those inside a frustum's plane are."""

    normal: Vector  # world, of unit length; points to what is kept
    offset: float  # world units along the normal from the world's origin

    @classmethod
    def across(cls, normal: Sequence[float], offset: float) -> SectionPlane:
        """Return the plane that keeps points with `normal . point >= offset`, for a normal of any length."""
        length = math.hypot(*normal)
        if not 0.0 < length < math.inf:
            raise ValueError("the direction of a section's plane needs a length")
        if not abs(offset / length) <= _FARTHEST:
            raise ValueError(f"a section's plane lies at most {_FARTHEST:g} from the origin")
        x, y, z = (part / length + 0.0 for part in normal)  # turns -0 into 0
        return cls((x, y, z), offset / length + 0.0)

    @classmethod
    def through(cls, point: np.ndarray, normal: np.ndarray) -> SectionPlane:
        """Return the plane through a (3,) world point across a (3,) normal of any length; raises as `across`."""
        return cls.across(normal.tolist(), float(normal @ point))

    @classmethod
    def from_text(cls, text: str) -> SectionPlane:
        """Return the plane of a text: what is kept, such as "x<1.5", "y>0" or "1,1,0<2.5".

        Before the sign stands an axis, or a direction as three numbers, whose product with a kept point is below or
        above the number after it. "x=1.5" means "x<1.5".

        Raises:
            ValueError: with a line for the user; the text is nothing of that kind.
        """
        match = _TEXT.fullmatch(text)
        numbers: list[float] = []
        if match is not None:
            with suppress(ValueError):
                normal = _AXES.get(match["direction"].lower()) or map(float, match["direction"].split(","))
                numbers = [*normal, float(match["number"])]
        if match is None or len(numbers) != 4 or not all(map(math.isfinite, numbers)):
            raise ValueError(f"{text.strip()!r} is not a plane of a section, such as {GRAMMAR}")
        *direction, number = numbers if match["sign"] == ">" else [-each for each in numbers]
        return cls.across(direction, number)

    @property
    def text(self) -> str:
        """The plane as `from_text` reads it."""
        return self._text(_exact, _exact)

    def short_text(self, lengths: Lengths) -> str:
        """Return the plane as `text`, in as many digits as a person reads."""
        return self._text(number_text, lengths.text)  # the unit stands at the end, as the offset does

    def _text(self, part_text: Callable[[float], str], offset_text: Callable[[float], str]) -> str:
        """Return the plane as `from_text` reads it; its numbers are written by the functions."""
        for axis, direction in _AXES.items():
            if self.normal == direction:
                return f"{axis}>{offset_text(self.offset)}"
            if self.normal == tuple(-part + 0.0 for part in direction):
                return f"{axis}<{offset_text(-self.offset + 0.0)}"
        return f"{','.join(map(part_text, self.normal))}>{offset_text(self.offset)}"

    @property
    def flipped(self) -> SectionPlane:
        """The same plane, which keeps the other side."""
        x, y, z = (-part + 0.0 for part in self.normal)
        return SectionPlane((x, y, z), -self.offset + 0.0)

    def foot(self, point: np.ndarray) -> np.ndarray:
        """Return the (3,) point of the plane that is nearest to a (3,) world point."""
        normal = np.array(self.normal)
        return point - normal * (normal @ point - self.offset)


@dataclass(frozen=True)
class Section:
    """The planes, at most MOST_PLANES, that cut at once: a point is seen if all of them keep it."""

    planes: tuple[SectionPlane, ...] = ()  # at most MOST_PLANES

    def __post_init__(self) -> None:
        if len(self.planes) > MOST_PLANES:
            raise ValueError(f"a section has at most {MOST_PLANES} planes, not {len(self.planes)}")

    @classmethod
    def of(cls, given: Section | str | Sequence[str]) -> Section:
        """Return a section as scripts give it: one, a text that SectionPlane.from_text reads, or several."""
        if isinstance(given, Section):
            return given
        texts = [given] if isinstance(given, str) else given
        return cls(tuple(map(SectionPlane.from_text, texts)))

    def __bool__(self) -> bool:
        return len(self.planes) > 0

    @cached_property
    def _columns(self) -> tuple[np.ndarray, np.ndarray]:
        """(k, 3) normals and (k,) offsets, float64."""
        normals = np.array([plane.normal for plane in self.planes]).reshape(-1, 3)
        return normals, np.array([plane.offset for plane in self.planes])

    def planes_about(self, origin: np.ndarray) -> np.ndarray:
        """Return (k, 4) float64 planes about a (3,) world point, as Frustum.planes: inside is n . p + d >= 0."""
        normals, offsets = self._columns
        return np.concatenate([normals, (normals @ origin - offsets)[:, None]], axis=1)

    def touches(self, spheres: np.ndarray) -> np.ndarray:
        """Return (n,) bool: False for spheres, (n, 4) world centres and radii, that one plane cuts away wholly."""
        normals, offsets = self._columns
        centers, radii = spheres[:, :3], spheres[:, 3]
        rounding = _ROUNDING * (np.abs(centers) @ np.abs(normals).T + np.abs(offsets) + radii[:, None])
        return (centers @ normals.T - offsets >= -radii[:, None] - rounding).all(axis=1)

    def keeps(self, points: np.ndarray) -> np.ndarray:
        """Return (n,) bool: whether (n, 3) world points are seen; those on a plane are, for all rounding."""
        normals, offsets = self._columns
        rounding = ON_PLANE * (np.abs(points) @ np.abs(normals).T + np.abs(offsets))
        return (points @ normals.T - offsets >= -rounding).all(axis=1)

    def intervals(
        self, origins: np.ndarray, directions: np.ndarray, t_max: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the parts of n rays that are not cut away.

        Args:
            origins: (n, 3) world.
            directions: (n, 3) world.
            t_max: (n,) where the rays end, in lengths of their directions.

        Returns:
            (n,) where the parts begin and where they end, which is before their beginning if there is none; and the
            indices of the planes at which they begin, -1 at a ray's own beginning.
        """
        normals, offsets = self._columns
        depths, growths = origins @ normals.T - offsets, directions @ normals.T
        with np.errstate(divide="ignore", invalid="ignore"):
            at_planes = -depths / growths
        begins = np.column_stack((np.zeros(len(origins)), np.where(growths > 0.0, at_planes, 0.0)))
        ends = np.where(growths < 0.0, at_planes, np.where((growths == 0.0) & (depths < 0.0), -np.inf, np.inf))
        return begins.max(axis=1), ends.min(axis=1, initial=np.inf).clip(max=t_max), begins.argmax(axis=1) - 1


NO_SECTION = Section()


def _exact(number: float) -> str:
    return f"{number:.12g}"
