"""Nodes change places among those with the same parent."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import EditError, History, Scene, apply
from octoscope.scene.editing import add_primitive, duplicate, place_beside, reorder
from octoscope.scene.geometry.forest import children_of

SEEDS = st.integers(0, 2**32 - 1)


def forest(seed: int) -> tuple[Scene, np.random.Generator]:
    rng = np.random.default_rng(seed)
    scene = Scene()
    count = int(rng.integers(4, 16))
    parents = np.minimum(rng.integers(-1, 3, count), np.arange(count) - 1)
    scene.add_nodes([str(number) for number in range(count)], parent=parents, translation=rng.normal(size=(count, 3)))
    scene.set_orders(np.arange(count), rng.integers(-2, 2, count))
    scene.update_world()
    return scene, rng


def siblings(scene: Scene, parent: int) -> list[int]:
    """By the rule itself: by order, then by id."""
    return sorted(
        (int(node) for node in scene.ids if scene.parents[node] == parent), key=lambda node: (scene.orders[node], node)
    )


def moved_up(nodes: list[int], chosen: set[int]) -> list[int]:
    nodes = nodes.copy()
    for place in range(1, len(nodes)):
        if nodes[place] in chosen and nodes[place - 1] not in chosen:
            nodes[place - 1 : place + 1] = nodes[place], nodes[place - 1]
    return nodes


@settings(max_examples=40)
@given(SEEDS, st.booleans())
def test_each_chosen_node_moves_by_one_place_and_undo_brings_it_back(seed, down):
    scene, rng = forest(seed)
    chosen = rng.choice(scene.ids, int(rng.integers(1, 4)), replace=False)
    before = {parent: siblings(scene, parent) for parent in [-1, *scene.ids.tolist()]}
    history, orders = History(scene), scene.orders.copy()
    history.do(reorder(scene, chosen, down=down))
    for parent, nodes in before.items():
        way = -1 if down else 1
        assert siblings(scene, parent) == moved_up(nodes[::way], set(chosen.tolist()))[::way]
    history.undo()
    np.testing.assert_array_equal(scene.orders, orders)


@settings(max_examples=40)
@given(SEEDS, st.booleans())
def test_nodes_are_placed_beside_another_and_stay_where_they_are_in_the_world(seed, after):
    scene, rng = forest(seed)
    chosen = [node for node in rng.choice(scene.ids, 2, replace=False).tolist() if scene.parents[node] < 0] or [3]
    node = int(rng.choice(scene.ids))
    worlds, parent = scene.world_from_local.copy(), int(scene.parents[node])
    path = [node]
    while scene.parents[path[-1]] >= 0:
        path.append(int(scene.parents[path[-1]]))
    if not {*path}.isdisjoint(chosen):
        with pytest.raises(EditError):
            place_beside(scene, chosen, node, after=after)
        return
    rest = [each for each in siblings(scene, parent) if each not in chosen]
    apply(scene, place_beside(scene, chosen, node, after=after))
    place = rest.index(node) + after
    assert siblings(scene, parent) == rest[:place] + chosen + rest[place:]
    np.testing.assert_allclose(scene.world_from_local, worlds, atol=1e-12)
    starts, children = children_of(scene.parents, scene.orders)
    for above in range(-1, scene.row_count):
        group = above if above >= 0 else scene.row_count
        assert children[starts[group] : starts[group + 1]].tolist() == siblings(scene, above)


def test_copies_stand_beside_their_originals_and_new_nodes_behind_all():
    scene = Scene()
    scene.add_nodes(list("abc"))
    apply(scene, reorder(scene, [2]))
    apply(scene, duplicate(scene, [2]))
    apply(scene, add_primitive(scene, "cube"))
    assert [str(scene.names[node]) for node in siblings(scene, -1)] == ["a", "c", "c.001", "b", "cube"]
    assert scene.tree().split() == ["├─", "a", "├─", "c", "├─", "c.001", "├─", "b", "└─", "cube", "(12", "triangles)"]
