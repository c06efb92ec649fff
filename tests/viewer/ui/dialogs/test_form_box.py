"""The form box under mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, NumberField, Outcome
from octoscope.viewer.document.flow import Flow
from octoscope.viewer.document.questions import Choice, Question
from octoscope.viewer.ui.imgui.theme import DARK
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

ERROR = np.round(255.0 * np.array(DARK.error[:3]))


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    app = HeadlessApp(ctx, box_scene())
    yield app
    app.close()


@pytest.fixture
def said(app) -> list[dict]:
    return []


@pytest.fixture
def ask(app, said) -> Callable[..., None]:
    """Open a form that has one field of each kind; what is submitted comes to `said`."""
    rows = (
        ("Numbers", (NumberField("whole", 3, "A", whole=True, least=1, most=9), NumberField("any", 0.5, "B"))),
        ("Choice", (ChoiceField("choice", (("one", "the one"), ("other", "the other")), "one"),)),
        ("Check", (CheckField("check", "checked", False),)),
    )

    def outcome(values):
        return Outcome(f"{values['whole']} it is", is_possible=values["any"] >= 0.0)

    def ask(*, settles: bool = True) -> None:
        app.shell.boxes.form.ask(Form("Something", rows, said.append, outcome=outcome))
        if settles:
            app.settle()

    return ask


def shows_an_error(app: HeadlessApp) -> bool:
    return bool((np.abs(app.picture().astype(int) - ERROR).max(axis=2) < 8).sum() > 20)


def test_keys_alone_fill_it_in_and_enter_does_it_once(app, ask, said):
    ask()
    app.type("7")
    app.press("Tab")
    app.type("-1")
    assert shows_an_error(app)
    app.press("Enter")
    assert app.shell.boxes.form.is_open and said == []
    app.press("Ctrl+A")
    app.type("2.25")
    assert not shows_an_error(app)
    app.press("Tab", "Tab", "Space", "Tab", "Space", "Enter")
    assert not app.shell.boxes.form.is_open
    assert said == [{"whole": 7, "any": 2.25, "choice": "other", "check": True}]


def test_enter_where_a_choice_has_the_keys_does_it_with_what_was_said_before(app, ask, said):
    ask()
    app.press("Tab", "Tab", "Tab", "Enter")
    assert said == [{"whole": 3, "any": 0.5, "choice": "one", "check": False}]


def test_it_begins_with_what_was_said_last_and_esc_forgets_what_was_typed(app, ask, said):
    ask()
    app.type("5")
    app.press("Enter")
    ask()
    app.type("8")
    app.press("Esc")
    assert not app.shell.boxes.form.is_open and len(said) == 1
    ask()
    app.press("Enter")
    assert [values["whole"] for values in said] == [5, 5]


def test_no_command_is_run_and_the_picture_gets_no_click_while_it_is_open(app, ask, said):
    count = len(app.view.scene)
    app.editor.select([0])
    app.settle()
    ask()
    app.press("Ctrl+D", "Del", "Ctrl+P", "Alt+P")
    assert len(app.view.scene) == count and app.shell.covers((640.0, 120.0))
    app.press("Esc")
    assert not app.shell.covers((640.0, 120.0))
    app.press("Ctrl+D")
    assert len(app.view.scene) == count + 1


def test_the_mouse_fills_it_in_too(app, ask, said):
    ask()
    height = app.shell.boxes.form._size[1]
    left, top = 420.0, 360.0 - 0.5 * height
    app.click((left + 100.0 + 100.0, top + 72.0))  # the other choice
    app.click((left + 350.0, top + height - 22.0))  # the button
    assert said == [{"whole": 3, "any": 0.5, "choice": "other", "check": False}]


def test_with_a_preview_it_stands_beside_what_it_is_about_until_it_is_moved_by_its_title(app):
    def place() -> tuple[float, float]:
        app.settle()
        window = imgui.internal.find_window_by_name("Something###form")
        return window.pos.x + window.size.x / 2.0, window.pos.y + window.size.y / 2.0

    picture, row = app.shell.picture, ("Number", (NumberField("n", 3),))
    about = np.array([(0.0, picture.size[1]), (picture.size[0] / 3.0, picture.size[1] - 20.0), (np.nan, np.nan)])
    places = []
    for beside in (np.empty((0, 2)), about):
        app.shell.boxes.form.ask(Form("Something", (row,), print, preview=lambda values: None), beside)
        places.append(place())
        if len(beside):
            title = places[-1][0], places[-1][1] - app.shell.boxes.form._size[1] / 2.0 + 8.0
            app.drag(title, (title[0] - 50.0, title[1] - 30.0))
            np.testing.assert_allclose(place(), np.subtract(places[-1], (50.0, 30.0)), atol=1.0)
        app.press("Esc")
    middle = (picture.left + picture.right) / 2.0
    assert places[0][0] < middle < places[1][0] and places[0][1] == places[1][1]


def test_a_long_label_is_read_to_its_end(app):
    quiet = np.round(255.0 * np.array(DARK.quiet[:3]))
    seen = []
    for end in ("MMM", "..."):
        app.shell.boxes.form.ask(Form("Something", ((f"Sharper than (deg{end}", (NumberField("n", 3),)),), print))
        app.settle()
        seen.append((np.abs(app.picture().astype(int) - quiet).max(axis=2) < 3).sum())
        app.press("Esc")
    assert seen[0] > seen[1], "the field does not lie over it"


@pytest.mark.parametrize("at_once", [False, True], ids=["form first", "both at once"])
@pytest.mark.parametrize(("key", "answer"), [("Enter", Choice.RECOVER), ("Escape", Choice.LATER)])
def test_the_key_that_answers_a_question_over_it_leaves_it_as_it_is(app, ask, said, key, answer, at_once):
    answers = []

    def flow() -> Flow:
        answers.append((yield Question("?", (Choice.RECOVER, Choice.LATER))))

    ask(settles=not at_once)
    if not at_once:
        app.type("5")
    app.document.flows.start(flow())
    app.settle()
    app.press(key)
    assert answers == [answer]
    assert app.shell.boxes.form.is_open and said == []
    app.type("7")
    app.press("Enter")
    assert not app.shell.boxes.form.is_open and said[0]["whole"] == 7


def test_a_number_longer_than_any_is_none(app, ask, said):
    ask()
    app.type("9" * 400)
    app.press("Enter")
    assert shows_an_error(app) and said == []


def test_a_form_of_large_text_over_a_low_picture_stays_within_the_window(open_app):
    app = open_app(box_scene(), scale=2.0)
    app.shell.show_panel("messages")
    app.editor.select([1, 2])
    app.table.run(app.table["object.array"])
    app.settle()
    form = imgui.internal.find_window_by_name("Array###form")
    assert app.shell.picture.bottom < form.size.y, "a case where the form is taller than the picture"
    assert form.pos.y >= 0.0 and form.pos.y + form.size.y <= app.size[1]
