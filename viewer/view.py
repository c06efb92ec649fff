"""View: one look at a scene. It runs the stages of a frame that need no graphics card, in their order.

    update   the scene's changes become world matrices and spheres
    index    the octree takes the changed ids
    cull     the frustum finds the visible ids
    frame    they become a FrameData, which the renderer draws

A window and a script share it; neither does any of this on its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from octree import CullStats, Frustum
from scene import Hit, Scene, SpatialIndex
from scene.layers import HIDDEN
from scene.selecting import with_all_below
from viewer import navigation
from viewer.annotations import UnderWay, annotations_of, pixels_from_world
from viewer.camera import Camera
from viewer.frame import POINT_SIZE, FrameBuilder, FrameData
from viewer.picking import Picture, Point
from viewer.timing import StageTimes

_FARTHEST_LOOK = 30.0  # times the scene's size


@dataclass(frozen=True)
class FrameStats:
    """Counts of one frame."""

    objects: int = 0
    drawn: int = 0
    triangles: int = 0
    lines: int = 0
    points: int = 0
    nodes_visited: int = 0
    spheres_tested: int = 0


def counts_text(triangles: int, lines: int, points: int) -> str:
    """How much there is of each, for a person; lines and points only where there are some."""
    others = [f"{count:,} {name}" for count, name in ((lines, "lines"), (points, "points")) if count]
    return ", ".join([f"{triangles:,} triangles", *others])


class View:
    """A camera on a scene, what is switched on, and the frames that follow.

    Attributes:
        camera: where one looks from; its depth range is set by `build_frame`.
        culling: off draws every object, seen or not.
        show_octree, show_grid, show_edges: overlays; edges are those of the files' polygons.
        frozen: the frustum that culling keeps while the camera flies on, or None.
        selected_ids: (s,) int32 nodes to outline, the last is the active one. hovered: the node that a click would
            select, outlined thinly, or None.
        measuring: a measurement that is being made, or None.
        isolated_ids: (k,) int32 nodes that alone are shown, or None: all that are not hidden.
        last: the last picture, which is what a person points at.
        builder: makes the frames.
        stats: of the last frame. times: of the last frames.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.camera = Camera(np.zeros(3))
        self.culling = True
        self.show_octree = False
        self.show_grid = True
        self.show_edges = False
        self.frozen: Frustum | None = None
        self.selected_ids = np.empty(0, dtype=np.int32)
        self.measuring: UnderWay | None = None
        self.hovered: int | None = None
        self.isolated_ids: np.ndarray | None = None
        self.stats = FrameStats()
        self.times = StageTimes()
        self.builder = FrameBuilder(scene)
        self.last = Picture(self.index, self.camera, 1.0, None, np.empty(0, dtype=np.int32))

    @property
    def index(self) -> SpatialIndex:
        """The scene's octree."""
        return self.scene.index

    def update(self) -> None:
        """Let the scene's changes reach its world matrices and the octree."""
        with self.times.stage("update"):
            self.scene.update_world()
        with self.times.stage("index"):
            _ = self.scene.index  # takes in what was updated

    def build_frame(self, size: tuple[int, int]) -> FrameData:
        """Bring everything up to date and put together the next picture; `size` in framebuffer pixels."""
        self.update()
        aspect = size[0] / size[1]
        bounds = self.index.bounds
        if bounds is not None:
            self.camera = self.camera.with_depth_range(*bounds)
        own_frustum = self._frustum(size)
        cull_stats = CullStats()
        with self.times.stage("cull"):
            if self.culling:
                visible_ids = self.index.cull(self.frozen or own_frustum, stats=cull_stats)
            else:
                visible_ids = self.index.shown_ids()
            if self.isolated_ids is not None:
                visible_ids = visible_ids[self._isolated()[visible_ids]]
        self.last = Picture(self.index, self.camera, aspect, own_frustum, visible_ids)
        with self.times.stage("frame"):
            frame = self.builder.build(
                self.camera,
                size,
                visible_ids,
                selected_ids=self._outlined(self.selected_ids),
                hovered_ids=self._hovered_ids(),
                show_edges=self.show_edges,
                cells=self.index.cells() if self.show_octree else None,
                frozen_frustum=self.frozen,
                ground=bounds if self.show_grid else None,
                under_way=self.measuring,
            )
        self.stats = FrameStats(
            objects=len(self.index),
            drawn=frame.visible.count,
            triangles=frame.visible.drawn("triangle"),
            lines=frame.visible.drawn("line"),
            points=frame.visible.drawn("point"),
            nodes_visited=cull_stats.nodes_visited,
            spheres_tested=cull_stats.spheres_tested,
        )
        return frame

    def _frustum(self, size: tuple[int, int]) -> Frustum:
        """What the camera sees; wider by pixels where things are drawn wider than they are."""
        clip_from_world = self.camera.clip_from_world(size[0] / size[1])
        meshes = self.scene.meshes
        if self.show_edges or len(meshes.lines) or len(meshes.points):
            clip_from_world[:2] /= 1.0 + 2.0 * POINT_SIZE / np.array(size)[:, None]
        return Frustum.from_matrix(clip_from_world)

    def toggle_freeze(self) -> None:
        """Freeze culling at what the last picture saw, or let it go."""
        self.frozen = self.last.frustum if self.frozen is None else None

    def with_outlines(self, frame: FrameData) -> FrameData:
        """A frame of this view as it was, with selection, hovering and measurements as they are now."""
        position = frame.camera_position
        return replace(
            frame,
            selected=self.builder.draw_list(self._outlined(self.selected_ids), position),
            hovered=self.builder.draw_list(self._hovered_ids(), position),
            annotations=annotations_of(self.scene, self.last.camera, frame.size, self.measuring),
        )

    def shown_ids(self) -> np.ndarray:
        """(k,) int32 objects that are shown, whether the camera sees them or not."""
        ids = self.index.shown_ids()
        return ids if self.isolated_ids is None else ids[self._isolated()[ids]]

    def toggle_isolation(self) -> None:
        """Show nothing but the selection and what is below it, or everything again."""
        if self.isolated_ids is not None:
            self.isolated_ids = None
        elif len(self.selected_ids):
            self.isolated_ids = with_all_below(self.scene, self.selected_ids)

    def pick(self, point: Point) -> Hit | None:
        """What a click on a point of the last picture selects; as Picture.pick."""
        return self.last.pick(point)

    def point_under(self, point: Point) -> np.ndarray:
        """(3,) world: what lies under a point of the last picture; as Picture.point_under."""
        return self.last.point_under(point)

    def pixels_from_world(self, size: tuple[float, float]) -> np.ndarray:
        """(4, 4): where world points are in the last picture, were it of this size (annotations.pixels_from_world)."""
        return pixels_from_world(self.last.camera, size)

    def farthest_distance(self) -> float:
        """How far from the pivot the scene is still worth looking at."""
        bounds = self.index.bounds
        size = 0.0 if bounds is None else float(np.linalg.norm(bounds[1] - bounds[0]))
        return _FARTHEST_LOOK * size or math.inf  # a point is worth looking at from anywhere

    def frame_box_of(self, ids: np.ndarray | None, size: tuple[int, int]) -> None:
        """Fit nodes and what is below them (None: all that is shown) in the picture."""
        bounds = self.scene.bounds(self.shown_ids() if ids is None else with_all_below(self.scene, ids))
        if bounds is not None:
            self.camera = navigation.frame_box(self.camera, *bounds, size[0] / size[1])

    def _isolated(self) -> np.ndarray:
        """(nodes,) bool by node id."""
        isolated = np.zeros(self.scene.row_count, dtype=bool)
        isolated[self.isolated_ids] = True
        return isolated

    def _hovered_ids(self) -> np.ndarray:
        return self._outlined(np.array([] if self.hovered is None else [self.hovered], dtype=np.int32))

    def _outlined(self, ids: np.ndarray) -> np.ndarray:
        """Of some nodes those that are shown; one without a mesh stands for all below it."""
        empty = ids[self.scene.mesh_ids[ids] < 0]
        if len(empty):
            ids = np.union1d(ids, with_all_below(self.scene, empty)).astype(np.int32)
        ids = ids[self.scene.layers[ids] != HIDDEN]
        return ids if self.isolated_ids is None else ids[self._isolated()[ids]]
