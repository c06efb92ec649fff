"""Culling far from everything: no sphere that a frustum holds is lost, by exact arithmetic, at any coordinate."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from octoscope.octree import Frustum, Octree
from tests.cases import quick
from tests.oracles import random_camera

pytestmark = pytest.mark.usefixtures("strict_floats")

COUNT = 400


def holds(clip_from_relative: np.ndarray, origin: np.ndarray, point: np.ndarray) -> bool:
    """Tell by exact arithmetic whether a point lies in clip space."""
    relative = [Fraction(p) - Fraction(o) for p, o in zip(point.tolist(), origin.tolist(), strict=True)] + [Fraction(1)]
    x, y, z, w = (
        sum(Fraction(c) * r for c, r in zip(row, relative, strict=True)) for row in clip_from_relative.tolist()
    )
    return max(abs(x), abs(y), abs(z)) <= w


def edge_points(rng: np.random.Generator, frustum: Frustum) -> np.ndarray:
    """(COUNT, 3) about the origin: on the frustum's sides and edges, one in two a little inside of them."""
    sides = np.array([np.argsort(np.abs(frustum.corners @ n[:3] + n[3]))[:4] for n in frustum.planes])
    corners = frustum.corners[sides[rng.integers(6, size=COUNT)]]
    shares = rng.dirichlet(np.full(4, 0.3), COUNT)
    points = np.einsum("ij,ijk->ik", shares, corners)
    inwards = rng.choice((0.0, 1e-15, 1e-12, 1e-8), (COUNT, 1))
    return points + inwards * (frustum.corners.mean(axis=0) - points)


@pytest.mark.parametrize("tree_from_camera", (0.0, 1e5, 1e12, 1e17))
@pytest.mark.parametrize("camera_from_origin", (0.0, 1e9, 1e16, 1e17))
@pytest.mark.parametrize("seed", range(3))
def test_no_point_within_a_frustum_is_lost(seed, camera_from_origin, tree_from_camera):
    rng = np.random.default_rng(seed)
    origin = rng.normal(size=3) * camera_from_origin
    clip_from_relative = random_camera(rng, np.zeros(3), 10.0 ** rng.uniform(-3.0, 6.0))
    frustum = Frustum.from_matrix(clip_from_relative, origin)
    points = origin + edge_points(rng, frustum)
    tree = Octree(origin + rng.normal(size=3) * tree_from_camera, 10.0 ** rng.uniform(-3.0, 6.0), 6)
    tree.insert(np.arange(COUNT), points, np.zeros(COUNT))
    found = set(tree.cull(frustum).tolist())
    within = [number for number in range(COUNT) if holds(clip_from_relative, origin, points[number])]
    lost = [number for number in within if number not in found]
    assert not lost, f"{len(lost)} of {len(within)}"


@pytest.mark.parametrize("away", (1e3, 1e6, 1e9))
@pytest.mark.parametrize("seed", quick(range(3), 1))
def test_nothing_in_a_small_tree_far_from_the_camera_is_lost(seed, away):
    """The way from the camera to the tree rounds more than float32 within the tree does."""
    rng = np.random.default_rng(seed)
    for _ in range(10):
        clip_from_relative = random_camera(rng, np.zeros(3), away)
        frustum = Frustum.from_matrix(clip_from_relative)
        middle, size = edge_points(rng, frustum)[0], 1e-9 * away
        points = middle + size * rng.normal(size=(COUNT, 3)) * 10.0 ** rng.uniform(-8.0, 0.0, (COUNT, 1))
        tree = Octree(middle, size, 3)
        tree.insert(np.arange(COUNT), points, np.zeros(COUNT))
        found = set(tree.cull(frustum).tolist())
        within = [number for number in range(COUNT) if holds(clip_from_relative, np.zeros(3), points[number])]
        assert set(within) <= found


def test_these_points_are_at_the_edge():
    rng = np.random.default_rng(0)
    clip_from_relative = random_camera(rng, np.zeros(3), 1.0)
    points = edge_points(rng, Frustum.from_matrix(clip_from_relative))
    within = [holds(clip_from_relative, np.zeros(3), point) for point in points]
    assert 0.2 * COUNT < sum(within) < COUNT


@pytest.mark.parametrize("depth", (1e3, 1e7, 1e13))
def test_a_far_plane_that_its_numbers_no_longer_tell_loses_nothing_before_it(depth):
    """The difference of two rows that are nearly the same is tilted by what they were rounded."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        near, far = 0.01, 0.01 * depth * rng.uniform(0.5, 1.0)
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        lens = np.array(
            [(2.0, 0, 0, 0), (0, 2.0, 0, 0), (0, 0, (far + near) / (near - far), 2 * far * near / (near - far))]
        )
        relative_from_view = np.eye(4)
        relative_from_view[:3, :3] = axes.T
        frustum = Frustum.from_matrix(np.vstack((lens, (0.0, 0.0, -1.0, 0.0))) @ relative_from_view.T)
        aside = rng.uniform(-0.49, 0.49, (COUNT, 2))
        points = 0.999999 * far * np.column_stack((aside, np.full(COUNT, -1.0))) @ axes
        tree = Octree(np.zeros(3), 2.0 * far, 4)
        tree.insert(np.arange(COUNT), points, np.zeros(COUNT))
        assert len(tree.cull(frustum)) == COUNT
