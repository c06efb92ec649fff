"""Conversion between bookmarks, which are plain data of the scene, and cameras."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene import Bookmark
from octoscope.scene.geometry.pyrr_transforms import quaternion_of_rotation, rotation_of_quaternion
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera


def bookmark_of(camera: Camera) -> Bookmark:
    """Return a bookmark of where a camera looks from."""
    return Bookmark(
        tuple(camera.position.tolist()),
        tuple(quaternion_of_rotation(camera.axes.T).tolist()),
        camera.distance,
        camera.fov_y_rad,
        camera.orthographic,
    )


def camera_at(bookmark: Bookmark, bounds: tuple[np.ndarray, np.ndarray] | None) -> Camera:
    """Return the camera that looks from a bookmark.

    Args:
        bounds: the scene's world box (lower, upper), or None. A bookmark without a distance gets its pivot at the depth
            of the box's middle.
    """
    axes = rotation_of_quaternion(bookmark.rotation).T
    position = np.array(bookmark.position)
    distance = bookmark.distance
    if distance is None:
        distance = 1.0 if bounds is None else _distance_of_middle(position, axes, *bounds)
    distance = max(distance, controls.closest_distance(position))
    camera = Camera(
        position - distance * axes[2],
        distance=distance,
        fov_y_rad=bookmark.fov_y_rad,
        orthographic=bookmark.orthographic,
    ).with_axes(axes)
    # Turning axes into angles rounds them; the camera must not move by that.
    return replace(camera, pivot=position - distance * camera.axes[2])


def _distance_of_middle(position: np.ndarray, axes: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> float:
    size = float(np.linalg.norm(upper - lower)) or 1.0
    depth = float((position - (lower + upper) / 2.0) @ axes[2])
    return depth if depth > 0.01 * size else 0.5 * size  # it looks away from the middle
