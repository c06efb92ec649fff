"""Primitives as single points, lines and triangles, and the vertices that these use."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.formats.gltf.codes import (
    LINE_LOOP,
    LINE_STRIP,
    LINES,
    POINTS,
    TRIANGLE_FAN,
    TRIANGLE_STRIP,
    TRIANGLES,
    UNSIGNED_BYTE,
    UNSIGNED_SHORT,
)

OUTSIDE = -1


def elements_of(modes: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of an element (1 to 3) of each mode, and how many elements so many indices make."""
    widths = np.array([1, 2, 2, 2, 3, 3, 3])[modes]
    made = np.select(
        [modes == POINTS, modes == LINES, modes == LINE_LOOP, modes == LINE_STRIP, modes == TRIANGLES],
        [counts, counts // 2, np.where(counts > 1, counts, 0), counts - 1, counts // 3],
        counts - 2,
    )
    return widths, np.maximum(made, 0)


@kernel
def expand(
    data: np.ndarray,
    modes: np.ndarray,
    indices: np.ndarray,
    starts: np.ndarray,
    strides: np.ndarray,
    components: np.ndarray,
    counts: np.ndarray,
    limits: np.ndarray,
    corners: np.ndarray,
) -> None:
    """Write the corners of all elements of all primitives, one primitive behind the other.

    Args:
        data: (n,) uint8.
        modes: (p,) each primitive's mode.
        indices: (p,) each primitive's accessor of indices, or -1: 0, 1, 2, ...
        starts, strides, components: (a,) as in Accessors.
        counts: (p,) how many indices each primitive has.
        limits: (p,) how many vertices each primitive has.
        corners: written: vertices; OUTSIDE where an index is not below the limit.
    """
    out = 0
    for primitive in range(len(modes)):
        mode = modes[primitive]
        count = counts[primitive]
        accessor = indices[primitive]
        elements = count
        step = 1
        if mode == LINES:
            elements = count // 2
            step = 2
        elif mode == LINE_STRIP:
            elements = count - 1
        elif mode == LINE_LOOP and count < 2:
            elements = 0
        elif mode == TRIANGLES:
            elements = count // 3
            step = 3
        elif mode in (TRIANGLE_STRIP, TRIANGLE_FAN):
            elements = count - 2
        width = 1 if mode == POINTS else (2 if mode <= LINE_STRIP else 3)
        for element in range(elements):
            for k in range(width):
                index = element * step + k
                if (mode == LINE_LOOP and index == count) or (mode == TRIANGLE_FAN and k == 0):
                    index = 0
                elif mode == TRIANGLE_STRIP and element % 2 == 1 and k < 2:
                    index = element + 1 - k  # every other one is wound the other way
                vertex = np.int64(index)
                if accessor >= 0:
                    i = starts[accessor] + index * strides[accessor]
                    vertex = np.int64(data[i])
                    if components[accessor] != UNSIGNED_BYTE:
                        vertex |= np.int64(data[i + 1]) << 8
                        if components[accessor] != UNSIGNED_SHORT:
                            vertex |= np.int64(data[i + 2]) << 16 | np.int64(data[i + 3]) << 24
                corners[out] = vertex if vertex < limits[primitive] else OUTSIDE
                out += 1


@kernel
def number_vertices(
    ordered: np.ndarray,
    block_of_primitive: np.ndarray,
    mesh_of_block: np.ndarray,
    counts: np.ndarray,
    most_vertices: int,
    corners: np.ndarray,
    used: np.ndarray,
    block_counts: np.ndarray,
) -> int:
    """Replace the vertices of corners by their indices among those that their mesh uses; return the number of these.

    The vertices of a mesh are those of its blocks, one behind the other, each block's in ascending order.

    Args:
        ordered: (p,) primitives by block.
        block_of_primitive: (p,) block of each primitive.
        mesh_of_block: (b,) mesh of each block.
        counts: (p,) corners of each primitive.
        most_vertices: all vertices are below it.
        corners: as `expand` writes them; changed.
        used: written: the vertices of all blocks.
        block_counts: (b,), written: how many vertices each block has.
    """
    firsts = np.cumsum(counts) - counts
    stamps = np.full(most_vertices, -1, np.int32)
    numbers = np.empty(most_vertices, np.int32)
    total = 0
    mesh_first = 0
    mesh = -1
    at = 0
    while at < len(ordered):
        block = block_of_primitive[ordered[at]]
        if mesh_of_block[block] != mesh:
            mesh = mesh_of_block[block]
            mesh_first = total
        begin = total
        last = at
        ascending = True
        while last < len(ordered) and block_of_primitive[ordered[last]] == block:
            first = firsts[ordered[last]]
            for i in range(first, first + counts[ordered[last]]):
                vertex = corners[i]
                if vertex >= 0 and stamps[vertex] != block:
                    stamps[vertex] = block
                    ascending = ascending and (total == begin or used[total - 1] < vertex)
                    used[total] = vertex
                    total += 1
            last += 1
        if not ascending:
            used[begin:total].sort()
        for k in range(begin, total):
            numbers[used[k]] = k - mesh_first
        for rank in range(at, last):
            first = firsts[ordered[rank]]
            for i in range(first, first + counts[ordered[rank]]):
                if corners[i] >= 0:
                    corners[i] = numbers[corners[i]]
        block_counts[block] = total - begin
        at = last
    return total
