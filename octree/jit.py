"""How every kernel of the project is compiled: cached on disk, one thread, free of the interpreter lock.

A numba parallel region costs milliseconds to enter on a busy machine, more than any query here takes: one thread.
No fastmath: comparisons must keep their meaning for infinities and NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numba


def kernel(function: Callable) -> Callable:
    """Compile a function over plain arrays on its first call; a later process loads it from the cache.

    Every operation rounds as written: that is what lets no ray slip between two triangles.
    """
    return _compiled(function)


def fused_kernel(function: Callable) -> Callable:
    """Like `kernel`, for tests that leave room for rounding: a multiply and an add may become one instruction."""
    return _compiled(function, fastmath={"contract"})


def largest_kernel(function: Callable) -> Callable:
    """Like `kernel`, for the largest of many numbers that are not NaN: may be taken in any order, so in SIMD."""
    return _compiled(function, fastmath={"nnan", "nsz"})


def _compiled(function: Callable, **options: object) -> Callable:
    try:
        return numba.njit(function, cache=True, nogil=True, **options)
    except RuntimeError:  # neither the package's folder nor the user's cache folder can be written: compile each time
        return numba.njit(function, nogil=True, **options)
