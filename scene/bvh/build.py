"""The triangles of one mesh in a tree of boxes, eight to a node: how it is built.

A bounding volume hierarchy in two parts. Below, triangles in Morton order (Karras, "Maximizing Parallelism in the
Construction of BVHs", 2012): runs of at most RUN with a common prefix become a node of up to eight leaves each. Above,
these runs are divided by the surface area heuristic in bins (Wald, "On fast Construction of SAH-based Bounding Volume
Hierarchies", 2007), eight ways a node (Wald, Benthin, Boulos, "Getting Rid of Packets", 2008). Sorting is linear, and
the heuristic sees a twentieth of the triangles: this is what makes it quick to build.

Boxes are float32 in the mesh's cube: its middle is 0, its longest side from -1 to 1; rounded outwards. What a ray loses
in float32 is made good in its own slack (scene/bvh/traverse.py).
"""

from __future__ import annotations

import numpy as np

from octree.jit import borrowing_kernel, kernel
from scene.bvh.sah import order_by_cost

WIDTH = 8  # children of a node
ROWS = 8  # of a node: six of its children's boxes, and these two
NUMBER, COUNT = 6, 7
LEAF = 4  # triangles that a leaf has at most, unless they cannot be told apart
RUN = 24  # triangles in one run of the Morton order at most: a node of leaves

_DIGIT_BITS = 11
_CELLS = 1 << _DIGIT_BITS  # along an axis: three digits make a code
_SMALLEST = 1e-300  # half side of a cube
_UNEVEN = 40  # levels of nodes that may be divided unevenly; from there on in halves, so that walks know their stacks
_FAR = np.float32(1e30)  # where the box of a child that is not there lies
_OUTWARDS = 2.0**-23


