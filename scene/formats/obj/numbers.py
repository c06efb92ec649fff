"""Parse numbers in bytes: most of an OBJ file consists of them.

A float is the nearest double, as Python's `float` would give it, for up to 19 digits; of longer ones the further
digits are left out, which can move the result by one unit in the last place.
"""

from __future__ import annotations

import math

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.formats.obj.words import ONE

_ZERO, _NINE, _TEN = np.uint64(48), np.uint64(9), np.uint64(10)
_NAN, _INF, _INFINITY = (np.uint64(int.from_bytes(word)) for word in (b"NAN", b"INF", b"INFINITY"))
_LOWEST_POWER, _HIGHEST_POWER = -342, 308
_EXACT_POWERS_OF_TEN = 10.0 ** np.arange(23)
_EXACT_MANTISSA = np.uint64(2**53)
_MOST_DIGITS = 19  # that fit in 64 bits


def _powers_of_five() -> np.ndarray:
    """Compute the upper 128 bits of each power of 5 from the lowest to the highest: (n, 2) uint64, upper word first."""
    table = []
    for power in range(_LOWEST_POWER, _HIGHEST_POWER + 1):
        if power < 0:
            divisor = 5**-power
            bits = (divisor - 1).bit_length()
            value = 2 ** (bits + 127 if power >= -27 else 2 * bits + 128) // divisor + 1
        else:
            value = 5**power
        excess = value.bit_length() - 128
        value = value >> excess if excess > 0 else value << -excess
        table.append((value >> 64, value & (2**64 - 1)))
    return np.array(table, dtype=np.uint64)


_POWERS_OF_FIVE = _powers_of_five()


@borrowing_kernel
def read_float(data: np.ndarray, i: np.uint64) -> tuple[float, np.uint64]:
    """Read the number that begins at data[i]; return the value and the position behind it, i where there is none."""
    begin = i
    negative = data[i] == 45
    if negative or data[i] == 43:
        i += ONE
    first = i
    mantissa = np.uint64(0)
    digit = np.uint64(data[i]) - _ZERO
    while digit <= _NINE:
        mantissa = mantissa * _TEN + digit
        i += ONE
        digit = np.uint64(data[i]) - _ZERO
    digits = np.int64(i - first)
    exponent = 0
    if data[i] == 46:
        i += ONE
        point = i
        digit = np.uint64(data[i]) - _ZERO
        while digit <= _NINE:
            mantissa = mantissa * _TEN + digit
            i += ONE
            digit = np.uint64(data[i]) - _ZERO
        decimals = np.int64(i - point)
        # 1.#IND and the like, which Windows wrote for NaN: not a comment.
        if decimals == 0 and data[i] == 35 and 65 <= data[i + ONE] <= 90:
            return 0.0, begin
        exponent = -decimals
        digits += decimals
    if digits == 0:
        return _read_word(data, first, begin, negative)
    last = i
    if data[i] == 101 or data[i] == 69:
        written, i = _read_exponent(data, i)
        exponent += written
    if digits > _MOST_DIGITS:
        mantissa, exponent = _leading_digits(data, first, last, exponent)
    if mantissa <= _EXACT_MANTISSA and -22 <= exponent <= 22:
        # Both are exact doubles, so that the one operation rounds once (Clinger, "How to Read Floating Point Numbers
        # Accurately", 1990).
        if exponent < 0:
            value = np.float64(np.int64(mantissa)) / _EXACT_POWERS_OF_TEN[-exponent]
        else:
            value = np.float64(np.int64(mantissa)) * _EXACT_POWERS_OF_TEN[exponent]
    else:
        value = _nearest_double(mantissa, exponent)
    return (-value if negative else value), i


@borrowing_kernel
def _read_exponent(data: np.ndarray, i: int) -> tuple[int, int]:
    """Read the exponent behind the letter at data[i]; return it and the position behind, or the letter's."""
    letter = i
    i += ONE
    negative = data[i] == 45
    if negative or data[i] == 43:
        i += ONE
    first = i
    exponent = 0
    while 48 <= data[i] <= 57:
        exponent = min(exponent * 10 + np.int64(data[i]) - 48, 100_000)
        i += ONE
    if i == first:
        return 0, letter
    return (-exponent if negative else exponent), i


