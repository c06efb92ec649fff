"""Nudges: along which axes, how far, and how many are one entry of the history."""

from __future__ import annotations

import numpy as np

from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.tools.nudging import Nudger
from tests.viewer.scenes import box_scene
from tests.viewer.tools.gizmo.hand import Hand


def test_nudges_that_follow_soon_are_one_entry_and_undone_together():
    hand = Hand(box_scene(), 1)
    seconds = 0.0
    hand.editor.view.redraw.clock = lambda: seconds
    hand.tool.settings.step = 0.5
    nudger = Nudger(hand.editor, hand.tool.settings)
    for _ in range(3):
        nudger.nudge(1, 0)
        seconds += 0.9
    nudger.nudge(0, 0.1)
    np.testing.assert_allclose(hand.scene.translations[1], (1.5, 0.05, 0.0), atol=1e-12)
    assert hand.done == ["Nudge green"]
    seconds += 1.1
    nudger.nudge(-1, 0)
    assert hand.done == ["Nudge green"] * 2
    hand.editor.undo()
    nudger.nudge(0, -1)  # soon after, but what it would go on with is not the last entry
    assert hand.done == ["Nudge green"] * 2
    hand.editor.undo()
    hand.editor.undo()
    np.testing.assert_array_equal(hand.scene.translations[1], 0.0)


def test_each_arrow_goes_along_the_axis_that_leads_there_in_the_picture():
    for yaw, right in ((0.0, (1, 0, 0)), (90.0, (0, 0, -1)), (200.0, (-1, 0, 0)), (-80.0, (0, 0, 1))):
        for pitch, up in ((20.0, (0, 1, 0)), (89.0, tuple(np.cross((0, 1, 0), right).tolist()))):
            hand = Hand(
                box_scene(),
                1,
                camera=Camera(np.zeros(3), distance=12.0, yaw_rad=np.radians(yaw), pitch_rad=np.radians(pitch)),
            )
            nudger = Nudger(hand.editor, hand.tool.settings)
            nudger.nudge(1, 0)
            nudger.nudge(0, 2)
            np.testing.assert_allclose(hand.scene.translations[1], np.add(right, np.multiply(2.0, up)), atol=1e-12)
