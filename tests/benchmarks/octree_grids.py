"""The octree beside grids (uniform, hierarchical, recursive) and a k-d tree: building, culling, boxes.

Answers are compared first. SciPy's k-d tree finds points in balls, so it is asked for boxes alone; it knows no frusta.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from octoscope.octree import Frustum
from tests.benchmarks.harness import Result, compare
from tests.benchmarks.kernels import (
    fill_grid,
    grid_in_box,
    grid_in_frustum,
    recursive_grid_in_box,
    recursive_grid_in_frustum,
)
from tests.benchmarks.octree_queries import Competitors, touches_box
from tests.benchmarks.spheres import MIXED, assert_about, frustum_that_sees, sees, tree_over

_PER_CELL = 2.0  # spheres, where they are spread evenly
_MOST_CELLS = 2**22
_LARGEST_SHARE = 2.0  # how many times the smallest radius of a level of the hierarchy the largest may be
_SIDE = 8  # cells of a recursive grid
_MOST_IN_CELL = 64  # spheres, before the cell is a grid itself
_SMALLEST_CELL = 1e-6  # of the root
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
            "recursive grid": partial(RecursiveGrid, centers, radii),
        }
        if importlib.util.find_spec("scipy") is not None:
            from scipy.spatial import cKDTree

            builders["cKDTree"] = partial(cKDTree, centers)
        name = f"build over {_COUNT:,} {set_name}"
        yield compare(name, partial(tree_over, centers, radii), builders, rounds=7)
        yield from _questions(set_name, centers, radii)


def _questions(set_name: str, centers: np.ndarray, radii: np.ndarray) -> Iterator[Result]:
    tree = tree_over(centers, radii)
    uniform = UniformGrid(centers, radii, np.arange(_COUNT, dtype=np.int32))
    hierarchical, recursive = HierarchicalGrid(centers, radii), RecursiveGrid(centers, radii)
    competitors = Competitors(centers, radii)
    buffer = np.empty(_COUNT + 1, dtype=np.int32)
    for fraction in _FRACTIONS:
        frustum = frustum_that_sees(fraction, centers, radii)
        seen = sees(frustum, centers, radii)
        by_uniform = buffer[: uniform.cull(frustum, buffer)]
        for answer in (tree.cull(frustum), by_uniform, hierarchical.cull(frustum), recursive.cull(frustum)):
            assert_about(answer, seen)
        others: dict[str, Callable[[], object]] = {
            "uniform grid": partial(uniform.cull, frustum, buffer),
            "hierarchical grid": partial(hierarchical.cull, frustum),
            "recursive grid": partial(recursive.cull, frustum),
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
            recursive.query_box(*boxes[0]),
        ):
            assert_about(answer, touched)
        others = {
            "uniform grid": partial(_ask_all, partial(uniform.query_box, out=buffer), boxes),
            "hierarchical grid": partial(_ask_all, hierarchical.query_box, boxes),
            "recursive grid": partial(_ask_all, recursive.query_box, boxes),
        }
        if competitors.kd_tree is not None:
            assert_about(competitors.in_box("cKDTree", *boxes[0]), touched)
            others["cKDTree"] = partial(_ask_all, partial(competitors.in_box, "cKDTree"), boxes)
        name = f"box of half size {half:g} among {_COUNT:,} {set_name}, against grids"
        yield compare(name, partial(_ask_all, tree.query_box, boxes), others, rounds=7, times=_BOXES)


def _ask_all(query_box: Callable[..., object], boxes: list[tuple[np.ndarray, np.ndarray]]) -> None:
    for lower, upper in boxes:
        query_box(lower, upper)


class UniformGrid:
    """Spheres sorted by the cubic cell that holds their centre. A cell is at least as wide as the largest sphere."""

    def __init__(self, centers: np.ndarray, radii: np.ndarray, ids: np.ndarray) -> None:
        self._lower = centers.min(axis=0)
        extent = centers.max(axis=0) - self._lower
        self._largest = float(radii.max())
        size = max(2.0 * self._largest, (extent.prod() * _PER_CELL / len(radii)) ** (1.0 / 3.0), 1e-9)
        while np.prod(extent / size + 1.0) > _MOST_CELLS:
            size *= 1.25
        self._size = size
        self._shape = (extent / size).astype(np.int64) + 1
        self._begins = np.zeros(int(self._shape.prod()) + 2, dtype=np.int32)
        self._columns = np.empty((4, len(radii)), dtype=np.float32)
        self._ids = np.empty(len(radii), dtype=np.int32)
        fill_grid(centers, radii, ids, self._lower, size, self._shape, self._begins, self._columns, self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def cull(self, frustum: Frustum, out: np.ndarray) -> int:
        """Write the ids of the spheres that touch a frustum to `out`, with one element to spare; return the number."""
        planes = frustum.planes_about(self._lower)
        return grid_in_frustum(
            planes.astype(np.float32),
            self._largest,
            self._size,
            self._shape,
            self._begins,
            self._columns,
            self._ids,
            out,
        )

    def query_box(self, lower: np.ndarray, upper: np.ndarray, out: np.ndarray) -> int:
        """Write the ids of the spheres that touch a box to `out`, with one element to spare; return the number."""
        box = np.array((lower - self._lower, upper - self._lower), dtype=np.float32)
        reach = np.array((-self._largest, self._largest))[:, None]
        cells = ((box + reach) / self._size).clip(-1.0, self._shape).astype(np.int64)
        if (cells[1] < 0).any() or (cells[0] >= self._shape).any():
            return 0
        cells = cells.clip(0, self._shape - 1)
        return grid_in_box(box, cells, self._shape, self._begins, self._columns, self._ids, out)


class HierarchicalGrid:
    """A uniform grid for each octave of radii (Ericson, "Real-Time Collision Detection", 7.2.1), of its own size."""

    def __init__(self, centers: np.ndarray, radii: np.ndarray) -> None:
        levels = np.log2(radii / radii.min()) // np.log2(_LARGEST_SHARE)
        self._out = np.empty(len(radii) + 1, dtype=np.int32)
        self._levels = []
        for level in np.unique(levels):
            ids = np.flatnonzero(levels == level).astype(np.int32)
            self._levels.append(UniformGrid(centers[ids], radii[ids], ids))

    def cull(self, frustum: Frustum) -> np.ndarray:
        """Return (k,) int32 ids of the spheres that touch a frustum: a view of a buffer that the next call rewrites."""
        count = 0
        for grid in self._levels:
            count += grid.cull(frustum, self._out[count:])
        return self._out[:count]

    def query_box(self, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Return (k,) int32 ids of the spheres that touch a box: a view of a buffer that the next call rewrites."""
        count = 0
        for grid in self._levels:
            count += grid.query_box(lower, upper, self._out[count:])
        return self._out[:count]


