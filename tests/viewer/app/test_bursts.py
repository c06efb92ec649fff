"""Many events in one slow frame: each is judged by what those before it did, as if every frame had been quick."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

from scene import Scene
from tests.viewer.desk import Desk
from tests.viewer.scenes import street
from viewer.settings.config import WindowState
from viewer.tools.intents import Click, DoubleClick, Drag, Hover, KeyPress, Press, Zoom
from viewer.window.keys import Chord

FILTER = (120.0, 66.0)  # the outliner's field
SCENE = (310.0, 660.0)  # a point of the picture, where neither palette nor key sheet come
NAME = (1140.0, 66.0)  # the inspector's field


@pytest.fixture
def scene() -> Scene:
    return street()


@pytest.fixture
def desk(desk_over, scene) -> Desk:
    return desk_over(scene)


def chords(desk: Desk) -> list[str]:
    return [str(intent.chord) for intent in desk.followed if isinstance(intent, KeyPress)]


# Text fields that come and go.


def test_letters_typed_before_a_field_is_there_reach_it_and_the_key_after_it_is_a_command(desk, scene):
    desk.editor.select([4])
    desk.settle()
    desk.wires.press("F2", "O", "A", "K", "X", "Backspace", "Enter", "Ctrl+Z", "X")
    desk.settle()
    assert chords(desk) == ["F2", "Ctrl+Z", "X"]
    assert scene.names[4] == "tree"
    assert [entry.label for entry in desk.editor.history.entries] == ["Select tree", "Rename tree to oak"]
    assert desk.done == ["Select tree"]


def test_a_key_that_opens_a_field_is_not_typed_into_it(desk):
    desk.wires.press("Ctrl+F", "T", "R", "E", "E")
    desk.settle()
    assert desk.outliner.rows.query == "tree"
    desk.wires.press("Ctrl+F", "Ctrl+A", "H", "O", "Esc", "Esc", "X")  # the first Esc empties it
    desk.settle()
    assert chords(desk) == ["Ctrl+F", "Ctrl+F", "X"]


def test_one_field_after_another_gets_what_was_typed_for_it(desk, scene):
    desk.editor.select([4])
    desk.settle()
    desk.wires.press("F2", "O", "A", "K", "Ctrl+F", "H", "O", "U", "Enter")
    desk.settle()
    assert scene.names[4] == "oak", "leaving a field keeps what was typed"
    assert desk.outliner.rows.query == "hou"
    assert sorted(desk.selected) == [2, 3]


def test_a_modifier_that_is_let_go_of_first_or_pressed_too_soon_leaves_a_fields_keys_what_they_were(desk):
    held = ["tree"]
    desk.backend.join_clipboard(lambda text: held.append(text), lambda: held[-1])
    desk.click(FILTER)
    for key in "VAX":
        desk.wires.key_down("LEFT_CTRL")
        desk.frame()
        desk.wires.key_down(key)
        desk.wires.key_up("LEFT_CTRL")
        desk.wires.key_up(key)
        desk.settle()
        assert desk.outliner.rows.query == ("" if key == "X" else "tree")
    assert held == ["tree", "tree"]
    desk.wires.key_down("V", "v")
    desk.wires.key_down("LEFT_CTRL")
    desk.wires.key_up("V")
    desk.wires.key_up("LEFT_CTRL")
    desk.settle()
    assert desk.outliner.rows.query == "v", "nothing is pasted by a V that came before Ctrl"


def test_the_palette_runs_what_was_typed_in_one_go(desk):
    for query, name in (("theme light", "light"), ("theme dark", "dark")):
        desk.wires.press("Ctrl+P", *("Space" if letter == " " else letter for letter in query.upper()), "Enter")
        desk.settle()
        assert desk.shell.state.theme == name
    assert chords(desk) == ["Ctrl+P", "Ctrl+P"]


@pytest.mark.parametrize("key", ["F1", "Ctrl+P"])
def test_letters_after_a_key_that_closes_a_field_are_commands(desk, key):
    desk.wires.press(key)
    desk.settle()
    desk.wires.press("A", key, "X", "X")
    desk.settle()
    desk.wires.press(key, "A", key, "X")
    desk.settle()
    assert chords(desk) == [key, key, "X", "X", key, key, "X"]


def test_keys_do_not_wait_for_ever_for_a_field_that_does_not_come(desk):
    desk.shell.focus.expect_field()
    desk.wires.press("X", "Ctrl+Z")
    desk.settle()
    assert chords(desk) == ["X", "Ctrl+Z"]


def test_a_field_gets_the_keyboard_though_its_panel_only_appears(desk):
    desk.wires.press("Ctrl+Space")
    desk.settle()
    desk.wires.press("Ctrl+F", "T", "R", "Enter")
    desk.settle()
    assert desk.outliner.rows.query == "tr" and desk.selected == [1, 4]
    desk.wires.press("Ctrl+Space", "Ctrl+Space", "F2", "O", "A", "K", "Enter")
    desk.settle()
    assert desk.view.scene.names[4] == "oak"


def test_hiding_the_panels_takes_the_keyboard_from_their_field(desk):
    desk.wires.press("Ctrl+F", "T", "Ctrl+Space", "X")
    desk.settle()
    assert chords(desk) == ["Ctrl+F", "Ctrl+Space", "X"]


def test_a_question_gets_the_keys_that_follow_the_one_that_brought_it(desk, scene):
    desk.press("A", "Del")
    assert desk.document.is_unsaved
    desk.followed.clear()
    desk.wires.press("Ctrl+Q", "Esc", "Alt+A", "Ctrl+Q", "X", "Esc", "Alt+A")
    desk.settle()
    assert chords(desk) == ["Ctrl+Q", "Alt+A", "Ctrl+Q", "Alt+A"]
    assert desk.document.question is None and not desk.document.is_left


def test_a_file_box_gets_no_key_from_before_it_was_asked_for(desk):
    desk.editor.rename(4, "oak")
    desk.settle()
    desk.wires.press(*["Ctrl+Z"] * 10, "Q", "Home", "Ctrl+S", "End", "X", "Y")
    desk.settle()
    assert desk.shell.boxes.path.is_open and desk.shell.boxes.path._text == "scene.octo.jsonxy"


@pytest.mark.parametrize("frames_between", [0, 1])
@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (("Ctrl+A", "X"), "x"),
        (("Home", "Ctrl+Shift+RIGHT", "X"), "xcd"),
        (("Shift+Home", "X"), "x"),
        (("Ctrl+A", "Ctrl+X", "Ctrl+V", "Ctrl+V"), "ab cdab cd"),
    ],
)
def test_keys_that_are_pressed_quickly_in_a_field_keep_what_is_held_with_them(desk, keys, left, frames_between):
    desk.wires.click(FILTER)
    desk.wires.press("A", "B", "Space", "C", "D")
    desk.settle()
    for key in keys:
        desk.wires.press(key)
        for _ in range(frames_between):
            desk.frame()
    desk.settle()
    assert desk.outliner.rows.query == left


def test_a_key_that_is_held_does_not_repeat_into_the_field_that_it_has_brought(desk_over, scene):
    desk = desk_over(scene, rebound={"select.find": ("N",)})
    wires = desk.wires
    wires.key_down("N", "n")
    for _ in range(20):  # held keys come as characters alone
        wires.type("n")
        desk.frame()
    wires.key_up("N")
    desk.settle()
    assert desk.backend.wants_keyboard and desk.outliner.rows.query == ""
    wires.key_down("N", "n")
    wires.type("n")
    wires.key_up("N")
    desk.settle()
    assert desk.outliner.rows.query == "nn", "and held again it is the field's"


def test_what_follows_the_key_that_leaves_a_scene_is_for_the_next_one(desk_over, scene):
    desk = desk_over(scene)
    desk.wires.key_down("LEFT_CTRL")
    desk.wires.press("N")
    desk.wires.press("P")
    desk.wires.key_up("LEFT_CTRL")
    desk.wires.press("A", "D", "D")
    for intent in desk.input.take():
        desk.follow(intent)
        if desk.document.is_left:
            break
    assert chords(desk) == ["Ctrl+N"]
    desk.show(Scene())
    assert chords(desk) == ["Ctrl+N", "Ctrl+P"]
    assert desk.backend.wants_keyboard
    desk.press("Esc", "X")
    assert chords(desk) == ["Ctrl+N", "Ctrl+P", "X"], "nothing is held any more"


# The mouse.


def test_letters_after_a_click_into_a_field_are_for_the_field(desk, scene):
    desk.editor.select([4])
    desk.settle()
    desk.wires.click(FILTER)
    desk.wires.press("X", "Del", "T", "R")
    desk.settle()
    assert desk.outliner.rows.query == "xtr"
    assert chords(desk) == [] and len(scene) == 5


def test_letters_after_a_click_into_the_picture_are_commands_and_what_was_typed_before_counts(desk, scene):
    desk.editor.select([4])
    desk.settle()
    desk.wires.press("F2", "O", "A", "K")
    desk.wires.click(SCENE)
    desk.wires.press("Ctrl+Z", "Ctrl+Z", "X")
    desk.settle()
    assert chords(desk) == ["F2", "Ctrl+Z", "Ctrl+Z", "X"]
    labels = [entry.label for entry in desk.editor.history.entries]
    assert labels == ["Select tree", "Rename tree to oak", "Select nothing"]
    assert desk.done == ["Select tree"] and scene.names[4] == "tree"


def test_a_click_after_a_key_that_opens_a_panel_is_for_the_panel(desk):
    desk.wires.press("Ctrl+Space")
    desk.settle()
    desk.followed.clear()
    desk.wires.press("Ctrl+Space")
    desk.wires.click(desk.row_of(4))
    desk.wires.press("Ctrl+Space")
    desk.wires.click(desk.row_of(4))
    desk.settle()
    assert desk.done[0] == "Select tree"
    assert [type(intent) for intent in desk.followed if not isinstance(intent, Hover)] == [
        KeyPress,
        KeyPress,
        Press,
        Click,
    ]


def test_what_the_arrow_keys_do_in_a_panel_comes_before_the_next_command(desk):
    desk.wires.click(desk.row_of(0))
    desk.wires.press("Down", "Down", "Del")
    desk.settle()
    assert desk.done == ["Select town", "Select street", "Select tree", "Delete tree"]


def test_a_double_click_is_one_by_when_its_clicks_came_and_not_by_when_there_was_time(desk):
    wires = desk.wires
    for pause, expected in ((0.1, [DoubleClick]), (0.6, [Click])):
        desk.followed.clear()
        wires.click(SCENE)
        wires.seconds += pause
        wires.click(SCENE)
        desk.settle()
        assert [type(intent) for intent in desk.followed if isinstance(intent, Click | DoubleClick)] == [
            Click,
            *expected,
        ]
        wires.seconds += 2.0
    pivot = desk.view.camera.pivot
    wires.click(desk.row_of(4))
    wires.seconds += 0.6
    wires.click(desk.row_of(4))
    desk.settle()
    np.testing.assert_array_equal(desk.view.camera.pivot, pivot)
    wires.seconds += 2.0
    wires.click(desk.row_of(4))
    wires.seconds += 0.3
    wires.click(desk.row_of(4))
    desk.settle()
    np.testing.assert_allclose(desk.view.camera.pivot, (9.0, 0.0, 0.0), atol=0.1)


def test_clicks_between_which_there_was_a_slow_frame_are_a_double_one_if_they_can_be(desk):
    wires = desk.wires
    for waited, expected in ((0.9, DoubleClick), (0.1, Click)):
        desk.followed.clear()
        wires.click(SCENE)
        wires.seconds += 1.0
        wires.waited_seconds = waited
        wires.click(SCENE)
        desk.settle()
        assert type(desk.followed[-1]) is expected
        wires.seconds += 3.0


def test_a_drag_in_the_picture_is_not_held_back(desk):
    wires = desk.wires
    wires.move(SCENE)
    wires.button_down()
    for step in range(1, 40):
        wires.move((SCENE[0] + 3.0 * step, SCENE[1]))
    wires.button_up()
    desk.frame()
    drags = [intent for intent in desk.followed if isinstance(intent, Drag)]
    assert drags[0].is_first and drags[-1].is_last
    assert sum(drag.dx for drag in drags) == 3.0 * 39


def test_of_moves_in_a_row_the_last_one_counts_and_others_stay_where_they_were(desk):
    wires = desk.wires
    for step in range(10):
        wires.move((SCENE[0] + step, SCENE[1]))
    wires.press("X")
    for step in range(10):
        wires.move((SCENE[0] - step, SCENE[1]))
    wires.scroll(1.0)
    desk.settle()
    left, top = desk.shell.picture.left, desk.shell.picture.top
    right, back = (desk.view.locate((SCENE[0] + dx - left, SCENE[1] - top)) for dx in (9.0, -9.0))
    assert desk.followed == [
        Hover(right),
        KeyPress(Chord("X")),
        Hover(back),
        Zoom(1.0, back),
    ]


def test_what_is_held_when_the_window_loses_the_focus_is_released(desk, scene):
    parents = scene.parents.copy()
    for _ in range(2):
        desk.move(desk.row(0))
        desk.wires.key_down("LEFT_SHIFT")
        desk.wires.key_down("LEFT_CTRL")
        desk.wires.button_down()
        desk.settle()
        assert imgui.is_mouse_down(0) and imgui.get_io().key_shift
        desk.wires.lose_focus()
        desk.settle()
        io = imgui.get_io()
        assert not (imgui.is_mouse_down(0) or io.key_shift or io.key_ctrl)
    desk.wires._held = None
    desk.move(desk.row(2))
    desk.settle()
    assert np.array_equal(scene.parents, parents), "nothing is dragged any more"
    desk.click(desk.row(0))
    assert desk.selected == [desk.outliner.rows.ids[0]]


def test_a_burst_does_the_same_as_the_same_events_one_by_one(desk_over, tmp_path, monkeypatch):
    """Random walks of keys and clicks, whose order decides what each of them is for."""
    monkeypatch.chdir(tmp_path)  # a click may write a picture
    rng = np.random.default_rng(7)
    keys = [
        "F2",
        "F1",
        "Ctrl+F",
        "Ctrl+P",
        "Esc",
        "Enter",
        "Tab",
        "A",
        "T",
        "Backspace",
        "Ctrl+Z",
        "Del",
        "Ctrl+Space",
        "Down",
        "Left",
        "Right",
        "H",
        "Ctrl+D",
    ]
    for _ in range(6):
        walk = [
            ("key", keys[rng.integers(len(keys))]) if rng.random() < 0.8 else ("click", rng.integers(4))
            for _ in range(16)
        ]
        ends = []
        for in_one_go in (False, True):
            own = street()
            desk = desk_over(own, state=WindowState())
            for kind, what in walk:
                if kind == "key":
                    desk.wires.press(what)
                else:
                    places = (FILTER, SCENE, NAME, desk.row(1))
                    desk.wires.click(places[what])
                    desk.wires.seconds += 1.0
                if not in_one_go:
                    desk.settle()
            desk.settle()
            ends.append((chords(desk), desk.done, desk.selected, own.names.tolist(), desk.outliner.rows.query))
        assert ends[0] == ends[1], " ".join(str(what) for _, what in walk)
