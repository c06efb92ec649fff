"""Vertices: the corners of an object's faces become vertices, one for each distinct set of indices.

A corner names a position, a texture coordinate and a normal; a graphics card needs one index for all three. Within an
object vertices are in the order of their positions in the file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octree.jit import borrowing_kernel
from scene.formats.obj.block_arrays import MISSING

_LONGEST_CHAIN = 64  # vertices at one position that are compared; beyond, equal ones may stay apart

# Columns of `Unified.faults`.
POSITION_OUT, POSITION_NOT_FINITE, UV_OUT, NORMAL_OUT, LINE_OUT, POINT_OUT = range(6)


class Unified(NamedTuple):
    """The vertices of some objects, one object behind the other.

    Attributes:
        position: (n,) int32 index.
        uv: (n,) int32 index, or MISSING.
        normal: (n,) int32 index; less than MISSING where one is to be made: MISSING less the smoothing group.
        material: (n,) int32.
        counts: (objects, 4) int64, vertices, triangles, lines and points of each.
        faults: (6, 2) int64, for each kind of fault how many there are, and its first face, line or point.
    """

    position: np.ndarray
    uv: np.ndarray
    normal: np.ndarray
    material: np.ndarray
    counts: np.ndarray
    faults: np.ndarray


def unify(
    first_object: int,
    last_object: int,
    first: np.ndarray,
    first_corners: np.ndarray,
    corners: np.ndarray,
    face_sizes: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    positions: np.ndarray,
    all_finite: bool,
    uv_count: int,
    normal_count: int,
    material_runs: tuple[np.ndarray, np.ndarray],
    smoothing_runs: tuple[np.ndarray, np.ndarray],
) -> Unified:
    """Find the vertices of the objects first_object to last_object - 1.

    Afterwards corners[:, 0], lines and points count vertices of their object. Faces, lines and points that cannot be
    shown are marked: face_sizes of those are negative, lines and points MISSING.

    Args:
        first_object: the first.
        last_object: behind the last.
        first: (m + 1, 3) as in Outline.
        first_corners: (m + 1,) int64.
        corners: as in Collected; rewritten.
        face_sizes: as in Collected; rewritten.
        lines: as in Collected; rewritten.
        points: as in Collected; rewritten.
        positions: as in Collected.
        all_finite: whether no position is NaN or infinite.
        uv_count: how many texture coordinates the file has.
        normal_count: how many normals the file has.
        material_runs: first (r, 3) and value (r,) of the Runs.
        smoothing_runs: first (r, 3) and value (r,) of the Runs.

    Returns:
        the vertices.
    """
    room = int(first_corners[last_object] - first_corners[first_object])
    room += int((first[last_object] - first[first_object]) @ (0, 2, 1))
    lowest, highest = _index_range(
        corners[first_corners[first_object] : first_corners[last_object], 0],
        lines[slice(*first[[first_object, last_object], 1])],
        points[slice(*first[[first_object, last_object], 2])],
        len(positions),
    )
    position, uv, normal, material = (np.empty(room, dtype=np.int32) for _ in range(4))
    older, order, rank = np.empty((3, room), dtype=np.int32)
    counts = np.zeros((last_object - first_object, 4), dtype=np.int64)
    faults = np.zeros((6, 2), dtype=np.int64)
    count = _unify(
        first_object,
        last_object,
        first,
        first_corners,
        corners,
        face_sizes,
        lines,
        points,
        positions,
        all_finite,
        uv_count,
        normal_count,
        material_runs[0],
        material_runs[1],
        smoothing_runs[0],
        smoothing_runs[1],
        lowest,
        np.zeros(max(highest - lowest + 1, 0), dtype=np.int32),
        np.empty(max(highest - lowest + 1, 0), dtype=np.int32),
        position,
        uv,
        normal,
        material,
        older,
        order,
        rank,
        counts,
        faults,
    )
    return Unified(position[:count], uv[:count], normal[:count], material[:count], counts, faults)


@borrowing_kernel
def _index_range(corners: np.ndarray, lines: np.ndarray, points: np.ndarray, limit: int) -> tuple[int, int]:
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
def _unify(  # noqa: C901, PLR0915
    first_object: int,
    last_object: int,
    first: np.ndarray,
    first_corners: np.ndarray,
    corners: np.ndarray,
    face_sizes: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    positions: np.ndarray,
    all_finite: bool,
    uv_count: int,
    normal_count: int,
    material_first: np.ndarray,
    material_value: np.ndarray,
    smoothing_first: np.ndarray,
    smoothing_value: np.ndarray,
    lowest: int,
    owner: np.ndarray,
    newest: np.ndarray,
    position_of: np.ndarray,
    uv_of: np.ndarray,
    normal_of: np.ndarray,
    material_of: np.ndarray,
    older: np.ndarray,
    order: np.ndarray,
    rank: np.ndarray,
    counts: np.ndarray,
    faults: np.ndarray,
) -> int:
    """Do what `unify` does.

    The vertices at one position of an object are a chain: `newest` begins it, where `owner` says that it is this
    object's, and `older` continues it.

    Args:
        first_object: as for `unify`, like all that are not listed.
        last_object: behind the last.
        first: (m + 1, 3).
        first_corners: (m + 1,).
        corners: rewritten.
        face_sizes: rewritten.
        lines: rewritten.
        points: rewritten.
        positions: (v, 3).
        all_finite: whether all are.
        uv_count: of the file.
        normal_count: of the file.
        material_first: (r, 3) of the runs.
        material_value: (r,) of the runs.
        smoothing_first: (s, 3) of the runs.
        smoothing_value: (s,) of the runs.
        lowest: the position of the first element of `owner` and `newest`.
        owner: (positions in use,) int32, zeros.
        newest: (positions in use,) int32, scratch.
        position_of: (room,) int32, written, as are the next three: the vertices.
        uv_of: (room,) int32.
        normal_of: (room,) int32.
        material_of: (room,) int32.
        older: (room,) int32, scratch.
        order: (room,) int32, scratch for sorting.
        rank: (room,) int32, scratch for sorting.
        counts: (objects, 4), added to.
        faults: (6, 2), added to.

    Returns:
        how many vertices there are.
    """
    count = np.int64(0)  # typed, as `line` in statements.read_block
    for number in range(first_object, last_object):
        mine = number - first_object + 1
        begin = count
        low = len(positions)
        high = -1
        for part in range(3):  # faces, lines, points
            corner = first_corners[number]
            run = _run_at(material_first, part, first[number, part])
            smoothing_run = _run_at(smoothing_first, part, first[number, part])
            for element in range(first[number, part], first[number + 1, part]):
                while run + 1 < len(material_first) and material_first[run + 1, part] <= element:
                    run += 1
                while smoothing_run + 1 < len(smoothing_first) and smoothing_first[smoothing_run + 1, part] <= element:
                    smoothing_run += 1
                material = material_value[run]
                made_normal = MISSING - smoothing_value[smoothing_run]
                size = face_sizes[element] if part == 0 else 3 - np.int64(part)
                fault = np.int64(MISSING)
                # Is every corner a finite position?
                for k in range(size):
                    position = (
                        corners[corner + k, 0] if part == 0 else lines[element, k] if part == 1 else points[element]
                    )
                    if position >= len(positions):
                        fault = POSITION_OUT if part == 0 else LINE_OUT + part - 1
                    elif not all_finite and not (
                        np.isfinite(positions[position, 0])
                        and np.isfinite(positions[position, 1])
                        and np.isfinite(positions[position, 2])
                    ):
                        fault = max(fault, POSITION_NOT_FINITE if part == 0 else LINE_OUT + part - 1)
                if fault >= 0:
                    _note(faults, fault, element)
                    if part == 0:
                        face_sizes[element] = -size
                        corner += size
                    elif part == 1:
                        lines[element, 0] = MISSING
                    else:
                        points[element] = MISSING
                    continue
                counts[mine - 1, part + 1] += size - 2 if part == 0 else 1
                # Find each corner's vertex in the chain of its position, or make a new one.
                for k in range(size):
                    uv = normal = np.int64(MISSING)
                    if part == 0:
                        position = np.int64(corners[corner, 0])
                        uv = np.int64(corners[corner, 1])
                        normal = np.int64(corners[corner, 2])
                        if uv >= uv_count:
                            uv = MISSING
                            _note(faults, np.int64(UV_OUT), element)
                        if normal >= normal_count:
                            normal = MISSING
                            _note(faults, np.int64(NORMAL_OUT), element)
                        if normal == MISSING:
                            normal = made_normal
                    else:
                        position = np.int64(lines[element, k] if part == 1 else points[element])
                    low = min(low, position)
                    high = max(high, position)
                    slot = position - lowest
                    vertex = np.int64(MISSING)
                    if owner[slot] == mine:
                        vertex = np.int64(newest[slot])
                    else:
                        owner[slot] = mine
                        newest[slot] = MISSING
                    steps = 0
                    while vertex != MISSING and not (
                        uv_of[vertex] == uv and normal_of[vertex] == normal and material_of[vertex] == material
                    ):
                        steps += 1
                        vertex = np.int64(older[vertex]) if steps < _LONGEST_CHAIN else np.int64(MISSING)
                    if vertex == MISSING:
                        vertex = count
                        position_of[count] = position
                        uv_of[count] = uv
                        normal_of[count] = normal
                        material_of[count] = material
                        older[count] = newest[slot]
                        newest[slot] = count
                        count += 1
                    if part == 0:
                        corners[corner, 0] = vertex - begin
                        corner += 1
                    elif part == 1:
                        lines[element, k] = vertex - begin
                    else:
                        points[element] = vertex - begin
        counts[mine - 1, 0] = count - begin
        if not _is_sorted(position_of, begin, count):
            if high - low <= 8 * (count - begin):
                _order_by_position(low - lowest, high - lowest, owner, newest, older, mine, begin, count, order)
            else:  # few of a wide range
                _heap_sort(position_of, begin, count, order)
            for k in range(count - begin):
                rank[order[k]] = k
            for column in (position_of, uv_of, normal_of, material_of):
                for k in range(count - begin):
                    older[begin + k] = column[begin + order[k]]  # the chains have served
                for k in range(begin, count):
                    column[k] = older[k]
            _renumber(rank, number, first, first_corners, corners, face_sizes, lines, points)
    return count


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
def _order_by_position(
    low_slot: int,
    high_slot: int,
    owner: np.ndarray,
    newest: np.ndarray,
    older: np.ndarray,
    mine: int,
    begin: int,
    end: int,
    order: np.ndarray,
) -> None:
    """Order an object's vertices by position, those at one position by their first use."""
    rank = end - begin
    for slot in range(high_slot, low_slot - 1, -1):
        if owner[slot] == mine:
            vertex = newest[slot]
            while vertex != MISSING:
                rank -= 1
                order[rank] = vertex - begin
                vertex = older[vertex]


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
def _renumber(
    rank: np.ndarray,
    number: int,
    first: np.ndarray,
    first_corners: np.ndarray,
    corners: np.ndarray,
    face_sizes: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
) -> None:
    """Replace the vertices of an object's elements by their ranks."""
    corner = first_corners[number]
    for face in range(first[number, 0], first[number + 1, 0]):
        for k in range(corner, corner + max(face_sizes[face], 0)):
            corners[k, 0] = rank[corners[k, 0]]
        corner += abs(face_sizes[face])
    for line in range(first[number, 1], first[number + 1, 1]):
        if lines[line, 0] != MISSING:
            for k in range(2):
                lines[line, k] = rank[lines[line, k]]
    for point in range(first[number, 2], first[number + 1, 2]):
        if points[point] != MISSING:
            points[point] = rank[points[point]]
