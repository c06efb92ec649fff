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
    return sort_by_parent(np.array(parents, dtype=np.int32))  # of one type, whatever comes: it is compiled once


@kernel
def sort_by_parent(parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`children_of` for int32."""
    n = len(parents)
    starts = np.zeros(n + 2, np.int64)
    for node in range(n):
        starts[(parents[node] if parents[node] >= 0 else n) + 1] += 1
    for node in range(n + 1):
        starts[node + 1] += starts[node]
    children = np.empty(n, np.int64)
    places = starts.copy()
    for node in range(n):
        above = parents[node] if parents[node] >= 0 else n
        children[places[above]] = node
        places[above] += 1
    return starts, children


@kernel
def from_the_top(starts: np.ndarray, children: np.ndarray) -> np.ndarray:
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


@kernel
def depths_and_ends(order: np.ndarray, parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of nodes in the order of `from_the_top`, by place: (n,) int64 depths, and the places behind all that is below.

    Every node of `parents` is in the order.
    """
    depths = np.empty(len(order), np.int64)
    ends = np.empty(len(order), np.int64)
    below = np.ones(len(order), np.int64)  # by number: how many a node is with all below it
    of_node = np.empty(len(order), np.int64)
    for place in range(len(order)):
        node = order[place]
        above = parents[node]
        of_node[node] = depths[place] = of_node[above] + 1 if above >= 0 else 0
    for place in range(len(order) - 1, -1, -1):
        node = order[place]
        ends[place] = place + below[node]
        if parents[node] >= 0:
            below[parents[node]] += below[node]
    return depths, ends


@kernel
def depths_of(parents: np.ndarray) -> np.ndarray:
    """(n,) int32 depth of every node, 0 at the top; linear, whatever the tree's shape and order."""
    depths = np.full(len(parents), -1, np.int32)
    for node in range(len(parents)):
        # Up to a node whose depth is known, and once more with what that gave.
        steps = 0
        above = node
        while above >= 0 and depths[above] < 0:
            above = parents[above]
            steps += 1
        depth = steps + (depths[above] if above >= 0 else -1)
        above = node
        while above >= 0 and depths[above] < 0:
            depths[above] = depth
            depth -= 1
            above = parents[above]
    return depths


@kernel
def in_circles(parents: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """(k,) int32: the nodes that stand above themselves, looked for upwards from `ids`; no node is passed twice."""
    walk_of = np.zeros(len(parents), np.int64)  # pages of it that no walk touches cost nothing
    found = np.empty(len(parents), np.int32)
    count = 0
    for walk in range(1, len(ids) + 1):
        node = ids[walk - 1]
        while node >= 0 and walk_of[node] == 0:
            walk_of[node] = walk
            node = parents[node]
        if node >= 0 and walk_of[node] == walk:
            first = node
            while True:
                found[count] = node
                count += 1
                node = parents[node]
                if node == first:
                    break
    return found[:count]
