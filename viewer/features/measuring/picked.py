"""Meaning of a click of the measuring tool: a point that it snaps to, a circular edge, or a face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene import Hit
from octoscope.scene.annotations.measurement import AREA, CIRCLE, FACES
from octoscope.scene.measuring import Snap
from octoscope.scene.measuring.faces import face_outline
from octoscope.scene.measuring.rings import ring_through, spread_over
from octoscope.scene.measuring.snapping import CIRCULAR_EDGE, EDGE, FACE
from octoscope.scene.node import NO_TRIANGLE
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import PixelPoint


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
        found = snapshot.snap(cursor, snapshot.drawn)
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
    scene = snapshot.scene
    for near in snapshot.snaps_near(cursor, snapshot.drawn, (EDGE,)):
        mesh = scene.meshes.mesh(scene.mesh_ids[near.node_id])
        corners = mesh.triangles
        edges = np.concatenate([corners[:, :2], corners[:, 1:], corners[:, ::2], mesh.lines])
        ring = ring_through(mesh.positions, edges, near.side, scene.world_from_local[near.node_id])
        if ring is not None:
            spread = mesh.positions[ring[spread_over(ring)]]
            return Picked(Snap(CIRCULAR_EDGE, near.node_id, spread[0], near.point), spread)
    return None
