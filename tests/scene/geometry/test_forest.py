"""Trees from the top down, against recursion."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene.geometry.forest import children_of, depths_and_subtree_ends, preorder


def below(parents: np.ndarray, node: int) -> list[int]:
    return [node, *(found for child in np.flatnonzero(parents == node).tolist() for found in below(parents, child))]


@pytest.mark.parametrize("seed", range(5))
def test_every_node_is_followed_by_all_that_hangs_below_it(seed):
    rng = np.random.default_rng(seed)
    above = [int(rng.integers(-1, number)) if number else -1 for number in range(50)]
    renamed = rng.permutation(50)
    parents = np.empty(50, dtype=np.int32)
    parents[renamed] = [-1 if parent < 0 else renamed[parent] for parent in above]
    expected = [node for top in np.flatnonzero(parents < 0).tolist() for node in below(parents, top)]
    order = preorder(*children_of(parents))
    assert order.tolist() == expected
    depths, ends = depths_and_subtree_ends(order, parents)
    for place, node in enumerate(expected):
        assert ends[place] == place + len(below(parents, node))
        assert depths[place] == (0 if parents[node] < 0 else depths[expected.index(int(parents[node]))] + 1)


def test_a_circle_is_left_out():
    assert preorder(*children_of(np.array([-1, 2, 1, 0, 4]))).tolist() == [0, 3]


def test_no_nodes_and_a_deep_chain():
    assert preorder(*children_of(np.empty(0, dtype=np.int32))).tolist() == []
    chain = np.arange(100_000) - 1
    assert (preorder(*children_of(chain)) == np.arange(100_000)).all()
