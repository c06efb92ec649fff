"""A function with each kind of argument and result: compiled as a kernel, a new library is tried by it."""

from __future__ import annotations

from typing import Any

import numpy as np


def probe(numbers: np.ndarray, pair: tuple[int, bool], scale: float) -> tuple[np.ndarray, int, bool]:
    """Return numbers * scale of every second column, one more than they are, pair[0] and not pair[1]."""
    made = numbers[:, ::2] * scale
    grown = [made[0, 0]]
    for number in numbers[0]:
        grown.append(number)
    if pair[0] > 5:
        raise ValueError("as the probe is asked to")
    return made, pair[0] + len(grown), not pair[1]


def try_probe(call: Any) -> None:
    """Compare what the probe in a library answers with what it does as Python.

    Raises:
        AssertionError: they differ, as if another numba hands arguments over in another way.
    """
    given = np.arange(6.0).reshape(2, 3), (5, True), 0.5
    for _ in range(3):
        ours, expected = call(*given), probe(*given)
        if not (np.array_equal(ours[0], expected[0]) and ours[1:] == expected[1:]):
            raise AssertionError("the library's answer differs")
    try:
        call(given[0], (6, True), 0.5)
    except ValueError as error:
        if str(error) == "as the probe is asked to":
            return
    raise AssertionError("the library does not tell failures")
