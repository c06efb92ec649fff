"""Place an object: on a point of a surface, by the middle of its box's lower side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.geometry.affine import smallest_turns
from octoscope.scene.geometry.pyrr_transforms import quaternion_of_rotation
from octoscope.viewer.frame.viewports import PointerLocation

_FARTHEST = 20.0  # distances of the pivot: where the ground is farther, it lies at the horizon
_PARALLEL = 1e-9


class Surface(NamedTuple):
    """A place on a surface."""

    point: np.ndarray  # (3,) world
    normal: np.ndarray  # (3,) unit, world, towards the camera


class Pose(NamedTuple):
    """How an object lies in the world."""

    turn: np.ndarray  # (3, 3) rotation
    translation: np.ndarray  # (3,)

    @property
    def rotation(self) -> np.ndarray:
        """The turn as a quaternion x, y, z, w."""
        return quaternion_of_rotation(self.turn)


def surface_at(location: PointerLocation, up_axis: UpAxis) -> Surface:
    """Return what lies under the pointer: an object, else the ground, else a point at the depth of the pivot."""
    up = up_vector(up_axis)
    snapshot = location.viewport.snapshot
    origin, direction = snapshot.camera.ray_through(location.point, snapshot.aspect)
    hit = location.hit()
    if hit is not None:
        normal = getattr(hit, "normal", up)  # a line or a point has none
        return Surface(hit.point, -normal if normal @ direction > 0.0 else normal)
    slope = float(up @ direction)
    distance = -float(up @ origin) / slope if abs(slope) > _PARALLEL else np.inf
    if 0.0 < distance <= _FARTHEST * snapshot.camera.distance:
        return Surface(origin + distance * direction, up)
    return Surface(location.world_point(), up)


def standing(box: np.ndarray, on: Surface, up_axis: UpAxis, *, aligned: bool, step: float | None) -> Pose:
    """Stand a box on a surface.

    Args:
        box: (2, 3) lower and upper corner, as the object lies in its file.
        aligned: whether its up axis follows the normal; else it stays upright.
        step: world units; the point goes to the nearest multiple of it across the surface; None: it stays.
    """
    up, point = up_vector(up_axis), on.point
    if step is not None:
        across = np.arange(3) != np.abs(on.normal).argmax()
        point = np.where(across, np.round(point / step) * step, point)
    turn = smallest_turns(up, on.normal[None])[0] if aligned else np.eye(3)
    foot = np.where(up > 0.0, box[0], box.mean(axis=0))
    return Pose(turn, point - turn @ foot)
