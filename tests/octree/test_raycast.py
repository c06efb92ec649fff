"""Rays that are hard on a tree: in cell faces, along edges, from far away, nearly parallel, of odd lengths."""

import numpy as np
import pytest

from octoscope.octree import Octree
from tests.octree.checks import Spheres, check_raycast
from tests.oracles import random_ray, random_spheres

pytestmark = pytest.mark.usefixtures("strict_floats")


def filled(seed: int, split_level: int = 4, count: int = 1500, offset: float = 0.0) -> tuple[Octree, Spheres]:
    rng = np.random.default_rng(seed)
    tree, spheres = Octree((offset, 0.0, -offset), 8.0, split_level), Spheres()
    centers, radii = random_spheres(rng, count, tree.center, tree.half_size)
    tree.insert(np.arange(count), centers, radii * 0.2)
    spheres.put(np.arange(count), centers, radii * 0.2)
    return tree, spheres


@pytest.mark.parametrize("sign", (-1.0, 1.0))
@pytest.mark.parametrize("axis", range(3))
def test_rays_along_every_edge_between_cells(axis, sign):
    tree, spheres = filled(seed=0, split_level=3)
    direction = np.zeros(3)
    direction[axis] = sign
    for a in range(-8, 9, 2):
        for b in range(-8, 9, 2):
            origin = np.roll((sign * -9.0, a, b), axis)
            check_raycast(tree, spheres, origin, direction)


@pytest.mark.parametrize("seed", range(3))
def test_rays_in_the_faces_between_cells(seed):
    tree, spheres = filled(seed, split_level=3)
    rng = np.random.default_rng(seed)
    for _ in range(100):
        axis = rng.integers(3)
        origin, direction = rng.uniform(-8.0, 8.0, 3), rng.normal(size=3)
        origin[axis], direction[axis] = 2.0 * rng.integers(-4, 5), 0.0
        check_raycast(tree, spheres, origin, direction / np.linalg.norm(direction))


@pytest.mark.parametrize("tiny", (1e-17, 1e-300, 5e-324, -1e-17, -5e-324))
def test_rays_that_are_not_quite_parallel_to_an_axis(tiny):
    tree, spheres = filled(seed=1)
    for place in range(-8, 9, 2):
        check_raycast(tree, spheres, np.array((-9.0, place, place)), np.array((1.0, tiny, -tiny)))
        check_raycast(tree, spheres, np.array((place, 9.0, 0.0)), np.array((tiny, -1.0, tiny)))


@pytest.mark.parametrize("seed", range(5))
def test_random_rays_through_a_tree_far_from_the_origin(seed):
    tree, spheres = filled(seed, offset=1e7)
    rng = np.random.default_rng(seed)
    for _ in range(100):
        check_raycast(tree, spheres, *random_ray(rng, tree.center, tree.half_size))


def test_rays_from_far_away():
    tree, spheres = filled(seed=2)
    rng = np.random.default_rng(2)
    for distance in (1e3, 1e5, 1e7):
        for _ in range(30):
            target = rng.uniform(-8.0, 8.0, 3)
            direction = rng.normal(size=3)
            direction /= np.linalg.norm(direction)
            check_raycast(tree, spheres, target - distance * direction, direction)


def test_rays_that_begin_at_the_centres_of_spheres():
    tree, spheres = filled(seed=3)
    for place in range(0, 1500, 15):
        if spheres.radii[place] > 1e-3:
            origin, direction = spheres.centers[place], np.array((0.0, 0.6, 0.8))
            found = check_raycast(tree, spheres, origin, direction)
            assert place in found
            assert place in check_raycast(tree, spheres, origin, direction, t_max=0.0)


def test_a_rays_length_does_not_depend_on_the_length_of_its_direction():
    tree, _ = filled(seed=4)
    origin, direction = np.array((-20.0, 1.0, 2.0)), np.array((1.0, 0.1, -0.05))
    ids, t = tree.raycast(origin, direction)
    assert len(ids) > 5
    for length in (1e-200, 1e-3, 7.0, 1e200):
        ids_again, t_again = tree.raycast(origin, length * direction)
        np.testing.assert_array_equal(ids_again, ids)
        np.testing.assert_allclose(t_again, t, rtol=1e-12)


def test_a_ray_cut_at_t_max_finds_what_the_whole_ray_enters_before():
    tree, _ = filled(seed=5)
    origin, direction = (-20.0, 1.0, 2.0), (1.0, 0.1, -0.05)
    ids, t = tree.raycast(origin, direction)
    for cut in range(1, len(ids), 7):
        t_max = (t[cut - 1] + t[cut]) / 2.0
        ids_cut, t_cut = tree.raycast(origin, direction, t_max=t_max)
        inside = t <= t_max
        np.testing.assert_array_equal(ids_cut, ids[inside])
        np.testing.assert_array_equal(t_cut, t[inside])


def test_a_ray_of_negative_length_is_refused():
    tree = Octree((0.0, 0.0, 0.0), 8.0, 3)
    for cast in (tree.raycast, tree.raycast_nearest):
        with pytest.raises(ValueError, match="t_max must be 0 or more, not -1"):
            cast((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), t_max=-1.0)
