"""Triangles cut from polygons are those polygons again."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene.geometry.polygon_merging import merge_polygons
from tests.scene.builders import triangulated


def cut(polygon: list[int], positions: np.ndarray, *, ears: bool = False) -> tuple[list[list[int]], list[int]]:
    """A polygon's triangles and their edges, as a fan or by ears."""
    n = len(polygon)
    local = triangulated(positions[polygon]) if ears else np.array([(0, k, k + 1) for k in range(1, n - 1)])
    edges = [sum((int(t[(k + 1) % 3] - t[k]) % n == 1) << k for k in range(3)) for t in local]
    return [[polygon[corner] for corner in triangle] for triangle in local.tolist()], edges


def merged(triangles, edges, positions, counts=None) -> list[list[int]]:
    counts = [len(triangles)] if counts is None else counts
    sizes, corners, polygon_counts = merge_polygons(
        np.array(triangles, dtype=np.int64).reshape(-1, 3), np.array(edges, dtype=np.uint8), np.array(counts), positions
    )
    assert polygon_counts.sum() == len(sizes)
    return [polygon.tolist() for polygon in np.split(corners, np.cumsum(sizes)[:-1])] if len(sizes) else []


def ring(count: int) -> np.ndarray:
    angles = np.arange(count) * 2.0 * np.pi / count
    return np.stack([np.cos(angles), np.sin(angles), np.zeros(count)], axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_fans_of_convex_polygons_begin_where_the_fan_does(seed):
    rng = np.random.default_rng(seed)
    positions = ring(40)
    polygons = [np.sort(rng.choice(40, rng.integers(3, 9), replace=False)) for _ in range(20)]
    polygons = [np.roll(polygon, rng.integers(9)).tolist() for polygon in polygons]
    parts = [cut(polygon, positions) for polygon in polygons]
    triangles = [triangle for part, _ in parts for triangle in part]
    assert merged(triangles, [edge for _, part in parts for edge in part], positions) == polygons


def test_concave_polygons_begin_with_their_lowest_corner():
    notched = np.array([(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 0.5, 0), (0, 2, 0)], dtype=float)
    for begin in range(5):
        polygon = np.roll(np.arange(5), begin).tolist()
        assert merged(*cut(polygon, notched, ears=True), notched) == [[0, 1, 2, 3, 4]]


def test_no_polygon_reaches_from_one_mesh_into_the_next():
    triangles, edges = cut([0, 1, 2, 3], ring(4))
    assert merged(triangles, edges, ring(4), counts=[1, 1]) == triangles
    assert merged(triangles, edges, ring(4), counts=[0, 2, 0]) == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("triangles", "edges"),
    [
        ([(0, 1, 2), (3, 4, 5)], [0b011, 0b110]),  # not connected
        ([(0, 1, 2), (0, 2, 1)], [0b011, 0b110]),  # folded onto itself
        ([(0, 1, 2)], [0b000]),  # nothing follows
        ([(0, 1, 2), (2, 1, 3), (3, 1, 4)], [0b000, 0b000, 0b000]),
        ([(0, 0, 0), (0, 0, 0)], [0b011, 0b110]),
    ],
)
def test_edges_that_fit_no_polygon_leave_the_triangles_as_they_are(triangles, edges):
    assert merged(triangles, edges, ring(6)) == [list(triangle) for triangle in triangles]


def test_many_triangles_without_edges_take_no_longer_than_their_number():
    count = 300_000
    triangles = np.arange(3 * count).reshape(-1, 3)
    sizes, corners, _ = merge_polygons(
        triangles, np.zeros(count, np.uint8), np.array([count]), np.zeros((3 * count, 3))
    )
    assert (sizes == 3).all() and (corners == triangles.ravel()).all()


def test_no_triangles_are_no_polygons():
    assert merged([], [], ring(3), counts=[0, 0]) == []
