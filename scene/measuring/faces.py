"""The flat face that a triangle of a mesh belongs to, and its outline."""

from __future__ import annotations

import numpy as np

from octoscope.scene.mesh.data import MeshData

MOST_TRIANGLES, MOST_SIDES = 20_000, 2_000  # of a face that can be measured
_FLAT = 1e-4  # as a share of the triangle's longest side: how far a vertex of the face may lie from its plane
_SAME_WAY = 0.99999  # least cosine between normals in a face


def face_outline(mesh: MeshData, triangle: int) -> np.ndarray | None:
    """Return the outline of the face around a triangle: all that is connected to it by sides and lies in its plane.

    Vertices at the same point are one, whatever normals and texture coordinates a file gives them.

    Returns:
        (n, 2, 3) float64 directed sides in the mesh's frame, those of holes the other way round; None for a triangle
        without area and where the face has more than MOST_TRIANGLES or MOST_SIDES.
    """
    corners = mesh.positions[mesh.triangles[triangle]]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    size = float(np.linalg.norm(normal))
    if size == 0.0:
        return None
    normal /= size
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max()
    is_near = np.abs((mesh.positions - corners[0]) @ normal) <= _FLAT * longest
    chosen = np.flatnonzero(is_near[mesh.triangles].all(axis=1))
    if len(chosen) > MOST_TRIANGLES:
        return None
    points, numbers = np.unique(mesh.positions[mesh.triangles[chosen]].reshape(-1, 3), axis=0, return_inverse=True)
    triangles = numbers.reshape(-1, 3)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    crosses = np.cross(b - a, c - a)
    faces_same = crosses @ normal >= _SAME_WAY * np.linalg.norm(crosses, axis=1)
    faces_same &= (crosses != 0.0).any(axis=1)
    triangles, start = triangles[faces_same], int(faces_same[: np.searchsorted(chosen, triangle)].sum())
    triangles = triangles[_connected(triangles, start, len(points))]
    sides = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    keys, opposite = sides @ (len(points), 1), sides @ (1, len(points))
    outline = sides[~np.isin(keys, opposite)]
    return points[outline] if 0 < len(outline) <= MOST_SIDES else None


def _connected(triangles: np.ndarray, start: int, point_count: int) -> np.ndarray:
    """Return (t,) bool: whether a triangle is connected by sides with that of an index."""
    ends = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    keys = ends.min(axis=1) * point_count + ends.max(axis=1)
    order = np.argsort(keys, kind="stable")
    is_pair = keys[order[1:]] == keys[order[:-1]]
    first, second = order[:-1][is_pair] // 3, order[1:][is_pair] // 3
    labels = np.arange(len(triangles))  # the least triangle that each is known to be connected with
    while (least := np.minimum(labels[first], labels[second])).size:
        before = labels.copy()
        for sides in (first, second):
            np.minimum.at(labels, before[sides], least)
        labels = labels[labels]
        if np.array_equal(labels, before):
            break
    return labels == labels[start]
