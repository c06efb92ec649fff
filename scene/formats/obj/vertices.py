"""Vertices: the corners of an object's faces become vertices, one for each distinct set of indices.

A corner names a position, a texture coordinate and a normal; a graphics card needs one index for all three. Within an
object vertices are in the order of their positions in the file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel, pasted
from octoscope.scene.formats.obj.block_arrays import MISSING

_LONGEST_CHAIN = 64  # vertices at one position that are compared; beyond, equal ones may stay apart

# Columns of `Unified.faults`.
POSITION_OUT, POSITION_NOT_FINITE, UV_OUT, NORMAL_OUT, LINE_OUT, POINT_OUT = range(6)


class Unified(NamedTuple):
    """The vertices of some objects, one object behind the other."""

    position: np.ndarray  # (n,) int32 index
    uv: np.ndarray  # (n,) int32 index, or MISSING
    normal: np.ndarray  # (n,) int32 index; less than MISSING where one is to be made: MISSING less the smoothing group
    material: np.ndarray  # (n,) int32
    counts: np.ndarray  # (objects, 4) int64, vertices, triangles, lines and points of each
    faults: np.ndarray  # (6, 2) int64, for each kind of fault how many there are, and its first face, line or point


class Elements(NamedTuple):
    """The faces, lines and points of m objects."""

    first: np.ndarray  # (m + 1, 3) as in ObjectTree
    first_corners: np.ndarray  # (m + 1,) int64, number of corners before the first face of each object
    corners: np.ndarray  # as in Collected
    face_sizes: np.ndarray  # as in Collected
    lines: np.ndarray  # as in Collected
    points: np.ndarray  # as in Collected


class Chains(NamedTuple):
    """The vertices at each position of an object, as linked lists."""

    lowest: int  # the position of the first element of `owner` and `newest`
    # (positions in use,) int32, number of the object, from 1, that the chain at this position belongs to
    owner: np.ndarray
    newest: np.ndarray  # (positions in use,) int32, the first vertex of the chain
    older: np.ndarray  # (n,) int32, the next vertex after each, or MISSING


class Columns(NamedTuple):
    """Columns of vertices as in Unified, (n,) int32 each."""

    position: np.ndarray
    uv: np.ndarray
    normal: np.ndarray
    material: np.ndarray


@borrowing_kernel
def index_range(corners: np.ndarray, lines: np.ndarray, points: np.ndarray, limit: int) -> tuple[int, int]:
    """Find the lowest and the highest index in use below a limit."""
    lowest = limit
    highest = -1
    for i in range(len(corners)):
        if corners[i] < limit:
            lowest = min(lowest, corners[i])
            highest = max(highest, corners[i])
    for i in range(len(lines)):
        for k in range(2):
            if lines[i, k] < limit:
                lowest = min(lowest, lines[i, k])
                highest = max(highest, lines[i, k])
    for i in range(len(points)):
        if points[i] < limit:
            lowest = min(lowest, points[i])
            highest = max(highest, points[i])
    return lowest, highest


@borrowing_kernel
def unify(
    first_object: int,
    last_object: int,
    elements: Elements,
    positions: np.ndarray,
    all_finite: bool,
    uv_count: int,
    normal_count: int,
    material_runs: tuple[np.ndarray, np.ndarray],
    smoothing_runs: tuple[np.ndarray, np.ndarray],
    chains: Chains,
    vertices: Columns,
    order: np.ndarray,
    rank: np.ndarray,
    counts: np.ndarray,
    faults: np.ndarray,
) -> int:
    """Find the vertices of the objects first_object to last_object - 1; return how many there are.

    Object by object: skip what cannot be shown, find each corner's vertex, sort the vertices. Afterwards corners[:, 0],
    lines and points count vertices of their object. Faces, lines and points that cannot be shown are marked: face_sizes
    of those are negative, lines and points MISSING.

    Args:
        material_runs, smoothing_runs: first (r, 3) and value (r,) of the Runs.
        chains: scratch; `owner` zeros.
        order, rank: (room,) int32, scratch for sorting.
        counts: (objects, 4), added to.
        faults: (6, 2), added to.
    """
    count = np.int64(0)  # typed, as `line` in statements.read_block
    material_first, material_value = material_runs
    smoothing_first, smoothing_value = smoothing_runs
    for number in range(first_object, last_object):
        mine = number - first_object + 1
        begin = count
        for part in range(3):  # faces, lines, points
            corner = elements.first_corners[number]
            run = _run_at(material_first, part, elements.first[number, part])
            smoothing_run = _run_at(smoothing_first, part, elements.first[number, part])
            for element in range(elements.first[number, part], elements.first[number + 1, part]):
                while run + 1 < len(material_first) and material_first[run + 1, part] <= element:
                    run += 1
                while smoothing_run + 1 < len(smoothing_first) and smoothing_first[smoothing_run + 1, part] <= element:
                    smoothing_run += 1
                material = np.int64(material_value[run])
                size = elements.face_sizes[element] if part == 0 else 3 - np.int64(part)
                fault = _fault_of(elements, part, element, corner, size, positions, all_finite)
                if fault != MISSING:
                    _note(faults, fault, element)
                    _skip(elements, part, element)
                    corner += size
                    continue
                counts[mine - 1, part + 1] += size - 2 if part == 0 else 1
                for k in range(size):
                    position = _position_at(elements, part, element, corner, k)
                    uv = normal = np.int64(MISSING)
                    if part == 0:
                        uv = _known(elements.corners[corner + k, 1], uv_count, faults, UV_OUT, element)
                        normal = _known(elements.corners[corner + k, 2], normal_count, faults, NORMAL_OUT, element)
                        if normal == MISSING:
                            normal = MISSING - np.int64(smoothing_value[smoothing_run])
                    vertex = _vertex_at(chains, vertices, mine, position, uv, normal, material, count)
                    count += vertex == count
                    _set_index(elements, part, element, corner, k, vertex - begin)
                corner += size
        counts[mine - 1, 0] = count - begin
        if not _is_sorted(vertices.position, begin, count):
            _sort_by_position(chains, vertices, mine, begin, count, order, rank)
            _renumber(rank, number, elements)
    return count


@pasted
def _sort_by_position(
    chains: Chains, vertices: Columns, mine: int, begin: int, count: int, order: np.ndarray, rank: np.ndarray
) -> None:
    """Sort the vertices of an object by position, and write each one's new index in the object to `rank`."""
    lowest = np.int64(vertices.position[begin])
    highest = lowest
    for k in range(begin + 1, count):
        lowest = min(lowest, vertices.position[k])
        highest = max(highest, vertices.position[k])
    if highest - lowest <= 8 * (count - begin):
        _order_by_position(chains, lowest, highest, mine, begin, count, order)
    else:  # few of a wide range
        _heap_sort(vertices.position, begin, count, order)
    for k in range(count - begin):
        rank[order[k]] = k
    for column in vertices:
        for k in range(count - begin):
            chains.older[begin + k] = column[begin + order[k]]  # the chains have served
        for k in range(begin, count):
            column[k] = chains.older[k]


