"""Write numbers as text: whole ones, and doubles as Python's `repr` does, shortest and reading back equal.

Giulietti, "The Schubfach way to render doubles", 2021.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.formats.obj.numbers import product

LONGEST = 24  # bytes of a number's text
_LOWEST_POWER, _HIGHEST_POWER = -292, 324
_ZERO, _ONE, _TWO, _FOUR, _TEN, _FORTY = (np.uint64(number) for number in (0, 1, 2, 4, 10, 40))
_SIGNIFICAND, _HIDDEN_BIT = np.uint64(2**52 - 1), np.uint64(2**52)
_POINT, _MINUS, _PLUS, _E, _DIGIT_0 = (np.uint8(character) for character in b".-+e0")
_MOST_BEFORE_POINT, _MOST_ZEROS_BEHIND = 16, 4  # of a number without an exponent, as `repr` has it


def _powers_of_ten() -> np.ndarray:
    """Compute the upper 128 bits of each power of ten, rounded up: (n, 2) uint64, upper word first."""
    table = []
    for power in range(_LOWEST_POWER, _HIGHEST_POWER + 1):
        divisor = 10 ** max(-power, 0)
        value = 10 ** max(power, 0) << 127 + divisor.bit_length()
        value = -(-value // divisor)
        value = -(-value >> value.bit_length() - 128)
        table.append((value >> 64, value & (2**64 - 1)))
    return np.array(table, dtype=np.uint64)


_POWERS_OF_TEN = _powers_of_ten()


@borrowing_kernel
def write_double(out: np.ndarray, i: int, bits: np.uint64) -> int:
    """Write a finite double, given by its bits as uint64, from out[i] on; return the position behind it."""
    if bits >> np.uint64(63) != _ZERO:
        out[i] = _MINUS
        i += 1
    exponent = int((bits >> np.uint64(52)) & np.uint64(0x7FF))
    significand = bits & _SIGNIFICAND
    if exponent == 0 and significand == _ZERO:
        digits, power = significand, 0
    else:
        digits, power = _shortest(significand, exponent)
        while digits % _TEN == _ZERO:
            digits = digits // _TEN
            power += 1
    count = _digit_count(digits)
    before = count + power  # digits before the point
    if before > _MOST_BEFORE_POINT or before <= -_MOST_ZEROS_BEHIND:
        return _write_with_exponent(out, i, digits, count, before - 1)
    if before <= 0:  # 0.00123
        out[i], out[i + 1] = _DIGIT_0, _POINT
        out[i + 2 : i + 2 - before] = _DIGIT_0
        i += 2 - before
        _write_digits(out, i, digits, count)
        return i + count
    if power >= 0:  # 12300.0
        _write_digits(out, i, digits, count)
        out[i + count : i + before] = _DIGIT_0
        out[i + before], out[i + before + 1] = _POINT, _DIGIT_0
        return i + before + 2
    _write_digits(out, i + 1, digits, count)  # 12.3
    for k in range(i, i + before):
        out[k] = out[k + 1]
    out[i + before] = _POINT
    return i + count + 1


@borrowing_kernel
def write_whole(out: np.ndarray, i: int, number: int) -> int:
    """Write a whole number of at least 0, and return the position behind it."""
    digits = np.uint64(number)
    count = _digit_count(digits)
    _write_digits(out, i, digits, count)
    return i + count


@borrowing_kernel
def _write_with_exponent(out: np.ndarray, i: int, digits: np.uint64, count: int, exponent: int) -> int:
    _write_digits(out, i + 1, digits, count)
    out[i] = out[i + 1]
    out[i + 1] = _POINT
    i += 1 if count == 1 else count + 1
    out[i] = _E
    out[i + 1] = _MINUS if exponent < 0 else _PLUS
    exponent = abs(exponent)
    if exponent < 10:
        out[i + 2] = _DIGIT_0
        i += 1
    return write_whole(out, i + 2, exponent)


@borrowing_kernel
def _digit_count(digits: np.uint64) -> int:
    count = 1
    while digits >= _TEN:
        digits = digits // _TEN
        count += 1
    return count


@borrowing_kernel
def _write_digits(out: np.ndarray, i: int, digits: np.uint64, count: int) -> None:
    for k in range(i + count - 1, i - 1, -1):
        out[k] = _DIGIT_0 + np.uint8(digits % _TEN)
        digits = digits // _TEN


@borrowing_kernel
def _shortest(significand: np.uint64, exponent: int) -> tuple[np.uint64, int]:
    """Return digits and power of ten of the shortest decimal that is nearest to a double above 0.

    Args:
        significand: its 52 lower bits.
        exponent: the 11 bits above them.
    """
    c, q = significand, -1074
    if exponent != 0:
        c, q = significand | _HIDDEN_BIT, exponent - 1075
        if -53 < q <= 0 and (c >> np.uint64(-q)) << np.uint64(-q) == c:  # a whole number
            return c >> np.uint64(-q), 0
    is_odd = c & _ONE
    is_lower_closer = significand == _ZERO and exponent > 1
    below = _FOUR * c - (_ONE if is_lower_closer else _TWO)
    k = (q * 1_262_611 - (524_031 if is_lower_closer else 0)) >> 22  # log10 of the gap between doubles
    shift = np.uint64(q + ((-k * 1_741_647) >> 19) + 1)
    upper, lower = _POWERS_OF_TEN[-k - _LOWEST_POWER]
    least = _scaled(upper, lower, below << shift) + is_odd
    value = _scaled(upper, lower, (_FOUR * c) << shift)
    most = _scaled(upper, lower, (_FOUR * c + _TWO) << shift) - is_odd
    s = value // _FOUR
    if s >= _TEN:  # a digit fewer
        t = s // _TEN
        fits, next_fits = least <= _FORTY * t, _FORTY * t + _FORTY <= most
        if fits != next_fits:
            return t + (_ONE if next_fits else _ZERO), k + 1
    fits, next_fits = least <= _FOUR * s, _FOUR * s + _FOUR <= most
    if fits != next_fits:
        return s + (_ONE if next_fits else _ZERO), k
    middle = _FOUR * s + _TWO
    rounds_up = value > middle or (value == middle and s & _ONE == _ONE)
    return s + (_ONE if rounds_up else _ZERO), k


@borrowing_kernel
def _scaled(upper: np.uint64, lower: np.uint64, number: np.uint64) -> np.uint64:
    """Multiply a number by a power of ten and cut it off to 64 bits, the last of them 1 if any that is cut off is."""
    carried, _ = product(lower, number)
    high, low = product(upper, number)
    total = low + carried
    high += _ONE if total < low else _ZERO
    return high | (_ONE if total > _ONE else _ZERO)
