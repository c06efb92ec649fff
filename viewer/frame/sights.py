"""Sights: the parts of the world that the cameras of a view see; StreamedScene: a scene that reads what they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from octoscope.octree import Frustum
from octoscope.scene import Scene
from octoscope.scene.sight import Sight
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.view import View

_SIDES = 4  # planes: what is nearer or farther than all that is shown now may be shown next


@runtime_checkable
class StreamedScene(Protocol):
    """A scene that is read as far as pictures need it."""

    scene: Scene

    def read_all(self, sights: Sequence[Sight]) -> list[str]:
        """Read all that pictures need into the scene; return lines about what cannot be read, or does not fit."""


def sights_of(view: View) -> list[Sight]:
    """Return what the cameras of all viewports see, on their way and where it ends."""
    sights = []
    for viewport in view.viewports:
        area = view.area(viewport)
        for camera in {id(each): each for each in (viewport.camera, viewport.shown_camera)}.values():
            sight = _sight(camera, area.aspect, area.size[1] * view.pixel_ratio)
            if sight is not None:
                sights.append(sight)
    return sights


def _sight(camera: Camera, aspect: float, height: float) -> Sight | None:
    """Return what a camera sees.

    Args:
        camera: that sees.
        aspect: width over height of the picture.
        height: of the picture, framebuffer pixels.

    Returns:
        the sight; None where the camera is so far out that numbers do not tell one side of its picture from the other.
    """
    try:
        frustum = Frustum.from_camera(camera, aspect)
    except ValueError:
        return None
    pixels = 1.0 / camera.pixel_size(height)
    if not camera.orthographic:
        pixels *= camera.distance
    return Sight(camera.position, frustum.planes[:_SIDES], pixels, is_perspective=not camera.orthographic)
