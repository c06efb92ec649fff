"""Circular edges: the closed ring of edges on a circle that an edge of a mesh belongs to."""

from __future__ import annotations

import numpy as np

from octoscope.scene.measuring.planes import Circle, circle_through

_ON_CIRCLE = 2e-3  # as a share of the radius: how far a vertex of a ring may lie from its circle
_WIDEST_RAD = 2.0 * np.pi / 8.0 * 1.01  # between neighbours: a ring with fewer sides is a polygon
_MOST_SIDES = 4096
_MOST_EDGES = 1_500_000  # of a mesh: the mouse would move in jerks
_MOST_TRIED = 32  # edges at the end of the given one, with which a circle is tried


def ring_through(
    points: np.ndarray, edges: np.ndarray, edge: tuple[int, int], world_from_local: np.ndarray
) -> np.ndarray | None:
    """Return the vertices of the ring of edges that an edge is one of, in order.

    Vertices at the same point are one, as files give them several normals.

    Args:
        points: (v, 3) float64, of a mesh.
        edges: (e, 2) vertices at both ends of each edge.
        edge: vertices at its ends.
        world_from_local: (4, 4); a circle that it stretches is none.

    Returns:
        (n,) int64, one vertex for each point of the ring; None: the edge is part of none, or there are too many edges.
    """
    if len(edges) > _MOST_EDGES:
        return None
    first, second = points[list(edge)]
    is_second = (points == second).all(axis=1)
    around = edges[is_second[edges[:, 0]] | is_second[edges[:, 1]]]
    thirds = np.unique(points[around].reshape(-1, 3), axis=0)
    thirds = thirds[(thirds != first).any(axis=1) & (thirds != second).any(axis=1)]
    for third in thirds[:_MOST_TRIED]:
        ring = _ring_on(circle_through(np.stack([first, second, third])), points, edges)
        if ring is not None:
            places = points[ring] @ world_from_local[:3, :3].T
            if _on(circle_through(places[spread_over(places)]), places).all():
                return ring
    return None


def spread_over(ring: np.ndarray) -> list[int]:
    """Return the places of three of a ring's points that are far from each other."""
    return [0, len(ring) // 3, 2 * len(ring) // 3]


def _on(circle: Circle, points: np.ndarray) -> np.ndarray:
    """Tell which points (n, 3) lie on a circle, (n,) bool."""
    relative = points - circle.center
    heights = np.abs(relative @ circle.normal)
    off = np.abs(np.linalg.norm(relative, axis=1) - circle.radius)
    return np.maximum(heights, off) <= _ON_CIRCLE * circle.radius


def _ring_on(circle: Circle, points: np.ndarray, edges: np.ndarray) -> np.ndarray | None:
    """Return the vertices on a circle, one for each point and in order, if edges join each with the next."""
    if not np.isfinite(circle.center).all():
        return None
    relative, square = points - circle.center, circle.radius**2
    squares = np.einsum("ij,ij->i", relative, relative)  # first what is cheap, as meshes have many points
    vertices = np.flatnonzero(np.abs(squares - square) <= 3.0 * _ON_CIRCLE * square)
    vertices = vertices[_on(circle, points[vertices])]
    places, examples, numbers = np.unique(points[vertices], axis=0, return_index=True, return_inverse=True)
    count = len(places)
    if not 3 <= count <= _MOST_SIDES:
        return None
    relative = places - circle.center
    across = relative[0] / np.linalg.norm(relative[0])
    angles = np.arctan2(relative @ np.cross(circle.normal, across), relative @ across)
    order = np.argsort(angles)
    if np.diff(angles[order], append=angles[order[0]] + 2.0 * np.pi).max() > _WIDEST_RAD:
        return None
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    rank_of = np.full(len(points), -1)
    rank_of[vertices] = rank[numbers.reshape(-1)]
    ranks = rank_of[edges]
    begins, ends = ranks[(ranks[:, 0] >= 0) & (ranks[:, 1] >= 0)].T
    is_joined = np.zeros(count, dtype=bool)
    for one, other in ((begins, ends), (ends, begins)):
        is_joined[one[(one + 1) % count == other]] = True
    return vertices[examples[order]] if is_joined.all() else None
