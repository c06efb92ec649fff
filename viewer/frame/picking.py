"""PickSnapshot: picking under a point, or in a box, of the last picture; what the mouse snaps to there.

A click means what was seen: the camera may have moved since, and nodes that were culled, hidden, isolated away or
clipped are not picked, nor what a section cuts away, nor back faces of single-sided materials. Nodes that are not
selectable are seen and picked through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene import Hit, Node, Scene
from octoscope.scene.cutting.caps import NO_CAPS, Caps
from octoscope.scene.measuring.near_cursor import NearHit, lines_and_points_near
from octoscope.scene.measuring.snapping import FACE, KINDS, Snap, sides_of, snaps_near
from octoscope.scene.node import NO_TRIANGLE
from octoscope.scene.nodes.layers import SELECTABLE
from octoscope.scene.spatial.frustum_select import nodes_in_frustum
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.look.shading import STROKES, Strokes
from octoscope.viewer.frame.points import NormalizedPoint, PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.section import NO_SECTION, Section

# Of an interface of usual scale.
_TOLERANCE_PX = 4.0  # logical: how far from a drawn line or point a click still means it
SNAP_REACH_PX = 12.0  # logical: how far from the mouse a point may be that it snaps to
_RAYS = 256  # around the mouse, for what it may snap to: some two pixels from each other
_BEYOND_PX = 2.0  # of the reach: else few rays would meet the tip of what just reaches into it
_ON_SURFACE_PX = 0.01  # points of triangles are seen though the triangle lies so little before them, by rounding
# (n, 2) places in a circle of radius 1, evenly, the innermost first (Vogel, "A better way to construct the sunflower
# head", 1979)
_TURNS = np.arange(_RAYS) * np.pi * (3.0 - np.sqrt(5.0))
_AROUND = np.sqrt(np.arange(_RAYS) / _RAYS)[:, None] * np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))
_THINNEST = 1e-4  # of the picture: a box drawn as a line still has an inside


class _SeenRay(NamedTuple):
    origin: np.ndarray  # (3,) world
    direction: np.ndarray  # (3,) world, of unit length
    length: float  # world units
    entered: int  # index of the section's plane at which it begins, or -1


@dataclass(frozen=True, eq=False)
class PickSnapshot:
    """The last picture of a viewport, as far as picking needs it."""

    scene: Scene
    projection: ViewProjection  # the camera, and the viewport's part of the whole picture in logical pixels
    # that of the camera; None before the first picture, and where numbers are too coarse for one
    frustum: Frustum | None
    visible_ids: np.ndarray  # (k,) int32 nodes in the picture, also those that were too small to be drawn
    strokes: Strokes = STROKES  # sizes of lines and points in it
    section: Section = NO_SECTION  # the planes that cut away what is not picked
    caps: Caps = NO_CAPS  # the faces that close objects there
    culls_back_faces: bool = True  # whether back faces of single-sided materials are not in it
    stroke_scale: float = 1.0  # logical pixels to one of those in which `strokes` are given

    @property
    def camera(self) -> Camera:
        """The camera that the picture was drawn with."""
        return self.projection.camera

    @property
    def aspect(self) -> float:
        """Width over height of the viewport."""
        return self.projection.area.aspect

    @cached_property
    def drawn(self) -> np.ndarray:
        """(nodes,) bool by node id: the nodes that were drawn."""
        drawn = np.zeros(self.scene.row_count, dtype=bool)
        drawn[self.visible_ids] = True
        return drawn

    @cached_property
    def selectable(self) -> np.ndarray:
        """(nodes,) bool by node id: the nodes that were drawn and may be selected."""
        return self.drawn & (self.scene.layers[: len(self.drawn)] == SELECTABLE)

    def pick(self, point: NormalizedPoint) -> Hit | NearHit | None:
        """Return what a click on a point selects, as `nearest` among the selectable nodes."""
        return self.nearest(point, self.selectable)

    def pick_through(self, point: NormalizedPoint) -> list[Hit | NearHit]:
        """Return one hit under a point for each node that may be selected, the nearest first."""
        ray = self._seen_ray(point)
        found: list[Hit | NearHit] = [*self._lines_and_points(point, self.selectable)]
        if ray is not None:
            cap = self._cap_hit(ray, self.selectable)
            found += [] if cap is None else [cap]
            found += self._seen_triangles(ray, self.selectable)
        hits: dict[int, Hit | NearHit] = {}
        for hit in sorted(found, key=lambda hit: self._depth(hit.point)):
            hits.setdefault(hit.node.id, hit)
        return list(hits.values())

    def pick_box(self, begin: NormalizedPoint, end: NormalizedPoint, *, wholly: bool) -> np.ndarray:
        """Return the nodes that may be selected and lie in a box of the picture, also behind others.

        Args:
            begin: a corner.
            end: the opposite corner.
            wholly: True finds nodes that lie wholly in the box, False all that touch it.

        Returns:
            (k,) int32 sorted ids.
        """
        frustum = self._frustum_of_box(begin, end)
        if frustum is None:
            return np.empty(0, dtype=np.int32)
        section = self.section.planes_about(frustum.origin)
        return nodes_in_frustum(self.scene.index, frustum, wholly=wholly, among=self.selectable, section=section)

    def _frustum_of_box(self, begin: NormalizedPoint, end: NormalizedPoint) -> Frustum | None:
        """Return the frustum of a part of the picture; None so far out that numbers do not tell it from other parts."""
        if self.frustum is None:
            return None
        try:
            clip_from_relative = _box_from_clip(begin, end) @ self.camera.clip_from_relative(self.aspect)
            return Frustum.from_matrix(clip_from_relative, self.camera.position)
        except ValueError:
            return None

    def hit_under(self, point: NormalizedPoint) -> Hit | NearHit | None:
        """Return what lies under a point, as `nearest` among all drawn nodes."""
        return self.nearest(point, self.drawn)

    def point_under(self, point: NormalizedPoint) -> np.ndarray:
        """Return the (3,) world point under a point, at the pivot's depth where there is nothing."""
        hit = self.hit_under(point)
        if hit is not None:
            return hit.point
        origin, direction = self.camera.ray_through(point, self.aspect)
        back = self.camera.axes[2]
        return origin + direction * (back @ (self.camera.pivot - origin)) / (back @ direction)

    def nearest(self, point: NormalizedPoint, among: np.ndarray) -> Hit | NearHit | None:
        """Return what is drawn under a point of the picture, or None.

        A line or point under it or within some pixels, that no triangle hides, comes before the nearest triangle.

        Args:
            among: (nodes,) bool by node id, the nodes that count.
        """
        hit = self.nearest_triangle(point, among)
        for near in self._lines_and_points(point, among):
            if not self._is_hidden(near, hit, among):
                return near
        return hit

    def nearest_triangle(self, point: NormalizedPoint, among: np.ndarray) -> Hit | None:
        """Return the nearest triangle under a point, of the nodes in `among` ((nodes,) bool by node id), or None.

        Of a face where a section cuts an object open the hit has -1 for its triangle, and no weights.
        """
        ray = self._seen_ray(point)
        if ray is None:
            return None
        cap = self._cap_hit(ray, among)
        hit = cap or self.scene.raycast(ray.origin, ray.direction, t_max=ray.length, among=among)
        if hit is None or self._is_seen(hit, ray):
            return hit
        return next(iter(self._seen_triangles(ray, among)), None)

    def _seen_triangles(self, ray: _SeenRay, among: np.ndarray) -> list[Hit]:
        """Return all triangles on a ray that are seen from its side, the nearest first."""
        hits = self.scene.raycast_all(ray.origin, ray.direction, t_max=ray.length, among=among)
        return [hit for hit in hits if self._is_seen(hit, ray)]

    def _is_seen(self, hit: Hit, ray: _SeenRay) -> bool:
        """Return whether a hit is on a side of its triangle that its material shows."""
        if not self.culls_back_faces or hit.triangle == NO_TRIANGLE or hit.normal @ ray.direction <= 0.0:
            return True
        return self._is_double_sided(hit.node.id, hit.triangle)

    def _is_double_sided(self, node: int, triangle: int) -> bool:
        material = int(self.scene.material_overrides[node])
        if material < 0:
            mesh = self.scene.meshes.mesh(int(self.scene.mesh_ids[node]))
            material = int(mesh.material_ids[mesh.triangles[triangle, 0]])
        return self.scene.materials[material].double_sided

    def snap(self, cursor: PixelPoint, among: np.ndarray, kinds: Sequence[str] = KINDS) -> Snap | None:
        """Return the point that the mouse means at a pixel, the first of `snaps_near`, else what lies there, or None.

        Args:
            among: (nodes,) bool by node id, the nodes that count.
            kinds: of scene.measuring.snapping.KINDS, the likeliest first; what lies there counts as FACE.
        """
        found = next(self.snaps_near(cursor, among, kinds), None)
        if found is not None or FACE not in kinds:
            return found
        hit = self.nearest(self.projection.area.point(cursor), among)
        return None if hit is None else Snap.of(hit)

    def snaps_near(self, cursor: PixelPoint, among: np.ndarray, kinds: Sequence[str] = KINDS) -> Iterator[Snap]:
        """Yield the visible points within SNAP_REACH_PX of a pixel: kind by kind, the nearest first."""
        scene, projection, reach_px = self.scene, self.projection, self.stroke_scale * SNAP_REACH_PX
        point, position = projection.area.point(cursor), projection.camera.position
        thin = self._lines_and_points(point, among, SNAP_REACH_PX)
        sides = sides_of(scene, self._triangles_around(cursor, reach_px, among), thin)
        planes = self.section.planes_about(position)
        matrix = projection.pixels_from_relative
        for found in snaps_near(scene, sides, cursor, matrix, position, reach_px, kinds, planes):
            nearer_px = self.stroke_scale * self.strokes.nearer if found.is_thin else _ON_SURFACE_PX
            if not self._is_covered(found.point, nearer_px, among):
                yield found

    def _triangles_around(self, cursor: PixelPoint, reach_px: float, among: np.ndarray) -> np.ndarray:
        """Return (k, 2) int64 node and triangle of those that are seen around a pixel, the nearest to it first."""
        area = self.projection.area
        pixels = cursor + (reach_px + _BEYOND_PX) * _AROUND
        origins, directions, lengths, _ = self._seen_rays((pixels - area.corner) / area.size)

        def cast(*, back_faces: bool) -> np.ndarray:
            hits = self.scene.raycast_many(origins, directions, back_faces=back_faces, among=among)
            is_there = (hits.nodes >= 0) & (hits.t <= lengths)
            return np.where(is_there, (hits.nodes, hits.triangles), -1).T.astype(np.int64)

        found = cast(back_faces=True)
        if self.culls_back_faces:
            fronts = cast(back_faces=False)
            for row in np.flatnonzero((found != fronts).any(axis=1)).tolist():
                if not self._is_double_sided(*found[row].tolist()):
                    found[row] = fronts[row]
        _, first = np.unique(found, axis=0, return_index=True)
        found = found[np.sort(first)]
        return found[found[:, 0] >= 0]

    def _lines_and_points(
        self, point: NormalizedPoint, among: np.ndarray, tolerance_px: float = _TOLERANCE_PX
    ) -> list[NearHit]:
        """Return the lines and points near a point, as lines_and_points_near does."""
        meshes = self.scene.meshes
        if not (len(meshes.lines) or len(meshes.points)):
            return []
        area, tolerance_px = self.projection.area, self.stroke_scale * tolerance_px
        reach = (tolerance_px + self.stroke_scale * self.strokes.widest / 2.0) / np.array(area.size)
        frustum = self._frustum_of_box(tuple(point - reach), tuple(point + reach))
        if frustum is None:
            return []
        return lines_and_points_near(
            self.scene,
            frustum,
            self.projection.pixels_from_relative,
            area.pixel(point),
            tolerance_px,
            (
                self.stroke_scale * max(self.strokes.line_width, 1.0) / 2.0,
                self.stroke_scale * self.strokes.point_size / 2.0,
            ),
            among,
            self.section.planes_about(frustum.origin),
        )

    def _is_hidden(self, near: NearHit, hit: Hit | None, among: np.ndarray) -> bool:
        """Return whether a triangle lies before a line or point, at the click (`hit`) or at the line itself."""
        nearer_px = self.stroke_scale * self.strokes.nearer
        if hit is not None and self._hides(hit, near.point, nearer_px + near.distance_px):
            return True
        return near.distance_px > 0.0 and self._is_covered(near.point, nearer_px, among)

    def _is_covered(self, point: np.ndarray, nearer_px: float, among: np.ndarray) -> bool:
        """Return whether a triangle lies before a world point that is drawn nearer, as for `_hides`."""
        (pixel,) = self.projection.pixels(point[None])
        there = self.nearest_triangle(self.projection.area.point(pixel), among)
        return there is not None and self._hides(there, point, nearer_px)

    def _hides(self, hit: Hit, point: np.ndarray, pixels: float) -> bool:
        """Return whether a triangle lies before a world point that is drawn nearer by the size of so many pixels."""
        nearer = pixels * self.camera.pixel_size(self.projection.area.height)
        depth = self._depth(point)
        drawn = depth - nearer if self.camera.orthographic else depth / (1.0 + nearer / self.camera.distance)
        return self._depth(hit.point) < drawn

    def _depth(self, point: np.ndarray) -> float:
        """Return the depth of a world point: from the camera along the view, world units."""
        return float(self.camera.axes[2] @ (self.camera.position - point))

    def _cap_hit(self, ray: _SeenRay, among: np.ndarray) -> Hit | None:
        """Return the hit of a face at which a ray begins, of the nodes in `among`, or None."""
        if ray.entered < 0:
            return None
        node = self.caps.node_at(ray.entered, ray.origin)
        if node < 0 or not among[node]:
            return None
        normal = -np.array(self.section.planes[ray.entered].normal)
        return Hit(Node(self.scene, node), 0.0, ray.origin, normal, NO_TRIANGLE, np.zeros(3), np.zeros(2))

    def _seen_ray(self, point: NormalizedPoint) -> _SeenRay | None:
        """Return the part of the ray under a point that lies in the view and that no section cuts away, or None."""
        rays = self._seen_rays(np.array((point,)))
        origin, direction, length, entered = (column[0] for column in rays)
        return _SeenRay(origin, direction, float(length), int(entered)) if length > 0.0 else None

    def _seen_rays(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the columns of _SeenRay for (n, 2) points; lengths of 0 or less where nothing of a ray is seen."""
        origins, directions = self.camera.rays_through(points, self.aspect)
        near, far = self.camera.depth_range
        begins, ends, entered = self.section.intervals(
            origins, directions, (far - near) / -(directions @ self.camera.axes[2])
        )
        return origins + begins[:, None] * directions, directions, ends - begins, entered


def _box_from_clip(begin: NormalizedPoint, end: NormalizedPoint) -> np.ndarray:
    """Return the (4, 4) matrix that stretches a part of the picture over the whole of it."""
    matrix = np.eye(4)
    for axis, sign in ((0, 1.0), (1, -1.0)):
        low, high = sorted((begin[axis], end[axis]))
        half = max(high - low, _THINNEST)  # of the picture's height or width; clip space is twice as wide
        middle = sign * (low + high - 1.0)
        matrix[axis, axis] = 1.0 / half
        matrix[axis, 3] = -middle / half
    return matrix
