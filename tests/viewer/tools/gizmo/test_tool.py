"""The gizmo as a person works it: intents in, edits out, over a scene with a picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Scene, apply, change_nodes
from octoscope.scene.editing import set_origin
from octoscope.scene.geometry.pyrr_transforms import rotation_about
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.viewer.tools.gizmo.frames import frame_of
from octoscope.viewer.tools.gizmo.handles import ARM
from octoscope.viewer.tools.gizmo.settings import MOVE, ROTATE, SCALE
from octoscope.viewer.tools.intents import KeyPress, RightClick
from octoscope.viewer.window.keys import Chord
from tests.oracles import local_matrix, random_quaternion
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.scenes import add_box_mesh, box_scene
from tests.viewer.tools.gizmo.hand import SIZE, Hand

SEEDS = st.integers(0, 2**32 - 1)


def family(seed: int, *, even: bool) -> Scene:
    """A parent that is moved, turned and scaled, a child with a box that is too, and a box beside them."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    mesh = add_box_mesh(scene)
    for name, parent in (("parent", -1), ("child", 0), ("beside", -1)):
        scale = rng.uniform(0.5, 2.0, 3) if not even or name == "child" else np.full(3, rng.uniform(0.5, 2.0))
        scene.add_node(
            name,
            parent=parent,
            mesh=mesh,
            translation=rng.uniform(-2.0, 2.0, 3),
            rotation=random_quaternion(rng),
            scale=scale,
        )
    scene.update_world()
    return scene


def local(scene: Scene, node: int) -> np.ndarray:
    return local_matrix(scene.translations[node], scene.rotations[node], scene.scales[node])


def linear4(matrix: np.ndarray) -> np.ndarray:
    whole = np.eye(4)
    whole[:3, :3] = matrix
    return whole


# What comes of it in each space, under scaled and turned parents, against matrices multiplied by hand.


@given(seed=SEEDS, axis=st.integers(0, 2), even=st.booleans())
@pytest.mark.parametrize("space", ("world", "local", "parent"))
def test_a_typed_move_goes_so_far_along_the_axis_of_the_space(seed, axis, even, space):
    hand = Hand(family(seed, even=even), 1)
    hand.tool.settings.space = space
    before = hand.worlds()
    turn = linear4(local_matrix(np.zeros(3), hand.scene.rotations[1], np.ones(3))[:3, :3])
    axes = {"world": np.eye(4), "local": before[0] @ turn, "parent": before[0]}[space]
    direction = axes[:3, axis] / np.linalg.norm(axes[:3, axis])
    hand.typed(MOVE, "XYZ"[axis], "-", "2", ".", "5")
    after = hand.worlds()
    np.testing.assert_allclose(after[1, :3, 3], before[1, :3, 3] - 2.5 * direction, atol=1e-9)
    np.testing.assert_array_equal(after[1, :3, :3], before[1, :3, :3])
    np.testing.assert_array_equal(after[[0, 2]], before[[0, 2]])
    assert hand.done == ["Move child"]


@given(seed=SEEDS, axis=st.integers(0, 2))
@pytest.mark.parametrize("space", ("local", "parent"))
def test_a_turn_in_its_own_or_its_parents_space_changes_its_rotation_alone_whatever_the_parent(seed, axis, space):
    hand = Hand(family(seed, even=False), 1)
    hand.tool.settings.space, hand.tool.settings.pivot = space, "individual"
    turn = linear4(rotation_about(np.eye(3)[axis], np.radians(30.0)))
    place = linear4(np.eye(3))
    place[:3, 3] = hand.scene.translations[1]
    inside = np.linalg.inv(place) @ local(hand.scene, 1)
    rotated = linear4(local_matrix(np.zeros(3), hand.scene.rotations[1], np.ones(3))[:3, :3])
    scaled = linear4(np.diag(hand.scene.scales[1]))
    expected = place @ (turn @ inside if space == "parent" else rotated @ turn @ scaled)
    before = hand.scene.translations[1].copy(), hand.scene.scales[1].copy()
    hand.typed(ROTATE, "XYZ"[axis], "3", "0")
    np.testing.assert_allclose(local(hand.scene, 1), expected, atol=1e-9)
    np.testing.assert_allclose(hand.scene.translations[1], before[0], atol=1e-12)
    np.testing.assert_allclose(hand.scene.scales[1], before[1], rtol=1e-9)
    assert hand.editor.log.toasts == []


