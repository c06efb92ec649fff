"""Rays, boxes, balls and pairs, compared with rtree and SciPy's cKDTree; all answers are exact."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from octoscope.octree import Octree
from tests.benchmarks.harness import Result, compare
from tests.benchmarks.kernels import cast_all
from tests.benchmarks.spheres import HALF_SIZE, SETS, assert_about, tree_over

_COUNT = 1_000_000
_PAIRS_OF = 100_000
_RAYS = 200
_VOLUMES = 20
_SHARES = (1e-4, 1e-3, 1e-2)  # of all spheres, that a box or ball finds about


def run() -> Iterator[Result]:
    """Measure all queries."""
    for set_name, spheres in SETS.items():
        centers, radii = spheres(_COUNT)
        tree = tree_over(centers, radii)
        yield from _nearest(tree, centers, radii, set_name)
        competitors = Competitors(centers, radii)
        for share in _SHARES:
            yield _boxes(tree, competitors, centers, radii, share, set_name)
            yield _balls(tree, competitors, centers, radii, share, set_name)
    for set_name, spheres in SETS.items():
        yield _pairs(*spheres(_PAIRS_OF), set_name)


class Competitors:
    """rtree and cKDTree over spheres; both find candidates, of which numpy selects the exact answer."""

    def __init__(self, centers: np.ndarray, radii: np.ndarray) -> None:
        self.centers, self.radii, self.largest = centers, radii, float(radii.max())
        self.rtree: Any = None
        self.kd_tree: Any = None
        if importlib.util.find_spec("rtree") is not None:
            from rtree import index

            self.lower, self.upper = centers - radii[:, None], centers + radii[:, None]
            boxes = np.arange(len(radii)), self.lower, self.upper
            self.rtree = index.Index(boxes, properties=index.Property(dimension=3))
        if importlib.util.find_spec("scipy") is not None:
            from scipy.spatial import cKDTree

            self.kd_tree = cKDTree(centers)

    @property
    def note(self) -> str:
        """Rivals that are not installed, and the command that installs them; "" if all are there."""
        missing = [name for name, tree in (("rtree", self.rtree), ("scipy", self.kd_tree)) if tree is None]
        return f"not installed: pip install {' '.join(missing)}" if missing else ""

    def all_that(self, ask: Callable[[str, int], np.ndarray], count: int) -> dict[str, Callable[[], list[np.ndarray]]]:
        """Return functions of the competitors, by name, that each ask `count` questions."""
        there = [name for name, tree in (("rtree", self.rtree), ("cKDTree", self.kd_tree)) if tree is not None]

        def ask_all(name: str) -> list[np.ndarray]:
            return [ask(name, number) for number in range(count)]

        return {name: partial(ask_all, name) for name in there}

    def in_box(self, name: str, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Return the ids of the spheres that touch a cube."""
        if name == "rtree":
            near = np.array(list(self.rtree.intersection((*lower, *upper))), dtype=np.int64)
        else:
            half = (upper - lower).max() / 2.0 + self.largest
            near = np.array(self.kd_tree.query_ball_point((lower + upper) / 2.0, half, p=np.inf), dtype=np.int64)
        return near[touches_box(lower, upper, self.centers[near], self.radii[near])]

    def in_ball(self, name: str, center: np.ndarray, radius: float) -> np.ndarray:
        """Return the ids of the spheres that touch a ball."""
        if name == "rtree":
            near = np.array(list(self.rtree.intersection((*center - radius, *center + radius))), dtype=np.int64)
        else:
            near = np.array(self.kd_tree.query_ball_point(center, radius + self.largest), dtype=np.int64)
        return near[touches_ball(center, radius, self.centers[near], self.radii[near])]

    def pairs(self, name: str) -> np.ndarray:
        """Return the ids of spheres that overlap, (m, 2)."""
        if name == "rtree":
            near, counts = self.rtree.intersection_v(self.lower, self.upper)
            pairs = np.stack(
                (np.repeat(np.arange(len(counts)), counts.astype(np.int64)), near.astype(np.int64)), axis=1
            )
            pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        else:
            pairs = self.kd_tree.query_pairs(2.0 * self.largest, output_type="ndarray")
        first, second = pairs.T
        squared = ((self.centers[first] - self.centers[second]) ** 2).sum(axis=1)
        return pairs[squared <= (self.radii[first] + self.radii[second]) ** 2]


