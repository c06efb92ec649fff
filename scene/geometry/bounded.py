"""Arithmetic that stays within bounds for any float: huge, denormal, infinite or NaN."""

from __future__ import annotations

import math

from octoscope.octree.jit import borrowing_kernel

_LARGEST_EXPONENT = 1000  # of a power of two and its inverse that are no denormal numbers


@borrowing_kernel
def bin_of(coordinate: float, count: int) -> int:
    """Find the bin that a coordinate lies in, of `count` bins that are each 1 wide and begin at 0.

    Below the first bin and for NaN it is the first, beyond the last bin the last. A plain conversion to an integer
    would give any number for a float that no integer can hold.
    """
    if not coordinate > 0.0:
        return 0
    return count - 1 if coordinate >= count else int(coordinate)


@borrowing_kernel
def unit_of(largest: float) -> float:
    """Return a power of two that brings numbers up to `largest` near 1: multiplying by it rounds nothing.

    The power and its inverse are always finite, so denormal numbers are only brought nearer to 1.
    """
    if not 0.0 < largest < math.inf:
        return 1.0
    exponent = math.frexp(largest)[1]
    return math.ldexp(1.0, -min(max(exponent, -_LARGEST_EXPONENT), _LARGEST_EXPONENT))
