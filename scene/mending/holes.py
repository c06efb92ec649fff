"""Find the closed loops that open edges make."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

_NONE, _SEVERAL = -1, -2


@kernel
def loops_of(edges: np.ndarray, vertex_count: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Join open edges to polygons that close them, so that their fronts go on those of the triangles beside.

    A loop through a point at which several meet is left out: it could be closed in several ways.

    Args:
        edges: (k, 2) int64 vertices, as their triangles have them.
        most: sides of a polygon.

    Returns:
        (p,) int64 the sides of each polygon, and the vertices of all of them, one behind the other.
    """
    after = np.full(vertex_count, _NONE)
    before = np.full(vertex_count, _NONE)
    for edge in range(len(edges)):
        end, begin = edges[edge, 0], edges[edge, 1]  # against the triangle
        after[begin] = end if after[begin] == _NONE else _SEVERAL
        before[end] = begin if before[end] == _NONE else _SEVERAL
    sizes = np.empty(len(edges), np.int64)
    corners = np.empty(len(edges), np.int64)
    is_done = np.zeros(vertex_count, np.bool_)
    loop_count = count = 0
    for edge in range(len(edges)):
        begin = here = edges[edge, 0]
        size = 0
        while here >= 0 and not is_done[here]:
            is_done[here] = True
            corners[count + size] = here
            size += 1
            here = after[here] if before[here] >= 0 else _NONE
        if here == begin and 3 <= size <= most:
            sizes[loop_count] = size
            loop_count += 1
            count += size
    return sizes[:loop_count], corners[:count]
