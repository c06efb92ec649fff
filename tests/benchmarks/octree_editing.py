"""Inserting, removing and moving spheres, memory per sphere, and the time to compile the kernels."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import numpy as np

from octoscope.octree import Octree
from tests.benchmarks.harness import Result, compare
from tests.benchmarks.spheres import (
    HALF_SIZE,
    MIXED,
    assert_about,
    frustum_that_sees,
    sees,
    tree_over,
    uniform_spheres,
)

_COUNT = 1_000_000
_STEP = 0.1  # units, of a small step: a leaf of the default tree is 3 units wide


def run() -> Iterator[Result]:
    """Measure editing, memory and compiling."""
    assert len(Octree((0.0, 0.0, 0.0), HALF_SIZE, 8)) == 0
    yield compare("make a tree of 8 levels", lambda: Octree((0.0, 0.0, 0.0), HALF_SIZE, 8), {}, rounds=41)
    for set_name, spheres in MIXED.items():
        yield from _insertion_and_removal(set_name, *spheres(_COUNT))
    for moved, count in ((10_000, _COUNT), (100_000, _COUNT), (10_000, 100_000)):
        yield _small_steps(moved, count)
    centers, radii = uniform_spheres(_COUNT)
    tree = tree_over(centers, radii)
    yield Result(f"memory of {_COUNT:,}, table included", tree.stats().memory_bytes / _COUNT, unit="bytes a sphere")
    yield from _start_up()


def _insertion_and_removal(set_name: str, centers: np.ndarray, radii: np.ndarray) -> Iterator[Result]:
    ids = np.arange(_COUNT, dtype=np.int32)
    tree = tree_over(centers, radii)
    assert len(tree) == len(tree.query_box((-np.inf,) * 3, (np.inf,) * 3)) == _COUNT
    cells = np.random.default_rng(10).integers(0, 8**6, _COUNT, dtype=np.int32)
    others: dict[str, Callable[[], object]] = {
        "np.argsort of as many cell numbers": lambda: np.argsort(cells, kind="stable")
    }
    if importlib.util.find_spec("rtree") is not None:
        from rtree import index

        boxes = ids.astype(np.int64), centers - radii[:, None], centers + radii[:, None]
        others["rtree bulk load"] = lambda: index.Index(boxes, properties=index.Property(dimension=3))
    note = "" if "rtree bulk load" in others else "rtree is not installed: pip install rtree"
    name = f"insert {_COUNT:,} {set_name} and sort"
    yield compare(name, lambda: tree_over(centers, radii), others, rounds=7, note=note)

    def remove(tree: Octree) -> None:
        tree.remove(ids)
        assert len(tree) == 0 and len(tree.query_sphere((0.0, 0.0, 0.0), 10.0)) == 0

    name = f"remove {_COUNT:,} {set_name}"
    yield compare(name, remove, others, rounds=7, prepare=lambda: tree_over(centers, radii), note=note)


def _small_steps(moved: int, count: int) -> Result:
    rng = np.random.default_rng(12)
    centers, radii = uniform_spheres(count)
    tree = tree_over(centers, radii)
    frustum = frustum_that_sees(0.1, centers, radii)
    ids = rng.choice(count, moved, replace=False).astype(np.int32)
    directions = rng.normal(size=(moved, 3))
    step = _STEP * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    own_radii = radii[ids]

    def take_step() -> np.ndarray:
        centers[ids] = (centers[ids] + step).clip(-HALF_SIZE, HALF_SIZE)
        return centers[ids]

    def move(places: np.ndarray) -> None:
        tree.move(ids, places, own_radii)
        tree.cull(frustum)

    result = compare(
        f"move {moved:,} of {count:,} by small steps, and cull 10 %", move, {}, rounds=61, prepare=take_step
    )
    assert_about(tree.cull(frustum), sees(frustum, centers, radii))
    return result


_FIRST_USE = """
import time
import numpy as np
import octoscope
begin = time.perf_counter()
tree = octoscope.Octree((0.0, 0.0, 0.0), 1.0)
tree.insert(np.arange(4), np.eye(4)[:, :3], np.full(4, 0.1))
tree.move([0], [(0.0, 0.0, 0.0)], [0.1])
tree.cull(octoscope.Frustum.from_matrix(np.eye(4)))
tree.query_sphere((0.0, 0.0, 0.0), 1.0)
tree.raycast((0.0, 0.0, 5.0), (0.0, 0.0, -1.0))
assert tree.raycast_nearest((0.0, 0.0, 5.0), (0.0, 0.0, -1.0)).id == 2
assert len(tree.pairs()) == 1
tree.remove([0])
print(time.perf_counter() - begin)
"""


def _start_up() -> Iterator[Result]:
    """Measure the first use in new processes: with an empty cache of kernels, and with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("compile all kernels, once in a lifetime", "start the compiled kernels in a new process"):
            done = subprocess.run(
                [sys.executable, "-c", _FIRST_USE],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            yield Result(name, 1e3 * float(done.stdout))
