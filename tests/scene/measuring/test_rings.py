"""Circular edges: found whole from any of their edges, told apart from polygons, arcs and stretched circles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene.measuring.planes import circle_through
from octoscope.scene.measuring.rings import ring_through, spread_over
from octoscope.scene.mesh.primitives import PRIMITIVES


def wall_of_hole(count: int, radius: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return points and triangles, turned and moved at random."""
    angles = np.arange(count) * 2.0 * np.pi / count
    rims = [np.stack([np.cos(angles), np.sin(angles), np.full(count, z)], axis=1) for z in (0.0, rng.uniform(0.1, 3.0))]
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    here, after = np.arange(count), np.roll(np.arange(count), -1)
    lower, upper = np.stack([here, after, here + count], 1), np.stack([after, after + count, here + count], 1)
    return radius * np.vstack(rims) @ turn.T + rng.normal(size=3) * 100.0, np.vstack([lower, upper])


def edges_of(triangles: np.ndarray) -> np.ndarray:
    return np.concatenate([triangles[:, :2], triangles[:, 1:], triangles[:, ::2]])


@given(st.integers(0, 2**32 - 1), st.integers(8, 90), st.booleans())
def test_a_rim_is_found_from_any_of_its_edges(seed: int, count: int, shares_vertices: bool) -> None:
    rng = np.random.default_rng(seed)
    radius = rng.uniform(0.01, 50.0)
    points, triangles = wall_of_hole(count, radius, rng)
    if not shares_vertices:
        points, triangles = points[triangles].reshape(-1, 3), np.arange(6 * count).reshape(-1, 3)
    first, second, other = triangles[rng.integers(0, count)].tolist()
    ring = ring_through(points, edges_of(triangles), (first, second), np.eye(4))
    assert ring is not None and len(ring) == count
    circle = circle_through(points[ring[spread_over(ring)]])
    assert circle.radius == pytest.approx(radius)
    steps = np.linalg.norm(points[ring] - points[np.roll(ring, 1)], axis=1)
    np.testing.assert_allclose(steps, 2.0 * radius * np.sin(np.pi / count), rtol=1e-6)
    assert ring_through(points, edges_of(triangles), (other, first), np.eye(4)) is None, "an edge along the wall"
    across = (points[ring[0]] - circle.center) / radius
    stretching = np.eye(4)
    stretching[:3, :3] += 0.5 * np.outer(across, across)
    assert ring_through(points, edges_of(triangles), (first, second), stretching) is None


def test_polygons_and_arcs_are_no_circles() -> None:
    points, triangles = wall_of_hole(6, 1.0, np.random.default_rng(1))
    assert ring_through(points, edges_of(triangles), (0, 1), np.eye(4)) is None
    cube = PRIMITIVES["cube"]()
    for first, second in edges_of(cube.triangles).tolist():
        assert ring_through(cube.positions, edges_of(cube.triangles), (first, second), np.eye(4)) is None
    angles = np.linspace(0.0, np.pi, 20)  # a half circle, closed by its diameter
    arc = np.stack([np.cos(angles), np.sin(angles), np.zeros(20)], axis=1)
    edges = np.stack([np.arange(20), np.roll(np.arange(20), -1)], axis=1)
    assert ring_through(arc, edges, (3, 4), np.eye(4)) is None
