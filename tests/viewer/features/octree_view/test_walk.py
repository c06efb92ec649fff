"""The steps of a walk are those of the kernels: as many questions, tests and copies, and the same way along a ray."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from octoscope.octree import CullStats, Frustum, Octree
from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.octree.queries import raycast
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.octree_view.walk import Walk, walk_of_cull, walk_of_ray

ROOT = Path(__file__).parents[4]


def tree_of(count: int, *, seed: int, capacity: int = 0) -> Octree:
    random = np.random.default_rng(seed)
    tree = Octree((3.0, -1.0, 2.0), 50.0, 5, capacity=capacity)
    middles = random.normal(size=(8, 3)) * 20.0
    centers = middles[random.integers(0, 8, count)] + random.normal(size=(count, 3)) * random.uniform(1.0, 30.0)
    tree.insert(np.arange(count), centers, random.uniform(0.05, 2.0, count) ** 2)
    tree.remove(np.arange(0, count, 7))
    return tree.frozen(completely=True)


def ray(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    origin, target = random.uniform(-70.0, 70.0, 3), random.uniform(-20.0, 20.0, 3)
    direction = target - origin
    if random.random() < 0.2:
        direction[random.integers(3)] = 0.0  # in a slab of cells for ever
    return origin, direction / np.linalg.norm(direction)


def entered_at(tree: Octree, origin: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return (ids,) where a ray enters each sphere, by its id; infinity where it does not."""
    ids, t = tree.raycast(origin, direction)
    entered = np.full(10_000, np.inf)
    entered[ids] = t
    return entered


def walk_to_spheres(tree: Octree, origin: np.ndarray, direction: np.ndarray) -> tuple[Walk, list[int], float]:
    """Return a walk of a ray at the spheres, the ids that it looked at in their order, and the nearest t."""
    entered, best = entered_at(tree, origin, direction), [np.inf]

    def test(ids: np.ndarray, t_best: float) -> tuple[int, float] | None:
        assert t_best == best[-1], "the nearest so far"
        nearest = ids[entered[ids].argmin()]
        if entered[nearest] >= t_best:
            return None
        best.append(float(entered[nearest]))
        return int(nearest), best[-1]

    walk = walk_of_ray(tree, origin, direction, test)
    return walk, [int(each) for step in walk.steps for each in step.tested], best[-1]


@pytest.mark.parametrize(("count", "capacity"), [(5, 0), (400, 0), (400, 6), (9_000, 0), (9_000, 40)])
def test_a_cull_asks_what_the_kernel_asks(count, capacity):
    tree, random = tree_of(count, seed=count + capacity, capacity=capacity), np.random.default_rng(1)
    verdicts = set()
    for _ in range(20):
        camera = Camera(
            random.uniform(-40.0, 40.0, 3),
            distance=random.uniform(1.0, 90.0),
            yaw_rad=random.uniform(0.0, 6.0),
            pitch_rad=random.uniform(-1.5, 1.5),
        )
        frustum, stats = Frustum.from_camera(camera, 1.3), CullStats()
        found = tree.cull(frustum, stats=stats)
        walk = walk_of_cull(tree, frustum)
        tested = np.concatenate([step.tested for step in walk.steps])
        copied = np.concatenate([step.copied for step in walk.steps])
        asked = CullStats(len(walk.steps), len(tested), len(copied))
        assert asked == stats
        assert len(np.unique(np.append(tested, copied))) == len(tested) + len(copied)
        assert np.isin(found, np.append(tested, copied)).all() and np.isin(copied, found).all()
        verdicts |= {step.verdict for step in walk.steps}
    assert verdicts == ({INTERSECTING} if count == 5 else {OUTSIDE, INTERSECTING, INSIDE})


