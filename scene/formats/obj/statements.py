"""Parse one block of an OBJ file's bytes to numbers in BlockArrays, in one pass, without a Python object.

A block begins and ends between statements, and a block can be read before those in front of it. So an index that counts
back from where it stands is only resolved when the blocks are collected.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.formats.obj.block_arrays import (
    BAD_COLOR,
    BAD_CORNER,
    BAD_NORMAL,
    BAD_UV,
    BAD_VERTEX,
    COLORED,
    CORNERS,
    EVENTS,
    FACES,
    FREE_FORM,
    GROUP,
    JUMPS,
    LIBRARY,
    LINES,
    MATERIAL,
    MISSING,
    MOST_INDICES,
    NAME_BYTES,
    NORMALS,
    OBJECT,
    POINTS,
    RELATIVE,
    SHORT_FACE,
    SHORT_LINE,
    SMOOTHING,
    TEXT_LINES,
    UNKNOWN,
    UVS,
    VERTICES,
    WEIGHT,
    WEIGHTS,
    ZERO_INDEX,
    BlockArrays,
    add_element_lines,
    add_fault,
)
from octoscope.scene.formats.obj.freeform.keywords import HASH_FACTOR, HASH_MASK, KEYWORD_HASHES
from octoscope.scene.formats.obj.numbers import read_float
from octoscope.scene.formats.obj.words import (
    BACKSLASH,
    HASH,
    LINE_FEED,
    ONE,
    SLASH,
    continues,
    end_of_line,
    end_of_statement,
    ends_statement,
    ends_word,
    is_blank,
    is_line_end,
    is_word,
    next_line,
    next_word,
    read_name,
)

_F, _N, _T, _V, _MINUS, _PLUS = (ord(letter) for letter in "fntv-+")
_TWO, _THREE, _ZERO, _NINE, _TEN = (np.uint64(number) for number in (2, 3, 48, 9, 10))
_MOST_DIGITS = np.uint64(18)  # more could overflow
_LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
_SOUND = -1


@borrowing_kernel
def read_block(data: np.ndarray, end: np.uint64, block: BlockArrays) -> None:
    """Read data[:end], uint8, with PADDING behind it, into the arrays of a block."""
    # Arrays and counts one by one, and faults as a number: passing all of BlockArrays on would cost a part of a face.
    counts = block.counts
    positions = block.positions
    colors = block.colors
    normals = block.normals
    uvs = block.uvs
    corners = block.corners
    face_sizes = block.face_sizes
    counts[:] = 0
    vertex = uv = normal = corner = face = np.uint64(0)
    line = np.int64(1)  # a plain 1 is another type, for which everything below would be compiled a second time
    face_line = np.int64(0)  # of the next face, if nothing lies between
    i = np.uint64(0)
    while i < end:
        c = data[i]
        while is_blank(c):
            i += ONE
            c = data[i]
        begin = i
        begin_line = line
        fault = _SOUND
        if c == _V and ends_word(data[i + ONE]):
            i, line, fault = _read_row(data, i + ONE, line, positions, vertex, 3, BAD_VERTEX, np.nan)
            if counts[COLORED] > 0:
                colors[vertex, :] = 1.0
            if fault == _SOUND and not is_line_end(data[i]):
                i, line, fault = _read_further(data, i, line, colors, vertex, counts, block.weights)
            vertex += ONE
        elif c == _F and ends_word(data[i + ONE]):
            i, line, size, fault = _read_face(data, i + ONE, line, corners, corner, vertex, uv, normal)
            if fault == _SOUND:
                if begin_line != face_line:
                    block.jumps[counts[JUMPS], 0] = np.int64(face)
                    block.jumps[counts[JUMPS], 1] = begin_line
                    counts[JUMPS] += 1
                face_line = begin_line + 1
                face_sizes[face] = np.int64(size)
                face += ONE
                corner += size
        elif c == _V and data[i + ONE] == _N and ends_word(data[i + _TWO]):
            i, line, fault = _read_row(data, i + _TWO, line, normals, normal, 3, BAD_NORMAL, 0.0)
            normal += ONE
        elif c == _V and data[i + ONE] == _T and ends_word(data[i + _TWO]):
            i, line, fault = _read_row(data, i + _TWO, line, uvs, uv, 1, BAD_UV, 0.0)
            uv += ONE
        elif c == HASH or (c == BACKSLASH and continues(data, i)):
            i = end_of_line(data, i)
        elif not is_line_end(c):
            counts[VERTICES] = np.int64(vertex)
            counts[UVS] = np.int64(uv)
            counts[NORMALS] = np.int64(normal)
            counts[FACES] = np.int64(face)
            i, line = _read_other(data, i, line, block)
        if fault != _SOUND:
            add_fault(block, np.int64(fault), data, begin, begin_line, np.int64(0))
        if not is_line_end(data[i]):
            i, line = end_of_statement(data, i, line)
        i = next_line(data, i)
        line += 1
    counts[VERTICES] = np.int64(vertex)
    counts[UVS] = np.int64(uv)
    counts[NORMALS] = np.int64(normal)
    counts[CORNERS] = np.int64(corner)
    counts[FACES] = np.int64(face)
    counts[TEXT_LINES] = line - 1


@borrowing_kernel
def _read_row(
    data: np.ndarray, i: int, line: int, column: np.ndarray, row: int, needed: int, fault: int, substitute: float
) -> tuple[int, int, int]:
    """Read a row of floats, of which `needed` must be there; the others are 0 then. At a fault all are `substitute`.

    A vertex may be infinite or NaN: elements with it are faulty then. Other rows must be finite float32.
    """
    for k in range(column.shape[1]):
        i, line = next_word(data, i, line)
        value, behind = read_float(data, i)
        if behind == i and k >= needed and ends_statement(data[i]):
            value = 0.0
        elif behind == i or not ends_word(data[behind]) or (fault != BAD_VERTEX and not abs(value) <= _LARGEST_FLOAT32):
            column[row, :] = substitute
            return i, line, fault
        column[row, np.uint64(k)] = value
        i = behind
    return i, line, _SOUND


@borrowing_kernel
def _read_further(
    data: np.ndarray, i: int, line: int, colors: np.ndarray, vertex: int, counts: np.ndarray, weights: np.ndarray
) -> tuple[int, int, int]:
    """Read a vertex's weight, for curves and surfaces, or its colours; return as `_read_row`."""
    weight = 1.0
    red = green = blue = 1.0
    count = 0
    while count < 4:
        i, line = next_word(data, i, line)
        if ends_statement(data[i]):
            break
        value, behind = read_float(data, i)
        if behind == i or not ends_word(data[behind]) or not np.isfinite(value):
            return i, line, BAD_COLOR
        if count == 0:
            weight = red = value
        elif count == 1:
            green = value
        elif count == 2:
            blue = value
        i = behind
        count += 1
    if count == 2:
        return i, line, BAD_COLOR
    if count < 2:
        if weight == 1.0:
            return i, line, _SOUND
        weights[counts[WEIGHTS], 0] = np.float64(vertex)
        weights[counts[WEIGHTS], 1] = weight
        counts[WEIGHTS] += 1
        return i, line, WEIGHT
    if counts[COLORED] == 0:
        colors[: np.int64(vertex)] = 1.0
    counts[COLORED] += 1
    colors[vertex, 0] = red
    colors[vertex, 1] = green
    colors[vertex, 2] = blue
    return i, line, _SOUND


