"""View: one or several viewports on a scene. It runs those stages of a frame that need no graphics card, in order.

    update   the scene's changes become world matrices and spheres
    index    the octree takes the changed ids
    cull     each viewport's frustum finds the ids that are visible in it
    frame    they become a FrameData for each, which the renderer draws

Windows and scripts both use it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import numpy as np

from octoscope.octree import CullStats
from octoscope.scene import Scene, SpatialIndex
from octoscope.scene.history.selection import Selection
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features import parts
from octoscope.viewer.frame.annotations import AnnotationBuilder, Annotations
from octoscope.viewer.frame.decoration import NO_CELLS, Decoration
from octoscope.viewer.frame.frame import FrameData, ViewportFrame
from octoscope.viewer.frame.frame_builder import FrameBuilder, OutlinedIds
from octoscope.viewer.frame.framing import Framing
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


@dataclass(frozen=True)
class DecorationPart:
    """Makes a feature's decoration of a view."""

    FILE: ClassVar[str] = "decoration"
    decorate: Callable[[View], Decoration]


class View:
    """Viewports on a scene, the overlays of all of them, and their frames.

    Attributes:
        settings: how the scene is shown.
        visibility: which nodes of it are shown.
        layout: which viewports are shown, and where in the picture.
        framing: brings nodes and boxes into the picture.
        selection: the selected nodes, which are outlined.
        hovered: the node that a click would select, outlined thinly, or None.
        decorations: what features draw in its pictures.
        covered: left, top, right and bottom of parts of the picture that the interface covers, logical pixels; labels
            keep off them.
        interface_scale: how much larger than usual lines, points, text and handles are, in logical pixels.
        builder: packs the frames.
        times: of the stages of the last frames.
        redraw: gets a request when any of this changes.
    """

    hovered = RedrawProperty[int | None](Damage.OVERLAY)
    interface_scale = RedrawProperty[float](Damage.SCENE)
    covered = RedrawProperty[tuple[tuple[float, ...], ...]](Damage.OVERLAY)

    def __init__(
        self, scene: Scene, *, tiny_culling: bool = False, simplifying: bool = False, occlusion_culling: bool = False
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
        self.interface_scale = 1.0
        self.covered = ()
        self.hovered = None
        self.times = StageTimes()
        self.decorations: list[Decoration] = [part.decorate(self) for part in parts(DecorationPart)]
        self.framing = Framing(scene, self.visibility, self.layout, self.selection, self.decorations)

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
    def stroke_ratio(self) -> float:
        """Framebuffer pixels to one of those in which widths of lines and sizes of points are given."""
        return self.layout.pixel_ratio * self.interface_scale

    def locate(self, pixel: PixelPoint) -> PointerLocation:
        """Return the location of a pixel of the picture, in the viewport under it or nearest to it."""
        ground = self.visibility.ground_height
        places = [PointerLocation(pixel, each, self.layout.area(each).point(pixel), ground) for each in self.viewports]
        return min(places, key=lambda place: max(max(-part, part - 1.0) for part in place.point))

    @property
    def middle(self) -> PointerLocation:
        """The middle of the active viewport."""
        return self.locate(self.layout.area().pixel((0.5, 0.5)))

    def free_area(self, viewport: Viewport) -> Rectangle:
        """Return the part of a viewport beside what decorations fill along its edges, as `layout.area`."""
        area, ratio = self.layout.area(viewport), self.layout.pixel_ratio
        font_size = font_size_px(round(area.height * ratio), self.stroke_ratio) / ratio
        right, lower = np.max([(0.0, 0.0), *(each.edges(viewport) for each in self.decorations)], axis=0) * font_size
        return Rectangle(area.x, area.y, area.width - float(right), area.height - float(lower))

    @property
    def free_size(self) -> tuple[float, float]:
        """Width and height of the part of the picture that ends where the last of these parts do, logical pixels."""
        ends = [self.free_area(viewport).end for viewport in self.viewports]
        return max(x for x, _ in ends), max(y for _, y in ends)

    def covered_in(self, viewport: Viewport) -> np.ndarray:
        """Return (n, 4) left, top, right and bottom of what is covered, framebuffer pixels from a viewport's corner."""
        corner = self.layout.area(viewport).corner
        return (np.array(self.covered).reshape(-1, 4) - np.tile(corner, 2)) * self.layout.pixel_ratio

    def update(self) -> None:
        """Bring world matrices, spheres and the octree up to date with the scene's changes."""
        self.update_world()
        self.update_index()

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
        self.layout.resize(size)
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
        camera = viewport.begin_frame(visibility.bounds)
        own_frustum = visibility.frustum_of(camera, settings, size, self.stroke_ratio)
        visible_ids = visibility.visible_ids(visibility.frozen or own_frustum, settings, stats)
        viewport.snapshot = PickSnapshot(
            self.scene,
            ViewProjection(camera, self.layout.area(viewport)),
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

        def outlined(frame: FrameData, viewport: Viewport) -> FrameData:
            ids, annotations = self._outlined_ids(viewport), self._annotations(viewport, frame.size)
            return self.builder.with_outlines(frame, viewport.snapshot.camera, ids, annotations)

        return self._changed(placed, outlined)

    def with_everything(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with all that is in view as it is, as a picture shows it that stands still.

        They have what is tiny, too, nothing is simplified, and what keeps light off does so.
        """
        return self.with_occluders(
            self._changed(placed, lambda frame, viewport: self.builder.whole(frame, viewport.snapshot.visible_ids))
        )

    def with_occluders(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with what keeps light from surfaces, and where in the picture these are."""
        return self._changed(placed, lambda frame, viewport: self.builder.with_occluders(frame, viewport.snapshot))

    def _changed(
        self, placed: Sequence[ViewportFrame], change: Callable[[FrameData, Viewport], FrameData]
    ) -> tuple[ViewportFrame, ...]:
        pairs = zip(placed, self.viewports, strict=True)
        return tuple(replace(part, frame=change(part.frame, viewport)) for part, viewport in pairs)

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
