"""Which cases of a test are tried each time, and which by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def quick(values: Iterable[Any], count: int, *, several: bool = False) -> list[Any]:
    """Values of a parameter (tuples for several): so many of them each time, the rest with `-m slow`."""
    values = list(values)
    rest = (value if several else (value,) for value in values[count:])
    return [*values[:count], *(pytest.param(*each, marks=pytest.mark.slow) for each in rest)]
