"""Viewports: the parts of a picture, each with its own camera, and which of them are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from octoscope.scene import Hit, Scene
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.measuring.near_cursor import NearHit
from octoscope.scene.measuring.snapping import KINDS, Snap
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.views import ViewName
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import COUNTS, NormalizedPoint, PixelPoint, Rectangle, viewport_rectangles
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty
from octoscope.viewer.frame.stats import FrameStats

_FARTHEST = 20.0  # distances of the pivot: where the ground is farther, it lies at the horizon
_PARALLEL = 1e-9
TRANSITION_SECONDS = 0.25  # of the camera after a command
_FIRST_STEP_SECONDS = 1.0 / 60.0  # the first picture of it would else be the last one again
# The views of the viewports when they are first shown; the first one keeps its camera.
_LOOKS: tuple[ViewName | None, ...] = (None, "top", "front", "right")


class Surface(NamedTuple):
    """A place on a surface."""

    point: np.ndarray  # (3,) world
    normal: np.ndarray  # (3,) unit, world, towards the camera

    @classmethod
    def of(cls, hit: Hit | NearHit, direction: np.ndarray, up: np.ndarray) -> Surface:
        """Return the surface that a ray of a (3,) direction hits; a line or a point has the normal `up`, (3,)."""
        normal = getattr(hit, "normal", up)
        return cls(hit.point, -normal if normal @ direction > 0.0 else normal)


def first_camera(index: int, camera: Camera) -> Camera:
    """Return the first camera of a viewport by its index: along an axis, at the pivot of another camera."""
    look = _LOOKS[index]
    return camera if look is None else replace(controls.look_from(camera, look), orthographic=True)


class Viewport:
    """A part of the picture with a camera of its own."""

    def __init__(self, scene: Scene, camera: Camera, redraw: Redraw) -> None:
        self._scene = scene
        self._camera = camera
        self._redraw = redraw
        self._drawn: Camera | None = None  # in the last picture
        self._began: tuple[Camera, float] | None = None  # where a transition began, and when
        self.fitted_aspect: float | None = None  # Framing.aspect at the last `Framing.refit`
        self.stats = FrameStats()  # of its last frame
        # its last picture, for picking
        self.snapshot = PickSnapshot(scene, ViewProjection.of_size(camera, (1.0, 1.0)), None, np.empty(0, np.int32))

    @property
    def camera(self) -> Camera:
        """The camera, where a transition ends if there is one; its depth range is set when a frame is built.

        Its up axis is the scene's. If that becomes another one, the camera looks from the same angles as before, at a
        world that stands otherwise; one with another up axis that is set keeps its place and direction in the world.
        """
        up_axis = self._scene.up_axis
        return self._camera if self._camera.up_axis == up_axis else replace(self._camera, up_axis=up_axis)

    @camera.setter
    def camera(self, camera: Camera) -> None:
        camera = camera.with_up_axis(self._scene.up_axis)
        if camera.is_finite and not camera.shows_as(self.camera):  # else numbers do not reach so far
            self._camera = camera
            self._began = None
            self._redraw.request(Damage.SCENE)

    @property
    def shown_camera(self) -> Camera:
        """The camera of the last picture during a transition, else `camera`."""
        return self.camera if self._began is None or self._drawn is None else self._drawn

    @property
    def is_moving(self) -> bool:
        """True while a transition is under way."""
        return self._began is not None

    def ease(self) -> None:
        """Begin a transition from the camera of the last picture to the present one."""
        drawn, camera = self._drawn, self.camera
        if drawn is None or drawn.orthographic != camera.orthographic or drawn.shows_as(camera):
            return
        self._began = drawn, self._redraw.clock() - _FIRST_STEP_SECONDS
        self._redraw.request(Damage.SCENE)

    def begin_frame(self, bounds: tuple[np.ndarray, np.ndarray]) -> Camera:
        """Return the camera of the next picture; its depth range is fitted to a world box."""
        camera = self.camera.with_depth_range(*bounds)
        if camera.is_finite:
            self._camera = camera
        shown = self.camera
        if self._began is not None:
            begin, began = self._began
            done = (self._redraw.clock() - began) / TRANSITION_SECONDS
            if 0.0 <= done < 1.0:
                share = 1.0 - (1.0 - done) ** 3  # fast at first: a slow machine has time for two pictures on the way
                shown = controls.between(begin, shown, share).with_depth_range(*bounds)
            else:
                self._began = None
        self._drawn = shown
        return shown


class ViewportLayout:
    """Which viewports are shown and where in the picture, and those that come back.

    Attributes:
        viewports: the shown viewports; one at first.
        active: the one of them that keys and camera commands mean.
        last_size: of the last picture, framebuffer pixels.
        pixel_ratio: framebuffer pixels to a logical one.
        eases: True while cameras move smoothly after a command.
    """

    viewports = RedrawProperty[tuple[Viewport, ...]](Damage.SCENE)

    def __init__(self, scene: Scene, redraw: Redraw) -> None:
        self._scene = scene
        self.redraw = redraw
        self.active = Viewport(scene, Camera(np.zeros(3)), redraw)
        self.viewports = (self.active,)
        self.last_size, self.pixel_ratio = (1, 1), 1.0
        self.eases = False
        self._placed = [self.active]  # all that were ever shown: each comes back as it was
        self._several = max(COUNTS)  # the last count above 1
        # viewports, cameras of those that there were and that count, as before `show_for_now`
        self._before: tuple[tuple[Viewport, ...], list[Camera], int] | None = None

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the last picture, logical pixels."""
        return self.last_size[0] / self.pixel_ratio, self.last_size[1] / self.pixel_ratio

    def resize(self, size: tuple[int, int], pixel_ratio: float | None = None) -> None:
        """Set the size of the next picture.

        Args:
            size: framebuffer pixels.
            pixel_ratio: how many of them are a logical one across; None: as before.
        """
        self.last_size, self.pixel_ratio = size, pixel_ratio or self.pixel_ratio

    def area(self, viewport: Viewport | None = None) -> Rectangle:
        """Return the part of the picture that a viewport (None: the active one) fills, logical pixels."""
        part = viewport_rectangles(len(self.viewports), self.last_size)[self.viewports.index(viewport or self.active)]
        return Rectangle(*(side / self.pixel_ratio for side in (*part.corner, *part.size)))

    def projection_of(self, viewport: Viewport) -> ViewProjection:
        """Return the projection of a viewport with its present camera, to logical pixels of the picture."""
        return ViewProjection(viewport.shown_camera, self.area(viewport))

    def ease_cameras(self) -> None:
        """Show where a command has moved cameras as a smooth way there from the last picture, unless switched off."""
        if self.eases:
            for viewport in self.viewports:
                viewport.ease()

    @property
    def is_moving(self) -> bool:
        """True while a camera is on its way."""
        return any(viewport.is_moving for viewport in self.viewports)

    def set_count(self, count: int) -> None:
        """Show 1, 2 or 4 viewports: 1 is the active one, and several are those shown before."""
        self._before = None
        if count == 1:
            self.viewports = (self.active,)
            return
        self._several = count
        for place in range(len(self._placed), count):
            camera = first_camera(place, self._placed[0].camera)
            self._placed.append(Viewport(self._scene, camera, self.redraw))
        self._show(tuple(self._placed[:count]))

    def _show(self, viewports: tuple[Viewport, ...]) -> None:
        self.viewports = viewports
        if self.active not in viewports:
            self.active = viewports[0]

    @property
    def chosen_count(self) -> int:
        """Number of viewports that are shown, or will be after `show_as_before`."""
        return len(self.viewports if self._before is None else self._before[0])

    def show_for_now(self, count: int) -> None:
        """Show 2 or 4 viewports, all from the active one's camera, until `show_as_before` or a count is chosen."""
        camera = self.active.camera
        before = self._before or (self.viewports, [viewport.camera for viewport in self._placed], self._several)
        self.set_count(count)
        for viewport in self.viewports:
            viewport.camera, viewport.fitted_aspect = camera, self.active.fitted_aspect
        self._before = before

    def show_as_before(self) -> None:
        """Show the viewports that were shown before `show_for_now`; the active one's camera stays where it is."""
        if self._before is None:
            return
        (viewports, cameras, self._several), self._before = self._before, None
        camera = self.active.camera
        for viewport, before in zip(self._placed, cameras, strict=False):
            viewport.camera = before
        self._show(viewports)
        self.active.camera = camera

    def maximise(self, viewport: Viewport | None = None) -> None:
        """Show one of several viewports (None: the active one) alone, or several again."""
        if len(self.viewports) == 1:
            self.set_count(self._several)
        else:
            self.active = viewport or self.active
            self.set_count(1)