@pytest.mark.parametrize("count", [10, 300, 9_000])
def test_a_ray_finds_the_nearest_and_asks_no_more_than_it_must(count):
    tree, random = tree_of(count, seed=count), np.random.default_rng(2)
    for _ in range(20):
        origin, direction = ray(random)
        nearest = tree.raycast_nearest(origin, direction)
        walk, looked_at, t = walk_to_spheres(tree, origin, direction)
        assert t == pytest.approx(np.inf if nearest is None else nearest.t, rel=1e-6)
        assert len(set(looked_at)) == len(looked_at)
        assert len(walk.steps) > 1 or count == 10
        assert any(step.verdict == INSIDE for step in walk.steps) == (nearest is not None)


def same_as_the_kernel() -> None:
    """Compare walks of rays with octree.queries.raycast.next_run, run by run; kernels are interpreted."""
    for count in (10, 300, 2_000):
        tree, random = tree_of(count, seed=count), np.random.default_rng(3)
        arrays = tree.ray_tree()
        for _ in range(15):
            origin, direction = ray(random)
            entered, best, expected = entered_at(tree, origin, direction), np.inf, []
            way = raycast.new_ray_walk(arrays.grid)
            raycast.start_ray_walk(way, arrays.sorted_count)
            while True:
                begin, end = raycast.next_run(way, arrays, origin - tree.center, direction, best)
                if begin < 0:
                    break
                ids = arrays.slots.id_at[begin:end]
                expected += ids[ids >= 0].tolist()
                best = min(best, entered[ids[ids >= 0]].min(initial=np.inf))
            _, looked_at, t = walk_to_spheres(tree, origin, direction)
            assert (looked_at, t) == (expected, best)


def test_a_ray_goes_the_way_of_the_kernel():
    code = f"import {__name__} as test; test.same_as_the_kernel(); print('same')"
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=interpreted, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "same\n", done.stderr[-3000:]


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("depths", [(40.0, 50.0), (-50.0, -40.0)])
def test_the_frustum_of_a_cull_is_drawn_until_the_last_sphere(orthographic, depths):
    camera = Camera(np.array([3.0, 1.0, 2.0]), distance=30.0, yaw_rad=1.0, orthographic=orthographic, near=0.1)
    tree = Octree((0.0, 0.0, 0.0), 16.0, 3)
    tree.insert([0, 1], camera.position - np.outer(depths, camera.axes[2]), [1.0, 2.0])
    frustum = Frustum.from_camera(camera, 1.3)
    ends = walk_of_cull(tree.frozen(completely=True), frustum).lines.reshape(-1, 3) - camera.position
    assert (frustum.planes[:, :3] @ ends.T + frustum.planes[:, 3:] > -1e-6 * camera.depth_range[1]).all()
    end = -(ends @ camera.axes[2]).min()
    assert end == pytest.approx(52.0, rel=1e-4) if depths[1] > 0.0 else 0.0 < end < 100.0


def test_captions_are_sentences_about_a_cell():
    tree = tree_of(400, seed=1)
    walk = walk_of_cull(tree, Frustum.from_camera(Camera(np.zeros(3), distance=30.0), 1.0))
    first = next(place for place, step in enumerate(walk.steps) if step.level == 1)
    assert walk.caption(first)[0] == f"Cull, step {first + 1} of {len(walk.steps)}, level 1"
    walks = [walk, walk_to_spheres(tree, *ray(np.random.default_rng(2)))[0]]
    for step in (step for each in walks for step in each.steps):
        assert re.fullmatch(r"(The|This) [^.:]*\.", step.answer), "one sentence, and no colon"
    outside = next(step for step in walk.steps if step.verdict == OUTSIDE)
    assert outside.answer.startswith("The frustum misses this cell, so the cull skips its ")
    few = walk_of_cull(tree_of(5, seed=1), Frustum.from_camera(Camera(np.zeros(3), distance=30.0), 1.0))
    assert "not worth a walk" in few.caption(0)[1] and "sample scene" in few.caption(0)[-1]
