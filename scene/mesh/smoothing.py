"""Smooth normals that are split at sharp edges, from nothing but positions and triangles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene.geometry.normals import unit_normals
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.mesh.data import MeshBatch, MeshData

USUAL_ANGLE_DEGREES = 30.0
_ROUNDING_RAD = 1e-9
_NO_NORMAL = np.zeros((1, 3), dtype=np.float32)
_AS_GIVEN = -1  # in place of a corner's fan: the vertex keeps its normal


def lacks_normals(batch: MeshBatch) -> np.ndarray:
    """Return (m,) bool: the mesh has triangles, and no vertex of it has a normal."""
    has_any = batch.normals.any(axis=1)
    counts = np.bincount(batch.mesh_of_vertices[has_any], minlength=len(batch))
    return (counts == 0) & (batch.triangle_counts > 0)


def smoothed(batch: MeshBatch, angle_rad: float, *, chosen: np.ndarray | None = None) -> MeshBatch:
    """Return meshes with new normals, smooth up to an angle, and with more vertices where sharper edges split them.

    Two triangles are smooth across a side if they alone have it, between points that are equal to the bit, and their
    normals differ by the angle at most. At each point the triangles that are connected by such sides get one normal:
    the mean of theirs, weighted by their angles there (Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal
    Facets", 1998). So it does not matter how polygons were cut, nor whether a file repeats its vertices.

    Args:
        angle_rad: 0 to pi.
        chosen: (m,) bool: the meshes that get new normals; None: all.
    """
    mesh_of_vertex = batch.mesh_of_vertices
    mesh_of_triangle = np.repeat(np.arange(len(batch)), batch.triangle_counts)
    corners = batch.rows_of("triangle")
    is_chosen = np.ones(len(batch), dtype=np.bool_) if chosen is None else chosen
    made = is_chosen[mesh_of_triangle]
    fans = np.full(corners.shape, _AS_GIVEN, dtype=np.int64)
    fans[made], normals = _fans_and_normals(batch.positions, mesh_of_vertex, corners[made], angle_rad)

    # A vertex for each fan that it is a corner of; one that no triangle has stays for lines and points.
    unused = np.ones(len(mesh_of_vertex), dtype=np.bool_)
    unused[corners] = False
    fan_count = corners.size + 1
    keys = np.concatenate([(corners * fan_count + fans + 1).ravel(), np.flatnonzero(unused) * fan_count])
    keys, places = np.unique(keys, return_inverse=True)
    old, fan = keys // fan_count, keys % fan_count - 1
    vertex_counts = np.bincount(mesh_of_vertex[old], minlength=len(batch))
    first_new = np.cumsum(vertex_counts) - vertex_counts
    place_of_old = np.searchsorted(old, np.arange(len(mesh_of_vertex)))

    def moved(rows: np.ndarray) -> np.ndarray:
        """Return indices of vertices of lines or points, which count within their meshes."""
        return (place_of_old[rows] - first_new[mesh_of_vertex[rows]]).astype(np.int32)

    columns = batch.of_vertices(old)
    made_normals = np.append(normals, _NO_NORMAL, axis=0)[fan]
    columns["normals"] = np.where((fan != _AS_GIVEN)[:, None], made_normals, columns["normals"])
    return replace(
        batch,
        vertex_counts=vertex_counts,
        **columns,
        triangles=(places[: corners.size].reshape(-1, 3) - first_new[mesh_of_triangle][:, None]).astype(np.int32),
        lines=moved(batch.rows_of("line")),
        points=moved(batch.rows_of("point")),
    )


def moved_normals(mesh: MeshData, positions: np.ndarray) -> np.ndarray:
    """Return the normals of a mesh whose vertices are moved to (v, 3) positions; triangles that are flat stay so.

    Vertices that lay at one place and had one normal, as along the seams of textures, get one normal.
    """
    assert mesh.normals is not None
    if not mesh.normals.any():
        return mesh.normals
    _, groups = unique_rows(*mesh.positions.T, *mesh.normals.T)
    faces, angles = _faces_and_angles(positions, mesh.triangles)
    normals = _summed(faces, angles, groups[mesh.triangles].ravel(), int(groups.max()) + 1)[groups]
    is_known = mesh.normals.any(axis=1) & normals.any(axis=1)  # one without area now keeps its normal for later
    return np.where(is_known[:, None], normals, mesh.normals)


def _faces_and_angles(positions: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the (t, 3) unit normals of triangles, 0 without an area, and the (t, 3) angles at their corners."""
    # Of a triangle's side k, from its corner k to the next: its direction and, without length, zero.
    sides = positions[np.roll(corners, -1, axis=1)] - positions[corners]
    sides /= np.maximum(np.abs(sides).max(axis=2, keepdims=True), np.finfo(np.float64).tiny)
    sides /= np.maximum(np.linalg.norm(sides, axis=2, keepdims=True), 0.5)
    before = -np.roll(sides, 1, axis=1)
    crossed = np.cross(sides, before)
    sines = np.linalg.norm(crossed, axis=2)
    angles = np.arctan2(sines, (sides * before).sum(axis=2))
    widest = np.argmax(sines, axis=1)
    faces = crossed[np.arange(len(corners)), widest]
    lengths = np.linalg.norm(faces, axis=1, keepdims=True)
    return np.where(lengths > 0.0, faces / np.maximum(lengths, np.finfo(np.float64).tiny), 0.0), angles


def _summed(faces: np.ndarray, angles: np.ndarray, places: np.ndarray, count: int) -> np.ndarray:
    """Return (count, 3) float32 unit normals: the means of triangles', weighted by their angles, at each place.

    Args:
        places: (3 t,) of the triangles' corners.
    """
    weighted = np.repeat(faces, 3, axis=0) * angles.reshape(-1, 1)
    sums = np.stack([np.bincount(places, weights=part, minlength=count) for part in weighted.T], axis=1)
    return unit_normals(sums)


def _fans_and_normals(
    positions: np.ndarray, mesh_of_vertex: np.ndarray, corners: np.ndarray, angle_rad: float
) -> tuple[np.ndarray, np.ndarray]:
    """Group the corners of triangles by the fan that they belong to.

    Args:
        mesh_of_vertex: (v,) int64; triangles of different meshes do not touch.

    Returns:
        (t, 3) int64 the number of each corner's fan, and (3 t, 3) float32 unit normals by that number, 0 where a fan
        has no area.
    """
    faces, angles = _faces_and_angles(positions, corners)
    _, point_of_vertex = unique_rows(mesh_of_vertex, *positions.T)
    points = point_of_vertex[corners]
    first, second = _smooth_sides(points, faces, angle_rad)
    after = np.roll(np.arange(3 * len(corners)).reshape(-1, 3), -1, axis=1).ravel()  # of a corner, the triangle's next
    flat = points.ravel()
    # Two triangles pass a side in opposite directions if they are seen from the same side of the surface.
    is_turned = flat[first] != flat[second]
    ends = (
        np.concatenate([first, after[first]]),
        np.concatenate([np.where(is_turned, after[second], second), np.where(is_turned, second, after[second])]),
    )
    fans = _connected(*ends, count=len(flat))
    return fans.reshape(-1, 3), _summed(faces, angles, fans, len(fans))


def _smooth_sides(points: np.ndarray, faces: np.ndarray, angle_rad: float) -> tuple[np.ndarray, np.ndarray]:
    """Find sides that exactly two triangles have, whose normals differ by an angle at most.

    Args:
        points: (t, 3) the points of the corners.
        faces: (t, 3) unit normals, or 0.

    Returns:
        the corners at which these sides begin, in either triangle: (k,) and (k,) indices into the flat corners.
    """
    ends = np.roll(points, -1, axis=1).ravel()
    begins_at = points.ravel()
    sides = np.minimum(begins_at, ends) * (int(points.max(initial=0)) + 1) + np.maximum(begins_at, ends)
    order = np.argsort(sides)
    firsts = np.flatnonzero(np.diff(sides[order], prepend=-1))
    pairs = firsts[np.diff(firsts, append=len(order)) == 2]
    first, second = order[pairs], order[pairs + 1]
    has_length = begins_at[first] != ends[first]
    first, second = first[has_length], second[has_length]
    one, other = faces[first // 3], faces[second // 3]
    between = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), (one * other).sum(axis=1))
    is_smooth = (between <= angle_rad + _ROUNDING_RAD) & one.any(axis=1) & other.any(axis=1)
    return first[is_smooth], second[is_smooth]


def _connected(ones: np.ndarray, others: np.ndarray, *, count: int) -> np.ndarray:
    """Return (count,) int64: for each of 0 to count - 1 the least number that pairs connect it with."""
    least = np.arange(count)
    while len(ones):
        lower = np.minimum(least[ones], least[others])
        np.minimum.at(least, least[ones], lower)
        np.minimum.at(least, least[others], lower)
        jumped = least[least]
        while (jumped != least).any():
            least, jumped = jumped, jumped[jumped]
        differ = least[ones] != least[others]
        ones, others = ones[differ], others[differ]
    return least