@borrowing_kernel
def _read_face(
    data: np.ndarray,
    i: int,
    line: int,
    corners: np.ndarray,
    first: int,
    vertex_count: int,
    uv_count: int,
    normal_count: int,
) -> tuple[int, int, int, int]:
    """Write a face's corners from `first` on; return the position behind, its line, how many, the fault or _SOUND."""
    corner = first
    none = np.uint64(0)
    fault = _SOUND
    while True:
        c = data[i]
        while is_blank(c):
            i += ONE
            c = data[i]
        if is_line_end(c) or c == HASH:
            break
        if c == BACKSLASH and continues(data, i):
            i, line = next_word(data, i, line)
            continue
        index, behind = _read_index(data, i, vertex_count)
        if behind == i:
            return i, line, none, BAD_CORNER
        if index == MISSING:
            fault = ZERO_INDEX
        i = behind
        uv = normal = np.int64(MISSING)
        if data[i] == SLASH:
            uv, i = _read_index(data, i + ONE, uv_count)
            if uv == MISSING and data[i - ONE] != SLASH:  # an index of 0, which is not none
                uv = np.int64(MOST_INDICES)
            if data[i] == SLASH:
                normal, i = _read_index(data, i + ONE, normal_count)
                if normal == MISSING and data[i - ONE] != SLASH:
                    normal = np.int64(MOST_INDICES)
        if not ends_word(data[i]):
            return i, line, none, BAD_CORNER
        corners[corner, 0] = index
        corners[corner, 1] = uv
        corners[corner, 2] = normal
        corner += ONE
    if fault == _SOUND and corner - first < _THREE:
        fault = SHORT_FACE
    return i, line, corner - first, fault


@borrowing_kernel
def _read_index(data: np.ndarray, i: int, count: int) -> tuple[int, int]:
    """Read the index that begins at data[i], a negative one back from `count`; return it and the position behind.

    It is as in BlockArrays.corners, 0 being MISSING; where there is none the position is i.
    """
    begin = i
    negative = data[i] == _MINUS
    if negative or data[i] == _PLUS:
        i += ONE
    first = i
    index = np.uint64(0)
    digit = np.uint64(data[i]) - _ZERO
    while digit <= _NINE:
        index = index * _TEN + digit
        i += ONE
        digit = np.uint64(data[i]) - _ZERO
    if i == first:
        return np.int64(MISSING), begin
    number = np.int64(min(index, np.uint64(MOST_INDICES)))
    if i - first > _MOST_DIGITS:
        number = np.int64(MOST_INDICES)
    if negative and number > 0:
        return RELATIVE + max(np.int64(count) - number, -MOST_INDICES), i
    return number - 1, i


