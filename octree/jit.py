"""How every kernel of the project is compiled: cached on disk, one thread, free of the interpreter lock.

A numba parallel region costs milliseconds to enter on a busy machine, more than any query here takes: one thread.
No fastmath: comparisons must keep their meaning for infinities and NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba


def kernel(function: Callable) -> Callable:
    """Compile a function over plain arrays on its first call; a later process loads it from the cache.

    Every operation rounds as written: that is what lets no ray slip between two triangles.
    """
    return _compiled(function)


def fused_kernel(function: Callable) -> Callable:
    """Like `kernel`, for tests that leave room for rounding: a multiply and an add may become one instruction."""
    return _compiled(function, fastmath={"contract"})


def borrowing_kernel(function: Callable) -> Callable:
    """Like `kernel`, for functions that make no array: they borrow those they are given and count no references.

    A count is an atomic operation, and numba may do several for each of a small function's calls: reading text a
    byte at a time takes a third of the time without. A function that does make an array is refused when compiled.
    """
    return _compiled(function, _nrt=False)


def largest_kernel(function: Callable) -> Callable:
    """Like `kernel`, for the largest of many numbers that are not NaN: may be taken in any order, so in SIMD."""
    return _compiled(function, fastmath={"nnan", "nsz"})


def _compiled(function: Callable, **options: object) -> Callable:
    try:
        dispatcher = numba.njit(function, cache=True, nogil=True, **options)
    except RuntimeError:  # neither the package's folder nor the user's cache folder can be written: compile each time
        return numba.njit(function, nogil=True, **options)
    _watch_all_sources(dispatcher, Path(function.__code__.co_filename).parent)
    return dispatcher


def _watch_all_sources(dispatcher: Callable, folder: Path) -> None:
    """Let the cache forget a kernel when any file beside it, or in this package, changes.

    numba compares the kernel's own file only, and would go on using what it once compiled in from another.
    """
    # AttributeError: a numba that keeps it elsewhere, or does not compile at all (NUMBA_DISABLE_JIT).
    with suppress(AttributeError):
        dispatcher._cache._cache_file._source_stamp = (_stamp_of(Path(__file__).parent), _stamp_of(folder))


@cache
def _stamp_of(folder: Path) -> tuple[tuple[str, int, int], ...]:
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.glob("*.py")))