def touches_box(lower: np.ndarray, upper: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Return whether each sphere touches a box, (n,) bool, in float64."""
    off = np.maximum(np.maximum(lower - centers, centers - upper), 0.0)
    return (off**2).sum(axis=1) <= radii**2


def touches_ball(center: np.ndarray, radius: float, centers: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Return whether each sphere touches a ball, (n,) bool, in float64."""
    return ((centers - center) ** 2).sum(axis=1) <= (radii + radius) ** 2


def _size_for(share: float, centers: np.ndarray, middles: np.ndarray, order: float) -> float:
    """Return half the size of volumes around the middles that hold about that share of all centres on average."""
    sample = centers[np.random.default_rng(13).choice(len(centers), 100_000)]
    reach = [np.quantile(np.linalg.norm(sample - middle, ord=order, axis=1), share) for middle in middles]
    return float(np.mean(reach))


def _boxes(
    tree: Octree, competitors: Competitors, centers: np.ndarray, radii: np.ndarray, share: float, name: str
) -> Result:
    middles = centers[np.random.default_rng(14).choice(len(centers), _VOLUMES)]
    half = _size_for(share, centers, middles, np.inf)
    lower, upper = middles - half, middles + half
    wanted = touches_box(lower[0], upper[0], centers, radii)
    assert_about(tree.query_box(lower[0], upper[0]), wanted)

    def ask(competitor: str, number: int) -> np.ndarray:
        return competitors.in_box(competitor, lower[number], upper[number])

    others = competitors.all_that(ask, _VOLUMES)
    for run in others.values():
        assert np.array_equal(np.sort(run()[0]), np.flatnonzero(wanted))

    def ours() -> None:
        for number in range(_VOLUMES):
            tree.query_box(lower[number], upper[number])

    name = f"box of about {share:.2%} among {_COUNT:,} {name}"
    return compare(name, ours, others, rounds=7, times=_VOLUMES, note=competitors.note)


def _balls(
    tree: Octree, competitors: Competitors, centers: np.ndarray, radii: np.ndarray, share: float, name: str
) -> Result:
    middles = centers[np.random.default_rng(15).choice(len(centers), _VOLUMES)]
    radius = _size_for(share, centers, middles, 2)
    wanted = touches_ball(middles[0], radius, centers, radii)
    assert_about(tree.query_sphere(middles[0], radius), wanted)

    def ask(competitor: str, number: int) -> np.ndarray:
        return competitors.in_ball(competitor, middles[number], radius)

    others = competitors.all_that(ask, _VOLUMES)
    for run in others.values():
        assert np.array_equal(np.sort(run()[0]), np.flatnonzero(wanted))

    def ours() -> None:
        for middle in middles:
            tree.query_sphere(middle, radius)

    name = f"ball of about {share:.2%} among {_COUNT:,} {name}"
    return compare(name, ours, others, rounds=7, times=_VOLUMES, note=competitors.note)


def _pairs(centers: np.ndarray, radii: np.ndarray, name: str) -> Result:
    """Measure pairs of spheres whose size is such that each overlaps about one other."""
    for _ in range(30):
        tree = Octree((0.0, 0.0, 0.0), HALF_SIZE)
        tree.insert(np.arange(len(radii)), centers, radii)
        contacts = 2.0 * len(tree.pairs()) / len(radii)
        if 0.9 < contacts < 1.1:
            break
        radii = radii * np.clip(contacts, 0.1, 10.0) ** (-1.0 / 3.0)
    competitors = Competitors(centers, radii)
    others = competitors.all_that(lambda competitor, _: competitors.pairs(competitor), 1)
    for run in others.values():
        ours, theirs = (np.unique(np.sort(pairs, axis=1), axis=0) for pairs in (tree.pairs(), run()[0]))
        assert abs(len(ours) - len(theirs)) <= 0.001 * len(theirs) + 8
    name = f"pairs among {len(radii):,} {name}, {contacts:.1f} contacts each"
    return compare(name, tree.pairs, others, rounds=7, note=competitors.note)


def _nearest(tree: Octree, centers: np.ndarray, radii: np.ndarray, name: str) -> Iterator[Result]:
    """Measure rays from random points outside the set to spheres in it."""
    rng = np.random.default_rng(16)
    directions = rng.normal(size=(_RAYS, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origins = centers[rng.choice(len(centers), _RAYS)] - 2.0 * HALF_SIZE * directions
    for origin, direction in zip(origins[:20], directions[:20], strict=True):
        hit = tree.raycast_nearest(origin, direction)
        assert hit is not None and hit.t == tree.raycast(origin, direction)[1][0]
        assert abs(hit.t - _first_entry(origin, direction, centers, radii)) < 0.02

    def in_kernel() -> None:
        cast_all(tree.ray_tree(), origins, directions)

    def in_python() -> None:
        for origin, direction in zip(origins, directions, strict=True):
            tree.raycast_nearest(origin, direction)

    name = f"nearest sphere on a ray among {_COUNT:,} {name}"
    yield compare(f"{name}, in the kernel", in_kernel, {}, rounds=21, times=_RAYS, unit="us")
    yield compare(f"{name}, a Python call", in_python, {}, rounds=21, times=_RAYS, unit="us")


def _first_entry(origin: np.ndarray, direction: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> float:
    """Return the t at which a ray first enters a sphere, in float64."""
    along = (centers - origin) @ direction
    squared = radii**2 - (((centers - origin) - along[:, None] * direction) ** 2).sum(axis=1)
    met = squared >= 0.0
    return float((along[met] - np.sqrt(squared[met])).min())
