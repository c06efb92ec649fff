"""Many spheres: uniform, clustered and coincident; and the deepest trees."""

import gc
import sys
from pathlib import Path

import numpy as np
import pytest

from octoscope.octree import CullStats, Frustum, Octree
from tests.cases import quick
from tests.octree.checks import Spheres, check_contents, check_cull, check_raycast
from tests.octree.validate import validate
from tests.oracles import EVERYTHING, random_camera, random_ray

pytestmark = pytest.mark.usefixtures("strict_floats")

COUNT = 20_000


def uniform(rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(-100.0, 100.0, (COUNT, 3))


def clustered(rng: np.random.Generator) -> np.ndarray:
    middles = rng.uniform(-90.0, 90.0, (20, 3))
    return middles[rng.integers(20, size=COUNT)] + rng.normal(size=(COUNT, 3))


def on_a_plane(rng: np.random.Generator) -> np.ndarray:
    """In the face between the two halves of the root."""
    return rng.uniform(-100.0, 100.0, (COUNT, 3)) * (1.0, 0.0, 1.0)


@pytest.mark.parametrize("split_level", (3, 6))
@pytest.mark.parametrize("offset", quick((0.0, 1e6), 1))
@pytest.mark.parametrize("arrangement", (uniform, clustered, on_a_plane))
def test_20_000_spheres_before_many_cameras_and_rays(arrangement, offset, split_level):
    rng = np.random.default_rng(7)
    tree, spheres = Octree(np.full(3, offset), 100.0, split_level), Spheres()
    centers, radii = offset + arrangement(rng), 10.0 ** rng.uniform(-2.0, 1.0, COUNT)
    tree.insert(np.arange(COUNT), centers, radii)
    spheres.put(np.arange(COUNT), centers, radii)
    tree.cull(Frustum.from_matrix(EVERYTHING))
    moved = rng.choice(COUNT, 300, replace=False)  # too few to be sorted in: they wait in the overflow
    tree.move(moved, centers[moved] + 5.0, radii[moved])
    spheres.put(moved, centers[moved] + 5.0, radii[moved])
    counts = [len(check_cull(tree, spheres, random_camera(rng, tree.center, 100.0))) for _ in range(8)]
    assert min(counts) < 0.1 * COUNT and max(counts) > 0.3 * COUNT, "the cameras saw all too much the same"
    assert sum(len(check_raycast(tree, spheres, *random_ray(rng, tree.center, 100.0))) for _ in range(20)) > 20
    check_contents(tree, spheres)
    validate(tree)


def test_5_000_coincident_spheres_are_each_found_once():
    tree, spheres = Octree((0.0, 0.0, 0.0), 10.0, 7), Spheres()
    ids, centers, radii = np.arange(5000), np.full((5000, 3), 3.3), np.full(5000, 0.01)
    tree.insert(ids, centers, radii)
    spheres.put(ids, centers, radii)
    rng = np.random.default_rng(0)
    for _ in range(10):
        check_cull(tree, spheres, random_camera(rng, tree.center, 10.0))
    found = check_raycast(tree, spheres, np.array((3.3, 3.3, -20.0)), np.array((0.0, 0.0, 1.0)))
    assert len(found) == 5000
    assert tree.stats().occupied == 1
    tree.move(ids[::2], centers[::2] - 5.0, radii[::2])  # and half of them leave together
    spheres.put(ids[::2], centers[::2] - 5.0, radii[::2])
    check_contents(tree, spheres)
    assert tree.stats().occupied == 2
    validate(tree)


def test_a_camera_that_sees_little_tests_few_spheres():
    rng = np.random.default_rng(1)
    tree, stats = Octree((0.0, 0.0, 0.0), 100.0, 5), CullStats()
    tree.insert(np.arange(COUNT), uniform(rng), np.full(COUNT, 0.1))
    tree.cull(Frustum.from_matrix(np.diag((0.2, 0.2, -0.2, 1.0))), stats=stats)  # 10 of 200 units a side
    assert stats.spheres_tested + stats.copied_untested < 0.1 * COUNT


def test_a_camera_that_sees_everything_copies_without_testing():
    rng = np.random.default_rng(2)
    tree, stats = Octree((0.0, 0.0, 0.0), 100.0, 5), CullStats()
    tree.insert(np.arange(COUNT), uniform(rng), np.full(COUNT, 0.1))
    tree.cull(Frustum.from_matrix(EVERYTHING), stats=stats)
    assert stats.copied_untested > 0.99 * COUNT


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_tree_of_8_levels_costs_no_memory_until_it_is_filled():
    def resident_bytes() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def queried(split_level: int) -> Octree:
        tree = Octree((0.0, 0.0, 0.0), 5000.0, split_level)
        tree.cull(Frustum.from_matrix(EVERYTHING))
        tree.raycast((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
        return tree

    queried(1)  # compiling the kernels takes memory too, once
    before = resident_bytes()
    tree = queried(8)
    assert tree.stats().cells == 19_173_961
    assert resident_bytes() - before < 5e6


@pytest.mark.parametrize("split_level", (8, 9))
def test_the_deepest_trees_answer_like_brute_force(split_level):
    rng = np.random.default_rng(3)
    tree, spheres = Octree((10.0, 0.0, 0.0), 100.0, split_level), Spheres()
    centers, radii = uniform(rng)[:3000], 10.0 ** rng.uniform(-3.0, 1.0, 3000)
    tree.insert(np.arange(3000), centers, radii)
    spheres.put(np.arange(3000), centers, radii)
    for _ in range(10):
        check_cull(tree, spheres, random_camera(rng, tree.center, 100.0))
        check_raycast(tree, spheres, *random_ray(rng, tree.center, 100.0))
    assert tree.cells().levels.max() == split_level
