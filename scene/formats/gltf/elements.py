"""Primitives as points, lines and triangles, the vertices that these use, and items of accessors as floats."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.formats.gltf import codes

OUTSIDE = -1


def elements_of(modes: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of an element (1 to 3) of each mode, and how many elements so many indices make."""
    widths = np.array([1, 2, 2, 2, 3, 3, 3])[modes]
    made = np.select(
        [
            modes == codes.POINTS,
            modes == codes.LINES,
            modes == codes.LINE_LOOP,
            modes == codes.LINE_STRIP,
            modes == codes.TRIANGLES,
        ],
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
        indices: (p,) each primitive's accessor of indices, or -1: 0, 1, 2, ...
        corners: written: vertices; OUTSIDE where an index is not below the limit.
    """
    out = 0
    for primitive in range(len(modes)):
        mode = modes[primitive]
        count = counts[primitive]
        accessor = indices[primitive]
        elements = count
        step = 1
        if mode == codes.LINES:
            elements = count // 2
            step = 2
        elif mode == codes.LINE_STRIP:
            elements = count - 1
        elif mode == codes.LINE_LOOP and count < 2:
            elements = 0
        elif mode == codes.TRIANGLES:
            elements = count // 3
            step = 3
        elif mode in (codes.TRIANGLE_STRIP, codes.TRIANGLE_FAN):
            elements = count - 2
        width = 1 if mode == codes.POINTS else (2 if mode <= codes.LINE_STRIP else 3)
        for element in range(elements):
            for k in range(width):
                index = element * step + k
                if (mode == codes.LINE_LOOP and index == count) or (mode == codes.TRIANGLE_FAN and k == 0):
                    index = 0
                elif mode == codes.TRIANGLE_STRIP and element % 2 == 1 and k < 2:
                    index = element + 1 - k  # every other one is wound the other way
                vertex = np.int64(index)
                if accessor >= 0:
                    i = starts[accessor] + index * strides[accessor]
                    vertex = np.int64(data[i])
                    if components[accessor] != codes.UNSIGNED_BYTE:
                        vertex |= np.int64(data[i + 1]) << 8
                        if components[accessor] != codes.UNSIGNED_SHORT:
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
        lowest, highest = most_vertices, -1
        while last < len(ordered) and block_of_primitive[ordered[last]] == block:
            first = firsts[ordered[last]]
            for i in range(first, first + counts[ordered[last]]):
                vertex = corners[i]
                if vertex >= 0 and stamps[vertex] != block:
                    stamps[vertex] = block
                    ascending = ascending and (total == begin or used[total - 1] < vertex)
                    used[total] = vertex
                    total += 1
                    lowest, highest = min(lowest, vertex), max(highest, vertex)
            last += 1
        if not ascending and highest - lowest < 8 * (total - begin):
            # Sorting takes time by the square of their number where corners go along the rows of a grid.
            at_used = begin
            for vertex in range(lowest, highest + 1):
                if stamps[vertex] == block:
                    used[at_used] = vertex
                    at_used += 1
        elif not ascending:
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


@kernel
def read_blocks(
    data: np.ndarray,
    starts: np.ndarray,
    strides: np.ndarray,
    components: np.ndarray,
    normalized: np.ndarray,
    widths: np.ndarray,
    accessors: np.ndarray,
    counts: np.ndarray,
    used: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write to `out` the items of each block's accessor for the vertices that it uses; nothing where it has none."""
    first = 0
    for block in range(len(counts)):
        end = first + counts[block]
        accessor = accessors[block]
        if accessor >= 0:
            _read_items(
                data,
                starts[accessor],
                strides[accessor],
                components[accessor],
                normalized[accessor],
                min(widths[accessor], out.shape[1]),
                used[first:end],
                out[first:end],
            )
        first = end


@kernel
def _read_items(
    data: np.ndarray,
    start: int,
    stride: int,
    component: int,
    normalized: bool,
    width: int,
    rows: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write (k, width) components of the items `rows` of one accessor, which begins at a byte, to `out`."""
    word = np.empty(1, np.uint32)
    real = word.view(np.float32)
    size = 4
    limit = 1.0
    if component in (codes.BYTE, codes.UNSIGNED_BYTE):
        size = 1
        limit = 127.0 if component == codes.BYTE else 255.0
    elif component in (codes.SHORT, codes.UNSIGNED_SHORT):
        size = 2
        limit = 32767.0 if component == codes.SHORT else 65535.0
    for i in range(len(rows)):
        address = start + np.int64(rows[i]) * stride
        for k in range(width):
            bits = np.uint32(0)
            for byte in range(size):
                bits |= np.uint32(data[address + byte]) << np.uint32(8 * byte)
            address += size
            if component == codes.FLOAT:
                word[0] = bits
                out[i, k] = real[0]
                continue
            value = np.float64(bits)
            if component == codes.BYTE and value > 127.0:
                value -= 256.0
            elif component == codes.SHORT and value > 32767.0:
                value -= 65536.0
            out[i, k] = max(value / limit, -1.0) if normalized else value