class RecursiveGrid:
    """A uniform grid of 8 cells a side, of which each that holds more than 64 centres is such a grid itself.

    Spheres reach out of their cells: each cell knows its largest radius.
    """

    def __init__(self, centers: np.ndarray, radii: np.ndarray) -> None:
        self._lower = centers.min(axis=0)
        self._edge = max(float((centers.max(axis=0) - self._lower).max()) * 1.0001, 1e-9)
        self._out = np.empty(len(radii) + 1, dtype=np.int32)
        corners, edges, begins, children, reaches = [self._lower], [self._edge], [], [], []
        spans, order = [(0, len(radii))], np.arange(len(radii))
        for grid, (corner, edge) in enumerate(zip(corners, edges, strict=False)):  # both grow meanwhile
            begin, end = spans[grid]
            ids, cell_edge = order[begin:end].copy(), edge / _SIDE
            places = np.clip((centers[ids] - corner) / cell_edge, 0, _SIDE - 1).astype(np.int64)
            keys = (places[:, 0] * _SIDE + places[:, 1]) * _SIDE + places[:, 2]
            sorting = np.argsort(keys, kind="stable")
            order[begin:end] = ids[sorting]
            counts = np.bincount(keys, minlength=_SIDE**3)
            starts = begin + np.concatenate([[0], np.cumsum(counts)])
            reach = np.zeros(_SIDE**3)
            np.maximum.at(reach, keys, radii[ids])
            child = np.full(_SIDE**3, -1, dtype=np.int32)
            for cell in np.flatnonzero((counts > _MOST_IN_CELL) & (cell_edge > _SMALLEST_CELL * self._edge)).tolist():
                child[cell] = len(spans)
                place = np.array((cell // _SIDE**2, cell // _SIDE % _SIDE, cell % _SIDE))
                corners.append(corner + place * cell_edge)
                edges.append(cell_edge)
                spans.append((int(starts[cell]), int(starts[cell + 1])))
            begins.append(starts)
            children.append(child)
            reaches.append(reach)
        about = centers[order] - self._lower
        rounding = (np.abs(about).sum(axis=1) + self._edge) * 2.0**-21  # of float32, as UniformGrid's kernel has it
        self._arrays = (
            np.column_stack([np.array(corners) - self._lower, edges]).astype(np.float32),
            np.array(begins, dtype=np.int32),
            np.array(children),
            (np.array(reaches) + self._edge * 2.0**-18).astype(np.float32),
            np.ascontiguousarray(np.column_stack([about, radii[order] + rounding]).T, dtype=np.float32),
            order.astype(np.int32),
        )

    def __len__(self) -> int:
        return len(self._arrays[-1])

    def cull(self, frustum: Frustum) -> np.ndarray:
        """Return (k,) int32 ids of the spheres that touch a frustum: a view of a buffer that the next call rewrites."""
        planes = frustum.planes_about(self._lower).astype(np.float32)
        return self._out[: recursive_grid_in_frustum(planes, *self._arrays, self._out)]

    def query_box(self, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Return (k,) int32 ids of the spheres that touch a box: a view of a buffer that the next call rewrites."""
        box = np.array((lower - self._lower, upper - self._lower), dtype=np.float32)
        return self._out[: recursive_grid_in_box(box, *self._arrays, self._out)]
