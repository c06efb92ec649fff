"""Numbers: the very double that Python's float() gives, and nothing where there is none."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene.formats.obj.block_arrays import PADDING
from octoscope.scene.formats.obj.numbers import read_float


def read(text: str) -> tuple[float, int]:
    """A number at the beginning of a text, and how many characters it takes."""
    data = np.frombuffer(text.encode() + b"\n" * PADDING, dtype=np.uint8)
    value, behind = read_float(data, np.uint64(0))
    return float(value), int(behind)


def assert_as_python_reads(text: str) -> None:
    value, length = read(text)
    assert length == len(text), text
    assert struct.pack("d", value) == struct.pack("d", float(text)), (text, value, float(text))


def exact_digits(value: Fraction, digits: int) -> str:
    """A positive number written with so many digits that count, the rest cut off."""
    exponent = math.floor(math.log10(value.numerator) - math.log10(value.denominator)) - digits + 1
    mantissa = int(value * Fraction(10) ** -exponent)
    return f"{mantissa}e{exponent}"


def random_doubles(seed: int, count: int) -> list[float]:
    """Every bit random: all sizes alike."""
    bits = np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)
    return [value for value in bits.view(np.float64).tolist() if math.isfinite(value)]


@pytest.mark.parametrize(
    "text",
    [
        *("0", "-0", "+0", "0.0", "-0.0", "00", "0e0", "0e999999999", "-0e-5", "0.000", ".0", "0."),
        *("1", "-1", "+1", "1.", ".5", "-.5", "+.5", "1.5", "1e0", "1E0", "1e+0", "1e-0", "1.e1", ".1e1", "+2.e1"),
        *(
            "0001.5",
            "1.5000",
            "0.1",
            "0.2",
            "0.3",
            "123456.789",
            "3.141592653589793",
            "1e22",
            "1e23",
            "8.5e22",
            "1e-22",
        ),
        *("9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0", "-9007199254740995"),
        *("9223372036854775807", "9223372036854775808", "9999999999999999999", "1844674407370955161"),
        *("1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "1e400"),
        *("-1e309", "1e99999", "1e999999999999999999999", "1e-999999999999999999999", "9999999999999999999e289"),
        *("9999999999999999999e290", "5e-324", "4.9e-324", "2.5e-324", "2.4703282292062327e-324", "1e-324", "1e-400"),
        *("2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072009e-308", "2.225073858507201e-308"),
        *("1e-342", "9999999999999999999e-342", "9999999999999999999e-343", "1234567890123456789e-340"),
        *("0.000000000000000000000000001", "100000000000000000000000000", "0." + "0" * 400 + "1e401", "1" + "0" * 400),
        *("1" + "0" * 400 + "e-400", "0" * 100 + "1.25", "." + "0" * 300 + "25e300", "7.2057594037927933e16"),
    ],
)
def test_numbers_that_are_easily_read_wrong(text):
    assert_as_python_reads(text)


@pytest.mark.parametrize("seed", range(4))
def test_the_shortest_text_of_any_double(seed):
    for value in random_doubles(seed, 5_000):
        assert_as_python_reads(repr(value))


@pytest.mark.parametrize("digits", range(1, 20))
def test_random_numbers_of_up_to_19_digits_in_every_notation(digits):
    rng = np.random.default_rng(digits)
    for value in random_doubles(digits, 500):
        assert_as_python_reads(f"{value:.{digits - 1}e}")
    for number, point, exponent in zip(
        rng.integers(10 ** (digits - 1), min(10**digits, 2**63), 500, dtype=np.uint64).tolist(),
        rng.integers(0, digits + 1, 500).tolist(),
        rng.integers(-345, 310, 500).tolist(),
        strict=True,
    ):
        text = str(number)
        text = text[:point] + "." + text[point:]
        assert_as_python_reads(text)
        assert_as_python_reads(f"-{text}e{exponent}")
        assert_as_python_reads(f"{text}E{exponent % 40 - 20:+03}")


@pytest.mark.parametrize("seed", range(3))
def test_halfway_between_two_doubles(seed):
    """Up to 19 digits: exactly halfway where that many can say it, else just below and just above."""
    for value in random_doubles(seed + 10, 3_000):
        value = abs(value)
        above = math.nextafter(value, math.inf)
        if math.isinf(above):
            continue
        halfway = (Fraction(value) + Fraction(above)) / 2
        for digits in (17, 18, 19):
            text = exact_digits(halfway, digits)
            mantissa, exponent = text.split("e")
            assert_as_python_reads(text)
            assert_as_python_reads(f"{int(mantissa) + 1}e{exponent}")


def test_integers_halfway_between_two_doubles():
    rng = np.random.default_rng(5)
    for bits in range(54, 64):
        step = 2 ** (bits - 53)
        for mantissa in rng.integers(2**52, 2**53, 200).tolist():
            halfway = mantissa * step + step // 2
            for number in (halfway - 1, halfway, halfway + 1):
                assert_as_python_reads(str(number))
                assert_as_python_reads(f"{number}.0" if number < 10**18 else f"{number}.")


def test_fractions_halfway_between_two_doubles():
    rng = np.random.default_rng(6)
    for mantissa in rng.integers(2**52, 2**53, 2_000).tolist():
        for power in (1, 2, 3):
            digits = str((2 * mantissa + 1) * 5**power)
            for last in (-1, 0, 1):
                near = str(int(digits) + last)
                assert_as_python_reads(f"{near[:-power]}.{near[-power:]}")
                assert_as_python_reads(f"{near}e-{power}")


@pytest.mark.parametrize("first", (5e-324, 2.2250738585072014e-308, 1e-310, 2.0**-1073, 2.0**-1050))
def test_subnormal_numbers(first):
    value = first
    for _ in range(300):
        assert_as_python_reads(repr(value))
        assert_as_python_reads(f"{value:.16e}")
        assert_as_python_reads(f"{value:.18e}")
        value = math.nextafter(value, math.inf)


def test_powers_of_two_and_ten():
    for power in range(-345, 312):
        assert_as_python_reads(f"1e{power}")
        assert_as_python_reads(f"9.999999999999999999e{power}")
    for power in range(-1074, 1024):
        value = math.ldexp(1.0, power)
        for near in (math.nextafter(value, 0.0), value, math.nextafter(value, math.inf)):
            assert_as_python_reads(repr(near))


@settings(max_examples=200)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_double_comes_back(value):
    assert_as_python_reads(repr(value))
    assert_as_python_reads(f"{value:.16e}")


@settings(max_examples=100)
@given(st.from_regex(r"[+-]?([0-9]{1,15}\.?[0-9]{0,4}|\.[0-9]{1,19})([eE][+-]?[0-9]{1,4})?", fullmatch=True))
def test_any_text_of_a_number_is_read_as_python_reads_it(text):
    assert_as_python_reads(text)


@settings(max_examples=100)
@given(st.from_regex(r"[0-9]{0,40}\.[0-9]{1,40}([eE][+-]?[0-9]{1,3})?", fullmatch=True))
def test_of_more_digits_the_19_first_that_count_make_the_number(text):
    value, length = read(text)
    assert length == len(text)
    expected = float(text)
    assert value == expected or value in (math.nextafter(expected, 0.0), math.nextafter(expected, math.inf))


@settings(max_examples=200)
@given(st.text(alphabet="0123456789+-.eE", max_size=12))
def test_no_text_is_read_as_a_number_that_python_does_not_read(text):
    value, length = read(text)
    if length:
        assert value == float(text[:length])
    else:
        with pytest.raises(ValueError):
            float(text)
    try:
        expected = float(text)
    except ValueError:
        assert length < len(text) or not text
    else:
        assert length == len(text) and value == expected


@pytest.mark.parametrize("text", ("", "-", "+", ".", "-.", "+.", "e5", ".e5", "-e5", "x", "--1", "+-1", "/", ",5", "#"))
def test_what_begins_no_number_takes_no_room(text):
    assert read(text)[1] == 0


@pytest.mark.parametrize(
    ("text", "value", "length"),
    [
        ("1x", 1.0, 1),
        ("1.5.5", 1.5, 3),
        ("1e", 1.0, 1),
        ("1e+", 1.0, 1),
        ("1e5e5", 1e5, 3),
        ("3.1+e2", 3.1, 3),
        ("0,5", 0.0, 1),
        ("1_000", 1.0, 1),
        ("0x10", 0.0, 1),
        ("1/2", 1.0, 1),
        ("1d5", 1.0, 1),
        ("1-2", 1.0, 1),
        ("1.#comment", 1.0, 2),
    ],
)
def test_a_number_ends_where_it_ends(text, value, length):
    assert read(text) == (value, length)


@pytest.mark.parametrize("text", ("nan", "NaN", "NAN", "-nan", "+nan"))
def test_no_number_is_a_number_of_its_own(text):
    value, length = read(text)
    assert math.isnan(value) and length == len(text)


@pytest.mark.parametrize("text", ("inf", "Inf", "-inf", "+INF", "infinity", "-Infinity", "INFINITY"))
def test_infinity_is_a_number(text):
    assert_as_python_reads(text)


@pytest.mark.parametrize("text", ("na", "nano", "in", "info", "infinit", "infinityx", "informed", "NaNs", "n"))
def test_words_that_begin_like_no_number_are_none(text):
    assert read(text)[1] == 0


@pytest.mark.parametrize("text", ("1.#QNAN", "1.#IND00", "-1.#INF", "1.#SNAN0"))
def test_what_windows_wrote_for_no_number_is_none(text):
    assert read(text)[1] == 0


@pytest.mark.parametrize("number", ("3.5e38", "-1e39", "1e300", "1e400", "inf", "nan", "x"))
def test_what_float32_cannot_hold_is_said_with_the_limit(read, number):
    """Normals and texture coordinates are float32; positions are float64, and a colour is at most white."""
    square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\n"
    problems = read(f"{square}vt {number} 0\nvn 0 {number} 1\nf 1/2/2 2/1/1 3/1/1\n").problems
    assert [problem.kind for problem in problems] == ["texture-coordinate", "normal"]
    assert all(f" {number} " in str(problem) and "numbers up to 3.4e38" in str(problem) for problem in problems)
    good = read(f"{square}vt 3.4e38 0\nvn 0 3.4e38 1\nf 1/2/2 2/1/1 3/1/1\n")
    assert good.problems == [] and good.objects[0][1].uvs[0, 0] == np.float32(3.4e38)


def test_positions_that_float32_cannot_hold_are_kept(read):
    file = read("v 0 0 0\nv 1e39 0 0\nv 0 1e300 0 1e39 0 0\nf 1 2 3\n")
    assert file.problems == [] and file.objects[0][1].positions.max() == 1e300
