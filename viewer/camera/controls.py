"""Orbit, pan, zoom, fly, frame: pure functions from a camera and a gesture to the next camera.

A turntable orbits with a level horizon; a trackball turns about the picture's own axes, over the poles and on. Lengths
of drags are in logical pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from octoscope.scene.geometry.pyrr_transforms import rotation_about, view_axes
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.camera.views import VIEWS, ViewName

_ORBIT_RAD_PER_PIXEL = 0.007
_ZOOM_PER_STEP = 0.85
_FLY_SPEED_PER_STEP = 1.25
FLY_SPEEDS = 1e-3, 1e3  # times the distance a second
_CLOSEST = 1e-9
_CLOSEST_BY_PLACE = 1e-12  # times the pivot's distance from the origin: nearer, places cannot be told apart
_MARGIN = 1.02


def orbit(camera: Camera, dx: float, dy: float, *, trackball: bool = False, about: np.ndarray | None = None) -> Camera:
    """Turn by a drag about a world point (None: the pivot), which keeps its place in the picture."""
    turned = turn(camera, dx * _ORBIT_RAD_PER_PIXEL, dy * _ORBIT_RAD_PER_PIXEL, trackball=trackball)
    if about is None:
        return turned
    # As the camera sees it, the pivot stays where it is from the point.
    return replace(turned, pivot=about + turned.axes.T @ (camera.axes @ (camera.pivot - about)))


def turn(camera: Camera, left_rad: float, up_rad: float, *, trackball: bool = False) -> Camera:
    """Move about the pivot, to the left and upwards, by angles; the turntable ends at the poles."""
    if trackball:
        return _turn_as_trackball(camera, left_rad, up_rad)
    limit = math.pi / 2.0
    return replace(
        camera,
        yaw_rad=math.remainder(camera.yaw_rad - left_rad, math.tau),
        pitch_rad=min(limit, max(-limit, camera.pitch_rad + up_rad)),
        roll_rad=0.0,
    )


def _turn_as_trackball(camera: Camera, left_rad: float, up_rad: float) -> Camera:
    """Turn about the axis in the picture that lies across the way."""
    angle_rad = math.hypot(left_rad, up_rad)
    if angle_rad == 0.0:
        return camera
    right, up, _ = axes = camera.axes
    across = (left_rad * up + up_rad * right) / angle_rad
    return camera.with_axes(axes @ rotation_about(across, angle_rad))


def level(camera: Camera) -> Camera:
    """Turn about the line of sight until the horizon is level."""
    return replace(camera, roll_rad=0.0)


def look_around(camera: Camera, dx: float, dy: float, *, trackball: bool = False) -> Camera:
    """Turn about the camera's own position, towards the mouse; the pivot swings along."""
    turned = orbit(camera, dx, dy, trackball=trackball)
    return replace(turned, pivot=camera.position - turned.distance * turned.axes[2])


def fly(camera: Camera, direction: Sequence[float], seconds: float, *, speed: float) -> Camera:
    """Move as held keys say; many short steps lead where one long step does.

    Args:
        direction: to the right, up (the world's) and forward, each -1 to 1; no faster where it points askew.
        speed: times the distance from the pivot, a second: near things are passed as slowly as far ones.
    """
    right, _, back = camera.axes
    rightward, upward, forward = np.array(direction) / max(1.0, float(np.linalg.norm(direction)))
    length = camera.distance * speed * seconds
    if camera.orthographic:  # nothing shows there that one has come nearer, so the picture grows instead
        shrunk = -forward * speed * seconds
        camera = replace(camera, distance=max(closest_distance(camera.pivot), camera.distance * math.exp(shrunk)))
        length *= math.expm1(shrunk) / shrunk if shrunk else 1.0  # to the side it grows slower meanwhile
        forward = 0.0
    step = rightward * right + upward * camera.world_from_upright[:, 1] - forward * back
    return replace(camera, pivot=camera.pivot + length * step)


def fly_speed(speed: float, steps: float) -> float:
    """Return the speed for `fly` after the wheel was turned by steps, above 0 to be faster."""
    slowest, fastest = FLY_SPEEDS
    return min(fastest, max(slowest, speed * _FLY_SPEED_PER_STEP**steps))


def pan(camera: Camera, dx: float, dy: float, height: float) -> Camera:
    """Shift the pivot so that what lies at its depth stays under the mouse."""
    pixel = camera.pixel_size(height)
    right, up, _ = camera.axes
    return replace(camera, pivot=camera.pivot - dx * pixel * right + dy * pixel * up)


def zoom(camera: Camera, steps: float, target: np.ndarray, *, farthest: float = 1e12) -> Camera:
    """Move towards a world point (steps above 0) or away from it; the point keeps its place in the picture.

    Args:
        target: (3,) world.
        farthest: distance from the pivot at which moving away ends.
    """
    farthest = max(farthest, camera.distance, closest_distance(camera.pivot))
    distance = min(farthest, max(closest_distance(camera.pivot), camera.distance * _ZOOM_PER_STEP**steps))
    factor = distance / camera.distance
    return replace(camera, pivot=target + (camera.pivot - target) * factor, distance=distance)


