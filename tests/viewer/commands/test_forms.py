"""Text that is typed into a form, and its meaning."""

from __future__ import annotations

import pytest

from octoscope.viewer.commands.forms import CheckField, ChoiceField, Form, FormState, NumberField, Outcome

COUNT = NumberField("count", 3, "X", whole=True, least=1, most=1000)
STEP = NumberField("step", 1.5)
ROWS = (
    ("Count", (COUNT,)),
    ("Step", (STEP,)),
    ("Make", (ChoiceField("makes", (("few", "a few"), ("many", "many")), "few"), CheckField("turned", "turned", True))),
)


def form(**more: object) -> Form:
    return Form("Row", ROWS, lambda values: None, **more)


def test_a_form_begins_with_defaults_and_then_with_what_was_said_last():
    filling = FormState(form(), {})
    assert filling.entered == {"count": "3", "step": "1.5", "makes": "few", "turned": True}
    assert filling.values() == {"count": 3, "step": 1.5, "makes": "few", "turned": True}
    again = FormState(form(), {"count": "7", "turned": False, "makes": "gone", "gone": "x"})
    assert again.values() == {"count": 7, "step": 1.5, "makes": "few", "turned": False} and again.is_untouched
    again.entered["turned"] = True
    assert not again.is_untouched


@pytest.mark.parametrize(
    ("text", "number"), (("2", 2.0), (" -1e3 ", -1000.0), (".5", 0.5), ("0.1234567891", 0.1234567891), ("3/2", 1.5))
)
def test_numbers_are_read_as_they_are_typed_and_written_so_that_they_are_read_again(text, number):
    assert STEP.read(text) == number
    assert STEP.read(STEP.write(number)) == number


@pytest.mark.parametrize("field", (COUNT, STEP))
def test_a_number_longer_than_any_is_told_without_all_of_it(field):
    with pytest.raises(ValueError, match=r"enter .*, not 9{40}\.\.\.$"):
        field.read("9" * 400)


@pytest.mark.parametrize("text", ("", "x", "nan", "inf", "3 in", "[+]=1"))
def test_what_is_no_number_is_told_with_its_text(text):
    with pytest.raises(ValueError, match=f"enter a number, not {text or 'nothing'}"):
        STEP.read(text.replace("[+]", "+"))


@pytest.mark.parametrize("text", ("0", "1001", "2.5", ""))
def test_a_number_that_is_not_whole_or_too_large_is_told_with_its_field_and_what_it_may_be(text):
    filling = FormState(form(), {"count": text})
    with pytest.raises(ValueError, match="Count X: enter a whole number from 1 to 1000"):
        filling.values()
    assert not filling.outcome().is_possible and "Count X" in filling.outcome().text


def test_the_outcome_is_found_out_once_for_what_is_said():
    asked = []

    def outcome(values):
        asked.append(values["count"])
        return Outcome(f"{values['count']} more", is_possible=values["count"] < 5)

    filling = FormState(form(outcome=outcome), {})
    assert [filling.outcome().text for _ in range(3)] == ["3 more"] * 3
    filling.entered["count"] = "6"
    assert filling.outcome() == Outcome("6 more", is_possible=False)
    assert asked == [3, 6]


def test_a_length_may_have_another_unit_where_one_belongs_and_whole_numbers_may_be_expressions():
    length = NumberField("step", 1.0, unit=lambda entered: "cm" if entered["makes"] == "many" else "")
    filling = FormState(Form("Row", (("", (COUNT, length)), ROWS[2]), print), {"step": "1 in", "count": "2*3"})
    with pytest.raises(ValueError, match="not 1 in"):
        filling.values()
    filling.entered["makes"] = "many"
    assert (filling.values()["step"], filling.values()["count"]) == (pytest.approx(2.54), 6)
