"""How a person moves the camera: pure functions from a camera and a gesture to the next camera.

Turntable: the horizon stays level. Lengths of drags are in logical pixels.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from viewer.camera import VIEWS, Camera, box_corners

_ORBIT_RAD_PER_PIXEL = 0.007
_ZOOM_PER_STEP = 0.85
_CLOSEST = 1e-9
_MARGIN = 1.02


def orbit(camera: Camera, dx: float, dy: float, *, about: np.ndarray | None = None) -> Camera:
    """Turn about a world point (None: the pivot), which keeps its place in the picture; the scene follows the mouse."""
    pitch_rad = camera.pitch_rad + dy * _ORBIT_RAD_PER_PIXEL
    limit = math.pi / 2.0
    turned = replace(
        camera,
        yaw_rad=math.remainder(camera.yaw_rad - dx * _ORBIT_RAD_PER_PIXEL, math.tau),
        pitch_rad=min(limit, max(-limit, pitch_rad)),
    )
    if about is None:
        return turned
    # As the camera sees it, the pivot stays where it is from the point.
    return replace(turned, pivot=about + turned.axes.T @ (camera.axes @ (camera.pivot - about)))


def pan(camera: Camera, dx: float, dy: float, height: int) -> Camera:
    """Shift the pivot so that what lies at its depth stays under the mouse."""
    pixel = camera.pixel_size(height)
    right, up, _ = camera.axes
    return replace(camera, pivot=camera.pivot - dx * pixel * right + dy * pixel * up)


def zoom(camera: Camera, steps: float, target: np.ndarray, *, farthest: float = 1e12) -> Camera:
    """Move towards a world point (steps above 0) or away from it; the point keeps its place in the picture.

    Args:
        farthest: distance from the pivot at which moving away ends.
    """
    farthest = max(farthest, camera.distance)
    distance = min(farthest, max(_CLOSEST, camera.distance * _ZOOM_PER_STEP**steps))
    factor = distance / camera.distance
    return replace(camera, pivot=target + (camera.pivot - target) * factor, distance=distance)


def look(camera: Camera, view: str) -> Camera:
    """Turn to a named view (camera.VIEWS), about the same pivot."""
    yaw, pitch = VIEWS[view]
    return replace(camera, yaw_rad=math.radians(yaw), pitch_rad=math.radians(pitch))


def frame_box(
    camera: Camera, lower: np.ndarray, upper: np.ndarray, aspect: float, *, pivot: np.ndarray | None = None
) -> Camera:
    """Move so that a world box just fits the picture about a pivot (None: the box's middle), without turning."""
    pivot = (lower + upper) / 2.0 if pivot is None else pivot
    return replace(camera, pivot=pivot, distance=_fitting_distance(camera, box_corners(lower, upper) - pivot, aspect))


def frame_box_tightly(camera: Camera, lower: np.ndarray, upper: np.ndarray, aspect: float) -> Camera:
    """Like `frame_box`, with the box's outline in the middle of the picture: for pictures that nobody will turn.

    Perspective shows the near half of a box larger, so the middle of the outline is not the box's. A pivot there
    would swing the box out of the picture when the camera turns.
    """
    camera = frame_box(camera, lower, upper, aspect)
    corners = box_corners(lower, upper)
    for _ in range(24):  # each round centres for the last one's distance; it settles quickly
        right, up, toward = camera.axes @ (corners - camera.pivot).T
        depth = camera.distance - (0.0 if camera.orthographic else toward)
        x, y = right / depth, up / depth
        shift = np.array(((x.min() + x.max()) / 2.0, (y.min() + y.max()) / 2.0, 0.0)) * camera.distance
        pivot = camera.pivot + shift @ camera.axes
        camera = replace(camera, pivot=pivot, distance=_fitting_distance(camera, corners - pivot, aspect))
    return camera


def _fitting_distance(camera: Camera, points: np.ndarray, aspect: float) -> float:
    """How far to stand off so that points about the pivot, (n, 3) on the world's axes, fit the picture."""
    right, up, toward = camera.axes @ points.T
    half_height = math.tan(camera.fov_y_rad / 2.0)
    spread = np.maximum(np.abs(right) / (half_height * aspect), np.abs(up) / half_height)
    distance = spread.max() if camera.orthographic else (spread + toward).max()
    # A single point has no size to fit: look at it from one unit away.
    return max(_MARGIN * float(distance) or 1.0, _CLOSEST)
