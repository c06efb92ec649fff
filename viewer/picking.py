"""Picking: what lies under a point, or in a box, of the last picture.

What is clicked is what was seen: the camera may have moved on since, and what was culled, hidden, isolated away or
clipped is not there. Nodes that are not selectable are seen and picked through.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from octree import Frustum
from scene import Hit, SpatialIndex
from scene.in_frustum import nodes_in_frustum
from scene.layers import SELECTABLE
from viewer.camera import Camera

Point = tuple[float, float]  # x to the right, y down, as fractions of the picture's width and height

_THINNEST = 1e-4  # of the picture: a box drawn as a line still has an inside


@dataclass(frozen=True, eq=False)
class Picture:
    """What the last picture showed: from where, in what shape, within which frustum, and which nodes.

    Attributes:
        aspect: width over height.
        frustum: of the camera, or None before the first picture, and where numbers are too coarse for one.
        visible_ids: (k,) int32 nodes that were drawn.
    """

    index: SpatialIndex
    camera: Camera
    aspect: float
    frustum: Frustum | None
    visible_ids: np.ndarray

    @cached_property
    def drawn(self) -> np.ndarray:
        """(nodes,) bool by node id: what was drawn."""
        drawn = np.zeros(self.index.scene.row_count, dtype=bool)
        drawn[self.visible_ids] = True
        return drawn

    @cached_property
    def selectable(self) -> np.ndarray:
        """(nodes,) bool by node id: what was drawn and may be selected."""
        return self.drawn & (self.index.scene.layers[: len(self.drawn)] == SELECTABLE)

    def pick(self, point: Point) -> Hit | None:
        """The nearest triangle under a point, of a node that may be selected, or None."""
        return self.nearest(point, self.selectable)

    def pick_through(self, point: Point) -> list[Hit]:
        """What lies under a point, one hit for each node that may be selected, the nearest first."""
        origin, direction, t_max = self._ray(point)
        hits: dict[int, Hit] = {}
        for hit in self.index.scene.raycast(origin, direction, t_max=t_max, all_hits=True, among=self.selectable):
            hits.setdefault(hit.node.id, hit)
        return list(hits.values())

    def pick_box(self, begin: Point, end: Point, *, wholly: bool) -> np.ndarray:
        """Nodes that may be selected and lie in a box of the picture, also behind others.

        Args:
            begin, end: two opposite corners.
            wholly: only nodes of which nothing sticks out of it; else all that touch it.

        Returns:
            (k,) int32 sorted ids.
        """
        nobody = np.empty(0, dtype=np.int32)
        if self.frustum is None:
            return nobody
        try:
            clip_from_relative = _box_from_clip(begin, end) @ self.camera.clip_from_relative(self.aspect)
            frustum = Frustum.from_matrix(clip_from_relative, self.camera.position)
        except ValueError:  # so far out that a part of the picture is less than numbers tell apart
            return nobody
        return nodes_in_frustum(self.index, frustum, wholly=wholly, among=self.selectable)

    def hit_under(self, point: Point) -> Hit | None:
        """The nearest triangle under a point, of whatever was drawn, or None."""
        return self.nearest(point, self.drawn)

    def point_under(self, point: Point) -> np.ndarray:
        """(3,) world: what lies under a point, at the pivot's depth where there is nothing."""
        hit = self.hit_under(point)
        if hit is not None:
            return hit.point
        origin, direction = self.camera.ray_through(point, self.aspect)
        back = self.camera.axes[2]
        return origin + direction * (back @ (self.camera.pivot - origin)) / (back @ direction)

    def nearest(self, point: Point, among: np.ndarray) -> Hit | None:
        """The nearest triangle under a point, of the nodes that `among` ((nodes,) bool by node id) has, or None."""
        origin, direction, t_max = self._ray(point)
        return self.index.scene.raycast(origin, direction, t_max=t_max, among=among)

    def _ray(self, point: Point) -> tuple[np.ndarray, np.ndarray, float]:
        """The ray under a point, and where it leaves what the camera sees."""
        origin, direction = self.camera.ray_through(point, self.aspect)
        depth = self.camera.far - self.camera.near
        return origin, direction, depth / float(-self.camera.axes[2] @ direction)


def _box_from_clip(begin: Point, end: Point) -> np.ndarray:
    """(4, 4): stretches a part of the picture over the whole of it."""
    matrix = np.eye(4)
    for axis, sign in ((0, 1.0), (1, -1.0)):
        low, high = sorted((begin[axis], end[axis]))
        half = max(high - low, _THINNEST)  # of the picture's height or width; clip space is twice as wide
        middle = sign * (low + high - 1.0)
        matrix[axis, axis] = 1.0 / half
        matrix[axis, 3] = -middle / half
    return matrix
