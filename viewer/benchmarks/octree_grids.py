"""The octree and two grids, a uniform and a hierarchical one: building, culling, boxes; answers are compared first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from octoscope.viewer.benchmarks.grids import HierarchicalGrid, UniformGrid
from octoscope.viewer.benchmarks.harness import Result, compare
from octoscope.viewer.benchmarks.octree_queries import touches_box
from octoscope.viewer.benchmarks.spheres import MIXED, assert_about, frustum_that_sees, sees, tree_over

_COUNT = 1_000_000
_FRACTIONS = (0.002, 0.1, 1.0)  # visible
_BOX_HALF_SIZES = (2.0, 10.0)  # world units; the set is 200 wide
_BOXES = 20


def run() -> Iterator[Result]:
    """Measure building, culling and boxes."""
    for set_name, spheres in MIXED.items():
        centers, radii = spheres(_COUNT)
        ids = np.arange(_COUNT, dtype=np.int32)
        builders: dict[str, Callable[[], object]] = {
            "uniform grid": partial(UniformGrid, centers, radii, ids),
            "hierarchical grid": partial(HierarchicalGrid, centers, radii),
        }
        name = f"build over {_COUNT:,} {set_name}"
        yield compare(name, partial(tree_over, centers, radii), builders, rounds=7)
        yield from _questions(set_name, centers, radii)


def _questions(set_name: str, centers: np.ndarray, radii: np.ndarray) -> Iterator[Result]:
    tree = tree_over(centers, radii)
    uniform = UniformGrid(centers, radii, np.arange(_COUNT, dtype=np.int32))
    hierarchical = HierarchicalGrid(centers, radii)
    buffer = np.empty(_COUNT + 1, dtype=np.int32)
    for fraction in _FRACTIONS:
        frustum = frustum_that_sees(fraction, centers, radii)
        seen = sees(frustum, centers, radii)
        found = (tree.cull(frustum), buffer[: uniform.cull(frustum, buffer)], hierarchical.cull(frustum))
        for answer in found:
            assert_about(answer, seen)
        others: dict[str, Callable[[], object]] = {
            "uniform grid": partial(uniform.cull, frustum, buffer),
            "hierarchical grid": partial(hierarchical.cull, frustum),
        }
        name = f"cull {_COUNT:,} {set_name}, {seen.mean():.1%} visible, against grids"
        yield compare(name, partial(tree.cull, frustum), others, rounds=21)
    middles = centers[np.random.default_rng(18).choice(_COUNT, _BOXES)]
    for half in _BOX_HALF_SIZES:
        boxes = list(zip(middles - half, middles + half, strict=True))
        touched = touches_box(*boxes[0], centers, radii)
        for answer in (
            tree.query_box(*boxes[0]),
            buffer[: uniform.query_box(*boxes[0], buffer)],
            hierarchical.query_box(*boxes[0]),
        ):
            assert_about(answer, touched)
        others = {
            "uniform grid": partial(_ask_all, partial(uniform.query_box, out=buffer), boxes),
            "hierarchical grid": partial(_ask_all, hierarchical.query_box, boxes),
        }
        name = f"box of half size {half:g} among {_COUNT:,} {set_name}, against grids"
        yield compare(name, partial(_ask_all, tree.query_box, boxes), others, rounds=7, times=_BOXES)


def _ask_all(query_box: Callable[..., object], boxes: list[tuple[np.ndarray, np.ndarray]]) -> None:
    for lower, upper in boxes:
        query_box(lower, upper)
