"""View: one look at a scene. It runs the stages of a frame that need no graphics card, in their order.

    update   the scene's changes become world matrices and spheres
    index    the octree takes the changed ids
    cull     the frustum finds the visible ids
    frame    they become a FrameData, which the renderer draws

A window and a script share it; neither does any of this on its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from octree import CullStats, Frustum
from scene import Hit, Scene, SpatialIndex, raycast
from viewer import navigation
from viewer.camera import Camera
from viewer.frame import POINT_SIZE, FrameBuilder, FrameData
from viewer.timing import StageTimes

_FARTHEST_LOOK = 30.0  # times the scene's size


@dataclass(frozen=True, eq=False)
class _Seen:
    """What the last picture showed: from where, in what shape, within which frustum, and which nodes."""

    camera: Camera
    aspect: float
    frustum: Frustum | None
    visible_ids: np.ndarray


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
        selected_ids: (s,) int32, outlined.
        builder: makes the frames.
        stats: of the last frame. times: of the last frames.
    """

    def __init__(self, scene: Scene, index: SpatialIndex) -> None:
        self.scene = scene
        self.index = index
        self.camera = Camera(np.zeros(3))
        self.culling = True
        self.show_octree = False
        self.show_grid = True
        self.show_edges = False
        self.frozen: Frustum | None = None
        self.selected_ids = np.empty(0, dtype=np.int32)
        self.stats = FrameStats()
        self.times = StageTimes()
        self.builder = FrameBuilder(scene)
        self._seen = _Seen(self.camera, 1.0, None, np.empty(0, dtype=np.int32))

    def update(self) -> None:
        """Let the scene's changes reach its world matrices and the octree."""
        with self.times.stage("update"):
            changed = self.scene.update_world()
        with self.times.stage("index"):
            self.index.apply(changed)

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
                visible_ids = self.index.all_ids()
        self._seen = _Seen(self.camera, aspect, own_frustum, visible_ids)
        with self.times.stage("frame"):
            frame = self.builder.build(
                self.camera,
                size,
                visible_ids,
                selected_ids=self.selected_ids,
                show_edges=self.show_edges,
                cells=self.index.cells() if self.show_octree else None,
                frozen_frustum=self.frozen,
                ground=bounds if self.show_grid else None,
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
        self.frozen = self._seen.frustum if self.frozen is None else None

    def pick(self, point: tuple[float, float]) -> Hit | None:
        """The nearest triangle under a point of the last picture (Camera.ray_through), or None.

        What is clicked is what was seen: the camera may have moved on since, and what was culled is not there.
        """
        drawn = np.zeros(len(self.scene), dtype=bool)
        drawn[self._seen.visible_ids] = True
        return raycast(self.index, *self._seen.camera.ray_through(point, self._seen.aspect), among=drawn)

    def point_under(self, point: tuple[float, float]) -> np.ndarray:
        """(3,) world: what lies under a point of the last picture, at the pivot's depth where there is nothing."""
        hit = self.pick(point)
        if hit is not None:
            return hit.point
        camera = self._seen.camera
        origin, direction = camera.ray_through(point, self._seen.aspect)
        back = camera.axes[2]
        return origin + direction * (back @ (camera.pivot - origin)) / (back @ direction)

    def farthest_distance(self) -> float:
        """How far from the pivot the scene is still worth looking at."""
        bounds = self.index.bounds
        size = 0.0 if bounds is None else float(np.linalg.norm(bounds[1] - bounds[0]))
        return _FARTHEST_LOOK * size or math.inf  # a point is worth looking at from anywhere

    def frame_box_of(self, ids: np.ndarray | None, size: tuple[int, int]) -> None:
        """Fit nodes (None: all) in the picture."""
        bounds = self.scene.bounds(self.index.all_ids() if ids is None else ids)
        if bounds is not None:
            self.camera = navigation.frame_box(self.camera, *bounds, size[0] / size[1])