@pasted
def _position_at(elements: Elements, part: int, element: int, corner: int, k: int) -> int:
    """Return the index of the position at corner k of a face (part 0), line (1) or point (2)."""
    if part == 0:
        return np.int64(elements.corners[corner + k, 0])
    if part == 1:
        return np.int64(elements.lines[element, k])
    return np.int64(elements.points[element])


@pasted
def _set_index(elements: Elements, part: int, element: int, corner: int, k: int, index: int) -> None:
    """Replace what `_position_at` returns."""
    if part == 0:
        elements.corners[corner + k, 0] = index
    elif part == 1:
        elements.lines[element, k] = index
    else:
        elements.points[element] = index


@pasted
def _fault_of(
    elements: Elements, part: int, element: int, corner: int, size: int, positions: np.ndarray, all_finite: bool
) -> int:
    """Return the fault because of which an element cannot be shown, or MISSING: all its positions are finite."""
    fault = np.int64(MISSING)
    for k in range(size):
        position = _position_at(elements, part, element, corner, k)
        if position >= len(positions):
            fault = np.int64(POSITION_OUT if part == 0 else LINE_OUT + part - 1)
        elif not all_finite and not (
            np.isfinite(positions[position, 0])
            and np.isfinite(positions[position, 1])
            and np.isfinite(positions[position, 2])
        ):
            fault = max(fault, np.int64(POSITION_NOT_FINITE if part == 0 else LINE_OUT + part - 1))
    return fault


@pasted
def _skip(elements: Elements, part: int, element: int) -> None:
    """Mark an element as one that is not shown."""
    if part == 0:
        elements.face_sizes[element] = -elements.face_sizes[element]
    elif part == 1:
        elements.lines[element, 0] = MISSING
    else:
        elements.points[element] = MISSING


@pasted
def _known(index: int, limit: int, faults: np.ndarray, fault: int, element: int) -> int:
    """Return the index of a texture coordinate or normal; MISSING, which is noted as a fault, if there is none such."""
    if index >= limit:
        _note(faults, np.int64(fault), element)
        return np.int64(MISSING)
    return np.int64(index)


