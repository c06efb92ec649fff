"""Another tree over the same objects: what it costs, and its nodes in the picture."""

from __future__ import annotations

import pytest

from octoscope.octree import CullStats
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.viewer.features.octree_view.comparison import TreeComparison
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from tests.viewer.features.octree_view.test_octree_display import SIZE, town


@pytest.mark.parametrize("placement", ("cell", "loose", "leaves"))
def test_another_tree_is_measured_and_shown_in_the_last_viewport(placement):
    view = town()
    view.set_viewport_count(2)
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
    assert len(first) == len(view.index.cells().levels) and len(second) == len(other.cells().levels)
    assert other.cells().levels.max() <= 2
    view.decoration(OctreeCells).comparison = None
    first, second = (part.frame.helpers.cells for part in view.build_frames(SIZE))
    assert len(first) == len(second)
