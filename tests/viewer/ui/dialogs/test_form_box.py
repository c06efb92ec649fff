"""The form box under mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.viewer.desk import Desk
from tests.viewer.scenes import box_scene
from viewer.commands.forms import CheckField, ChoiceField, Form, NumberField, Outcome
from viewer.document.flow import Flow
from viewer.document.questions import Choice, Question
from viewer.ui.imgui.theme import DARK

ERROR = np.round(255.0 * np.array(DARK.error[:3]))


@pytest.fixture
def desk(ctx) -> Iterator[Desk]:
    desk = Desk(ctx, box_scene())
    yield desk
    desk.close()


@pytest.fixture
def said(desk) -> list[dict]:
    return []


@pytest.fixture
def ask(desk, said) -> Callable[..., None]:
    """Open a form that has one field of each kind; what is submitted comes to `said`."""
    rows = (
        ("Numbers", (NumberField("whole", 3, "A", whole=True, least=1, most=9), NumberField("any", 0.5, "B"))),
        ("Choice", (ChoiceField("choice", (("one", "the one"), ("other", "the other")), "one"),)),
        ("Check", (CheckField("check", "checked", False),)),
    )

    def outcome(values):
        return Outcome(f"{values['whole']} it is", is_possible=values["any"] >= 0.0)

    def ask(*, settles: bool = True) -> None:
        desk.shell.boxes.form.ask(Form("Something", rows, said.append, outcome=outcome))
        if settles:
            desk.settle()

    return ask


def shows_an_error(desk: Desk) -> bool:
    return bool((np.abs(desk.picture().astype(int) - ERROR).max(axis=2) < 8).sum() > 20)


def test_keys_alone_fill_it_in_and_enter_does_it_once(desk, ask, said):
    ask()
    desk.type("7")
    desk.press("Tab")
    desk.type("-1")
    assert shows_an_error(desk)
    desk.press("Enter")
    assert desk.shell.boxes.form.is_open and said == []
    desk.press("Ctrl+A")
    desk.type("2.25")
    assert not shows_an_error(desk)
    desk.press("Tab", "Tab", "Space", "Tab", "Space", "Enter")
    assert not desk.shell.boxes.form.is_open
    assert said == [{"whole": 7, "any": 2.25, "choice": "other", "check": True}]


def test_enter_where_a_choice_has_the_keys_does_it_with_what_was_said_before(desk, ask, said):
    ask()
    desk.press("Tab", "Tab", "Tab", "Enter")
    assert said == [{"whole": 3, "any": 0.5, "choice": "one", "check": False}]


def test_it_begins_with_what_was_said_last_and_esc_forgets_what_was_typed(desk, ask, said):
    ask()
    desk.type("5")
    desk.press("Enter")
    ask()
    desk.type("8")
    desk.press("Esc")
    assert not desk.shell.boxes.form.is_open and len(said) == 1
    ask()
    desk.press("Enter")
    assert [values["whole"] for values in said] == [5, 5]


def test_no_command_is_run_and_the_picture_gets_no_click_while_it_is_open(desk, ask, said):
    count = len(desk.view.scene)
    desk.editor.select([0])
    desk.settle()
    ask()
    desk.press("Ctrl+D", "Del", "Ctrl+P", "Alt+P")
    assert len(desk.view.scene) == count and desk.shell.covers((640.0, 120.0))
    desk.press("Esc")
    assert not desk.shell.covers((640.0, 120.0))
    desk.press("Ctrl+D")
    assert len(desk.view.scene) == count + 1


def test_the_mouse_fills_it_in_too(desk, ask, said):
    ask()
    left, top = 420.0, 360.0 - 0.5 * box_height(desk)
    desk.click((left + 100.0 + 100.0, top + 72.0))  # the other choice
    desk.click((left + 24.0, top + box_height(desk) - 22.0))  # the button
    assert said == [{"whole": 3, "any": 0.5, "choice": "other", "check": False}]


def box_height(desk: Desk) -> float:
    """Of the box in the middle of the picture."""
    column = desk.picture()[:, 424].astype(int)
    panel = np.round(255.0 * np.array(DARK.panel[:3]))
    return float((np.abs(column - panel).max(axis=1) < 3).sum())


@pytest.mark.parametrize("at_once", [False, True], ids=["form first", "both at once"])
@pytest.mark.parametrize(("key", "answer"), [("Enter", Choice.KEEP), ("Escape", Choice.LATER)])
def test_the_key_that_answers_a_question_over_it_leaves_it_as_it_is(desk, ask, said, key, answer, at_once):
    answers = []

    def flow() -> Flow:
        answers.append((yield Question("?", (Choice.KEEP, Choice.LATER))))

    ask(settles=not at_once)
    if not at_once:
        desk.type("5")
    desk.document.flows.start(flow())
    desk.settle()
    desk.press(key)
    assert answers == [answer]
    assert desk.shell.boxes.form.is_open and said == []
    desk.type("7")
    desk.press("Enter")
    assert not desk.shell.boxes.form.is_open and said[0]["whole"] == 7


def test_a_number_longer_than_any_is_none(desk, ask, said):
    ask()
    desk.type("9" * 400)
    desk.press("Enter")
    assert shows_an_error(desk) and said == []