@pasted
def _vertex_at(
    chains: Chains, vertices: Columns, mine: int, position: int, uv: int, normal: int, material: int, count: int
) -> int:
    """Find a vertex in the chain of its position, or make it the vertex `count`."""
    slot = position - chains.lowest
    if chains.owner[slot] != mine:
        chains.owner[slot] = mine
        chains.newest[slot] = MISSING
    vertex = np.int64(chains.newest[slot])
    steps = 0
    while vertex != MISSING and not (
        vertices.uv[vertex] == uv and vertices.normal[vertex] == normal and vertices.material[vertex] == material
    ):
        steps += 1
        vertex = np.int64(chains.older[vertex]) if steps < _LONGEST_CHAIN else np.int64(MISSING)
    if vertex == MISSING:
        vertex = np.int64(count)
        vertices.position[vertex] = position
        vertices.uv[vertex] = uv
        vertices.normal[vertex] = normal
        vertices.material[vertex] = material
        chains.older[vertex] = chains.newest[slot]
        chains.newest[slot] = vertex
    return vertex


@borrowing_kernel
def _run_at(run_first: np.ndarray, part: int, element: int) -> int:
    """Find the run that holds for an element: the last that begins at or before it."""
    low = 0
    high = len(run_first)
    while high - low > 1:
        middle = (low + high) // 2
        if run_first[middle, part] <= element:
            low = middle
        else:
            high = middle
    return low


@borrowing_kernel
def _note(faults: np.ndarray, fault: int, element: int) -> None:
    """Count a fault, and note the element of the first."""
    if faults[fault, 0] == 0:
        faults[fault, 1] = element
    faults[fault, 0] += 1


@borrowing_kernel
def _is_sorted(values: np.ndarray, begin: int, end: int) -> bool:
    """Tell whether values ascend."""
    for k in range(begin + 1, end):  # noqa: SIM110  (numba knows no generators)
        if values[k] < values[k - 1]:
            return False
    return True


@borrowing_kernel
def _order_by_position(chains: Chains, low: int, high: int, mine: int, begin: int, end: int, order: np.ndarray) -> None:
    """Order an object's vertices by position, from `low` to `high`; those at one position by their first use."""
    rank = end - begin
    for slot in range(high - chains.lowest, low - chains.lowest - 1, -1):
        if chains.owner[slot] == mine:
            vertex = chains.newest[slot]
            while vertex != MISSING:
                rank -= 1
                order[rank] = vertex - begin
                vertex = chains.older[vertex]


@borrowing_kernel
def _heap_sort(values: np.ndarray, begin: int, end: int, order: np.ndarray) -> None:
    """Order indices from `begin` by value, then by index: in place, in n log n steps in all cases (Williams, 1964)."""
    count = end - begin
    for k in range(count):
        order[k] = k
    for step in range(count // 2 + count - 1):
        if step < count // 2:  # first the heap is made,
            parent = count // 2 - 1 - step
            size = count
        else:  # then its largest goes to the end
            size = count - 1 - (step - count // 2)
            order[0], order[size] = order[size], order[0]
            parent = 0
        while 2 * parent + 1 < size:
            child = 2 * parent + 1
            if child + 1 < size and _is_before(values, begin, order[child], order[child + 1]):
                child += 1
            if not _is_before(values, begin, order[parent], order[child]):
                break
            order[parent], order[child] = order[child], order[parent]
            parent = child


@borrowing_kernel
def _is_before(values: np.ndarray, begin: int, a: int, b: int) -> bool:
    """Compare two vertices by value, then by index."""
    return values[begin + a] < values[begin + b] or (values[begin + a] == values[begin + b] and a < b)


@borrowing_kernel
def _renumber(rank: np.ndarray, number: int, elements: Elements) -> None:
    """Replace the vertices of an object's elements by their ranks."""
    first, corners, lines, points = elements.first, elements.corners, elements.lines, elements.points
    corner = elements.first_corners[number]
    for face in range(first[number, 0], first[number + 1, 0]):
        size = elements.face_sizes[face]
        for k in range(corner, corner + max(size, 0)):
            corners[k, 0] = rank[corners[k, 0]]
        corner += abs(size)
    for line in range(first[number, 1], first[number + 1, 1]):
        if lines[line, 0] != MISSING:
            for k in range(2):
                lines[line, k] = rank[lines[line, k]]
    for point in range(first[number, 2], first[number + 1, 2]):
        if points[point] != MISSING:
            points[point] = rank[points[point]]