@borrowing_kernel
def _leading_digits(data: np.ndarray, first: int, last: int, exponent: int) -> tuple[int, int]:
    """Return the first 19 significant digits between two positions, and the exponent that fits them."""
    mantissa = np.uint64(0)
    taken = 0
    left_out = 0
    for position in range(np.int64(first), np.int64(last)):
        i = np.uint64(position)
        if data[i] == 46:
            continue
        if taken == _MOST_DIGITS:
            left_out += 1
        elif taken > 0 or data[i] != 48:
            mantissa = mantissa * _TEN + np.uint64(data[i]) - _ZERO
            taken += 1
    return mantissa, exponent + left_out


@borrowing_kernel
def _read_word(data: np.ndarray, i: int, begin: int, negative: bool) -> tuple[float, int]:
    """Read nan, inf or infinity in any case; these are numbers too, though no vertex can have them."""
    letters = np.uint64(0)
    first = i
    while 65 <= (data[i] & 0xDF) <= 90:
        letters = (letters << np.uint64(8)) | np.uint64(data[i] & 0xDF)
        i += ONE
    length = np.int64(i - first)
    if length == 3 and letters == _NAN:
        return np.nan, i
    if (length == 3 and letters == _INF) or (length == 8 and letters == _INFINITY):
        return (-np.inf if negative else np.inf), i
    return 0.0, begin


@borrowing_kernel
def _nearest_double(mantissa: int, exponent: int) -> float:
    """Round mantissa * 10**exponent to the nearest double.

    Lemire, "Number Parsing at a Gigabyte per Second", 2021; that it needs no fallback: Mushtak and Lemire, "Fast Number
    Parsing Without Fallback", 2023.
    """
    if mantissa == 0 or exponent < _LOWEST_POWER:
        return 0.0
    if exponent > _HIGHEST_POWER:
        return np.inf
    shift = _leading_zeros(mantissa)
    mantissa = mantissa << np.uint64(shift)
    upper, lower = product(mantissa, _POWERS_OF_FIVE[exponent - _LOWEST_POWER, 0])
    if upper & np.uint64(0x1FF) == np.uint64(0x1FF):
        further, _ = product(mantissa, _POWERS_OF_FIVE[exponent - _LOWEST_POWER, 1])
        lower += further
        if further > lower:
            upper += np.uint64(1)
    top = upper >> np.uint64(63)
    bits = upper >> (top + np.uint64(9))  # 53 of the result and one to round by
    binary_exponent = ((217_706 * exponent) >> 16) + 63 + np.int64(top) - shift + 1023
    if binary_exponent <= 0:  # too small for 53 bits
        if binary_exponent < -62:
            return 0.0
        bits = bits >> np.uint64(1 - binary_exponent)
        binary_exponent = 1
    elif (
        lower <= np.uint64(1)
        and -4 <= exponent <= 23
        and bits & np.uint64(3) == np.uint64(1)
        and bits << (top + np.uint64(9)) == upper
    ):  # halfway between two doubles: the even one
        bits &= ~np.uint64(1)
    bits = (bits + (bits & np.uint64(1))) >> np.uint64(1)
    return math.ldexp(np.float64(np.int64(bits)), binary_exponent - 1075)


@borrowing_kernel
def _leading_zeros(value: int) -> int:
    """Count the leading zero bits of 64."""
    count = 0
    for bits in (32, 16, 8, 4, 2, 1):
        if value >> np.uint64(64 - bits) == np.uint64(0):
            value = value << np.uint64(bits)
            count += bits
    return count


@borrowing_kernel
def product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Multiply two 64-bit numbers; returns the upper and lower 64 bits."""
    mask = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    low = (a & mask) * (b & mask)
    middle = (a >> half) * (b & mask) + (low >> half)
    other = (a & mask) * (b >> half) + (middle & mask)
    upper = (a >> half) * (b >> half) + (middle >> half) + (other >> half)
    return upper, (other << half) | (low & mask)
