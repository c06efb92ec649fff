"""Ancestors and descendants, against plain walks over the parents."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Scene
from octoscope.scene.editing.chosen import topmost
from octoscope.scene.nodes.hierarchy import common_parent, owners, subtrees, with_all_below
from tests.scene.builders import below


def random_trees(rng: np.random.Generator, count: int = 20) -> Scene:
    """Some with parents of larger ids, and some of it deleted."""
    scene = Scene()
    parents = np.array([rng.integers(-1, node) for node in range(count)])
    places = rng.permutation(count)
    scene.add_nodes([""] * count)
    scene.set_parents(places, np.where(parents >= 0, places[parents], -1))
    leaves = np.setdiff1d(np.arange(count), scene.parents)
    scene.set_alive(leaves[:2], False)
    return scene


@given(seed=st.integers(0, 2**32 - 1))
def test_they_agree_with_walks(seed):
    rng = np.random.default_rng(seed)
    scene = random_trees(rng)
    ids = rng.choice(scene.ids, rng.integers(1, 6), replace=False)
    under = {node: below(scene, {node}) for node in scene.ids.tolist()}
    chosen = ids.tolist()
    assert topmost(scene, ids).tolist() == [
        node for node in chosen if not any(node in under[other] for other in chosen if other != node)
    ]
    everything = sorted(set().union(*(under[node] for node in chosen)))
    assert with_all_below(scene, ids).tolist() == everything
    ordered = subtrees(scene, ids).tolist()
    assert sorted(ordered) == everything
    place = {node: number for number, node in enumerate(ordered)}
    assert all(place.get(int(scene.parents[node]), -1) < place[node] for node in ordered)
    for node in scene.ids.tolist():
        holders = [number for number, other in enumerate(chosen) if node in under[other]]
        nearest = min(holders, key=lambda number: len(under[chosen[number]]), default=-1)
        assert owners(scene, ids)[node] == nearest
    holders = [node for node in under if all(each in under[node] and each != node for each in chosen)]
    assert common_parent(scene, ids) == max(holders, key=lambda node: -len(under[node]), default=-1)


@pytest.mark.parametrize("find", (with_all_below, subtrees))
def test_a_chain_ten_thousand_deep_is_walked_once(find):
    scene = Scene()
    scene.add_nodes(["link"] * 10_000, parent=np.arange(-1, 9_999))
    scene.set_parents(np.arange(10_000), np.append(np.arange(1, 10_000), -1))  # the deepest first
    assert find(scene, np.array([9_999])).tolist() in (list(range(10_000)), list(range(9_999, -1, -1)))
    assert len(find(scene, np.array([5_000]))) == 5_001
    assert find(scene, np.empty(0, dtype=np.int32)).tolist() == []
