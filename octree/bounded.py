"""Arithmetic that stays within bounds whatever the numbers are: huge, denormal, infinite or NaN."""

from __future__ import annotations

import math

from octree.jit import borrowing_kernel

_LARGEST_EXPONENT = 1000  # of a power of two and its inverse that are no denormal numbers


@borrowing_kernel
def bin_of(place: float, count: int) -> int:
    """Return which of `count` bins, each 1 wide, a place lies in; beyond their ends the last or the first, as for NaN.

    The machine's conversion gives any integer for a float that no integer can hold.
    """
    if not place > 0.0:
        return 0
    return count - 1 if place >= count else int(place)


@borrowing_kernel
def unit_of(largest: float) -> float:
    """Return a power of two that brings numbers up to `largest` near 1: multiplying by it rounds nothing.

    It is finite, and so is its inverse: of denormal numbers, and infinite ones, only nearer to 1.
    """
    if not 0.0 < largest < math.inf:
        return 1.0
    exponent = math.frexp(largest)[1]
    return math.ldexp(1.0, -min(max(exponent, -_LARGEST_EXPONENT), _LARGEST_EXPONENT))