@borrowing_kernel
def _read_other(data: np.ndarray, i: int, line: int, block: BlockArrays) -> tuple[int, int]:
    """Read any statement but v, vt, vn and f; return the end of its line, and that line."""
    begin = i
    keyword_hash = np.int64(1)
    while not ends_word(data[i]):
        keyword_hash = (keyword_hash * HASH_FACTOR + np.int64(data[i])) & np.int64(HASH_MASK)
        i += ONE
    kind = -1
    if is_word(data, begin, i, b"o"):
        kind = OBJECT
    elif is_word(data, begin, i, b"g"):
        kind = GROUP
    elif is_word(data, begin, i, b"usemtl"):
        kind = MATERIAL
    elif is_word(data, begin, i, b"mtllib"):
        kind = LIBRARY
    elif is_word(data, begin, i, b"s"):
        kind = SMOOTHING
    elif is_word(data, begin, i, b"l"):
        return _read_line(data, begin, line, block)
    elif is_word(data, begin, i, b"p"):
        return _read_points(data, begin, line, block)
    elif _is_free_form(keyword_hash):
        kind = FREE_FORM
    else:
        add_fault(block, np.int64(UNKNOWN), data, begin, line, keyword_hash)
        return end_of_statement(data, i, line)
    counts = block.counts
    event = block.events[counts[EVENTS]]
    counts[EVENTS] += 1
    event[0] = kind
    event[1] = counts[FACES]
    event[2] = counts[LINES]
    event[3] = counts[POINTS]
    event[4] = line
    event[7] = counts[VERTICES]
    event[8] = counts[UVS]
    event[9] = counts[NORMALS]
    if kind == FREE_FORM:
        i = begin
    i, line = next_word(data, i, line)
    if kind == SMOOTHING:
        group, behind = _read_index(data, i, np.uint64(0))
        event[5] = max(group + 1, 0) if behind > i else 0  # "off", and anything that is no number
        event[6] = 0
        return end_of_statement(data, i, line)
    event[5] = counts[NAME_BYTES]
    i, line, end = read_name(data, i, line, block.names, counts[NAME_BYTES])
    event[6] = end - event[5]
    block.names[end] = LINE_FEED  # so that two names cannot share a character
    counts[NAME_BYTES] = end + 1
    return i, line


@borrowing_kernel
def _is_free_form(keyword_hash: int) -> bool:
    """Tell whether a keyword, by its hash, is of free-form geometry."""
    for k in range(len(KEYWORD_HASHES)):  # noqa: SIM110  (numba knows no generators)
        if KEYWORD_HASHES[k] == keyword_hash:
            return True
    return False


@borrowing_kernel
def _read_line(data: np.ndarray, begin: int, begin_line: int, block: BlockArrays) -> tuple[int, int]:
    """Read a polyline, as its segments."""
    i = begin + ONE
    line = begin_line
    first = block.counts[LINES]
    count = first
    before = np.int64(MISSING)
    fault = -1
    while fault < 0:
        i, line = next_word(data, i, line)
        if ends_statement(data[i]):
            break
        index, behind = _read_index(data, i, np.uint64(block.counts[VERTICES]))
        if behind == i:
            fault = BAD_CORNER
        elif index == MISSING:
            fault = ZERO_INDEX
        else:
            i = behind
            if data[i] == SLASH:  # a texture coordinate: of no use to a line
                _, i = _read_index(data, i + ONE, np.uint64(0))
            if not ends_word(data[i]):
                fault = BAD_CORNER
            if before != MISSING:
                block.lines[count, 0] = before
                block.lines[count, 1] = index
                count += 1
            before = index
    if fault < 0 and count == first:
        fault = SHORT_LINE
    if fault >= 0:
        add_fault(block, np.int64(fault), data, begin, begin_line, np.int64(0))
    else:
        add_element_lines(block, np.int64(LINES), count, begin_line)
    return end_of_statement(data, i, line)


@borrowing_kernel
def _read_points(data: np.ndarray, begin: int, begin_line: int, block: BlockArrays) -> tuple[int, int]:
    """Read points."""
    i = begin + ONE
    line = begin_line
    count = block.counts[POINTS]
    fault = -1
    while fault < 0:
        i, line = next_word(data, i, line)
        if ends_statement(data[i]):
            break
        index, behind = _read_index(data, i, np.uint64(block.counts[VERTICES]))
        if behind == i or not ends_word(data[behind]):
            fault = BAD_CORNER
        elif index == MISSING:
            fault = ZERO_INDEX
        block.points[count] = index
        count += 1
        i = behind
    if fault >= 0:
        add_fault(block, np.int64(fault), data, begin, begin_line, np.int64(0))
    elif count > block.counts[POINTS]:
        add_element_lines(block, np.int64(POINTS), count, begin_line)
    return end_of_statement(data, i, line)
