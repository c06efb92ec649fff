"""Many events in one slow frame: each is judged by what those before it did, as if every frame had been quick."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.tools.intents import Click, DoubleClick, Drag, Hover, KeyPress, Press, Zoom
from octoscope.viewer.window.keys import Chord
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import street

FILTER = (120.0, 66.0)  # the outliner's field
SCENE = (310.0, 660.0)  # a point of the picture, where neither palette nor key sheet come
NAME = (1140.0, 66.0)  # the inspector's field


@pytest.fixture
def scene() -> Scene:
    return street()


@pytest.fixture
def app(open_app, scene) -> HeadlessApp:
    return open_app(scene)


def chords(app: HeadlessApp) -> list[str]:
    return [str(intent.chord) for intent in app.followed if isinstance(intent, KeyPress)]


# Text fields that come and go.


def test_letters_typed_before_a_field_is_there_reach_it_and_the_key_after_it_is_a_command(app, scene):
    app.editor.select([4])
    app.settle()
    app.window.press("F2", "O", "A", "K", "X", "Backspace", "Enter", "Ctrl+Z", "X")
    app.settle()
    assert chords(app) == ["F2", "Ctrl+Z", "X"]
    assert scene.names[4] == "tree"
    assert [entry.label for entry in app.editor.history.entries] == ["Select tree", "Rename tree to oak"]
    assert app.done == ["Select tree"]


def test_a_key_that_opens_a_field_is_not_typed_into_it(app):
    app.window.press("Ctrl+F", "T", "R", "E", "E")
    app.settle()
    assert app.outliner.rows.query == "tree"
    app.window.press("Ctrl+F", "Ctrl+A", "H", "O", "Esc", "Esc", "X")  # the first Esc empties it
    app.settle()
    assert chords(app) == ["Ctrl+F", "Ctrl+F", "X"]


def test_one_field_after_another_gets_what_was_typed_for_it(app, scene):
    app.editor.select([4])
    app.settle()
    app.window.press("F2", "O", "A", "K", "Ctrl+F", "H", "O", "U", "Enter")
    app.settle()
    assert scene.names[4] == "oak", "leaving a field keeps what was typed"
    assert app.outliner.rows.query == "hou"
    assert sorted(app.selected) == [2, 3]


def test_a_modifier_that_is_let_go_of_first_or_pressed_too_soon_leaves_a_fields_keys_what_they_were(app):
    held = ["tree"]
    app.backend.join_clipboard(lambda text: held.append(text), lambda: held[-1])
    app.click(FILTER)
    for key in "VAX":
        app.window.key_down("LEFT_CTRL")
        app.frame()
        app.window.key_down(key)
        app.window.key_up("LEFT_CTRL")
        app.window.key_up(key)
        app.settle()
        assert app.outliner.rows.query == ("" if key == "X" else "tree")
    assert held == ["tree", "tree"]
    app.window.key_down("V", "v")
    app.window.key_down("LEFT_CTRL")
    app.window.key_up("V")
    app.window.key_up("LEFT_CTRL")
    app.settle()
    assert app.outliner.rows.query == "v", "nothing is pasted by a V that came before Ctrl"


def test_the_palette_runs_what_was_typed_in_one_go(app):
    for query, name in (("theme light", "light"), ("theme dark", "dark")):
        app.window.press("Ctrl+P", *("Space" if letter == " " else letter for letter in query.upper()), "Enter")
        app.settle()
        assert app.shell.settings.config.theme == name
    assert chords(app) == ["Ctrl+P", "Ctrl+P"]


@pytest.mark.parametrize("key", ["F1", "Ctrl+P"])
def test_letters_after_a_key_that_closes_a_field_are_commands(app, key):
    app.window.press(key)
    app.settle()
    app.window.press("A", key, "X", "X")
    app.settle()
    app.window.press(key, "A", key, "X")
    app.settle()
    assert chords(app) == [key, key, "X", "X", key, key, "X"]


def test_keys_do_not_wait_for_ever_for_a_field_that_does_not_come(app):
    app.shell.focus.expect_field()
    app.window.press("X", "Ctrl+Z")
    app.settle()
    assert chords(app) == ["X", "Ctrl+Z"]


def test_a_field_gets_the_keyboard_though_its_panel_only_appears(app):
    app.window.press("Ctrl+Space")
    app.settle()
    app.window.press("Ctrl+F", "T", "R", "Enter")
    app.settle()
    assert app.outliner.rows.query == "tr" and app.selected == [1, 4]
    app.window.press("Ctrl+Space", "Ctrl+Space", "F2", "O", "A", "K", "Enter")
    app.settle()
    assert app.view.scene.names[4] == "oak"


def test_hiding_the_panels_takes_the_keyboard_from_their_field(app):
    app.window.press("Ctrl+F", "T", "Ctrl+Space", "X")
    app.settle()
    assert chords(app) == ["Ctrl+F", "Ctrl+Space", "X"]


def test_a_question_gets_the_keys_that_follow_the_one_that_brought_it(app, scene):
    app.press("A", "Del")
    assert app.document.is_unsaved
    app.followed.clear()
    app.window.press("Ctrl+Q", "Esc", "Alt+A", "Ctrl+Q", "X", "Esc", "Alt+A")
    app.settle()
    assert chords(app) == ["Ctrl+Q", "Alt+A", "Ctrl+Q", "Alt+A"]
    assert app.document.question is None and not app.document.is_left


def test_a_file_box_gets_no_key_from_before_it_was_asked_for(app):
    app.editor.rename(4, "oak")
    app.settle()
    app.window.press(*["Ctrl+Z"] * 10, "Q", "Home", "Ctrl+S", "End", "X", "Y")
    app.settle()
    assert app.shell.boxes.path.is_open and app.shell.boxes.path._text == "scene.octo.jsonxy"


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
def test_keys_that_are_pressed_quickly_in_a_field_keep_what_is_held_with_them(app, keys, left, frames_between):
    app.window.click(FILTER)
    app.window.press("A", "B", "Space", "C", "D")
    app.settle()
    for key in keys:
        app.window.press(key)
        for _ in range(frames_between):
            app.frame()
    app.settle()
    assert app.outliner.rows.query == left


def test_a_key_that_is_held_does_not_repeat_into_the_field_that_it_has_brought(open_app, scene):
    app = open_app(scene, rebound={"select.find": ("N",)})
    window = app.window
    window.key_down("N", "n")
    for _ in range(20):  # held keys come as characters alone
        window.type("n")
        app.frame()
    window.key_up("N")
    app.settle()
    assert app.backend.wants_keyboard and app.outliner.rows.query == ""
    window.key_down("N", "n")
    window.type("n")
    window.key_up("N")
    app.settle()
    assert app.outliner.rows.query == "nn", "and held again it is the field's"


def test_what_follows_the_key_that_leaves_a_scene_is_for_the_next_one(open_app, scene):
    app = open_app(scene)
    app.window.key_down("LEFT_CTRL")
    app.window.press("N")
    app.window.press("P")
    app.window.key_up("LEFT_CTRL")
    app.window.press("A", "D", "D")
    for intent in app.input.take():
        app.follow(intent)
        if app.document.is_left:
            break
    assert chords(app) == ["Ctrl+N"]
    app.show(Scene())
    assert chords(app) == ["Ctrl+N", "Ctrl+P"]
    assert app.backend.wants_keyboard
    app.press("Esc", "X")
    assert chords(app) == ["Ctrl+N", "Ctrl+P", "X"], "nothing is held any more"


# The mouse.


def test_letters_after_a_click_into_a_field_are_for_the_field(app, scene):
    app.editor.select([4])
    app.settle()
    app.window.click(FILTER)
    app.window.press("X", "Del", "T", "R")
    app.settle()
    assert app.outliner.rows.query == "xtr"
    assert chords(app) == [] and len(scene) == 5


def test_letters_after_a_click_into_the_picture_are_commands_and_what_was_typed_before_counts(app, scene):
    app.editor.select([4])
    app.settle()
    app.window.press("F2", "O", "A", "K")
    app.window.click(SCENE)
    app.window.press("Ctrl+Z", "Ctrl+Z", "X")
    app.settle()
    assert chords(app) == ["F2", "Ctrl+Z", "Ctrl+Z", "X"]
    labels = [entry.label for entry in app.editor.history.entries]
    assert labels == ["Select tree", "Rename tree to oak", "Select nothing"]
    assert app.done == ["Select tree"] and scene.names[4] == "tree"


def test_a_click_after_a_key_that_opens_a_panel_is_for_the_panel(app):
    app.window.press("Ctrl+Space")
    app.settle()
    app.followed.clear()
    app.window.press("Ctrl+Space")
    app.window.click(app.row_of(4))
    app.window.press("Ctrl+Space")
    app.window.click(app.row_of(4))
    app.settle()
    assert app.done[0] == "Select tree"
    assert [type(intent) for intent in app.followed if not isinstance(intent, Hover)] == [
        KeyPress,
        KeyPress,
        Press,
        Click,
    ]


def test_what_the_arrow_keys_do_in_a_panel_comes_before_the_next_command(app):
    app.window.click(app.row_of(0))
    app.window.press("Down", "Down", "Del")
    app.settle()
    assert app.done == ["Select town", "Select street", "Select tree", "Delete tree"]


def test_a_double_click_is_one_by_when_its_clicks_came_and_not_by_when_there_was_time(app):
    window = app.window
    for pause, expected in ((0.1, [DoubleClick]), (0.6, [Click])):
        app.followed.clear()
        window.click(SCENE)
        window.seconds += pause
        window.click(SCENE)
        app.settle()
        assert [type(intent) for intent in app.followed if isinstance(intent, Click | DoubleClick)] == [
            Click,
            *expected,
        ]
        window.seconds += 2.0
    pivot = app.view.camera.pivot
    window.click(app.row_of(4))
    window.seconds += 0.6
    window.click(app.row_of(4))
    app.settle()
    np.testing.assert_array_equal(app.view.camera.pivot, pivot)
    window.seconds += 2.0
    window.click(app.row_of(4))
    window.seconds += 0.3
    window.click(app.row_of(4))
    app.settle()
    np.testing.assert_allclose(app.view.camera.pivot, (9.0, 0.0, 0.0), atol=0.1)


def test_two_clicks_in_different_places_are_no_double_click(app):
    for away, second in ((3.0, DoubleClick), (6.0, Click)):
        app.followed.clear()
        app.window.click(SCENE)
        app.window.seconds += 0.1
        app.window.click((SCENE[0] + away, SCENE[1]))
        app.settle()
        assert [type(intent) for intent in app.followed if isinstance(intent, Click | DoubleClick)] == [Click, second]
        app.window.seconds += 2.0


def test_clicks_between_which_there_was_a_slow_frame_are_a_double_one_if_they_can_be(app):
    window = app.window
    for waited, expected in ((0.9, DoubleClick), (0.1, Click)):
        app.followed.clear()
        window.click(SCENE)
        window.seconds += 1.0
        window.waited_seconds = waited
        window.click(SCENE)
        app.settle()
        assert type(app.followed[-1]) is expected
        window.seconds += 3.0


def test_a_drag_in_the_picture_is_not_held_back(app):
    window = app.window
    window.move(SCENE)
    window.button_down()
    for step in range(1, 40):
        window.move((SCENE[0] + 3.0 * step, SCENE[1]))
    window.button_up()
    app.frame()
    drags = [intent for intent in app.followed if isinstance(intent, Drag)]
    assert drags[0].is_first and drags[-1].is_last
    assert sum(drag.dx for drag in drags) == 3.0 * 39


def test_of_moves_in_a_row_the_last_one_counts_and_others_stay_where_they_were(app):
    window = app.window
    for step in range(10):
        window.move((SCENE[0] + step, SCENE[1]))
    window.press("X")
    for step in range(10):
        window.move((SCENE[0] - step, SCENE[1]))
    window.scroll(1.0)
    app.settle()
    left, top = app.shell.picture.left, app.shell.picture.top
    right, back = (app.view.locate((SCENE[0] + dx - left, SCENE[1] - top)) for dx in (9.0, -9.0))
    assert app.followed == [
        Hover(right),
        KeyPress(Chord("X"), "x"),
        Hover(back),
        Zoom(1.0, back),
    ]


def test_what_is_held_when_the_window_loses_the_focus_is_released(app, scene):
    parents = scene.parents.copy()
    for _ in range(2):
        app.move(app.row(0))
        app.window.key_down("LEFT_SHIFT")
        app.window.key_down("LEFT_CTRL")
        app.window.button_down()
        app.settle()
        assert imgui.is_mouse_down(0) and imgui.get_io().key_shift
        app.window.lose_focus()
        app.settle()
        io = imgui.get_io()
        assert not (imgui.is_mouse_down(0) or io.key_shift or io.key_ctrl)
    app.window._held = None
    app.move(app.row(2))
    app.settle()
    assert np.array_equal(scene.parents, parents), "nothing is dragged any more"
    app.click(app.row(0))
    assert app.selected == [app.outliner.rows.ids[0]]


def test_a_burst_does_the_same_as_the_same_events_one_by_one(open_app, tmp_path, monkeypatch):
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
            app = open_app(own, state=WindowState())
            for kind, what in walk:
                if kind == "key":
                    app.window.press(what)
                else:
                    places = (FILTER, SCENE, NAME, app.row(1))
                    app.window.click(places[what])
                    app.window.seconds += 1.0
                if not in_one_go:
                    app.settle()
            app.settle()
            ends.append((chords(app), app.done, app.selected, own.names.tolist(), app.outliner.rows.query))
        assert ends[0] == ends[1], " ".join(str(what) for _, what in walk)
