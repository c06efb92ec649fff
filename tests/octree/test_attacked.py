"""Hostile uses, each of which once had a wrong result."""

import numpy as np
import pytest

from octoscope.octree import CullStats, Frustum, LinearOctree, Octree
from tests.octree.validate import validate

EVERYWHERE = (-9.0,) * 3, (9.0,) * 3


def random_tree(count: int, radius: float = 1e-4, level: int = 6, **options) -> tuple[Octree, np.ndarray]:
    centers = np.random.default_rng(0).uniform(-1.0, 1.0, (count, 3))
    tree = Octree((0.0, 0.0, 0.0), 1.0, level, **options)
    tree.insert(np.arange(count), centers, np.full(count, radius))
    return tree, centers


def test_a_camera_whose_planes_float32_cannot_hold_reports_no_removed_sphere():
    tree, _ = random_tree(100, level=0)
    tree.query_box(*EVERYWHERE)
    tree.remove([3])
    seen = tree.cull(Frustum.from_matrix(np.diag((1e-40, 1e-40, -1e-40, 1.0))))
    assert sorted(seen.tolist()) == sorted(set(range(100)) - {3})


def test_when_memory_ends_while_cells_are_divided_the_tree_still_answers(monkeypatch):
    tree, _ = random_tree(2000, level=8, capacity=1)
    tree.query_box(*EVERYWHERE)
    tree.remove(np.arange(0, 2000, 2))

    def fail(*_) -> None:
        raise MemoryError

    with monkeypatch.context() as patched, pytest.raises(MemoryError):
        patched.setattr(tree._division, "divide", fail)
        tree.query_box(*EVERYWHERE)
    assert sorted(tree.query_box(*EVERYWHERE).tolist()) == list(range(1, 2000, 2))
    tree.move(np.arange(1, 2000, 2), np.zeros((1000, 3)), np.zeros(1000))
    assert len(tree.query_sphere((0.0, 0.0, 0.0), 0.0)) == 1000
    tree.stats()
    validate(tree)


def test_when_memory_ends_while_room_for_ids_is_made_nothing_is_inserted(monkeypatch):
    tree, _ = random_tree(10)

    def fail(*_) -> None:
        raise MemoryError

    with monkeypatch.context() as patched, pytest.raises(MemoryError):
        patched.setattr("octoscope.octree.tree.lengthened", fail)
        tree.insert([10**6], [(0.0, 0.0, 0.0)], [1.0])
    assert 10**6 not in tree and len(tree) == 10
    tree.insert([10**6], [(0.0, 0.0, 0.0)], [1.0])
    assert 10**6 in tree.query_box(*EVERYWHERE)
    validate(tree)


def test_a_callback_that_removes_what_it_hits_is_told_so():
    tree = Octree((0.0, 0.0, 0.0), 1.0)
    tree.insert([5, 6], [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0)], [0.1, 0.1])

    def remove_and_hit(ids: np.ndarray) -> np.ndarray:
        if 5 in tree:
            tree.remove([5])
        return np.where(ids == 5, 0.9, 2.0)

    with pytest.raises(RuntimeError, match="removed id 5"):
        tree.raycast_nearest((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), remove_and_hit)


def test_a_few_that_lie_far_out_do_not_spoil_a_linear_octree_for_the_rest():
    centers = np.random.default_rng(1).uniform(-1.0, 1.0, (2000, 3))
    centers[0] = 1e9
    tree = LinearOctree.build(centers, np.full(2000, 1e-3))
    assert len(tree.query_box((5.0,) * 3, (6.0,) * 3)) == 0
    assert len(tree.pairs()) < 10
    assert tree.query_sphere((1e9,) * 3, 1.0).tolist() == [0]
    assert len(tree.query_box((-np.inf,) * 3, (np.inf,) * 3)) == 2000


def test_the_centre_cannot_be_written_to():
    tree, _ = random_tree(1)
    with pytest.raises(ValueError, match="read-only"):
        tree.center += 1.0


@pytest.mark.parametrize("wrong", (np.inf, np.nan, -1, 1.5, "3", None))
@pytest.mark.parametrize("name", ("split_level", "capacity"))
def test_a_level_or_a_capacity_that_is_no_number_of_things_is_refused(name, wrong):
    with pytest.raises(ValueError, match=name):
        Octree((0.0, 0.0, 0.0), 1.0, **{name: wrong})


def test_small_wrong_arguments_are_refused():
    tree, _ = random_tree(10)
    assert len(tree.cells(occupied=False, level=np.uint8(3)).counts) == 512


def test_a_ray_from_the_end_of_all_numbers_hits_nothing_that_it_does_not():
    tree, _ = random_tree(10)
    assert len(tree.raycast((1.7e308, 1.7e308, 0.0), (1.0, 1.0, 0.0))[0]) == 0


def test_one_change_among_many_in_a_crowded_cell_is_sorted_in():
    count, stats = 50_000, CullStats()
    centers = np.random.default_rng(2).uniform(0.1252, 0.1402, (count, 3))
    tree = Octree((0.0, 0.0, 0.0), 1.0, 19)
    tree.insert(np.arange(count), centers, np.full(count, 1e-7))
    tree.cells(level=0)
    tree.insert([count], [(0.1251,) * 3], [1e-7])
    tree.cells(level=0)
    validate(tree)
    assert tree.cull(Frustum.from_matrix(np.eye(4)), stats=stats).size == count + 1
