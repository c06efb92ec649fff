"""Trees of every kind with the same spheres, for tests of what all of them answer alike."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from octoscope.octree import Frustum, LeafOctree, LinearOctree, Octree
from octoscope.octree.sphere_tree import SphereTree
from tests.octree.checks import Spheres
from tests.oracles import EVERYTHING, random_spheres

INFINITE = np.full(3, np.inf)
OCTREES = {
    f"cell {looseness} capacity {capacity} level {level}": {
        "type": Octree,
        "split_level": level,
        "looseness": looseness,
        "capacity": capacity,
    }
    for looseness, capacity, level in product((1.0, 1.3, 2.0, 4.0), (0, 1, 32), (0, 3, 9))
} | {
    f"leaves capacity {capacity} level {level}": {"type": LeafOctree, "split_level": level, "capacity": capacity}
    for capacity, level in product((0, 1, 4, 32), (0, 2, 4))
}
# Of looseness, capacity and level each pair of values: what needs all three to go wrong shows against brute force.
PAIRED_OCTREES = [
    f"cell {looseness} capacity {capacity} level {(0, 3, 9)[(i + k) % 3]}"
    for (i, looseness), (k, capacity) in product(enumerate((1.0, 1.3, 2.0, 4.0)), enumerate((0, 1, 32)))
] + [kind for kind in OCTREES if kind.startswith("leaves")]

SOME_OCTREES = ["cell 1.0 capacity 0 level 3", "cell 2.0 capacity 32 level 9", "leaves capacity 4 level 2"]

every_octree = pytest.mark.parametrize("kind", OCTREES)
every_kind = pytest.mark.parametrize("kind", [*PAIRED_OCTREES, "linear"])
a_few_kinds = pytest.mark.parametrize("kind", [*SOME_OCTREES, "linear"])
a_few_octrees = pytest.mark.parametrize("kind", SOME_OCTREES)


def build(kind: str, centers: np.ndarray, radii: np.ndarray, **options: object) -> tuple[SphereTree, Spheres]:
    """A tree of a kind, its root about (0, 0, 0) and of half size 8, with ids from 0; a third of them unsorted."""
    ids, centers, radii = np.arange(len(radii)), np.array(centers, dtype=np.float64), np.array(radii, dtype=np.float64)
    spheres = Spheres()
    spheres.put(ids, centers, radii, **options)
    if kind == "linear":
        assert not options
        return LinearOctree.build(centers.reshape(-1, 3), radii), spheres
    tree_options = dict(OCTREES[kind])
    tree = tree_options.pop("type")((0.0, 0.0, 0.0), 8.0, **tree_options)
    options = {name: np.broadcast_to(values, ids.shape) for name, values in options.items()}
    for part in (ids[len(ids) // 3 :], ids[: len(ids) // 3]):
        tree.insert(part, centers[part], radii[part], **{name: values[part] for name, values in options.items()})
        tree.query_box(-INFINITE, INFINITE)
    return tree, spheres


def filled(kind: str, count: int = 300, seed: int = 0) -> tuple[SphereTree, Spheres]:
    """Random spheres."""
    rng = np.random.default_rng(seed)
    scale = 0.05 if kind.startswith("leaves") else 0.2  # each sphere in few leaves: pairs are asked for as well
    centers, radii = random_spheres(rng, count, np.zeros(3), 8.0)
    return build(kind, centers, radii * scale)


def all_answers(tree: SphereTree) -> list[set]:
    ids, t = tree.raycast((-9.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    return [
        set(tree.cull(Frustum.from_matrix(EVERYTHING)).tolist()),
        set(tree.query_box((-3.0, -3.0, -3.0), (3.0, 1.0, 2.0)).tolist()),
        set(tree.query_sphere((1.0, 2.0, 3.0), 3.0).tolist()),
        set(zip(ids.tolist(), t.tolist(), strict=True)),
        set(map(tuple, tree.pairs().tolist())),
    ]


def on_x_axis(kind: str, count: int) -> SphereTree:
    """Spheres of radius 0.5 whose left ends follow each other on the x axis, from -5 to 5."""
    return build(kind, np.linspace((-4.5, 0.0, 0.0), (5.5, 0.0, 0.0), count), np.full(count, 0.5))[0]


def asked_on_x_axis(kind: str, count: int, best: float) -> list[tuple[np.ndarray, float]]:
    """Return a row for each batch that the test of a ray is asked about.

    A row holds the t at which the ray enters the batch's spheres, and the nearest t that was answered before. Each
    object lies half a unit behind where the ray enters its sphere, the nearest at `best`.
    """
    tree = on_x_axis(kind, count)
    ids, t_enter = tree.raycast((-5.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    asked, batches, nearest = [], [], np.inf

    def test(batch):
        nonlocal nearest
        begins = t_enter[[np.flatnonzero(ids == identifier)[0] for identifier in batch.tolist()]]
        asked.extend(batch.tolist())
        batches.append((begins, nearest))
        t = np.where(begins >= best - 0.5, begins + 0.5, np.inf)
        nearest = min(nearest, t.min())
        return t

    hit = tree.raycast_nearest((-5.0, 0.0, 0.0), (1.0, 0.0, 0.0), test)
    assert hit.t == t_enter[t_enter >= best - 0.5][0] + 0.5
    assert len(ids) == count and asked == ids[: len(asked)].tolist(), "not front to back, each once"
    assert set(ids[t_enter < hit.t].tolist()) <= set(asked)
    return batches
