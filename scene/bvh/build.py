"""Build the bounding volume hierarchy over the triangles of meshes, eight children a node.

It has two parts. Below, triangles stand in Morton order (Karras, "Maximizing Parallelism in the Construction of BVHs",
2012): each run of at most RUN with a common prefix becomes a node of up to eight leaves. Above, these runs are divided
by the surface area heuristic in bins (Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007),
eight ways a node (Wald, Benthin, Boulos, "Getting Rid of Packets", 2008). It is quick because sorting is linear, and
the heuristic sees only a twentieth as many items as there are triangles.

Boxes are float32 in the mesh's cube, whose centre is 0 and whose longest side runs from -1 to 1; they are rounded
outwards. The walk adds a slack to its rays for what they lose in float32 (scene/bvh/traverse.py).
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.sah import box_of_doubled_centers, order_by_cost

WIDTH = 8  # children of a node
ROWS = 8  # of a node: six of its children's boxes, and these two
FIRST, COUNT = 6, 7
LEAF = 4  # the most triangles of a leaf, unless they cannot be told apart
RUN = 24  # the most triangles in one run of the Morton order, which becomes a node of leaves

_DIGIT_BITS = 11
_CELLS = 1 << _DIGIT_BITS  # along an axis: three digits make a code
_SMALLEST = 1e-300  # half side of a cube
_UNEVEN = 40  # levels that may be divided unevenly; below, nodes are halved, which limits the depth of walks' stacks
_FAR = np.float32(1e30)  # coordinate of the box of a child that does not exist
_OUTWARDS = 2.0**-23


@borrowing_kernel
def cube_of(lower: np.ndarray, upper: np.ndarray) -> tuple[float, float, float, float]:
    """Return the centre (x, y, z) of a box and the scale that brings its longest side to -1 to 1.

    For a box so small that the scale would overflow the scale is 1: everything lies in the middle of the cube.
    """
    half = 0.0
    for axis in range(3):
        half = max(half, upper[axis] / 2.0 - lower[axis] / 2.0)
    scale = 1.0 / half if half > _SMALLEST else 1.0
    return (
        lower[0] / 2.0 + upper[0] / 2.0,
        lower[1] / 2.0 + upper[1] / 2.0,
        lower[2] / 2.0 + upper[2] / 2.0,
        scale,
    )


@kernel
def build(
    positions: np.ndarray, triangles: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Build the tree over a mesh with at least one triangle.

    Returns:
        nodes (n, 8, 8) float32, 256 bytes each, and leaves (t, 4) int32. A node's rows are the lower x, y, z and the
        upper x, y, z of its eight children, and two rows that are int32: for a child that is a node its index and 0,
        for a leaf its first row of the leaves and how many it has. Node 0 is the root. A row of the leaves is a
        triangle's corners and its index, so that one read brings both.
    """
    triangle_boxes = _triangle_boxes(positions, triangles, lower, upper)
    order, firsts, counts = _runs(triangle_boxes)
    run_count = len(firsts)
    run_boxes = np.empty((run_count, 6), np.float32)
    for run in range(run_count):
        _enclose(triangle_boxes, order, firsts[run], counts[run], run_boxes[run])
    nodes = np.empty((2 * run_count + 1, ROWS, WIDTH), np.float32)
    node_count = _divide(run_boxes, firsts, counts, triangle_boxes, order, nodes, nodes.view(np.int32))
    leaves = np.empty((len(triangles), 4), np.int32)
    for position in range(len(triangles)):
        triangle = order[position]
        leaves[position, 0], leaves[position, 1] = triangles[triangle, 0], triangles[triangle, 1]
        leaves[position, 2], leaves[position, 3] = triangles[triangle, 2], triangle
    return nodes[:node_count], leaves