@given(seed=SEEDS, axis=st.integers(0, 2))
def test_a_scale_along_its_own_axes_changes_its_scale_alone_whatever_the_parent(seed, axis):
    hand = Hand(family(seed, even=False), 1)
    hand.tool.settings.space, hand.tool.settings.pivot = "local", "individual"
    scale = hand.scene.scales[1].copy()
    scale[axis] *= 1.5
    rotation, translation = hand.scene.rotations[1].copy(), hand.scene.translations[1].copy()
    hand.typed(SCALE, "XYZ"[axis], "1", ".", "5")
    np.testing.assert_allclose(hand.scene.scales[1], scale, rtol=1e-9)
    np.testing.assert_allclose(np.abs(hand.scene.rotations[1] @ rotation), 1.0, atol=1e-12)
    np.testing.assert_allclose(hand.scene.translations[1], translation, atol=1e-12)
    assert hand.editor.log.toasts == []


@given(seed=SEEDS, axis=st.integers(0, 2))
@pytest.mark.parametrize("pivot", ("centre", "cursor"))
def test_mirroring_reflects_at_the_pivot_and_twice_changes_nothing(seed, axis, pivot):
    hand = Hand(family(seed, even=True), 1)
    hand.tool.settings.space, hand.tool.settings.pivot, hand.scene.cursor = (
        "local",
        pivot,
        np.array((3.0, -1.0, 0.5)),
    )
    before = hand.worlds()
    about = hand.tool.frame().origin
    normal = before[1, :3, axis] / np.linalg.norm(before[1, :3, axis])
    hand.tool.mirror(axis)
    reflected = before[1, :3, 3] - 2.0 * normal * (normal @ (before[1, :3, 3] - about))
    np.testing.assert_allclose(hand.worlds()[1, :3, 3], reflected, atol=1e-9)
    assert np.linalg.det(hand.worlds()[1, :3, :3]) * np.linalg.det(before[1, :3, :3]) < 0.0
    hand.tool.mirror(axis)
    np.testing.assert_allclose(hand.worlds(), before, atol=1e-9)
    assert hand.done == ["Scale child"] * 2


@given(seed=SEEDS, axis=st.integers(0, 2))
@pytest.mark.parametrize("pivot", ("centre", "median", "individual", "cursor", "active"))
@pytest.mark.parametrize("mode", (ROTATE, SCALE))
def test_a_turn_or_an_even_scale_of_several_goes_about_the_pivot(seed, axis, pivot, mode):
    hand = Hand(family(seed, even=True), 2, 1)
    hand.tool.settings.pivot, hand.scene.cursor = pivot, np.array((3.0, -1.0, 0.5))
    before = hand.worlds()
    lower, upper = hand.scene.bounds(np.array([1, 2]))
    pivots = {
        "centre": [(lower + upper) / 2.0] * 2,
        "median": [before[1:, :3, 3].mean(axis=0)] * 2,
        "individual": before[1:, :3, 3],
        "active": [before[1, :3, 3]] * 2,
        "cursor": [(3.0, -1.0, 0.5)] * 2,
    }[pivot]
    if mode == ROTATE:
        hand.typed(ROTATE, "XYZ"[axis], "-", "4", "0")
        change = rotation_about(np.eye(3)[axis], np.radians(-40.0))
    else:
        hand.typed(SCALE, "1", ".", "5")
        change = np.eye(3) * 1.5
    after = hand.worlds()
    for node, about in zip((1, 2), pivots, strict=True):
        place = np.eye(4)
        place[:3, 3] = about
        np.testing.assert_allclose(
            after[node], place @ linear4(change) @ np.linalg.inv(place) @ before[node], atol=1e-9
        )
    assert hand.done == [f"{'Rotate' if mode == ROTATE else 'Scale'} 2 objects"]


