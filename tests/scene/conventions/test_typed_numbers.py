"""Numbers as a person types them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from octoscope.scene.conventions.typed_numbers import typed_values

VALUES = np.array([1.0, -4.0, 10.0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", 7.0),
        (" -1234567.8901 ", -1234567.8901),
        ("2*3", 6.0),
        ("90/4", 22.5),
        ("2*(3+1)-1", 7.0),
        ("2^3", 8.0),
        ("-2**2", -4.0),
        ("1e3", 1000.0),
        ("1,5", 1.5),
        ("pi/2", math.pi / 2),
        (".5", 0.5),
        ("7 % 4", 3.0),
        ("sqrt(3)", math.sqrt(3.0)),
        ("2*SQRT(4) + abs(-1)", 5.0),
        ("tan(45)*acos(0)", math.tan(math.radians(45.0)) * 90.0),
    ],
)
def test_a_sum_is_one_value_for_all(text, expected):
    assert typed_values(text, VALUES).tolist() == [expected] * 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+=1", [2.0, -3.0, 11.0]),
        ("-= 0.5*2", [0.0, -5.0, 9.0]),
        ("*=2", [2.0, -8.0, 20.0]),
        ("/=4", [0.25, -1.0, 2.5]),
    ],
)
def test_what_is_there_is_changed_by_each_ones_own(text, expected):
    assert typed_values(text, VALUES).tolist() == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "two", "2**", "1/0", "/=0", "9**9**9**9", "1e400", "nan", "inf", "+=", "1 2", "0x", "(-8)**0.5", "a=1"),
        *("__import__('os')", "True", "'7'", "1j", "[1]", "lambda: 1", "1,000,000", "(" * 150 + "1", "1" * 300),
        *("print", "\x00", "1 if 1 else 2", "+=nan", "max(1,2)", "sqrt(-1)", "sqrt()", "sqrt", "sqrt(x=4)", "asin(2)"),
    ],
)
def test_what_is_no_number_is_told_in_a_line(text):
    with pytest.raises(ValueError, match=r"not a number|zero|out of range") as told:
        typed_values(text, VALUES)
    assert "\n" not in str(told.value) and len(str(told.value)) < 90