@dataclass(frozen=True)
class PointerLocation:
    """A location that the pointer points at in the last picture."""

    pixel: PixelPoint  # of the whole picture
    viewport: Viewport  # the viewport there, or the nearest one
    point: NormalizedPoint  # the same location within the viewport; it may lie outside
    ground_height: float  # as of Visibility

    def pick(self) -> Hit | NearHit | None:
        """Return what a click here selects; as PickSnapshot.pick."""
        return self.viewport.snapshot.pick(self.point)

    def hit(self) -> Hit | NearHit | None:
        """Return what lies here; as PickSnapshot.hit_under."""
        return self.viewport.snapshot.hit_under(self.point)

    def snap(self, kinds: Sequence[str] = KINDS) -> Snap | None:
        """Return the point that a click here means; as PickSnapshot.snap."""
        snapshot = self.viewport.snapshot
        return snapshot.snap(self.pixel, snapshot.drawn, kinds)

    def world_point(self) -> np.ndarray:
        """Return the (3,) world point that lies here; as PickSnapshot.point_under."""
        return self.viewport.snapshot.point_under(self.point)

    def ground_point(self) -> np.ndarray | None:
        """Return the (3,) world point of the ground here, whatever stands before it; None at the horizon and above."""
        camera = self.viewport.snapshot.camera
        up = up_vector(camera.up_axis)
        origin, direction = camera.ray_through(self.point, self.viewport.snapshot.aspect)
        slope = float(up @ direction)
        distance = (self.ground_height - float(up @ origin)) / slope if abs(slope) > _PARALLEL else np.inf
        return origin + distance * direction if 0.0 < distance <= _FARTHEST * camera.distance else None

    def surface(self, *, without: Sequence[int] = (), in_air: bool = True) -> Surface:
        """Return the surface here: of an object, but for some nodes, else the ground, else at the pivot's depth.

        Without `in_air` the last is the ground below that depth.
        """
        snapshot = self.viewport.snapshot
        up = up_vector(snapshot.camera.up_axis)
        _, direction = snapshot.camera.ray_through(self.point, snapshot.aspect)
        among = snapshot.drawn.copy()
        among[[each for each in without if each < len(among)]] = False
        hit = snapshot.nearest(self.point, among)
        if hit is not None:
            return Surface.of(hit, direction, up)
        if (ground := self.ground_point()) is not None:
            return Surface(ground, up)
        point = self.world_point()
        return Surface(point if in_air else point + (self.ground_height - up @ point) * up, up)