@borrowing_kernel
def cube_of(lower: np.ndarray, upper: np.ndarray) -> tuple[float, float, float, float]:
    """Middle (x, y, z) of a box, and 1 / half its longest side: what brings it into the cube -1 to 1.

    What is so small that the inverse overflows stays as small: all is finite, and lies in the middle of the cube.
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

    Args:
        positions: (v, 3) float64. triangles: (t, 3) int32. lower, upper: (3,) the positions' box.

    Returns:
        nodes (n, 8, 8) float32, 256 bytes each: lower x, y, z, upper x, y, z of a node's children, and two rows that
        are int32: a child's number and 0, or a leaf's first place in `leaves` and how many it has. Node 0 is the root.
        leaves (t, 4) int32: a triangle's corners and its number, so that a leaf is found in one place.
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
    for place in range(len(triangles)):
        triangle = order[place]
        leaves[place, 0], leaves[place, 1] = triangles[triangle, 0], triangles[triangle, 1]
        leaves[place, 2], leaves[place, 3] = triangles[triangle, 2], triangle
    return nodes[:node_count], leaves


@kernel
def _triangle_boxes(positions: np.ndarray, triangles: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
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
    """Write the box around `count` boxes."""
    x, y, z = boxes[order[first], 0], boxes[order[first], 1], boxes[order[first], 2]
    x2, y2, z2 = boxes[order[first], 3], boxes[order[first], 4], boxes[order[first], 5]
    for place in range(first + 1, first + count):
        i = order[place]
        x = min(x, boxes[i, 0])
        y = min(y, boxes[i, 1])
        z = min(z, boxes[i, 2])
        x2 = max(x2, boxes[i, 3])
        y2 = max(y2, boxes[i, 4])
        z2 = max(z2, boxes[i, 5])
    box[0], box[1], box[2], box[3], box[4], box[5] = x, y, z, x2, y2, z2


@kernel
def _runs(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The triangles' Morton order, cut into runs: order (t,) int32, first places and counts (r,) int32.

    Triangles that share a cell of the finest grid are ordered anew in a grid of their own.
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
        waiting -= 1
        first, last = crowded[waiting, 0], crowded[waiting, 1]
        spread = _encode(boxes, order, first, last, codes)
        if spread:
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
            if spread and codes[begin] == codes[end - 1]:
                crowded[waiting, 0], crowded[waiting, 1] = begin, end
                waiting += 1
                continue
            if spread:
                middle = split_of(codes, begin, end)
            stack[top, 0], stack[top, 1] = middle, end
            stack[top + 1, 0], stack[top + 1, 1] = begin, middle
            top += 2
    return order, firsts[:run_count].copy(), counts[:run_count].copy()


@borrowing_kernel
def split_of(codes: np.ndarray, begin: int, end: int) -> int:
    """The first of the ascending codes begin..end, which differ, that has the highest bit in which they do."""
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
    """The low 11 bits of x, two zeros between each and the next."""
    x = (x | x << 16) & 0x070000FF
    x = (x | x << 8) & 0x0700F00F
    x = (x | x << 4) & 0x430C30C3
    return (x | x << 2) & 0x49249249


@borrowing_kernel
def _encode(boxes: np.ndarray, order: np.ndarray, first: int, last: int, codes: np.ndarray) -> bool:
    """Write the Morton codes of the boxes' middles in the cube around them; whether they differ at all."""
    i = order[first]
    x = x2 = boxes[i, 0] + boxes[i, 3]
    y = y2 = boxes[i, 1] + boxes[i, 4]
    z = z2 = boxes[i, 2] + boxes[i, 5]
    for place in range(first + 1, last):
        i = order[place]
        mx, my, mz = boxes[i, 0] + boxes[i, 3], boxes[i, 1] + boxes[i, 4], boxes[i, 2] + boxes[i, 5]
        x, x2 = min(x, mx), max(x2, mx)
        y, y2 = min(y, my), max(y2, my)
        z, z2 = min(z, mz), max(z2, mz)
    side = max(max(x2 - x, y2 - y), z2 - z)
    if not side > np.float32(1e-30):
        return False
    scale = np.float32((_CELLS - 0.01) / np.float64(side))
    for place in range(first, last):
        i = order[place]
        codes[place] = (
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
    """Sort a range of codes and order by code: by insertion when it is short, else by three digits."""
    if last - first <= 64:
        for place in range(first + 1, last):
            code, item = codes[place], order[place]
            back = place
            while back > first and codes[back - 1] > code:
                codes[back], order[back] = codes[back - 1], order[back - 1]
                back -= 1
            codes[back], order[back] = code, item
        return
    tally[:] = 0
    mask = _CELLS - 1
    for place in range(first, last):
        code = codes[place]
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
    for place in range(first, last):
        codes[place], order[place] = other_codes[place], other_order[place]


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
    shift = digit * _DIGIT_BITS
    for place in range(first, last):
        code = codes[place]
        cell = digit * _CELLS + (code >> shift & (_CELLS - 1))
        target = tally[cell]
        tally[cell] = target + 1
        to_codes[target] = code
        to_order[target] = order[place]


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
    """Write the nodes over the runs; returns how many. Runs lie in `items` in the order of the nodes above them."""
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
        begins[0], ends[0] = begin, end
        _enclose(run_boxes, items, begin, end - begin, own[0])
        count = 1
        if end - begin <= WIDTH:
            count = end - begin
            for child in range(count):
                begins[child], ends[child] = begin + child, begin + child + 1
        while count < WIDTH:
            # The one with the largest surface; those that fit into one node are left whole.
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
                integers[node, NUMBER, child], integers[node, COUNT, child] = firsts[run], counts[run]
                continue
            integers[node, NUMBER, child], integers[node, COUNT, child] = node_count, 0
            stack[top, 0], stack[top, 1], stack[top, 2] = node_count, begins[child], ends[child]
            stack[top, 3] = level + 1
            top += 1
            node_count += 1
    return node_count


@borrowing_kernel
def half_area(box: np.ndarray) -> float:
    """Half the surface of a box (6,)."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x


@borrowing_kernel
def _write_box(boxes: np.ndarray, child: int, box: np.ndarray, there: bool) -> None:
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
    """Make a node of one run of triangles: the largest part is halved until all fit into leaves, or are eight."""
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
            integers[NUMBER, child], integers[COUNT, child] = begins[child], ends[child] - begins[child]
        _write_box(boxes, child, own[child], child < count)
