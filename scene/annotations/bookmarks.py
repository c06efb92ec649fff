"""Bookmarks: named camera positions of a scene (Scene.bookmarks)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from octoscope.guesses import public
from octoscope.scene.conventions.upright import turned_rotations
from octoscope.scene.conventions.world import World
from octoscope.scene.system.unique_names import UniqueNames

DEFAULT_FOV_Y_RAD = math.radians(35.0)
_CLOSEST, _FARTHEST = 1e-12, 1e15  # lengths that a camera's matrices can still hold


@public(
    instead={
        "name": "scene.bookmarks is a dict of bookmarks by name",
        **dict.fromkeys(("pivot", "target"), "it is what lies `distance` before its position"),
    },
    arguments={"eye": "it is called position", "fov": "it is fov_y_rad, in radians"},
)
@dataclass(frozen=True)
class Bookmark:
    """A camera position with its rotation and lens, in world coordinates, as a camera of glTF.

    Attributes:
        position: x, y, z.
        rotation: a quaternion x, y, z, w of any length above 0; not turned, a camera looks along -Z with Y up.
        distance: to what is looked at, in the middle of the picture; None: nobody said.
        fov_y_rad: full vertical angle of view, 0 to pi. Orthographic, the picture shows at that distance what
            perspective shows there.

    Raises:
        ValueError: a value is none of these.
    """

    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    distance: float | None = None
    fov_y_rad: float = DEFAULT_FOV_Y_RAD
    orthographic: bool = False

    def __post_init__(self) -> None:
        if len(self.position) != 3 or not all(abs(value) <= _FARTHEST for value in self.position):
            raise ValueError(f"a position is three numbers up to {_FARTHEST:g}")
        if len(self.rotation) != 4 or not 1e-100 < math.hypot(*self.rotation) < 1e100:
            raise ValueError("a rotation is four finite numbers, not all of them 0")
        if self.distance is not None and not _CLOSEST <= self.distance <= _FARTHEST:
            raise ValueError(f"a distance is {_CLOSEST:g} to {_FARTHEST:g}")
        if not 1e-6 <= self.fov_y_rad <= math.pi - 1e-6:
            raise ValueError("an angle of view, fov_y_rad, is above 0 and below half a turn")


def placed_bookmark(bookmark: Bookmark, begin: World, end: World) -> Bookmark:
    """Return a bookmark of one world in another."""
    if begin == end:
        return bookmark
    x, y, z = (begin.linear_to(end) @ bookmark.position).tolist()
    rotation = turned_rotations(np.array([bookmark.rotation]), begin.up_axis, end.up_axis)[0]
    distance = None if bookmark.distance is None else bookmark.distance * begin.scale_to(end)
    return replace(bookmark, position=(x, y, z), rotation=tuple(rotation.tolist()), distance=distance)


def merged_bookmarks(bookmarks: Mapping[str, Bookmark], others: Mapping[str, Bookmark]) -> dict[str, Bookmark]:
    """Add bookmarks behind others; a name that is taken gets a number."""
    names = UniqueNames(bookmarks)
    return {**bookmarks, **{names.take(name): bookmark for name, bookmark in others.items()}}
