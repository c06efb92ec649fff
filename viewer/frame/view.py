"""View: one or several viewports on a scene. It runs those stages of a frame that need no graphics card, in order.

    update   the scene's changes become world matrices and spheres
    index    the octree takes the changed ids
    cull     each viewport's frustum finds the ids that are visible in it
    frame    they become a FrameData for each, which the renderer draws

Windows and scripts both use it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import numpy as np

from octoscope.octree import CullStats
from octoscope.scene import Scene, SpatialIndex
from octoscope.scene.history.selection import Selection
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.bookmark_pose import camera_at
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.camera.views import ViewName
from octoscope.viewer.features import parts
from octoscope.viewer.frame.annotations import AnnotationBuilder, Annotations
from octoscope.viewer.frame.decoration import NO_CELLS, Decoration
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.frame_builder import FrameBuilder, OutlinedIds
from octoscope.viewer.frame.look.labels import font_size_px
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import PixelPoint, Rectangle, viewport_rectangles
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty
from octoscope.viewer.frame.stats import FrameStats, StageTimes, stats_of
from octoscope.viewer.frame.view_settings import ViewSettings
from octoscope.viewer.frame.viewports import PointerLocation, Viewport, ViewportLayout
from octoscope.viewer.frame.visibility import Visibility

D = TypeVar("D", bound=Decoration)

_LEAST_FREE = 0.125  # of the width of a viewport, in which boxes are framed where more is covered


@dataclass(frozen=True)
class DecorationPart:
    """Makes a feature's decoration of a view."""

    FILE: ClassVar[str] = "decoration"
    decorate: Callable[[View], Decoration]


