"""Random histories of a tree: what it holds and finds is compared with a dict and brute force after every step."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from octoscope.octree import LeafOctree, Octree
from tests.octree.checks import (
    Spheres,
    check_contents,
    check_pairs,
    check_queries,
    check_rays,
    check_volumes,
)
from tests.octree.validate import validate
from tests.oracles import random_spheres

SEEDS = st.integers(0, 2**32 - 1)
CAPACITIES = st.sampled_from((0, 1, 4, 32))
TREES = st.one_of(
    st.fixed_dictionaries(
        {
            "type": st.just(Octree),
            "split_level": st.integers(0, 9),
            "looseness": st.one_of(st.just(1.0), st.floats(1.0, 4.0)),
            "capacity": CAPACITIES,
        }
    ),
    st.fixed_dictionaries(
        {"type": st.just(LeafOctree), "split_level": st.integers(0, 5), "capacity": CAPACITIES},
    ),
)


class TreeHistory(RuleBasedStateMachine):
    """Adds, moves and removes in batches; queries stand between them, so that they also find much left unsorted."""

    @initialize(
        options=TREES,
        half_size=st.sampled_from((1e-3, 1.0, 1000.0)),
        offset=st.sampled_from((0.0, 100.0, 1e7)),
        seed=SEEDS,
        count=st.integers(0, 300),
    )
    def make_tree(self, options: dict, half_size: float, offset: float, seed: int, count: int) -> None:
        tree_type = options.pop("type")
        self.tree = tree_type((offset, -offset / 3.0, offset / 7.0), half_size, **options)
        # A sphere in many leaves has many entries: fewer of them, and smaller ones.
        self.share, self.radius_scale = (0.2, 0.2) if tree_type is LeafOctree else (1.0, 1.0)
        self.spheres = Spheres()
        self.removed = np.empty(0, dtype=np.int64)
        self.next_id = 0
        self.add(seed, count)

    @rule(seed=SEEDS, count=st.integers(0, 300))
    def add(self, seed: int, count: int) -> None:
        rng = np.random.default_rng(seed)
        count = round(self.share * count)
        ids = self.next_id + rng.permutation(2 * count)[:count]
        self.next_id += 2 * count
        self._add(rng, ids)

    @precondition(lambda self: len(self.removed))
    @rule(seed=SEEDS, share=st.floats(0.0, 1.0))
    def add_removed_ids_again(self, seed: int, share: float) -> None:
        rng = np.random.default_rng(seed)
        ids = rng.choice(self.removed, round(share * len(self.removed)), replace=False)
        self.removed = np.setdiff1d(self.removed, ids)
        self._add(rng, ids)

    @rule(seed=SEEDS, share=st.floats(0.0, 1.0))
    def move_anywhere(self, seed: int, share: float) -> None:
        rng, ids = self._some(seed, share)
        self._move(ids, *self._random_spheres(rng, len(ids)))

    @rule(seed=SEEDS, share=st.floats(0.0, 1.0), step=st.floats(1e-4, 0.3))
    def move_a_little(self, seed: int, share: float, step: float) -> None:
        rng, ids = self._some(seed, share)
        centers = np.array([self.spheres.by_id[identifier][0] for identifier in ids.tolist()]).reshape(-1, 3)
        radii = np.array([self.spheres.by_id[identifier][1] for identifier in ids.tolist()])
        self._move(ids, centers + step * self.tree.half_size * rng.normal(size=centers.shape), radii)

    @rule(seed=SEEDS, share=st.floats(0.0, 1.0))
    def remove(self, seed: int, share: float) -> None:
        _, ids = self._some(seed, share)
        self.tree.remove(ids)
        self.spheres.drop(ids)
        self.removed = np.union1d(self.removed, ids)
        assert not self.tree.contains(ids).any()

    @rule(seed=SEEDS)
    def ask_by_volume(self, seed: int) -> None:
        check_volumes(self.tree, self.spheres, np.random.default_rng(seed))

    @rule(seed=SEEDS)
    def ask_by_ray(self, seed: int) -> None:
        check_rays(self.tree, self.spheres, np.random.default_rng(seed))

    @precondition(lambda self: len(self.spheres.by_id) <= 600)
    @rule(seed=SEEDS)
    def ask_for_pairs(self, seed: int) -> None:
        check_pairs(self.tree, self.spheres)

    @invariant()
    def is_sound(self) -> None:
        validate(self.tree)
        assert len(self.tree) == len(self.spheres.by_id)

    def teardown(self) -> None:
        if hasattr(self, "tree"):
            check_queries(self.tree, self.spheres, np.random.default_rng(0), 3)
            check_contents(self.tree, self.spheres)

    def _some(self, seed: int, share: float) -> tuple[np.random.Generator, np.ndarray]:
        rng = np.random.default_rng(seed)
        ids = self.spheres.ids
        return rng, rng.choice(ids, round(share * len(ids)), replace=False) if len(ids) else ids

    def _random_spheres(self, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        centers, radii = random_spheres(rng, count, self.tree.center, self.tree.half_size)
        return centers, radii * self.radius_scale

    def _add(self, rng: np.random.Generator, ids: np.ndarray) -> None:
        centers, radii = self._random_spheres(rng, len(ids))
        self.tree.insert(ids, centers, radii)
        self.spheres.put(ids, centers, radii)

    def _move(self, ids: np.ndarray, centers: np.ndarray, radii: np.ndarray) -> None:
        self.tree.move(ids, centers, radii)
        self.spheres.put(ids, centers, radii)


class ManyTreeHistories(TreeHistory):
    """The same with many more examples, run by hand."""


TreeHistory.TestCase.settings = settings(max_examples=20, stateful_step_count=30)
TestTreeHistory = pytest.mark.usefixtures("strict_floats")(TreeHistory.TestCase)
ManyTreeHistories.TestCase.settings = settings(max_examples=2000, stateful_step_count=30)
TestManyTreeHistories = pytest.mark.slow(pytest.mark.usefixtures("strict_floats")(ManyTreeHistories.TestCase))


@pytest.mark.parametrize(
    ("tree_type", "split_level", "options"), ((Octree, 5, {}), (Octree, 5, {"capacity": 16}), (LeafOctree, 3, {}))
)
@pytest.mark.parametrize("operations", (60_000, pytest.param(10_000_000, marks=pytest.mark.slow)))
def test_many_mixed_operations_lose_no_id_and_leak_nothing(operations, tree_type, split_level, options):
    rng = np.random.default_rng(0)
    tree, spheres = tree_type((5.0, 0.0, 0.0), 10.0, split_level, **options), Spheres()
    id_limit, done, most_bytes = 6000, 0, []

    def put(change, ids):
        centers, radii = random_spheres(rng, len(ids), tree.center, tree.half_size)
        change(ids, centers, radii)
        spheres.put(ids, centers, radii)

    while done < operations:
        for change in rng.permutation((tree.insert, tree.move, tree.remove)):
            # Of those that may be chosen, up to a quarter: so the tree stays about half full.
            ids = np.setdiff1d(np.arange(id_limit), spheres.ids) if change == tree.insert else spheres.ids
            ids = rng.choice(ids, rng.integers(0, len(ids) // 4 + 1), replace=False)
            if change == tree.remove:
                tree.remove(ids)
                spheres.drop(ids)
            else:
                put(change, ids)
            done += len(ids)
        assert len(tree) == len(spheres.by_id)
        if len(tree) > 1500 and rng.random() < min(0.3, 10_000 / operations):
            validate(tree)
            check_contents(tree, spheres)
            check_queries(tree, spheres, rng, 1)
            most_bytes.append(tree.stats().memory_bytes)
    assert 2000 < len(tree) < 4000
    if not options:  # elsewhere how much there is depends on where the spheres are
        # Room for four times as many spheres as there ever were: 28 bytes of columns, 12 of results, 16 of the table;
        # and by id the slot.
        assert max(most_bytes) <= 4 * (28 + 12 + 16) * id_limit + 2 * 8 * id_limit, "the columns leak"
    settled = len(most_bytes) // 3
    assert max(most_bytes[-settled:]) <= 2.5 * max(most_bytes[:settled]), "memory grows with time"
    tree.remove(spheres.ids)
    check_contents(tree, Spheres())
    validate(tree)
