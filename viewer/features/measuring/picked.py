"""Meaning of a click of the measuring tool: a point that it snaps to, a circular edge, or a face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene import Hit
from octoscope.scene.annotations.measurement import AREA, CIRCLE, FACES
from octoscope.scene.measuring import Snap, snap
from octoscope.scene.measuring.faces import face_outline
from octoscope.scene.measuring.rings import ring_through, spread_over
from octoscope.scene.measuring.snapping import CIRCULAR_EDGE, FACE, sides_near
from octoscope.scene.node import NO_TRIANGLE
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import PixelPoint

_TOLERANCE_PX = 10.0  # logical
_SAME_DEPTH = 1e-5  # relative: a surface that lies so little before a point is the one that the point lies on
_BESIDE = [(np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4.0]  # directions to look for objects in


@dataclass(frozen=True, eq=False)
class Picked:
    """What is under the mouse."""

    snap: Snap  # the point of it
    local_points: np.ndarray  # (k, 3) float64, that a click adds to a measurement, in the node's frame


def picked_at(snapshot: PickSnapshot, cursor: PixelPoint, kind: str, *, is_first: bool = True) -> Picked | None:
    """Return what a click on a pixel of a picture adds to a measurement of a kind, or None.

    The first click of a circle takes all of a circular edge, if it is on one.
    """
    if kind == CIRCLE and is_first and (ring := _ring_at(snapshot, cursor)) is not None:
        return ring
    if kind not in (FACES, AREA):
        found = _snap_at(snapshot, cursor)
        return None if found is None else Picked(found, found.local_point[None])
    hit = snapshot.nearest_triangle(snapshot.projection.area.point(cursor), snapshot.drawn)
    if hit is None or hit.triangle == NO_TRIANGLE:  # a section's cut is no face of an object
        return None
    points = _face_points(hit) if kind == FACES else _outline_points(hit)
    return None if points is None else Picked(Snap(FACE, hit.node.id, hit.point, hit.point), points)


def _face_points(hit: Hit) -> np.ndarray:
    """Return the point of a hit and the two corners of its triangle that span the most with it, (3, 3)."""
    mesh = hit.node.scene.meshes.mesh(hit.node.mesh_id)
    corners = mesh.positions[mesh.triangles[hit.triangle]]
    nearest = int(np.argmax(hit.barycentric))
    return np.stack([hit.barycentric @ corners, corners[(nearest + 1) % 3], corners[(nearest + 2) % 3]])


def _outline_points(hit: Hit) -> np.ndarray | None:
    """Return the ends of the sides of the face that was hit, (2 n, 3)."""
    sides = face_outline(hit.node.scene.meshes.mesh(hit.node.mesh_id), hit.triangle)
    return None if sides is None else sides.reshape(-1, 3)


def _ring_at(snapshot: PickSnapshot, cursor: PixelPoint) -> Picked | None:
    """Return the circular edge near a pixel of a picture, by three of its points."""
    projection = snapshot.projection
    matrix, position = projection.pixels_from_relative, projection.camera.position
    for through in (cursor, *_beside(cursor)):
        hit = snapshot.hit_under(projection.area.point(through))
        sides = [] if hit is None else sides_near(hit, cursor, matrix, position, _TOLERANCE_PX)
        if hit is None or not sides:
            continue
        scene, node = hit.node.scene, hit.node.id
        mesh = scene.meshes.mesh(scene.mesh_ids[node])
        corners = mesh.triangles
        edges = np.concatenate([corners[:, :2], corners[:, 1:], corners[:, ::2], mesh.lines])
        for side in sides:
            ring = ring_through(mesh.positions, edges, side, scene.world_from_local[node])
            if ring is not None:
                spread = mesh.positions[ring[spread_over(ring)]]
                return Picked(Snap(CIRCULAR_EDGE, node, spread[0], hit.point), spread)
    return None


def _snap_at(snapshot: PickSnapshot, cursor: PixelPoint) -> Snap | None:
    """Return what a pixel of a picture snaps to, also from just beside an object's outline."""
    found = _snap_through(snapshot, cursor, cursor)
    if found is not None:
        return found
    for beside in _beside(cursor):
        found = _snap_through(snapshot, beside, cursor)
        if found is not None and found.kind != FACE:
            return found
    return None


def _beside(cursor: PixelPoint) -> list[PixelPoint]:
    """Return pixels around a cursor."""
    return [(cursor[0] + 0.7 * _TOLERANCE_PX * x, cursor[1] + 0.7 * _TOLERANCE_PX * y) for x, y in _BESIDE]


def _snap_through(snapshot: PickSnapshot, through: PixelPoint, cursor: PixelPoint) -> Snap | None:
    """Return what is near the cursor of the triangle, line or point under another pixel, and can be seen there."""
    projection = snapshot.projection
    hit = snapshot.hit_under(projection.area.point(through))
    if hit is None:
        return None
    matrix, position = projection.pixels_from_relative, projection.camera.position
    found = snap(hit, cursor, matrix, position, _TOLERANCE_PX)
    if found.kind != FACE and _is_hidden(snapshot, found.point):
        return snap(hit, cursor, matrix, position, -1.0)  # nothing is that near: the hit itself
    return found


def _is_hidden(snapshot: PickSnapshot, point: np.ndarray) -> bool:
    """Return whether a triangle of a picture lies before a world point."""
    projection = snapshot.projection
    (pixel,) = projection.pixels(point[None])
    hit = snapshot.nearest_triangle(projection.area.point(pixel), snapshot.drawn)
    if hit is None:
        return False
    origin, direction = projection.ray(pixel)
    return hit.t < (point - origin) @ direction * (1.0 - _SAME_DEPTH)
