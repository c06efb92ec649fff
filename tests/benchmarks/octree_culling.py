"""Culling with little to everything in view, before and after spheres have moved, compared with a flat test of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from octoscope.octree import Octree
from tests.benchmarks.harness import Result, compare
from tests.benchmarks.spheres import (
    HALF_SIZE,
    SETS,
    FlatSpheres,
    assert_about,
    frustum_that_sees,
    sees,
    tree_over,
)

_COUNTS = (1_000_000, 100_000)
_FRACTIONS = (0.002, 0.1, 0.5, 1.0)
_ROUNDS = 41


def run() -> Iterator[Result]:
    """Measure culling."""
    for count in _COUNTS:
        for set_name, spheres in SETS.items():
            centers, radii = spheres(count)
            tree = tree_over(centers, radii)
            for fraction in _FRACTIONS:
                yield _cull(tree, centers, radii, fraction, f"cull {count:,} {set_name}")
            rng = np.random.default_rng(11)
            for share, state in ((0.05, "not yet sorted in"), (0.1, "sorted in")):
                moved = rng.choice(count, int(share * count), replace=False)
                centers[moved] = rng.uniform(-HALF_SIZE, HALF_SIZE, (len(moved), 3))
                tree.move(moved, centers[moved], radii[moved])
                yield _cull(tree, centers, radii, 0.1, f"cull {count:,} {set_name}, {share:.0%} moved, {state}")


def _cull(tree: Octree, centers: np.ndarray, radii: np.ndarray, fraction: float, name: str) -> Result:
    frustum = frustum_that_sees(fraction, centers, radii)
    flat = FlatSpheres(centers, radii)
    seen = sees(frustum, centers, radii)
    assert_about(tree.cull(frustum), seen)
    assert abs(len(flat.cull(frustum)) - seen.sum()) <= seen.sum() * 0.001 + 8
    others: dict[str, Callable[[], object]] = {
        "flat SIMD mask + flatnonzero": lambda: flat.cull(frustum),
    }
    return compare(f"{name}, {seen.mean():.1%} visible", lambda: tree.cull(frustum), others, rounds=_ROUNDS)
