"""Spheres that only just touch: float32 must never lose one, inside the root or far outside of it."""

import numpy as np
import pytest

from octoscope.octree import Frustum, Octree
from tests.oracles import frustum_clearance, random_camera, random_ray, ray_clearance

pytestmark = pytest.mark.usefixtures("strict_floats")

COUNT = 4000
TOUCH = 1e-9  # how deep the spheres reach in, as a share of their distance: float64 can tell, float32 cannot


def radii_for(rng: np.random.Generator, distances: np.ndarray) -> np.ndarray:
    """Return radii from a hundred times `TOUCH` to a tenth of the distances from the tree's centre."""
    return distances * 10.0 ** rng.uniform(-7.0, -1.0, len(distances))


@pytest.mark.parametrize("offset", (0.0, 1e4))
@pytest.mark.parametrize("seed", range(6))
def test_spheres_that_just_touch_a_plane_of_the_frustum_from_outside(seed, offset):
    rng = np.random.default_rng(seed)
    tree = Octree(np.full(3, offset), 1.0, 5)
    frustum = Frustum.from_matrix(random_camera(rng, tree.center, 1.0))
    sides = [frustum.corners[np.abs(frustum.corners @ plane[:3] + plane[3]).argsort()[:4]] for plane in frustum.planes]
    plane = rng.integers(6, size=COUNT)
    feet = np.einsum("ij,ijk->ik", rng.dirichlet(np.ones(4), COUNT), np.array(sides)[plane])
    distances = np.linalg.norm(feet - tree.center, axis=1) + 1e-3
    radii = radii_for(rng, distances)
    centers = feet - frustum.planes[plane, :3] * (radii - TOUCH * distances - 1e-12 * offset)[:, None]
    touching = frustum_clearance(frustum.planes, centers, radii) < -0.5 * TOUCH * distances
    assert touching.sum() > 0.9 * COUNT
    tree.insert(np.arange(COUNT), centers, radii)
    missed = np.setdiff1d(np.flatnonzero(touching), tree.cull(frustum))
    assert len(missed) == 0, f"{len(missed)} of {touching.sum()} were missed"


@pytest.mark.parametrize("offset", (0.0, 1e4))
@pytest.mark.parametrize("seed", range(6))
def test_spheres_that_a_ray_only_just_grazes(seed, offset):
    rng = np.random.default_rng(seed)
    tree = Octree(np.full(3, offset), 1.0, 5)
    origin, direction = random_ray(rng, tree.center, 1.0)
    feet = origin + 10.0 ** rng.uniform(-2.0, 3.0, (COUNT, 1)) * direction
    distances = np.linalg.norm(feet - tree.center, axis=1) + np.linalg.norm(origin - tree.center)
    radii = radii_for(rng, distances)
    aside = np.cross(rng.normal(size=(COUNT, 3)), direction)
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    centers = feet + aside * (radii - TOUCH * distances - 1e-12 * offset)[:, None]
    touching = ray_clearance(origin, direction, np.inf, centers, radii) < -0.5 * TOUCH * distances
    assert touching.sum() > 0.9 * COUNT
    tree.insert(np.arange(COUNT), centers, radii)
    ids, t = tree.raycast(origin, direction)
    missed = np.setdiff1d(np.flatnonzero(touching), ids)
    assert len(missed) == 0, f"{len(missed)} of {touching.sum()} were missed"
    assert (t >= 0.0).all()
