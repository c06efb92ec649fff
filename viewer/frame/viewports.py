"""Viewports: the parts of a picture, each with its own camera, and their first cameras."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scene import Hit, Scene
from scene.near_cursor import NearHit
from viewer.camera import controls
from viewer.camera.camera import Camera
from viewer.frame.occlusion import OcclusionCulling
from viewer.frame.picking import PickSnapshot
from viewer.frame.points import NormalizedPoint, PixelPoint
from viewer.frame.projection import ViewProjection
from viewer.frame.redraw import Damage, Redraw
from viewer.frame.stats import FrameStats

# The views of the viewports when they are first shown; the first one keeps its camera.
_LOOKS = (None, "top", "front", "right")


def first_camera(index: int, camera: Camera) -> Camera:
    """Return the first camera of a viewport by its index: along an axis, at the pivot of another camera."""
    look = _LOOKS[index]
    return camera if look is None else replace(controls.look_from(camera, look), orthographic=True)


class Viewport:
    """A part of the picture with a camera of its own.

    Args:
        scene: what it shows.
        camera: at first.
        redraw: gets a request when the camera moves.

    Attributes:
        stats: of its last frame.
        snapshot: its last picture, for picking.
        occlusion: which objects were seen in its last picture.
    """

    def __init__(self, scene: Scene, camera: Camera, redraw: Redraw) -> None:
        self._camera = camera
        self._redraw = redraw
        self.stats = FrameStats()
        self.occlusion = OcclusionCulling(scene)
        self.snapshot = PickSnapshot(scene, ViewProjection.of_size(camera, (1.0, 1.0)), None, np.empty(0, np.int32))

    @property
    def camera(self) -> Camera:
        """The camera; its depth range is set when a frame is built."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if camera.is_finite and not camera.shows_as(self._camera):  # else numbers do not reach so far
            self._camera = camera
            self._redraw.request(Damage.SCENE)

    def set_depth_range(self, bounds: tuple[np.ndarray, np.ndarray]) -> None:
        """Fit the camera's near and far plane to a world box (lower, upper)."""
        camera = self._camera.with_depth_range(*bounds)
        if camera.is_finite:
            self._camera = camera


@dataclass(frozen=True)
class PointerLocation:
    """A location that the pointer points at in the last picture.

    Attributes:
        pixel: of the whole picture.
        viewport: the viewport there, or the nearest one.
        point: the same location within the viewport; it may lie outside.
    """

    pixel: PixelPoint
    viewport: Viewport
    point: NormalizedPoint

    def pick(self) -> Hit | NearHit | None:
        """Return what a click here selects; as PickSnapshot.pick."""
        return self.viewport.snapshot.pick(self.point)

    def hit(self) -> Hit | NearHit | None:
        """Return what lies here; as PickSnapshot.hit_under."""
        return self.viewport.snapshot.hit_under(self.point)

    def world_point(self) -> np.ndarray:
        """Return the (3,) world point that lies here; as PickSnapshot.point_under."""
        return self.viewport.snapshot.point_under(self.point)
