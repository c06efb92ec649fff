"""Chords as people write them, and which command each belongs to."""

from __future__ import annotations

import pytest

from octoscope.viewer.window.keys import Chord, bind, name_on_layout

PRESET = {"view.frame": ("F", "Home"), "view.grid": ("G",), "edit.undo": ("Ctrl+Z",)}


@pytest.mark.parametrize("text", ("F", "Ctrl+Shift+Z", "Ctrl+Alt+Del", "F12", "Num 7", "7", "PageUp", "/", "Shift+Esc"))
def test_a_chord_is_written_as_it_is_read(text):
    assert str(Chord.parse(text)) == text


def test_what_is_held_and_how_it_is_written_makes_no_difference():
    assert Chord.parse(" shift + CTRL+z ") == Chord.parse("Ctrl+Shift+Z") == Chord("Z", ctrl=True, shift=True)
    assert Chord.parse("numpad 7") == Chord.parse("Num 7") == Chord("NUMPAD_7")
    assert Chord.parse("Z") != Chord.parse("Ctrl+Z")


@pytest.mark.parametrize(
    "name, character, own",
    (
        ("Y", "z", "Z"),  # German
        ("Q", "a", "A"),  # French
        ("NUMBER_1", "&", "NUMBER_1"),
        ("A", "ф", "A"),  # Russian
        ("SEMICOLON", "ö", ""),
        ("SLASH", "-", "MINUS"),
        ("GRAVE_ACCENT", "^", ""),
        ("", "z", "Z"),
    ),
)
def test_a_key_is_called_by_what_it_types_on_the_keyboards_own_layout(name, character, own):
    assert name_on_layout(name, character) == own


@pytest.mark.parametrize("text", ("", "+", "Ctrl", "Ctrl+", "Hyper+F", "Ctrl+Ctrl+F", "F13", "Ctrl F", "F+Ctrl"))
def test_what_is_no_chord_is_told_with_its_text(text):
    with pytest.raises(ValueError) as error:
        Chord.parse(text)
    assert repr(text) in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("text", ("F", "7", "Del", "Ctrl+V", "Ctrl+Left", "Shift+Home"))
def test_a_text_field_with_the_keyboard_has_these(text):
    assert Chord.parse(text).edits_text


@pytest.mark.parametrize("text", ("F1", "F12", "Ctrl+P", "Ctrl+Shift+S", "Shift+F2"))
def test_no_text_field_has_these(text):
    assert not Chord.parse(text).edits_text


def test_a_text_field_with_the_keyboard_has_keys_that_have_no_name():
    assert Chord("").edits_text  # such as the one of an underscore


def test_every_command_of_a_preset_has_its_keys():
    keys, owners, problems = bind(PRESET, {})
    assert {command: tuple(map(str, chords)) for command, chords in keys.items()} == PRESET
    assert owners[Chord.parse("Home")] == "view.frame"
    assert problems == []


def test_a_key_twice_in_one_preset_is_a_fault_of_ours():
    with pytest.raises(ValueError, match=r"F belongs to view\.frame and to view\.all"):
        bind({"view.frame": ("F",), "view.all": ("F",)}, {})


def test_a_persons_keys_take_the_place_of_the_presets():
    keys, owners, problems = bind(PRESET, {"view.frame": ("K",), "view.grid": ()})
    assert keys["view.frame"] == (Chord.parse("K"),)
    assert keys["view.grid"] == ()
    assert Chord.parse("F") not in owners and Chord.parse("G") not in owners
    assert problems == []


def test_a_persons_key_wins_over_another_commands_and_that_is_told():
    keys, owners, problems = bind(PRESET, {"view.grid": ("F",)})
    assert owners[Chord.parse("F")] == "view.grid"
    assert keys["view.frame"] == (Chord.parse("Home"),)
    assert len(problems) == 1 and "F" in problems[0] and "view.frame" in problems[0]


def test_exchanging_two_keys_is_no_conflict():
    _, owners, problems = bind(PRESET, {"view.grid": ("F",), "view.frame": ("G", "Home")})
    assert (owners[Chord.parse("F")], owners[Chord.parse("G")]) == ("view.grid", "view.frame")
    assert problems == []


def test_a_line_about_something_long_is_cut():
    long = "k" * 100_000
    texts = (long, f"{long}+K", "Ctrl+" * 20_000 + "K")
    _, _, problems = bind(PRESET, {long: ("K",), "view.grid": texts})
    assert len(problems) == 4 and max(map(len, problems)) < 250
    reasons = ("no such command", "unknown key", "unknown modifier", "given twice")
    assert all(reason in problem for reason, problem in zip(reasons, problems, strict=True))


def test_what_cannot_be_bound_is_told_a_line_each_and_the_rest_is_bound():
    keys, _, problems = bind(
        PRESET, {"view.nothing": ("K",), "view.grid": ("Hyper+Q", "L"), "view.frame": ("L", "J"), "edit.undo": ("U",)}
    )
    assert len(problems) == 3
    assert "view.nothing" in problems[0] and "Hyper+Q" in problems[1] and "L is given to view.grid" in problems[2]
    assert [tuple(map(str, keys[name])) for name in PRESET] == [("J",), ("L",), ("U",)]