@pytest.mark.parametrize("pivot", ("individual", "median", "active"))
def test_an_object_whose_origin_lies_outside_of_it_turns_about_its_middle(pivot):
    hand = Hand(family(1, even=True), 1, 2)
    apply(hand.scene, set_origin(hand.scene, [1, 2], (50.0, 60.0, 70.0)))  # as all of an OBJ file have the file's
    hand.scene.update_world()
    hand.tool.settings.pivot, nodes = pivot, np.array([1, 2])
    before = world_boxes(hand.scene, nodes).mean(axis=1)
    about = {"individual": before, "median": before.mean(axis=0), "active": before[1]}[pivot]
    frame = hand.tool.frame()
    assert hand.tool.frame() is frame, "each picture asks, and goes through no vertices again"
    np.testing.assert_allclose(frame.origin, np.atleast_2d(about)[-1], atol=1e-9)
    hand.typed(ROTATE, "Y", "1", "8", "0")
    hand.scene.update_world()
    after = world_boxes(hand.scene, nodes).mean(axis=1)
    np.testing.assert_allclose(after, about + (before - about) * (-1, 1, -1), atol=1e-5)
    hand.tool.settings.pivot, hand.scene.cursor = "cursor", (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(hand.tool.frame().origin, (1.0, 2.0, 3.0))
    hand.scene.cursor = (4.0, 5.0, 6.0)
    np.testing.assert_array_equal(hand.tool.frame().origin, (4.0, 5.0, 6.0))


@given(seed=SEEDS)
def test_individual_pivots_move_each_along_its_own_axes(seed):
    hand = Hand(family(seed, even=False), 1, 2)
    hand.tool.settings.pivot, hand.tool.settings.space = "individual", "local"
    frames = [frame_of(hand.scene, np.array([node]), "local", "individual") for node in (1, 2)]
    before = hand.worlds()
    hand.typed(MOVE, "Z", "2")
    after = hand.worlds()
    for node, frame in zip((1, 2), frames, strict=True):
        np.testing.assert_allclose(after[node, :3, 3], before[node, :3, 3] + 2.0 * frame.directions[:, 2], atol=1e-9)


# As it is worked.


@pytest.mark.parametrize("axis", (0, 1, 2))
def test_dragging_an_arm_moves_along_it_alone_and_the_arm_stays_under_the_mouse(axis):
    hand = Hand(family(3, even=False), 1)
    hand.tool.set_mode(MOVE)
    before = hand.worlds()[1, :3, 3]
    origin = hand.tool.frame().origin
    start = hand.arm(axis)
    goal = hand.pixel(origin + 1.5 * np.eye(3)[axis])
    on_line = np.subtract(goal, hand.pixel(origin))
    end = tuple(np.add(start, 0.8 * on_line).tolist())
    hand.drag(start, tuple(np.add(start, 0.3 * on_line).tolist()), end)
    moved = hand.worlds()[1, :3, 3] - before
    assert abs(moved[axis]) > 0.3
    np.testing.assert_allclose(np.delete(moved, axis), 0.0, atol=1e-12)
    assert hand.done == ["Move child"]
    hand.editor.undo()
    np.testing.assert_array_equal(hand.worlds()[1, :3, 3], before)


@pytest.mark.parametrize("mode", (MOVE, ROTATE, SCALE))
@pytest.mark.parametrize("space", ("world", "local"))
@pytest.mark.parametrize("way", ("key", "click", "undo"))
def test_what_is_cancelled_is_as_it_was_to_the_bit(mode, space, way):
    hand = Hand(family(8, even=False), 0, 2)
    hand.tool.settings.space = space
    before = state(hand.scene)
    hand.tool.begin_modal(mode)
    for place in ((500.0, 200.0), (560.0, 330.0), (300.0, 250.0)):
        hand.hover(place)
    hand.press("Y")
    hand.hover((350.0, 100.0))
    hand.press("Y", "3")
    assert hand.tool.is_running and hand.editor.history.transaction is not None
    if way == "key":
        hand.press("Esc")
    elif way == "click":
        hand.tool.follow(RightClick(hand.place((400.0, 300.0))))
    else:
        hand.editor.undo()
    assert not hand.tool.is_running
    assert hand.editor.history.transaction is None
    assert_same_state(state(hand.scene), before)
    assert hand.done == ([f"{mode.capitalize()} 2 objects"] if way == "undo" else [])


def test_what_was_about_to_move_by_keys_rests_once_something_else_was_done():
    hand = Hand(box_scene(), 1)
    scene, editor = hand.scene, hand.editor
    editor.do(change_nodes(scene, [1], label="Move there", translation=(5.0, 0.0, 0.0)))
    states = [state(scene)]
    hand.tool.begin_modal(MOVE)
    editor.undo()  # from a menu, which keys cannot do meanwhile
    states.append(state(scene))
    hand.press("X", "7", "Enter")
    assert not hand.tool.is_running
    assert_same_state(state(scene), states[1])
    editor.redo()
    assert_same_state(state(scene), states[0])


def test_what_a_panel_changes_while_something_moves_by_keys_stays():
    hand = Hand(box_scene(), 1)
    scene, editor = hand.scene, hand.editor
    before = state(scene)
    hand.tool.begin_modal(MOVE)
    hand.press("X", "7")
    editor.begin_live().extend(change_nodes(scene, [1], label="Scale", scale=(2.0, 2.0, 2.0)))
    hand.press("8")
    editor.finish()
    assert not hand.tool.is_running
    assert scene.translations[1].tolist() == [7.0, 0.0, 0.0] and scene.scales[1].tolist() == [2.0, 2.0, 2.0]
    editor.undo()
    editor.undo()
    assert_same_state(state(scene), before)


def test_a_drag_that_was_cancelled_does_not_become_the_cameras():
    hand = Hand(box_scene(), 1)
    hand.tool.set_mode(MOVE)
    start = hand.arm(0)
    hand.drag(start, (start[0] + 50.0, start[1]), release=False)
    assert hand.tool.is_running
    before = hand.scene.translations.copy()
    assert (before[1] != (0.0, 0.0, 0.0)).any()
    hand.press("Esc")
    assert hand.scene.translations[1].tolist() == [0.0, 0.0, 0.0]
    assert hand.go_on(start, (start[0] + 90.0, start[1]))
    assert hand.go_on(start, (start[0] + 90.0, start[1]), is_last=True)
    assert hand.scene.translations[1].tolist() == [0.0, 0.0, 0.0]
    hand.drag((790.0, 590.0), (700.0, 500.0))
    assert not hand.tool.is_running, "what begins beside the handles is the camera's"


def test_the_mouse_takes_handles_only_where_they_are():
    hand = Hand(box_scene(), 1)
    assert not hand.hover((400.0, 300.0)), "there are no handles at first"
    hand.tool.set_mode(MOVE)
    assert hand.hover(hand.arm(1)) and hand.tool.hovered.axes == (1,)
    assert hand.click(hand.arm(1)), "a click on a handle selects nothing"
    assert not hand.click((20.0, 20.0)) and not hand.hover((20.0, 20.0))
    assert hand.tool.hovered is None
    hand.editor.select([])
    assert not hand.hover((400.0, 300.0))


def test_of_several_views_the_one_under_the_mouse_is_worked_in():
    hand = Hand(box_scene(), 1)
    view = hand.editor.view
    view.layout.set_count(4)
    view.build_frames(SIZE)
    hand.tool.set_mode(MOVE)
    top = hand.tool.projections()[1]
    assert top.area.corner[0] > 400.0 and top.area.corner[1] == 0.0 and top.camera.orthographic
    (arm,) = [h for h in hand.tool.handles(top) if (h.shape, h.axes) == (ARM, (0,))]
    start = tuple((arm.outline[0] + 0.7 * (arm.outline[1] - arm.outline[0])).tolist())
    assert hand.hover(start) and hand.tool.hovered.axes == (0,)
    hand.drag(start, (start[0] - 30.0, start[1] + 12.0))
    np.testing.assert_allclose(hand.scene.translations[1], (-30.0 * top.unit_per_pixel(np.zeros(3)), 0.0, 0.0))
    hand.hover((500.0, 100.0))
    hand.tool.begin_modal(MOVE)
    hand.hover((510.0, 100.0))
    hand.press("Enter")
    np.testing.assert_allclose(
        hand.scene.translations[1], (-20.0 * top.unit_per_pixel(np.zeros(3)), 0.0, 0.0), atol=1e-12
    )


def test_while_it_runs_no_other_key_does_anything_but_the_key_sheet_opens():
    hand = Hand(box_scene(), 1)
    hand.tool.begin_modal(MOVE)
    assert hand.tool.follow(KeyPress(Chord.parse("Del")))
    assert not hand.tool.follow(KeyPress(Chord.parse("F1")))
    hand.press("Enter")
    assert not hand.tool.follow(KeyPress(Chord.parse("Del")))
    assert hand.done == [], "what went nowhere is no entry"


def test_an_axis_twice_is_the_other_spaces_and_a_third_time_none():
    hand = Hand(family(4, even=False), 1)
    hand.tool.begin_modal(MOVE)
    hand.press("Z", "2")
    assert hand.tool.text() == "Move Z  [2|]  world"
    world = hand.worlds()[1, :3, 3]
    hand.press("Z")
    assert hand.tool.text() == "Move Z  [2|]  local"
    assert not np.allclose(hand.worlds()[1, :3, 3], world)
    hand.press("Z")
    assert hand.tool.text() == "Move XYZ  [2|]  -  -  world"
    hand.press("Shift+Y", "Tab", "3")
    assert hand.tool.text() == "Move XZ  2  [3|]  world"
    hand.press("Enter")
    assert hand.done == ["Move child"]


def test_moving_by_keys_begins_where_the_mouse_is_and_a_click_keeps_it():
    hand = Hand(box_scene(), 1)
    hand.hover((300.0, 200.0))
    hand.tool.begin_modal(MOVE)
    hand.hover((300.0, 200.0))
    np.testing.assert_allclose(hand.scene.translations[1], 0.0, atol=1e-12)
    hand.hover((360.0, 240.0))
    pixel = hand.projection.unit_per_pixel(np.zeros(3))
    right, up, _ = hand.projection.camera.axes
    np.testing.assert_allclose(hand.scene.translations[1], 60.0 * pixel * right - 40.0 * pixel * up, atol=1e-9)
    assert hand.click((360.0, 240.0))
    assert hand.done == ["Move green"] and not hand.tool.is_running


def test_what_would_have_to_be_sheared_is_said_once_and_only_when_it_is_kept():
    hand = Hand(family(11, even=False), 1)
    hand.tool.begin_modal(SCALE)
    hand.press("X", "3")
    assert hand.editor.log.toasts == []
    hand.press("Enter")
    assert len(hand.editor.log.toasts) == 1 and "shear" in hand.editor.log.toasts[0].text


def test_below_a_parent_of_no_size_nothing_moves_and_that_is_said():
    scene = family(2, even=True)
    scene.set_scales([0], [(0.0, 0.0, 0.0)])
    hand = Hand(scene, 1)
    hand.tool.begin_modal(MOVE)
    assert not hand.tool.is_running
    assert len(hand.editor.log.toasts) == 1


def test_a_hundred_thousand_objects_are_one_entry_and_come_back_to_the_bit():
    rng = np.random.default_rng(7)
    count = 100_000
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(
        [""] * count,
        mesh=mesh,
        translation=rng.normal(0.0, 50.0, (count, 3)),
        rotation=random_quaternion(rng, count),
        scale=rng.uniform(0.5, 2.0, (count, 3)),
    )
    scene.update_world()
    hand = Hand(scene, *range(count))
    hand.tool.settings.space, hand.tool.settings.pivot = "local", "individual"
    before = state(scene)
    for mode in (MOVE, ROTATE, SCALE):
        hand.tool.begin_modal(mode)
        for x in (420.0, 450.0):
            hand.hover((x, 250.0))
        hand.press("Y", "2", "Enter")
    assert hand.done == [f"{verb} 100,000 objects" for verb in ("Move", "Rotate", "Scale")]
    for _ in range(3):
        hand.editor.undo()
    assert_same_state(state(scene), before)


def test_units_and_expressions_are_typed_and_what_cannot_be_read_is_said_and_keeps_nothing():
    hand = Hand(box_scene(), 1)
    hand.scene.length_unit = "cm"

    def type_text(text: str) -> None:
        for character in text:
            hand.tool.follow(KeyPress(Chord(""), character))

    hand.tool.begin_modal(MOVE)
    hand.press("X")
    type_text("3/2 in")
    assert hand.tool.text() == "Move X  [3/2 in|]  world"
    hand.press("Enter")
    assert hand.scene.translations[1] == pytest.approx((3.81, 0.0, 0.0))
    hand.tool.begin_modal(MOVE)
    type_text("2 inn")
    hand.press("Enter")
    assert hand.tool.is_running and "'2 inn' is not a number" in hand.editor.log.toasts[-1].text
    hand.press("Backspace", "Enter")
    assert hand.scene.translations[1] == pytest.approx((8.89, 0.0, 0.0))
    hand.tool.begin_modal(ROTATE)
    type_text("3 in")
    hand.click((400.0, 300.0))
    assert hand.tool.is_running and "no unit goes here" in hand.editor.log.toasts[-1].text
