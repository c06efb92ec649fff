"""Pictures of small objects with fewer triangles."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.viewer.rendering.renderer import Renderer
from tests.cases import quick
from tests.viewer.frame.test_detail_levels import crowd_of_balls
from tests.viewer.scenes import picture, view_of


@pytest.mark.parametrize("indirect", quick((False, True), 1))
def test_a_picture_with_fewer_triangles_is_about_the_same_on_both_ways_of_drawing(ctx, indirect) -> None:
    view = view_of(crowd_of_balls(), distance=150.0)
    renderer = Renderer(ctx, indirect=indirect)
    try:
        full = picture(renderer, view).astype(int)
        triangles = view.stats.triangles
        view.settings.simplifying = True
        assert np.array_equal(picture(renderer, view), full), "nobody has made levels yet"
        view.builder.levels.add(view.builder.levels.missing()())
        fewer = picture(renderer, view).astype(int)
        assert view.stats.triangles < 0.75 * triangles
        view.settings.simplifying = False
        assert np.array_equal(picture(renderer, view), full)
    finally:
        renderer.release()
    there = (full != full[0, 0]).any(axis=2)
    assert np.count_nonzero(there) > 500
    difference = np.abs(fewer - full).max(axis=2)
    assert difference.max() > 0 and difference[there].mean() < 8.0
    assert np.abs((fewer - full)[there].mean(axis=0)).max() < 2.0
