"""Arrays that ray_tree returned stay as they are while other queries sort the tree: rays may still walk them."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.octree import LeafOctree, Octree


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("make", [Octree, LeafOctree])
@pytest.mark.parametrize("capacity", [0, 8])
def test_queries_leave_what_ray_tree_returned_as_it_is(make, capacity, grows):
    rng = np.random.default_rng(1)
    tree = make(np.zeros(3), 10.0, 4, capacity=capacity)
    tree.insert(np.arange(800), rng.uniform(-9.0, 9.0, (800, 3)), rng.uniform(0.0, 0.5, 800))
    tree.stats()  # sorts
    reach = 40.0 if grows else 9.0  # the root grows when it is asked next
    tree.move(np.arange(0, 800, 3), rng.uniform(-reach, reach, (267, 3)), np.full(267, 0.2))
    tree.remove(np.arange(1, 800, 30))
    tree.insert(np.arange(800, 900), rng.uniform(-reach, reach, (100, 3)), np.full(100, 0.2))
    handed_out = tree.ray_tree()
    arrays = [*handed_out.slots, handed_out.grid.table, handed_out.grid.subtree_sizes, handed_out.grid.overhang]
    before = [array.tobytes() for array in arrays]
    half_size = tree.half_size
    tree.query_box((-1.0,) * 3, (1.0,) * 3)
    tree.stats()
    assert [array.tobytes() for array in arrays] == before
    assert (tree.half_size > half_size) == grows
    again = tree.ray_tree()
    assert again.sorted_count == again.slot_count and again.slots.key is not handed_out.slots.key


def test_a_frozen_tree_answers_as_before_while_its_tree_sorts():
    rng = np.random.default_rng(1)
    tree = Octree(np.zeros(3), 10.0, 4)
    tree.insert(np.arange(800), rng.uniform(-9.0, 9.0, (800, 3)), rng.uniform(0.0, 0.5, 800))
    tree.stats()  # sorts
    tree.remove(np.arange(1, 800, 30))  # few enough to wait
    frozen = tree.frozen()
    box = (-5.0, -4.0, -3.0), (4.0, 5.0, 6.0)
    expected = np.sort(tree.query_box(*box)).tolist()
    tree.cells()  # sorts
    tree.query_box((-1.0,) * 3, (1.0,) * 3)
    assert np.sort(frozen.query_box(*box)).tolist() == expected == np.sort(tree.query_box(*box)).tolist()
    for own in ("_mask", "_found_t", "_found_on_ray"):
        assert not np.shares_memory(getattr(frozen, own), getattr(tree, own))
    with pytest.raises(RuntimeError, match="sorted completely"):
        frozen.cells()
    assert tree.frozen(completely=True).cells().counts.tolist() == tree.cells().counts.tolist()
