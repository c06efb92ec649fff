"""Disjoint sets of numbers, in one array of parents.

With the smaller number as root, and path halving (Tarjan and van Leeuwen, "Worst-case Analysis of Set Union
Algorithms", 1984).
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel


@kernel
def root_of(above: np.ndarray, number: int) -> int:
    """Find the root of a number's set; `above`, (n,) int32, holds each number's parent, a root's is itself."""
    while above[number] != number:
        above[number] = above[above[number]]
        number = above[number]
    return number


@kernel
def unite(above: np.ndarray, a: int, b: int) -> None:
    """Unite the sets of two numbers."""
    a, b = root_of(above, a), root_of(above, b)
    if a < b:
        above[b] = a
    else:
        above[a] = b
