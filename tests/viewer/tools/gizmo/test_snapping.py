"""Moves snap to what the picture shows under the mouse."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene.editing import duplicate
from octoscope.viewer.tools.gizmo.handles import MIDDLE
from octoscope.viewer.tools.gizmo.settings import EDGES, FACES, MOVE, VERTICES
from tests.oracles import random_quaternion
from tests.viewer.scenes import add_mesh, box_scene
from tests.viewer.tools.gizmo.hand import SIZE, Hand


@pytest.mark.parametrize("target", (VERTICES, EDGES, FACES))
def test_a_move_snaps_to_what_lies_under_the_mouse_and_does_not_move_itself(target):
    hand = Hand(box_scene(), 1)
    settings = hand.tool.settings
    settings.snaps, settings.target = True, target
    hand.tool.set_mode(MOVE)
    corner = np.array((1.5, 0.5, 0.5))  # of the blue box, towards the camera
    expected = {VERTICES: corner, EDGES: corner - (0.0, 0.5, 0.0), FACES: (2.0, 0.5, 0.0)}[target]
    place = hand.pixel(expected)
    if target == VERTICES:  # beside the box, before another one behind it
        place = tuple(np.subtract(place, (9.0, 3.0)).tolist())
        hand.scene.add_node("behind", mesh=0, translation=(1.5, 0.5, -2.0), scale=4.0)
        hand.editor.view.build_frames(SIZE)
    middle = next(h for h in hand.tool.handles(hand.projection) if h.shape == MIDDLE)
    start = tuple(middle.outline[0].tolist())
    hand.drag(start, start, place, release=False)
    assert hand.tool.snapped_to is not None
    hand.go_on(start, place, is_last=True)
    np.testing.assert_allclose(hand.scene.translations[1], expected, atol=1e-9)
    assert hand.done == ["Move green"]


@pytest.mark.parametrize("aligns", (False, True))
def test_what_snaps_to_a_face_is_turned_along_its_normal_if_wanted(aligns):
    scene = box_scene()
    begin = random_quaternion(np.random.default_rng(1))
    scene.set_rotations([1], begin)
    hand = Hand(scene, 1)
    settings = hand.tool.settings
    settings.snaps, settings.target, settings.aligns = True, FACES, aligns
    hand.tool.begin_modal(MOVE)
    side = (2.0, 0.2, 0.5)  # of the blue box, whose normal there is +Z
    hand.hover(hand.pixel((0.0, 0.0, 0.0)))
    hand.hover(hand.pixel(side))
    hand.press("Enter")
    scene.update_world()
    np.testing.assert_allclose(scene.translations[1], side, atol=1e-9)
    if aligns:
        np.testing.assert_allclose(scene.world_from_local[1, :3, 1], (0.0, 0.0, 1.0), atol=1e-9)
    else:
        np.testing.assert_array_equal(scene.rotations[1], begin)


@pytest.mark.parametrize("elements", ({"lines": np.array([(0, 1)])}, {"points": np.array([0, 1])}))
def test_a_move_snaps_to_the_vertices_of_lines_and_to_points(elements):
    scene = box_scene()
    end = np.array((1.5, 2.0, 0.5))
    scene.add_node(
        "thin", mesh=add_mesh(scene, np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]), **elements), translation=end
    )
    hand = Hand(scene, 1)
    hand.tool.settings.snaps, hand.tool.settings.target = True, VERTICES
    hand.tool.set_mode(MOVE)
    middle = next(h for h in hand.tool.handles(hand.projection) if h.shape == MIDDLE)
    start, place = tuple(middle.outline[0].tolist()), tuple(np.add(hand.pixel(end), (1.0, 1.0)).tolist())
    hand.drag(start, start, place)
    np.testing.assert_allclose(hand.scene.translations[1], end, atol=1e-9)


@pytest.mark.parametrize("target", (VERTICES, FACES))
def test_what_moves_by_keys_while_the_mouse_is_beside_the_picture_snaps_to_nothing(target):
    hand = Hand(box_scene(), 1)
    hand.tool.settings.target, hand.tool.settings.snaps = target, True
    hand.tool.begin_modal(MOVE)
    hand.press("X")
    assert hand.tool.is_running and hand.tool.snapped_to is None
    assert hand.scene.translations[1].tolist() == [0.0, 0.0, 0.0]
    hand.press("3", "Enter")
    assert hand.scene.translations[1].tolist() == [3.0, 0.0, 0.0]


def test_what_is_newer_than_the_picture_snaps_to_what_the_picture_shows():
    hand = Hand(box_scene(), 1)
    hand.tool.settings.target, hand.tool.settings.snaps = FACES, True
    hand.click(hand.pixel((2.0, 0.0, 0.0)))
    hand.editor.run(duplicate, [1])  # and no picture since
    (copy,) = hand.editor.selected_ids.tolist()
    hand.tool.begin_modal(MOVE)
    hand.hover(hand.pixel((0.0, 0.0, 0.0)))
    place = hand.pixel((2.0, 0.0, 0.0))
    hand.hover(place)
    hand.click(place)
    assert hand.scene.translations[copy, 0] > 1.0 and hand.scene.translations[1].tolist() == [0.0, 0.0, 0.0]
