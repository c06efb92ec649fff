"""Another tree over the same objects: what it costs, and its nodes in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.octree import CullStats, Frustum
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.viewer.features.octree_view.cells import SceneCells
from octoscope.viewer.features.octree_view.comparison import TreeComparison, tree_over
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from tests.oracles import random_camera
from tests.viewer.features.octree_view.test_octree_display import SIZE, town
from tests.viewer.scenes import crowd


@pytest.mark.parametrize("placement", ("cell", "loose", "leaves"))
def test_another_tree_is_measured_and_shown_in_the_last_viewport(placement):
    view = town()
    view.layout.set_count(2)
    view.build_frames(SIZE)
    other = view.decoration(OctreeCells).comparison = TreeComparison(
        view.index, IndexSettings(placement=placement, split_level=2)
    )
    frustum = view.snapshot.frustum
    figures = other.measure(frustum)
    assert figures.visible == len(view.index.cull(frustum)) and figures.stats.spheres == len(view.index)
    cost = CullStats()
    view.index.cull(frustum, stats=cost)
    assert figures.cull_cost.nodes_visited > 0 and figures.cull_ms > 0.0 and figures.build_ms > 0.0
    first, second = (part.frame.helpers.cells for part in view.build_frames(SIZE))
    assert len(first) == len(view.decoration(OctreeCells).tree.cells().levels) and len(second) == len(
        other.cells().levels
    )
    assert other.cells().levels.max() <= 2
    view.decoration(OctreeCells).comparison = None
    first, second = (part.frame.helpers.cells for part in view.build_frames(SIZE))
    assert len(first) == len(second)


@pytest.mark.parametrize(
    "settings",
    [
        IndexSettings(),
        IndexSettings(placement="cell", capacity=1, split_level=6),
        IndexSettings(placement="leaves"),
        IndexSettings(placement="leaves", capacity=3, split_level=4),
    ],
)
def test_another_tree_holds_the_same_and_leaves_the_index_alone(settings):
    index = crowd(200, seed=3).index
    stats = index.stats()
    tree = tree_over(index, settings)
    assert len(tree) == len(index) and tree.capacity == settings.capacity
    frustum = Frustum.from_matrix(random_camera(np.random.default_rng(3), np.zeros(3), 10.0))
    own = index.cull(frustum)
    assert len(own) and np.mean(np.isin(own, tree.cull(frustum))) > 0.99  # float32 rounds about the middle of the root
    assert index.stats() == stats


def test_cells_are_listed_again_only_when_the_tree_has_changed():
    scene = crowd(200, seed=4)
    tree = SceneCells(scene.index)
    first = tree.cells()
    assert tree.cells() is first and first.counts.sum() == len(scene.index)
    node = int(scene.index.all_ids()[0])
    scene.delete([node])
    assert tree.cell_of(node) is None and tree.cells().counts.sum() == len(scene.index)
    scene.index.settings = IndexSettings(split_level=2)
    assert tree.cells().levels.max() <= 2 and tree.settings.split_level == 2
