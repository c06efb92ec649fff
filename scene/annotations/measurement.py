"""Measurement: a distance, a path, an angle, a circle, two faces or an area, by points that move with their nodes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from octoscope.scene.conventions.world import World

DISTANCE, PATH, ANGLE, CIRCLE, FACES, AREA = KINDS = "distance", "path", "angle", "circle", "faces", "area"
TITLES = {**dict(zip(KINDS, KINDS, strict=True)), FACES: "face to face"}  # by kind, for people
# By kind; of the two faces three points each, the first of which is where the face was clicked.
POINTS_OF = {DISTANCE: 2, ANGLE: 3, CIRCLE: 3, FACES: 6}
_LEAST_OUTLINE = 6  # points of an area: pairs, the ends of the sides of a face's outline
IN_WORLD = -1


@dataclass(frozen=True)
class Anchor:
    """One finite point of a measurement, or that of a label."""

    node: int  # id of the node that the point moves with, or IN_WORLD
    point: tuple[float, float, float]  # x, y, z in the node's frame

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.point)):
            raise ValueError(f"the point of a measurement or label is three finite numbers, not {self.point}")


@dataclass(frozen=True)
class Measurement:
    """A kind of figure, and the points that it is measured between.

    Raises:
        ValueError: an unknown kind, or another number of anchors than the kind has.
    """

    kind: str  # one of KINDS
    # POINTS_OF the kind; of a path any number from 2 on; of an area any number of sides of an outline, two each
    anchors: tuple[Anchor, ...]
    name: str = ""  # the user's, or "Distance 1" and so on, or none
    is_shown: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a measurement is one of {', '.join(KINDS)}, not {self.kind!r}")
        if not has_points(self.kind, len(self.anchors)):
            others = "at least 2" if self.kind == PATH else f"an even number of at least {_LEAST_OUTLINE}"
            needed = POINTS_OF.get(self.kind, others)
            raise ValueError(f"{self.kind}: {needed} points needed, not {len(self.anchors)}")

    @property
    def own_name(self) -> str:
        """The name that a user gave it, or "" where it has another one or none."""
        title, _, number = self.name.rpartition(" ")
        return "" if title == TITLES[self.kind].capitalize() and number.isdigit() else self.name

    def with_anchors(self, anchors: Sequence[Anchor]) -> Measurement:
        """Return it with other anchors."""
        return replace(self, anchors=tuple(anchors))


def placed_anchor(anchor: Anchor, first: int, begin: World, end: World) -> Anchor:
    """Return an anchor of a file whose nodes get ids from `first` on, in another world."""
    if anchor.node != IN_WORLD:
        return replace(anchor, node=anchor.node + first)
    x, y, z = np.nan_to_num(begin.linear_to(end) @ anchor.point).tolist()  # it may overflow in another unit
    return replace(anchor, point=(x, y, z))


def placed_measurements(
    measurements: Iterable[Measurement], first: int, begin: World, end: World
) -> Iterator[Measurement]:
    """Yield measurements of a file, as placed_anchor."""
    for each in measurements:
        yield each.with_anchors([placed_anchor(anchor, first, begin, end) for anchor in each.anchors])


def numbered_name(kind: str, taken: Container[str]) -> str:
    """Return a name for a measurement, "Distance 1" and so on, which is no `own_name`."""
    title = TITLES[kind].capitalize()
    return next(name for number in itertools.count(1) if (name := f"{title} {number}") not in taken)


def has_points(kind: str, count: int) -> bool:
    """Return whether a measurement of a kind can have so many points."""
    if kind == PATH:
        return count >= 2
    return count == POINTS_OF[kind] if kind in POINTS_OF else count >= _LEAST_OUTLINE and count % 2 == 0
