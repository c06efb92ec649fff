"""Measurement: a distance or an angle between points that move with their nodes."""

from __future__ import annotations

from dataclasses import dataclass

DISTANCE, ANGLE = "distance", "angle"
POINTS_OF = {DISTANCE: 2, ANGLE: 3}
IN_WORLD = -1


@dataclass(frozen=True)
class Anchor:
    """One point of a measurement."""

    node: int  # id of the node that the point moves with, or IN_WORLD
    point: tuple[float, float, float]  # x, y, z in the node's frame


@dataclass(frozen=True)
class Measurement:
    """A distance between two anchors, or the angle at the second of three.

    Raises:
        ValueError: an unknown kind, or another number of anchors than the kind has.
    """

    kind: str  # DISTANCE or ANGLE
    anchors: tuple[Anchor, ...]  # two or three

    def __post_init__(self) -> None:
        if self.kind not in (DISTANCE, ANGLE):
            raise ValueError(f"a measurement is a {DISTANCE} or an {ANGLE}, not {self.kind!r}")
        if len(self.anchors) != POINTS_OF[self.kind]:
            raise ValueError(f"{self.kind}: {POINTS_OF[self.kind]} points needed, not {len(self.anchors)}")
