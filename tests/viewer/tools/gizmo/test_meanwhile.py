"""Shift, Ctrl and camera moves during a drag of the gizmo."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.viewer.tools.camera_tool import CameraTool
from octoscope.viewer.tools.gizmo.settings import MOVE
from octoscope.viewer.tools.intents import Drag, FlySpeed, Press, Steering, Zoom
from octoscope.viewer.window.drags import LOOK, PAN
from tests.viewer.scenes import box_scene
from tests.viewer.tools.gizmo.hand import SIZE, Hand


def test_shift_is_ten_times_finer_with_the_mouse_and_by_keys_and_so_are_steps():
    def moved(hand: Hand) -> float:
        return float(hand.scene.translations[1, 0])

    coarse, fine = (Hand(box_scene(), 1) for _ in range(2))
    for hand, shift in ((coarse, False), (fine, True)):
        hand.tool.set_mode(MOVE)
        start = hand.arm(0)
        hand.drag(start, tuple(np.add(start, (70.0, 10.0))), shift=shift)
    assert moved(coarse) > 0.3 and moved(fine) == pytest.approx(0.1 * moved(coarse))
    hand = Hand(box_scene(), 1)
    hand.hover((300.0, 200.0))
    hand.tool.begin_modal(MOVE)
    hand.press("X")
    hand.hover((340.0, 220.0), shift=True)
    finely = moved(hand)
    hand.hover((340.0, 220.0))
    assert moved(hand) == finely != 0.0, "letting go of Shift moves nothing"
    hand.press("X", "X", "Z", "X")
    assert moved(hand) == 0.0 or moved(hand) == pytest.approx(finely), "nor do other axes"
    hand.press("Esc")
    assert moved(hand) == 0.0
    hand.tool.begin_modal(MOVE)
    hand.press("X")
    hand.hover((420.0, 260.0), shift=True, ctrl=True)
    tenths = 10.0 * moved(hand)
    assert tenths == pytest.approx(round(tenths)) and tenths % 10.0 != 0.0


def test_while_moving_by_keys_the_camera_moves_and_what_moves_stays_where_it_is():
    hand = Hand(box_scene(), 1)
    view = hand.editor.view
    steering = CameraTool(view)
    hand.hover((400.0, 300.0))
    hand.tool.begin_modal(MOVE)
    hand.hover((450.0, 330.0))
    there = hand.worlds()[1]
    for gesture in (
        Press(hand.place((400.0, 300.0))),
        Steering(PAN, 40.0, -25.0),
        Steering(LOOK, 10.0, 5.0),
        Zoom(3.0, hand.place((320.0, 240.0))),
        FlySpeed(1.0),
    ):
        assert not hand.tool.follow(gesture), "it is the camera's"
        if not isinstance(gesture, Press):
            steering.follow(gesture)
        view.build_frames(SIZE)
        assert (hand.worlds()[1] == there).all()
    hand.hover((200.0, 150.0))
    np.testing.assert_allclose(hand.worlds()[1], there, atol=1e-9, err_msg="the first move tells where the mouse is")
    goal = there[:3, 3] + 0.8 * view.camera.axes[0]
    begin, end = hand.pixel(there[:3, 3]), hand.pixel(goal)
    hand.hover(tuple(np.add((200.0, 150.0), np.subtract(end, begin))))
    np.testing.assert_allclose(hand.worlds()[1, :3, 3], goal, atol=0.05, err_msg="across the view as it is now")
    now = hand.worlds()[1, 0, 3]
    hand.press("X")
    np.testing.assert_allclose(hand.scene.translations[1], (now, 0.0, 0.0), atol=1e-9)
    middle = hand.place((400.0, 300.0))
    assert hand.tool.follow(Drag(1.0, 1.0, middle, middle, is_first=True)), "the left button is the tool's"
    hand.press("Esc")
    assert hand.done == [] and not hand.scene.translations[1].any()


def test_moving_by_keys_ends_with_the_viewport_that_it_goes_on_in():
    hand = Hand(box_scene(), 1)
    view = hand.editor.view
    view.layout.set_count(4)
    view.build_frames(SIZE)
    hand.hover((600.0, 450.0))
    hand.tool.begin_modal(MOVE)
    hand.hover((640.0, 470.0))
    there = hand.worlds()[1]
    view.layout.set_count(1)
    view.build_frames(SIZE)
    hand.hover((300.0, 200.0))
    assert not hand.tool.is_running and (hand.worlds()[1] == there).all() and len(hand.done) == 1


def test_ctrl_turns_snapping_about():
    hand = Hand(box_scene(), 1)
    hand.tool.set_mode(MOVE)
    start = hand.arm(0)
    end = tuple(np.add(start, np.multiply(1.3, np.subtract(hand.pixel((1.0, 0.0, 0.0)), hand.pixel((0.0, 0.0, 0.0))))))
    hand.drag(start, end, ctrl=True)
    assert hand.scene.translations[1].tolist() == [1.0, 0.0, 0.0]
    hand.tool.settings.snaps = True
    hand.editor.undo()
    hand.drag(hand.arm(0), end, ctrl=True)
    assert hand.scene.translations[1, 0] not in (0.0, 1.0, 2.0)