def closest_distance(pivot: np.ndarray) -> float:
    """Return the least distance from a pivot; nearer, numbers do not tell camera and pivot apart."""
    return max(_CLOSEST, _CLOSEST_BY_PLACE * float(np.abs(pivot).max()))


def look_from(camera: Camera, view: ViewName) -> Camera:
    """Turn to a named view (views.VIEWS), about the same pivot."""
    yaw, pitch = VIEWS[view]
    return replace(camera, yaw_rad=math.radians(yaw), pitch_rad=math.radians(pitch), roll_rad=0.0)


def look_at(camera: Camera, position: np.ndarray, target: np.ndarray, *, up: np.ndarray | None = None) -> Camera:
    """Stand at a world point and look at another, which becomes the pivot.

    Args:
        position: (3,) world.
        target: (3,) world.
        up: (3,) world direction that is above in the picture. None, or where it lies along the line of sight: the
            horizon is level.

    Raises:
        ValueError: the points are too near to each other to give a direction.
    """
    back = position - target
    distance = float(np.linalg.norm(back))
    if not distance >= closest_distance(target):
        raise ValueError("a camera cannot look at the point where it stands")
    _, world_up, toward_viewer = camera.world_from_upright.T  # the latter of one in front
    above = next(
        each
        for each in (up, world_up, -toward_viewer)
        if each is not None
        and float(np.linalg.norm(np.cross(each, back / distance))) > 1e-9 * float(np.linalg.norm(each))
    )
    axes = view_axes(position, target, above)
    turned = replace(camera, pivot=target, distance=distance).with_axes(axes)
    return level(turned) if up is None else turned


def between(begin: Camera, end: Camera, share: float) -> Camera:
    """Return the camera on the way from one to another, 0 to 1; the lens is the latter's but for its angle of view.

    Angles go the shorter way round, so that the horizon is level all the way if it is at both ends. The distance grows
    or shrinks by equal factors in equal times.
    """
    angles = {
        name: getattr(begin, name) + share * math.remainder(getattr(end, name) - getattr(begin, name), math.tau)
        for name in ("yaw_rad", "pitch_rad", "roll_rad")
    }
    return replace(
        end,
        **angles,
        pivot=begin.pivot + share * (end.pivot - begin.pivot),
        distance=begin.distance * (end.distance / begin.distance) ** share,
        fov_y_rad=begin.fov_y_rad + share * (end.fov_y_rad - begin.fov_y_rad),
    )


def frame_box(
    camera: Camera, lower: np.ndarray, upper: np.ndarray, aspect: float, *, pivot: np.ndarray | None = None
) -> Camera:
    """Move without turning until a world box just fits the picture.

    Args:
        lower: (3,) world corner of the box.
        upper: the opposite corner.
        aspect: width of the picture over its height.
        pivot: (3,) world point to put in the middle of the picture. None: the outline of the box has its middle there,
            and the pivot is as far away as the middle of the box. Perspective shows the near half of a box larger, so
            the middle of the box lies beside that of its outline.
    """
    if pivot is not None:
        return replace(camera, pivot=pivot, distance=_fitting_distance(camera, lower, upper, aspect, pivot))
    return frame_points(camera, box_corners(lower, upper), aspect)


def frame_points(camera: Camera, points: np.ndarray, aspect: float) -> Camera:
    """Move without turning until (n, 3) world points just fit the picture, as `frame_box` does for those of a box."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    right, up, toward = camera.axes @ (points - middle).T
    if camera.orthographic:
        toward = np.zeros_like(toward)
    half_height = math.tan(camera.fov_y_rad / 2.0)
    # Standing so far off, the picture's opposite borders touch the box.
    fitting = max(
        ((places + slope * toward).max() - (places - slope * toward).min()) / (2.0 * slope)
        for places, slope in ((right, half_height * aspect), (up, half_height))
    )
    distance = _with_margin(fitting)
    depths = distance - toward
    # Shifted so far, two corners appear equally far on either side of the middle, of those that appear outermost.
    shifts = [
        float(((places[:, None] * depths + places * depths[:, None]) / (depths + depths[:, None])).max(axis=0).min())
        for places in (right, up)
    ]
    return replace(camera, pivot=middle + shifts @ camera.axes[:2], distance=distance)


def is_framed(camera: Camera, lower: np.ndarray, upper: np.ndarray, aspect: float) -> bool:
    """Tell whether a camera stands, to a hundredth of its distance, where `frame_box` would bring it."""
    framed = frame_box(camera, lower, upper, aspect)
    away = max(math.dist(framed.pivot, camera.pivot), abs(framed.distance - camera.distance))
    return away < 0.01 * framed.distance


def _fitting_distance(camera: Camera, lower: np.ndarray, upper: np.ndarray, aspect: float, pivot: np.ndarray) -> float:
    """Return how far from the pivot to stand so that a box fits the picture."""
    right, up, toward = camera.axes @ (box_corners(lower, upper) - pivot).T
    half_height = math.tan(camera.fov_y_rad / 2.0)
    spread = np.maximum(np.abs(right) / (half_height * aspect), np.abs(up) / half_height)
    return _with_margin(spread.max() if camera.orthographic else (spread + toward).max())


def _with_margin(distance: float) -> float:
    # A single point has no size to fit: look at it from one unit away.
    return max(_MARGIN * float(distance) or 1.0, _CLOSEST)
