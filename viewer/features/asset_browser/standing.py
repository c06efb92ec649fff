"""Place an object: on a point of a surface, by the middle of its box's lower side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.geometry.pyrr_transforms import quaternion_of_rotation, rotation_about
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
    up = up_of(up_axis)
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
    up, point = up_of(up_axis), on.point
    if step is not None:
        across = np.arange(3) != np.abs(on.normal).argmax()
        point = np.where(across, np.round(point / step) * step, point)
    turn = turn_between(up, on.normal) if aligned else np.eye(3)
    foot = np.where(up > 0.0, box[0], box.mean(axis=0))
    return Pose(turn, point - turn @ foot)


def turn_between(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the smallest (3, 3) rotation that takes one (3,) unit vector to another."""
    axis = np.cross(begin, end)
    sine = float(np.linalg.norm(axis))
    if sine < _PARALLEL:
        if begin @ end > 0.0:
            return np.eye(3)
        axis = np.cross(begin, np.eye(3)[np.abs(begin).argmin()])
    return rotation_about(axis, float(np.arctan2(sine, begin @ end)))


def up_of(up_axis: UpAxis) -> np.ndarray:
    """Return the (3,) unit vector that points up."""
    return np.eye(3)["xyz".index(up_axis)]