class View:
    """Viewports on a scene, the overlays of all of them, and their frames.

    Args:
        eases: moves cameras smoothly after a command.

    Attributes:
        settings: how the scene is shown.
        visibility: which nodes of it are shown.
        layout: which viewports are shown; viewport_rectangles says where they lie.
        selection: the selected nodes, which are outlined.
        hovered: the node that a click would select, outlined thinly, or None.
        decorations: what features draw in its pictures.
        last_size: of the last picture, framebuffer pixels.
        pixel_ratio: framebuffer pixels to a logical one.
        covered: left, top, right and bottom of parts of the picture that the interface covers, logical pixels; labels
            keep off them.
        covered_width: of the strip at the left of the picture that the interface covers, logical pixels.
        interface_scale: how much larger than usual lines, points, text and handles are, in logical pixels.
        builder: packs the frames.
        eases: True while cameras move smoothly after a command.
        clock: time in seconds, by which cameras move.
        times: of the stages of the last frames.
        redraw: gets a request when any of this changes.
    """

    hovered = RedrawProperty[int | None](Damage.OVERLAY)
    interface_scale = RedrawProperty[float](Damage.SCENE)
    covered = RedrawProperty[tuple[tuple[float, ...], ...]](Damage.OVERLAY)

    def __init__(
        self,
        scene: Scene,
        *,
        tiny_culling: bool = False,
        simplifying: bool = False,
        occlusion_culling: bool = False,
        eases: bool = False,
    ) -> None:
        self.scene = scene
        self.redraw = Redraw()
        self.settings = ViewSettings(
            tiny_culling=tiny_culling, simplifying=simplifying, occlusion_culling=occlusion_culling, redraw=self.redraw
        )
        self.visibility = Visibility(scene, self.redraw)
        self.builder = FrameBuilder(scene, self.visibility)
        self.selection = Selection(on_change=self._show_selection)
        self.layout = ViewportLayout(scene, self.redraw)
        self.last_size = (1, 1)
        self.pixel_ratio = self.interface_scale = 1.0
        self.covered, self.covered_width = (), 0.0
        self.hovered = None
        self.eases = eases
        self.clock = time.perf_counter
        self.times = StageTimes()
        self.decorations: list[Decoration] = [part.decorate(self) for part in parts(DecorationPart)]

    def decoration(self, kind: type[D]) -> D:
        """Return the decoration of a kind."""
        return next(each for each in self.decorations if isinstance(each, kind))

    def show(self, name: str) -> None:
        """Show the decoration of a name.

        Raises:
            ValueError: no feature has one of that name.
        """
        named = [each for each in self.decorations if each.name == name]
        if not named:
            raise ValueError(f"{name}: no feature shows that")
        named[0].is_shown = True

    @property
    def selected_ids(self) -> np.ndarray:
        """(s,) int32 nodes that are selected; the last is the active one."""
        return self.selection.ids

    def _show_selection(self) -> None:
        changes_cells = any(each.follows_selection for each in self.decorations)
        self.redraw.request(Damage.SCENE if changes_cells else Damage.OVERLAY)

    @property
    def index(self) -> SpatialIndex:
        """The scene's octree."""
        return self.scene.index

    @property
    def viewports(self) -> tuple[Viewport, ...]:
        """The viewports that are shown."""
        return self.layout.viewports

    @property
    def active(self) -> Viewport:
        """The viewport that keys and camera commands mean."""
        return self.layout.active

    @active.setter
    def active(self, viewport: Viewport) -> None:
        self.layout.active = viewport

    @property
    def camera(self) -> Camera:
        """Camera of the active viewport."""
        return self.active.camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self.active.camera = camera

    @property
    def stats(self) -> FrameStats:
        """Counts of the active viewport's last frame."""
        return self.active.stats

    @property
    def snapshot(self) -> PickSnapshot:
        """The active viewport's last picture, for picking."""
        return self.active.snapshot

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the last picture, logical pixels."""
        return self.last_size[0] / self.pixel_ratio, self.last_size[1] / self.pixel_ratio

    @property
    def stroke_ratio(self) -> float:
        """Framebuffer pixels to one of those in which widths of lines and sizes of points are given."""
        return self.pixel_ratio * self.interface_scale

    def resize(self, size: tuple[int, int], pixel_ratio: float | None = None) -> None:
        """Set the size of the next picture.

        Args:
            size: framebuffer pixels.
            pixel_ratio: how many of them are a logical one across; None: as before.
        """
        self.last_size, self.pixel_ratio = size, pixel_ratio or self.pixel_ratio

    def refit(self, size: tuple[int, int], pixel_ratio: float, covered_width: float = 0.0) -> None:
        """Set the size of the next picture, and frame again what cameras have framed; arguments as of `resize`."""
        before = [each.fitted_aspect for each in self.viewports]
        before[0] = before[0] or self.framed_aspect(self.viewports[0])
        self.resize(size, pixel_ratio)
        self.covered_width = covered_width
        after, bounds = [self.framed_aspect(each) for each in self.viewports], None
        for viewport, old_aspect, aspect in zip(self.viewports, before, after, strict=True):
            viewport.fitted_aspect = aspect
            if old_aspect is not None and before != after:  # a new viewport frames what the one before it does
                bounds = self._framed_bounds(viewport, old_aspect)
            if bounds is not None:
                viewport.camera = controls.frame_box(viewport.camera, *bounds, aspect)

    def locate(self, pixel: PixelPoint) -> PointerLocation:
        """Return the location of a pixel of the picture, in the viewport under it or nearest to it."""
        ground = self.visibility.ground_height
        places = [PointerLocation(pixel, each, self.area(each).point(pixel), ground) for each in self.viewports]
        return min(places, key=lambda place: max(max(-part, part - 1.0) for part in place.point))

    @property
    def middle(self) -> PointerLocation:
        """The middle of the active viewport."""
        return self.locate(self.area().pixel((0.5, 0.5)))

    def area(self, viewport: Viewport | None = None) -> Rectangle:
        """Return the part of the picture that a viewport (None: the active one) fills, logical pixels."""
        part = viewport_rectangles(len(self.viewports), self.last_size)[self.viewports.index(viewport or self.active)]
        return Rectangle(*(side / self.pixel_ratio for side in (*part.corner, *part.size)))

    def free_area(self, viewport: Viewport) -> Rectangle:
        """Return the part of a viewport beside what decorations fill along its edges, as `area`."""
        area = self.area(viewport)
        font_size = font_size_px(round(area.height * self.pixel_ratio), self.stroke_ratio) / self.pixel_ratio
        right, lower = np.max([(0.0, 0.0), *(each.edges(viewport) for each in self.decorations)], axis=0) * font_size
        return Rectangle(area.x, area.y, area.width - float(right), area.height - float(lower))

    @property
    def free_size(self) -> tuple[float, float]:
        """Width and height of the part of the picture that ends where the last of these parts do, logical pixels."""
        ends = [self.free_area(viewport).end for viewport in self.viewports]
        return max(x for x, _ in ends), max(y for _, y in ends)

    def covered_in(self, viewport: Viewport) -> np.ndarray:
        """Return (n, 4) left, top, right and bottom of what is covered, framebuffer pixels from a viewport's corner."""
        return (np.array(self.covered).reshape(-1, 4) - np.tile(self.area(viewport).corner, 2)) * self.pixel_ratio

    def projection_of(self, viewport: Viewport) -> ViewProjection:
        """Return the projection of a viewport with its present camera, to logical pixels of the picture."""
        return ViewProjection(viewport.shown_camera, self.area(viewport))

    def update(self) -> None:
        """Bring world matrices, spheres and the octree up to date with the scene's changes."""
        self.update_world()
        self.update_index()

    def is_out_of_sight(self, ids: np.ndarray) -> bool:
        """Return whether the box around nodes that are shown lies outside of the picture of every viewport."""
        self.update_world()
        box = self.visibility.box_around(ids)
        if box is None:
            return False
        for viewport in self.viewports:
            frustum = viewport.snapshot.frustum
            if frustum is None:
                return False
            planes = frustum.planes[:5]  # without the far one: it is as far as the scene was
            distances = planes[:, :3] @ (box_corners(*box) - frustum.origin).T + planes[:, 3:]
            if not (distances < 0.0).all(axis=1).any():
                return False
        return True

    def pixels_around(self, ids: np.ndarray) -> np.ndarray:
        """Return the (8, 2) logical pixels of the corners of the box around nodes; none around nothing."""
        self.update_world()
        box = self.visibility.box_around(ids)
        return np.empty((0, 2)) if box is None else self.projection_of(self.active).pixels(box_corners(*box))

    def update_world(self) -> None:
        """Recompute world matrices and spheres below what changed: the first half of `update`."""
        with self.times.stage("update"):
            self.scene.update_world()

    def update_index(self) -> None:
        """Take the changed spheres into the octree: the second half of `update`."""
        with self.times.stage("index"):
            self.scene.index.update()

    def build_frames(self, size: tuple[int, int]) -> tuple[ViewportFrame, ...]:
        """Bring everything up to date, once, and return the next picture of each viewport.

        Args:
            size: of the whole picture, framebuffer pixels.
        """
        if self.scene.is_stale:
            self.update()
        self.resize(size)
        parts = viewport_rectangles(len(self.viewports), size)
        sizes = [(int(part.width), int(part.height)) for part in parts]
        with self.times.stage("cull"):
            culled = [self._cull(viewport, each) for viewport, each in zip(self.viewports, sizes, strict=True)]
        placed = []
        with self.times.stage("frame"):
            for viewport, part, part_size, (drawn_ids, stats) in zip(self.viewports, parts, sizes, culled, strict=True):
                frame = self.builder.build(
                    viewport.snapshot.camera,
                    part_size,
                    drawn_ids,
                    self.settings,
                    pixel_ratio=self.stroke_ratio,
                    outlined=self._outlined_ids(viewport),
                    cells=np.concatenate([NO_CELLS, *(each.cells(viewport) for each in self.decorations)]),
                    frozen_frustum=self.visibility.frozen,
                    annotations=self._annotations(viewport, part_size),
                    caps=viewport.snapshot.caps,
                )
                tiny = len(viewport.snapshot.visible_ids) - len(drawn_ids)
                viewport.stats = stats_of(len(self.index), frame, stats, tiny)
                placed.append(ViewportFrame(frame, (int(part.x), int(part.y))))
        return tuple(placed)

    def _annotations(self, viewport: Viewport, size: tuple[int, int]) -> Annotations | None:
        shown = [each for each in self.decorations if each.annotates]
        if not shown:  # as in most pictures
            return None
        builder = AnnotationBuilder(viewport.snapshot.camera, size, self.stroke_ratio)
        for box in self.covered_in(viewport):
            builder.keep_free(box)
        for each in [each for each in shown if each.annotates_alone] or shown:
            each.annotate(builder, viewport)
        return builder.annotations()

    def _cull(self, viewport: Viewport, size: tuple[int, int]) -> tuple[np.ndarray, CullStats]:
        """Find the nodes that a viewport sees, and keep them in its snapshot; return those of them that are drawn."""
        settings, visibility, stats = self.settings, self.visibility, CullStats()
        camera = viewport.begin_frame(visibility.bounds, self.clock())
        own_frustum = visibility.frustum_of(camera, settings, size, self.stroke_ratio)
        visible_ids = visibility.visible_ids(visibility.frozen or own_frustum, settings, stats)
        viewport.snapshot = PickSnapshot(
            self.scene,
            ViewProjection(camera, self.area(viewport)),
            own_frustum,
            visible_ids,
            settings.strokes,
            settings.section,
            visibility.caps(settings.section),
            settings.shading.culls,
            self.interface_scale,
        )
        return visibility.without_tiny(visible_ids, settings, camera, size), stats

    def with_outlines(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with selection, hovering and annotations as they are now."""
        return tuple(
            replace(
                part,
                frame=self.builder.with_outlines(
                    part.frame,
                    viewport.snapshot.camera,
                    self._outlined_ids(viewport),
                    self._annotations(viewport, part.frame.size),
                ),
            )
            for viewport, part in zip(self.viewports, placed, strict=True)
        )

    def with_everything(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with all that is in view as it is, as a picture shows it that stands still.

        They have what is tiny, too, nothing is simplified, and what keeps light off does so.
        """
        whole = (
            replace(part, frame=self.builder.whole(part.frame, viewport.snapshot.visible_ids))
            for viewport, part in zip(self.viewports, placed, strict=True)
        )
        return self.with_occluders(tuple(whole))

    def with_occluders(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with what keeps light from surfaces, and where in the picture these are."""
        return tuple(
            replace(part, frame=self.builder.with_occluders(part.frame, viewport.snapshot))
            for viewport, part in zip(self.viewports, placed, strict=True)
        )

    def frame_nodes(self, ids: np.ndarray | None, *, every: bool = False) -> None:
        """Fit nodes and their descendants (None: all that is shown) in the active viewport, or in every one."""
        bounds = self.visibility.box_around(ids)
        if bounds is not None:
            self.frame_bounds(bounds, every=every)

    def frames(self, bounds: tuple[np.ndarray, np.ndarray] | None = None) -> bool:
        """Return whether the active viewport's camera stands where framing a world box (None: everything) brings it."""
        bounds = bounds or self.visibility.box_around(None)
        return bounds is not None and controls.is_framed(self.camera, *bounds, self.framed_aspect(self.active))

    def frame_bounds(self, bounds: tuple[np.ndarray, np.ndarray], *, every: bool = False) -> None:
        """Fit a world box (lower, upper) in the active viewport, or in every one."""
        for viewport in self.viewports:
            if every or viewport is self.active:
                viewport.camera = controls.frame_box(viewport.camera, *bounds, self.framed_aspect(viewport))

    def look_first(self, direction: ViewName | None = None, *, orthographic: bool = False) -> None:
        """Look at the whole scene from a direction; without one, from where its project was saved, if it was."""
        self.camera = replace(controls.look_from(self.camera, direction or "iso"), orthographic=orthographic)
        self.frame_nodes(None, every=True)
        camera = self.scene.project.camera
        if camera is not None and direction is None and not orthographic:
            self.camera = camera_at(camera, self.index.bounds())

    def framed_aspect(self, viewport: Viewport) -> float:
        """Return width over height of the middle of a viewport that neither colour bars nor the interface cover."""
        area = self.area(viewport)
        size = round(area.width * self.pixel_ratio), round(area.height * self.pixel_ratio)
        free = size[0] - 2.0 * self.pixel_ratio * max(self.covered_width - area.x, 0.0)
        free = min([free, *(each.free_width(size) for each in self.decorations)])
        return max(free, _LEAST_FREE * size[0]) / size[1]

    def _framed_bounds(self, viewport: Viewport, aspect: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the box around the selection, or else everything, if a viewport has framed that at an aspect."""
        for ids in (self.selected_ids, None):
            bounds = self.visibility.box_around(ids)
            if bounds and controls.is_framed(viewport.camera, *bounds, aspect):
                return bounds
        return None

    def reorient(self, camera: Camera) -> None:
        """Give the active viewport a camera with another direction or lens, and frame again what was framed."""
        aspect = self.framed_aspect(self.active)
        bounds = self._framed_bounds(self.active, aspect)
        self.camera = controls.frame_box(camera, *bounds, aspect) if bounds else camera

    def ease_cameras(self) -> None:
        """Show where a command has moved cameras as a smooth way there from the last picture, unless switched off."""
        if self.eases:
            for viewport in self.viewports:
                viewport.ease(self.clock())

    @property
    def is_moving(self) -> bool:
        """True while a camera is on its way."""
        return any(viewport.is_moving for viewport in self.viewports)

    def _outlined_ids(self, viewport: Viewport) -> OutlinedIds:
        selected = self._outlined(viewport, self.selected_ids)
        active = self._outlined(viewport, self.selected_ids[-1:])
        hovered = np.array([] if self.hovered is None else [self.hovered], dtype=np.int32)
        hovered = self._outlined(viewport, hovered)
        return OutlinedIds(selected[~np.isin(selected, active)], active, hovered[~np.isin(hovered, selected)])

    def _outlined(self, viewport: Viewport, ids: np.ndarray) -> np.ndarray:
        """Return those of some nodes that a viewport shows; one without a mesh stands for its descendants."""
        if len(ids) == 0:  # what follows takes time for each node of the scene
            return ids
        empty = ids[self.scene.mesh_ids[ids] < 0]
        if len(empty):
            outlined = np.zeros(self.scene.row_count, dtype=bool)
            outlined[ids] = outlined[with_all_below(self.scene, empty)] = True
            ids = np.flatnonzero(outlined).astype(np.int32)
        if self.visibility.frozen is not None:  # also objects that the frozen frustum leaves out
            return self.visibility.left_by(self.settings.section, ids[self.visibility.shown_rows()[ids]])
        visible = np.zeros(self.scene.row_count, dtype=bool)
        visible[viewport.snapshot.visible_ids] = True
        return ids[visible[ids]]