@kernel
def _triangle_boxes(positions: np.ndarray, triangles: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Compute the boxes of triangles in the mesh's cube, rounded outwards: (t, 6) float32."""
    boxes = np.empty((len(triangles), 6), np.float32)
    x, y, z, scale = cube_of(lower, upper)
    for triangle in range(len(triangles)):
        i, j, k = triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
        for axis in range(3):
            middle = x if axis == 0 else (y if axis == 1 else z)
            a = positions[i, axis]
            b = positions[j, axis]
            c = positions[k, axis]
            low = (min(a, min(b, c)) - middle) * scale
            high = (max(a, max(b, c)) - middle) * scale
            boxes[triangle, axis] = np.float32(low - abs(low) * _OUTWARDS)
            boxes[triangle, axis + 3] = np.float32(high + abs(high) * _OUTWARDS)
    return boxes


@borrowing_kernel
def _enclose(boxes: np.ndarray, order: np.ndarray, first: int, count: int, box: np.ndarray) -> None:
    """Write the box around the `count` boxes that order[first] onwards names."""
    x, y, z = boxes[order[first], 0], boxes[order[first], 1], boxes[order[first], 2]
    x2, y2, z2 = boxes[order[first], 3], boxes[order[first], 4], boxes[order[first], 5]
    for position in range(first + 1, first + count):
        i = order[position]
        x = min(x, boxes[i, 0])
        y = min(y, boxes[i, 1])
        z = min(z, boxes[i, 2])
        x2 = max(x2, boxes[i, 3])
        y2 = max(y2, boxes[i, 4])
        z2 = max(z2, boxes[i, 5])
    box[0], box[1], box[2], box[3], box[4], box[5] = x, y, z, x2, y2, z2


@kernel
def _runs(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sort triangles in Morton order and cut the order into runs.

    Triangles that share a cell of the finest grid are sorted again in a grid of their own.

    Returns:
        order (t,) int32; and for each run its first position in it and its length, (r,) int32.
    """
    total = len(boxes)
    order = np.arange(total).astype(np.int32)
    firsts = np.empty(total, np.int32)
    counts = np.empty(total, np.int32)
    run_count = 0
    codes = np.empty(total, np.int64)
    sorted_codes = np.empty(total, np.int64)
    sorted_order = np.empty(total, np.int32)
    tally = np.empty(3 * _CELLS, np.int32)
    crowded = np.empty((total // RUN + 2, 2), np.int32)  # ranges that are still to be ordered
    crowded[0, 0], crowded[0, 1] = 0, total
    waiting = 1
    stack = np.empty((80, 2), np.int64)
    while waiting > 0:
        # Sort one range by code. Then cut it where the highest bit changes, until the parts are short enough.
        waiting -= 1
        first, last = crowded[waiting, 0], crowded[waiting, 1]
        differ = _encode(boxes, order, first, last, codes)
        if differ:
            _sort(codes, order, first, last, sorted_codes, sorted_order, tally)
        stack[0, 0], stack[0, 1] = first, last
        top = 1
        while top > 0:
            top -= 1
            begin, end = stack[top, 0], stack[top, 1]
            if end - begin <= RUN:
                firsts[run_count], counts[run_count] = begin, end - begin
                run_count += 1
                continue
            middle = (begin + end) // 2
            if differ and codes[begin] == codes[end - 1]:
                crowded[waiting, 0], crowded[waiting, 1] = begin, end
                waiting += 1
                continue
            if differ:
                middle = begin_of_highest_bit(codes, begin, end)
            stack[top, 0], stack[top, 1] = middle, end
            stack[top + 1, 0], stack[top + 1, 1] = begin, middle
            top += 2
    return order, firsts[:run_count].copy(), counts[:run_count].copy()


@borrowing_kernel
def begin_of_highest_bit(codes: np.ndarray, begin: int, end: int) -> int:
    """Find the first of the ascending codes begin..end that has the highest bit in which they differ.

    They do differ.
    """
    differing = codes[begin] ^ codes[end - 1]
    bit = 1
    while bit * 2 <= differing:
        bit *= 2
    wanted = codes[end - 1] & ~(bit - 1)
    while begin < end:
        middle = (begin + end) >> 1
        if codes[middle] < wanted:
            begin = middle + 1
        else:
            end = middle
    return begin


@borrowing_kernel
def _spaced(x: int) -> int:
    """Put two zero bits between the low 11 bits of x."""
    x = (x | x << 16) & 0x070000FF
    x = (x | x << 8) & 0x0700F00F
    x = (x | x << 4) & 0x430C30C3
    return (x | x << 2) & 0x49249249


@borrowing_kernel
def _encode(boxes: np.ndarray, order: np.ndarray, first: int, last: int, codes: np.ndarray) -> bool:
    """Write the Morton codes of the boxes' centres in their cube; return False, and write none, if all are one."""
    x, y, z, x2, y2, z2 = box_of_doubled_centers(boxes, order, first, last)
    side = max(max(x2 - x, y2 - y), z2 - z)
    if not side > np.float32(1e-30):
        return False
    scale = np.float32((_CELLS - 0.01) / np.float64(side))
    for position in range(first, last):
        i = order[position]
        codes[position] = (
            _spaced(np.int64((boxes[i, 0] + boxes[i, 3] - x) * scale))
            | _spaced(np.int64((boxes[i, 1] + boxes[i, 4] - y) * scale)) << 1
            | _spaced(np.int64((boxes[i, 2] + boxes[i, 5] - z) * scale)) << 2
        )
    return True


@borrowing_kernel
def _sort(
    codes: np.ndarray,
    order: np.ndarray,
    first: int,
    last: int,
    other_codes: np.ndarray,
    other_order: np.ndarray,
    tally: np.ndarray,
) -> None:
    """Sort a range of codes and order by code: short ones by insertion, else by radix, three digits."""
    if last - first <= 64:
        for position in range(first + 1, last):
            code, item = codes[position], order[position]
            back = position
            while back > first and codes[back - 1] > code:
                codes[back], order[back] = codes[back - 1], order[back - 1]
                back -= 1
            codes[back], order[back] = code, item
        return
    tally[:] = 0
    mask = _CELLS - 1
    for position in range(first, last):
        code = codes[position]
        tally[code & mask] += 1
        tally[_CELLS + (code >> _DIGIT_BITS & mask)] += 1
        tally[2 * _CELLS + (code >> 2 * _DIGIT_BITS)] += 1
    for digit in range(3):
        total = first
        for cell in range(digit * _CELLS, (digit + 1) * _CELLS):
            count = tally[cell]
            tally[cell] = total
            total += count
    _scatter(codes, order, first, last, other_codes, other_order, tally, 0)
    _scatter(other_codes, other_order, first, last, codes, order, tally, 1)
    _scatter(codes, order, first, last, other_codes, other_order, tally, 2)
    for position in range(first, last):
        codes[position], order[position] = other_codes[position], other_order[position]


@borrowing_kernel
def _scatter(
    codes: np.ndarray,
    order: np.ndarray,
    first: int,
    last: int,
    to_codes: np.ndarray,
    to_order: np.ndarray,
    tally: np.ndarray,
    digit: int,
) -> None:
    """Move a range to its sorted positions by one digit, of which `tally` has the next position for each value."""
    shift = digit * _DIGIT_BITS
    for position in range(first, last):
        code = codes[position]
        cell = digit * _CELLS + (code >> shift & (_CELLS - 1))
        target = tally[cell]
        tally[cell] = target + 1
        to_codes[target] = code
        to_order[target] = order[position]


@kernel
def _divide(
    run_boxes: np.ndarray,
    firsts: np.ndarray,
    counts: np.ndarray,
    triangle_boxes: np.ndarray,
    order: np.ndarray,
    boxes: np.ndarray,
    integers: np.ndarray,
) -> int:
    """Write the nodes over the runs, of which those of a node are a range of `items`; return the number of nodes."""
    run_count = len(firsts)
    items = np.arange(run_count).astype(np.int32)
    other = np.empty(run_count, np.int32)
    bins = np.empty((16, 9), np.float32)
    begins = np.empty(WIDTH, np.int64)
    ends = np.empty(WIDTH, np.int64)
    own = np.empty((WIDTH, 6), np.float32)
    stack = np.empty((run_count + 1, 4), np.int32)  # node, begin, end, level
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, 0, run_count, 0
    top, node_count = 1, 1
    while top > 0:
        top -= 1
        node, begin, end, level = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        if end - begin == 1:
            run = items[begin]
            _write_leaves(
                boxes[node], integers[node], triangle_boxes, order, firsts[run], counts[run], begins, ends, own
            )
            continue
        # Children are ranges of items. Divide the one with the largest surface until there are eight; if there are at
        # most eight runs, each is a child.
        begins[0], ends[0] = begin, end
        _enclose(run_boxes, items, begin, end - begin, own[0])
        count = 1
        if end - begin <= WIDTH:
            count = end - begin
            for child in range(count):
                begins[child], ends[child] = begin + child, begin + child + 1
        while count < WIDTH:
            # Those that fit into one node stay whole.
            best, largest = -1, np.float32(-1.0)
            for child in range(count):
                if ends[child] - begins[child] > WIDTH:
                    area = half_area(own[child])
                    if area > largest:
                        best, largest = child, area
            if best < 0:
                break
            middle = (begins[best] + ends[best]) // 2
            if level < _UNEVEN:
                middle = order_by_cost(run_boxes, counts, items, begins[best], ends[best], other, bins)
            begins[count], ends[count] = middle, ends[best]
            ends[best] = middle
            _enclose(run_boxes, items, begins[best], ends[best] - begins[best], own[best])
            _enclose(run_boxes, items, middle, ends[count] - middle, own[count])
            count += 1
        for child in range(WIDTH):
            if child >= count:
                _write_box(boxes[node], child, own[0], False)
                continue
            if end - begin <= WIDTH:
                _enclose(run_boxes, items, begins[child], 1, own[child])
            _write_box(boxes[node], child, own[child], True)
            run = items[begins[child]]
            if ends[child] - begins[child] == 1 and counts[run] <= LEAF:
                integers[node, FIRST, child], integers[node, COUNT, child] = firsts[run], counts[run]
                continue
            integers[node, FIRST, child], integers[node, COUNT, child] = node_count, 0
            stack[top, 0], stack[top, 1], stack[top, 2] = node_count, begins[child], ends[child]
            stack[top, 3] = level + 1
            top += 1
            node_count += 1
    return node_count


@borrowing_kernel
def half_area(box: np.ndarray) -> float:
    """Compute half the surface area of a box (6,)."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x


@borrowing_kernel
def _write_box(boxes: np.ndarray, child: int, box: np.ndarray, there: bool) -> None:
    """Write a child's box to a node; an empty box far away where there is no child."""
    for axis in range(3):
        boxes[axis, child] = box[axis] if there else _FAR
        boxes[axis + 3, child] = box[axis + 3] if there else -_FAR


@borrowing_kernel
def _write_leaves(
    boxes: np.ndarray,
    integers: np.ndarray,
    triangle_boxes: np.ndarray,
    order: np.ndarray,
    first: int,
    total: int,
    begins: np.ndarray,
    ends: np.ndarray,
    own: np.ndarray,
) -> None:
    """Make a node of one run of triangles: halve the largest part until all fit into leaves or there are eight."""
    begins[0], ends[0] = first, first + total
    count = 1
    while count < WIDTH:
        best = 0
        for child in range(1, count):
            if ends[child] - begins[child] > ends[best] - begins[best]:
                best = child
        if ends[best] - begins[best] <= LEAF:
            break
        middle = (begins[best] + ends[best]) // 2
        begins[count], ends[count] = middle, ends[best]
        ends[best] = middle
        count += 1
    for child in range(WIDTH):
        if child < count:
            _enclose(triangle_boxes, order, begins[child], ends[child] - begins[child], own[child])
            integers[FIRST, child], integers[COUNT, child] = begins[child], ends[child] - begins[child]
        _write_box(boxes, child, own[child], child < count)


@kernel
def build_meshes(
    mesh_ids: np.ndarray,
    first_vertex: np.ndarray,
    vertex_count: np.ndarray,
    first_triangle: np.ndarray,
    triangle_count: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
    firsts: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Build the trees of meshes, one behind the other.

    Args:
        firsts: (k, 2) int32, written: each mesh's first node and first row of the leaves.

    Returns:
        nodes and leaves as scene.bvh.build.build; the indices of each mesh count from its own first.
    """
    if len(mesh_ids) == 1:
        mesh = mesh_ids[0]
        firsts[0, 0] = firsts[0, 1] = 0
        return build(
            positions[first_vertex[mesh] : first_vertex[mesh] + vertex_count[mesh]],
            corners[first_triangle[mesh] : first_triangle[mesh] + triangle_count[mesh]],
            lower[mesh],
            upper[mesh],
        )
    total = 0
    for mesh in mesh_ids:
        total += triangle_count[mesh]
    leaves = np.empty((total, 4), np.int32)
    nodes = np.empty((total // 8 + 16, ROWS, WIDTH), np.float32)
    node = leaf = 0
    for i in range(len(mesh_ids)):
        mesh = mesh_ids[i]
        firsts[i, 0], firsts[i, 1] = node, leaf
        own_nodes, own_leaves = build(
            positions[first_vertex[mesh] : first_vertex[mesh] + vertex_count[mesh]],
            corners[first_triangle[mesh] : first_triangle[mesh] + triangle_count[mesh]],
            lower[mesh],
            upper[mesh],
        )
        needed = node + len(own_nodes)
        if needed > len(nodes):
            longer = np.empty((2 * needed, ROWS, WIDTH), np.float32)
            longer[:node] = nodes[:node]
            nodes = longer
        nodes[node:needed] = own_nodes
        leaves[leaf : leaf + len(own_leaves)] = own_leaves
        node, leaf = needed, leaf + len(own_leaves)
    return nodes[:node], leaves
