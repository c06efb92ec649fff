"""Snapping: choose the point of what is under the cursor that the user means.

On a triangle it is a corner, the middle of a side, a side, or the face; on a line an end, its middle, or the line; else
a point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.measuring.near_cursor import NearHit
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.node import NO_TRIANGLE, Hit

VERTEX, MIDPOINT, EDGE, FACE = "vertex", "edge midpoint", "edge", "face"
CIRCULAR_EDGE = "circular edge"  # which `ring_through` finds
_LEAST_DEPTH = 1e-9  # times that of a side's farther end: a nearer point has no place in the picture


@dataclass(frozen=True, eq=False)
class Snap:
    """A point that was snapped to."""

    kind: str  # VERTEX, MIDPOINT, EDGE or FACE
    node_id: int  # the node that the point is on
    local_point: np.ndarray  # (3,) float64 in the node's frame; of a vertex the mesh's own numbers
    point: np.ndarray  # (3,) float64 world


def snap(
    hit: Hit | NearHit,
    cursor: tuple[float, float],
    pixels_from_relative: np.ndarray,
    origin: np.ndarray,
    tolerance_px: float,
) -> Snap:
    """Snap a hit: to the nearest corner within the tolerance, else a side's middle, else a side, else the hit itself.

    Distances are measured in the picture, where the user sees them. Sides are the polygon's own: a diagonal that cuts a
    polygon into triangles is none. A line is a side with two corners, a point a corner.

    Args:
        hit: the triangle, line or point under the cursor.
        cursor: x, y in the picture, pixels.
        pixels_from_relative: (4, 4) float64, homogeneous, to pixels from the world's axes about `origin`; w is above
            0 before the eye.
        origin: (3,) float64 world, near what is seen, as the eye is: far from it coordinates have few digits.
        tolerance_px: how far a corner or side may be from the cursor, pixels.
    """
    scene, node_id = hit.node.scene, hit.node.id
    mesh = scene.meshes.mesh(scene.mesh_ids[node_id])
    world_from_local = scene.world_from_local[node_id]
    if isinstance(hit, Hit) and hit.triangle == NO_TRIANGLE:  # where a section cuts the node open
        local = np.linalg.solve(world_from_local[:3, :3], hit.point - world_from_local[:3, 3])
        return Snap(FACE, node_id, local, hit.point)
    if isinstance(hit, NearHit):
        corners = mesh.positions[list(hit.vertices)]
        itself = EDGE if hit.vertices[0] != hit.vertices[1] else VERTEX
        local = corners[0] + hit.share * (corners[1] - corners[0])
    else:
        corners = mesh.positions[mesh.triangles[hit.triangle]]
        itself = FACE
        local = hit.barycentric @ corners  # a node that is scaled to a plane has no inverse
    sides = [(mesh.positions[first], mesh.positions[second]) for first, second in _sides_of(mesh, hit)]
    pixels_from_local = _pixels_from_local(pixels_from_relative, world_from_local, origin)
    for kind, candidates in (
        (VERTEX, corners),
        (MIDPOINT, [(a + b) / 2.0 for a, b in sides]),
        (EDGE, [_nearest_on_side(a, b, cursor, pixels_from_local) for a, b in sides]),
    ):
        distances = [_distance_px(point, cursor, pixels_from_local) for point in candidates]
        if distances and min(distances) <= tolerance_px:
            nearest = candidates[int(np.argmin(distances))].copy()
            return Snap(kind, node_id, nearest, _transformed(world_from_local, nearest))
    return Snap(itself, node_id, local, hit.point)


def sides_near(
    hit: Hit | NearHit,
    cursor: tuple[float, float],
    pixels_from_relative: np.ndarray,
    origin: np.ndarray,
    tolerance_px: float,
) -> list[tuple[int, int]]:
    """Return the vertices at the ends of those sides of a hit that are within the tolerance, the nearest side first.

    Arguments are those of `snap`.
    """
    scene, node_id = hit.node.scene, hit.node.id
    if isinstance(hit, Hit) and hit.triangle == NO_TRIANGLE:
        return []
    mesh = scene.meshes.mesh(scene.mesh_ids[node_id])
    pixels_from_local = _pixels_from_local(pixels_from_relative, scene.world_from_local[node_id], origin)
    found = []
    for side in _sides_of(mesh, hit):
        a, b = mesh.positions[list(side)]
        nearest = _nearest_on_side(a, b, cursor, pixels_from_local)
        found.append((_distance_px(nearest, cursor, pixels_from_local), side))
    return [side for distance, side in sorted(found) if distance <= tolerance_px]


def _sides_of(mesh: MeshData, hit: Hit | NearHit) -> list[tuple[int, int]]:
    """Return the vertices at the ends of each side of a triangle, or of a line."""
    if isinstance(hit, NearHit):
        return [hit.vertices] if hit.vertices[0] != hit.vertices[1] else []
    assert mesh.edges is not None  # a pool has all columns
    bits, corners = int(mesh.edges[hit.triangle]), mesh.triangles[hit.triangle].tolist()
    return [(corners[k], corners[(k + 1) % 3]) for k in range(3) if bits >> k & 1]


def _pixels_from_local(
    pixels_from_relative: np.ndarray, world_from_local: np.ndarray, origin: np.ndarray
) -> np.ndarray:
    relative_from_local = world_from_local.copy()
    relative_from_local[:3, 3] -= origin
    return pixels_from_relative @ relative_from_local


def _nearest_on_side(
    a: np.ndarray, b: np.ndarray, cursor: tuple[float, float], pixels_from_local: np.ndarray
) -> np.ndarray:
    """Find the point of a side that is nearest to the cursor in the picture; what is behind the eye does not count."""
    a_pixels, b_pixels = (pixels_from_local @ (*end, 1.0) for end in (a, b))
    least = _LEAST_DEPTH * max(abs(a_pixels[3]), abs(b_pixels[3]))
    if a_pixels[3] < least:
        a, a_pixels, b, b_pixels = b, b_pixels, a, a_pixels
    if a_pixels[3] < least:  # both behind the eye: any point will do
        return a
    if b_pixels[3] < least:
        part = (a_pixels[3] - least) / (a_pixels[3] - b_pixels[3])
        b, b_pixels = a + part * (b - a), a_pixels + part * (b_pixels - a_pixels)
    start = a_pixels[:2] / a_pixels[3]
    along = b_pixels[:2] / b_pixels[3] - start
    square = along @ along
    part = min(1.0, max(0.0, (np.array(cursor) - start) @ along / square)) if square > 0.0 else 0.0
    # Equal steps in the picture are not equal steps along the side: perspective.
    part = part * a_pixels[3] / ((1.0 - part) * b_pixels[3] + part * a_pixels[3])
    return a + part * (b - a)


def _distance_px(point: np.ndarray, cursor: tuple[float, float], pixels_from_local: np.ndarray) -> float:
    x, y, _, w = pixels_from_local @ (*point, 1.0)
    return float(np.hypot(x / w - cursor[0], y / w - cursor[1])) if w > 0.0 else np.inf


def _transformed(matrix: np.ndarray, point: np.ndarray) -> np.ndarray:
    return matrix[:3, :3] @ point + matrix[:3, 3]
