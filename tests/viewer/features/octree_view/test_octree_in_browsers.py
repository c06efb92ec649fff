"""Nodes of the octree in browsers."""

import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.viewer.features.octree_view.browser import BrowserOctree
from octoscope.viewer.features.octree_view.cells import SceneCells
from tests.viewer.features.web.serving import served_to_one
from tests.viewer.features.web.test_session import cubes


def test_the_octree_is_shown():
    scene = cubes(30)
    with served_to_one(scene) as (served, _):
        overlays = served.session._overlays
        (part,) = (part for part in served.session._panel._features if isinstance(part, BrowserOctree))
        part.is_shown = True
        served.until(lambda: "octree" in overlays._handles, "the octree")
        cells = SceneCells(scene.index).cells()
        assert overlays._handles["octree"].points.shape == (12 * len(cells.levels), 2, 3)
        part.is_shown = False
        served.until(lambda: not overlays._handles, "the octree to go")
