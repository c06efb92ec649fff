"""StreamedScene: a scene that reads what pictures need; Stream: its reading beside a window; their cameras."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from octoscope.octree import Frustum
from octoscope.scene import Meshes, Scene
from octoscope.scene.spatial.lod_view import LodView
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.view import View

_SIDES = 4  # planes: what is nearer or farther than all that is shown now may be shown next


# Brings a pool of meshes to the graphics card, and waits for the end if asked to. Returns whether all of it is there.
UploadMeshes = Callable[[Meshes, bool], bool]


@runtime_checkable
class StreamedScene(Protocol):
    """A scene that is read as far as pictures need it."""

    scene: Scene

    def read_all(self, lod_views: Sequence[LodView]) -> list[str]:
        """Read all that pictures need into the scene; return lines about what cannot be read, or does not fit."""


class Stream(Protocol):
    """Brings parts of a streamed scene in, as cameras need them."""

    @property
    def is_going(self) -> bool:
        """True while parts are on their way."""

    @property
    def text(self) -> str:
        """The line of the status bar about what is to come, or ""."""

    def poll(self) -> bool:
        """Take in what has come; return if panels have changed."""

    def note_picture(self, load: float) -> None:
        """Note the time that a picture took, as a share of what it may take while the cameras move."""


def lod_views_of(view: View) -> list[LodView]:
    """Return the cameras of all viewports, on their way and where it ends."""
    lod_views = []
    for viewport in view.viewports:
        area = view.layout.area(viewport)
        for camera in {id(each): each for each in (viewport.camera, viewport.shown_camera)}.values():
            lod_view = _lod_view(camera, area.aspect, area.size[1] * view.layout.pixel_ratio)
            if lod_view is not None:
                lod_views.append(lod_view)
    return lod_views


def _lod_view(camera: Camera, aspect: float, height: float) -> LodView | None:
    """Return the LodView of a picture `height` framebuffer pixels high; None where numbers do not reach so far out."""
    try:
        frustum = Frustum.from_camera(camera, aspect)
    except ValueError:
        return None
    pixels_per_unit = 1.0 / camera.pixel_size(height)
    if not camera.orthographic:
        pixels_per_unit *= camera.distance
    planes = frustum.planes[:_SIDES]
    return LodView(camera.position, planes, pixels_per_unit, is_perspective=not camera.orthographic)
