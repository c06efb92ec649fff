"""Trees as columns of parents: an order from the top down, without recursion."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel


def children_of(parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every node's children, and last those at the top.

    Args:
        parents: (n,) int, -1 at the top.

    Returns:
        starts (n + 2,) int64 and children (n,) int64: of node i children[starts[i]:starts[i + 1]], by number; those at
        the top as if they were node n's.
    """
    above = np.where(parents < 0, len(parents), parents)
    starts = np.zeros(len(parents) + 2, dtype=np.int64)
    np.cumsum(np.bincount(above, minlength=len(parents) + 1), out=starts[1:])
    return starts, np.argsort(above, kind="stable")


@kernel
def from_the_top(starts, children):
    """Node numbers, each followed by its first child and all below it, then by its next child.

    What cannot be reached from the top (a circle) is left out; `starts` and `children` as `children_of` gives them.
    """
    n = len(starts) - 2
    order = np.empty(n, np.int64)
    waiting = np.empty(n, np.int64)
    count = 0
    top = 0
    for i in range(starts[n + 1] - 1, starts[n] - 1, -1):
        waiting[top] = children[i]
        top += 1
    while top > 0:
        top -= 1
        node = waiting[top]
        order[count] = node
        count += 1
        for i in range(starts[node + 1] - 1, starts[node] - 1, -1):
            waiting[top] = children[i]
            top += 1
    return order[:count]
