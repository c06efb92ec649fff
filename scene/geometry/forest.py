"""Trees as columns of parents: a pre-order, depths and cycles, without recursion."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel


def children_of(parents: np.ndarray, orders: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Group nodes by parent.

    Args:
        orders: (n,) numbers by which those of one parent are sorted; equal ones, or all for None, by their indices.

    Returns:
        starts (n + 2,) int64 and children (n,) int64: those of node i are children[starts[i]:starts[i + 1]]; those at
        the top stand last, as if they were node n's.
    """
    starts, children = sort_by_parent(np.array(parents, dtype=np.int32))  # of one type, so that one version is compiled
    if orders is not None and orders.any():
        children = np.lexsort((orders, np.where(parents < 0, len(parents), parents)))
    return starts, children


@kernel
def sort_by_parent(parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Do what `children_of` does, for int32."""
    n = len(parents)
    starts = np.zeros(n + 2, np.int64)
    for node in range(n):
        starts[(parents[node] if parents[node] >= 0 else n) + 1] += 1
    for node in range(n + 1):
        starts[node + 1] += starts[node]
    children = np.empty(n, np.int64)
    next_of = starts.copy()  # where the next child of each node goes
    for node in range(n):
        above = parents[node] if parents[node] >= 0 else n
        children[next_of[above]] = node
        next_of[above] += 1
    return starts, children


@kernel
def preorder(starts: np.ndarray, children: np.ndarray) -> np.ndarray:
    """List nodes, each followed by its first child and all below it, then by its next child: (k,) int64.

    What cannot be reached from the top, in a cycle or below one, is left out. Arguments are from `children_of`.
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
def depths_and_subtree_ends(order: np.ndarray, parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the (n,) depth of each node in pre-order, and (n,) the position behind everything that is below."""
    depths = np.empty(len(order), np.int64)
    ends = np.empty(len(order), np.int64)
    below = np.ones(len(order), np.int64)  # by number: how many a node is with all below it
    of_node = np.empty(len(order), np.int64)
    for position in range(len(order)):
        node = order[position]
        above = parents[node]
        of_node[node] = depths[position] = of_node[above] + 1 if above >= 0 else 0
    for position in range(len(order) - 1, -1, -1):
        node = order[position]
        ends[position] = position + below[node]
        if parents[node] >= 0:
            below[parents[node]] += below[node]
    return depths, ends


@kernel
def depths_of(parents: np.ndarray) -> np.ndarray:
    """Compute the (n,) int32 depth of every node, 0 at the top; in linear time for a tree of any shape and order."""
    depths = np.full(len(parents), -1, np.int32)
    for node in range(len(parents)):
        # Go up to a node whose depth is known and count the steps; go up again and write the depths.
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
def nodes_in_cycles(parents: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Find the nodes that are their own ancestors, upwards from `ids`, (k,) int32; no node is passed twice."""
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


@kernel
def unfolded(ids: np.ndarray, ends: np.ndarray, is_open: np.ndarray) -> np.ndarray:
    """Return (n,) bool by position: whether all ancestors are open; `is_open` is by node id."""
    shown = np.zeros(len(ids), np.bool_)
    place = 0
    while place < len(ids):
        shown[place] = True
        place = place + 1 if is_open[ids[place]] else ends[place]
    return shown


@kernel
def inherit(order: np.ndarray, parents: np.ndarray, values: np.ndarray) -> None:
    """Give every node that has none (-1) its parent's value; `order`: parents before children."""
    for node in order:
        if values[node] < 0 and parents[node] >= 0:
            values[node] = values[parents[node]]


@kernel
def mark_above(order: np.ndarray, parents: np.ndarray, marks: np.ndarray) -> None:
    """Mark the nodes above those that are marked."""
    for i in range(len(order) - 1, -1, -1):
        if marks[order[i]] and parents[order[i]] >= 0:
            marks[parents[order[i]]] = True
