"""Long work is shared out over turns, and all of it is done in the end."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.app import app as pace_module
from octoscope.viewer.app.app import FrameBudget, FrameStage
from octoscope.viewer.frame.view import View
from tests.viewer.scenes import add_box_mesh


@pytest.fixture
def always_long(monkeypatch):
    monkeypatch.setattr(pace_module, "_LONG_SECONDS", 0.0)


def test_a_quick_turn_does_everything(monkeypatch):
    monkeypatch.setattr(pace_module, "_LONG_SECONDS", 1e9)
    pace = FrameBudget()
    pace.begin()
    assert not any(pace.puts_off(stage) for stage in FrameStage)


def test_someone_who_never_stops_is_shown_a_picture_all_the_same(always_long):
    pace, turns, pictures = FrameBudget(), 0, []
    while len(pictures) < 3:
        pace.begin()
        turns += 1
        if not any(pace.puts_off(stage) for stage in FrameStage):
            pictures.append(turns)
            pace.end()
    assert pictures == [5, 10, 15]


def test_a_change_of_much_reaches_world_and_octree_a_turn_each_before_the_panels(always_long):
    scene = Scene()
    node = scene.add_node("box", mesh=add_box_mesh(scene))
    view, pace = View(scene), FrameBudget()
    scene.set_translations([node.id], (50.0, 0.0, 0.0))
    ready, was_stale = [], []
    for _ in range(4):
        pace.begin()
        ready.append(pace.update(view))
        was_stale.append(scene.is_stale)
    assert ready == [False, False, False, True] and was_stale == [True, True, False, False]
    np.testing.assert_allclose(scene.index.bounds()[0], [49.0, -1.0, -1.0], atol=1.0)
