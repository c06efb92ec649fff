"""Keep other libraries' warnings quiet on one thread, while other threads get theirs.

The filters of `warnings` are one list for the whole process, and its catch_warnings puts back the list that it found:
where two threads do that at once, the one that ends last leaves the other's filters for good. Here filters are added
once. They match nothing but warnings of threads that are in `quiet_warnings`, so they may stay for good.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class _Here(threading.local):
    """The state of a thread: how many blocks it is in, and how many of these take deprecations as errors."""

    quiet = 0
    strict = 0


_here = _Here()


class _Matches:
    """In place of a regular expression for a warning's text: matches any on a thread of which something is wanted."""

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted

    def match(self, text: str) -> bool:
        return getattr(_here, self._wanted) > 0


_FILTERS: list[Any] = [
    ("error", _Matches("strict"), DeprecationWarning, None, 0),
    ("ignore", _Matches("quiet"), Warning, None, 0),
]


def ignore_for_good(text: str) -> None:
    """Ignore warnings on all threads whose text begins with this regular expression, as nobody can mend them."""
    each = ("ignore", re.compile(text), Warning, None, 0)
    if each not in _FILTERS:
        _FILTERS.append(each)
    _add_filters()


@contextmanager
def quiet_warnings(*, deprecations_raise: bool = False) -> Iterator[None]:
    """Ignore what this thread warns of in the block; a DeprecationWarning is raised instead where that is wanted."""
    _add_filters()
    _here.quiet += 1
    _here.strict += deprecations_raise
    try:
        yield
    finally:
        _here.quiet -= 1
        _here.strict -= deprecations_raise


def _add_filters() -> None:
    filters: list[Any] = warnings.filters  # type: ignore[assignment]  # typeshed: a Sequence
    if filters[: len(_FILTERS)] != _FILTERS:  # never added, or others stand before them, or were put back without them
        for each in _FILTERS:
            with suppress(ValueError):
                filters.remove(each)
        filters[:0] = _FILTERS
