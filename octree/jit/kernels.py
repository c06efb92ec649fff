"""Compile every kernel of the project alike: cached on disk, on one thread, free of the interpreter lock.

A numba parallel region costs milliseconds to enter on a busy machine, more than any query here takes: one thread.
No fastmath: comparisons must keep their meaning for infinities and NaN. A division by zero gives one of these, as in
numpy, and no ZeroDivisionError: a divisor may underflow to zero, whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numba

from octree.jit.sources import stamp_of

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function over plain arrays on its first call; a later process loads it from the cache.

    Every operation rounds as written: that is what lets no ray slip between two triangles.
    """
    return _compiled(function)


def fused_kernel(function: F) -> F:
    """Like `kernel`, for tests that leave room for rounding: a multiply and an add may become one instruction."""
    return _compiled(function, fastmath={"contract"})


def borrowing_kernel(function: F) -> F:
    """Like `kernel`, for functions that allocate no array: they count no references to the arrays that they are given.

    A count is an atomic operation, and numba may do several for each of a small function's calls: reading text a
    byte at a time takes a third of the time without. A function that does make an array is refused when compiled.
    """
    return _compiled(function, _nrt=False)


def largest_kernel(function: F) -> F:
    """Like `kernel`, for the maximum of many values that are not NaN: the order is free, so that SIMD can be used."""
    return _compiled(function, fastmath={"nnan", "nsz"})


def inlined(function: F) -> F:
    """Make a small function callable by kernels; it stays an ordinary one for numpy arrays, so both share a formula."""
    return numba.extending.register_jitable(function)


def _compiled(function: F, **options: object) -> F:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets it from the environment when it is imported
        return function
    options |= {"nogil": True, "error_model": "numpy"}
    try:
        dispatcher = numba.njit(function, cache=True, **options)  # type: ignore[call-overload]  # knows no _nrt
        index = dispatcher._cache._cache_file
        if {"_version", "_source_stamp"} <= vars(index).keys():
            index.__class__ = _stamped(type(index))  # type: ignore[arg-type]  # a class is hashable
            index.source, index._source_stamp = function.__code__.co_filename, None
            return dispatcher
    except (RuntimeError, AttributeError, TypeError):
        pass
    # Neither the package's folder nor the user's cache folder can be written, or this numba keeps its cache in another
    # way, and would go on using what is out of date: compile each time.
    return numba.njit(function, **options)  # type: ignore[call-overload]  # numba's stubs know no _nrt


@cache
def _stamped(index_class: type) -> type:
    """Make of numba's class for the list of a kernel's machine code one that holds for one stamp of the sources.

    numba compares the time and size of the kernel's own file, and would go on using what it once compiled in from
    others. It compares its version before it looks at anything else: a list may name classes that are gone.
    """

    def version(index: Any) -> str:  # asked for when the kernel is first called; `source` is the path of its file
        return f"{numba.__version__} {stamp_of(index.source)}"

    def load_index(index: Any) -> dict[Any, Any]:
        try:
            return index_class._load_index(index)  # type: ignore[attr-defined]
        except (ImportError, AttributeError):  # an argument's class, in a file that the kernel's does not import, moved
            return {}

    return type("StampedIndex", (index_class,), {"_version": property(version), "_load_index": load_index})
