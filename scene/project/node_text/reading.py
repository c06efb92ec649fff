"""Read the lines of nodes in a project file, as `writing` writes them; whatever is otherwise is left to others."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.formats.obj.numbers import read_float
from octoscope.scene.project.node_text.literals import (
    BACKSLASH,
    CHILDREN,
    CLOSING,
    COMMA,
    EMBEDDED,
    EMBEDDED_NUMBER,
    FILE,
    HIDDEN,
    LINE_FEED,
    LIST_CLOSING,
    LIST_OPENING,
    MATERIAL,
    MATERIAL_NUMBER,
    MESH_OF_FILE,
    NAME,
    OBJECT,
    OCCURRENCE,
    OCCURRENCE_NUMBER,
    OPENING,
    QUOTE,
    ROTATION,
    SCALE,
    TRANSLATION,
    UNSELECTABLE,
)

_ONE = np.uint64(1)
_NONE = np.uint64(0)  # as a position: there is no such text
_MINUS, _PLUS, _POINT, _ZERO, _BLANK = (np.uint8(character) for character in b"-+.0 ")
_NINE = np.uint8(9)
_CASE = np.uint8(0x20)
_E = np.uint8(ord("e"))
_MOST_DIGITS = 18  # of a whole number, and 19 of a fraction: `read_float` is exact
_STRINGS_AT_ONCE = 2**14  # parsing them holds the interpreter lock


@dataclass(frozen=True)
class ReadNodes:
    """The values of n nodes as the file has them, which may refer to what is not there.

    Attributes:
        names: (n,) StringDType.
        child_counts: (n,) int64.
        children: (c,) int64 of at least 0, one node's behind the other's.
        transforms: (n, 10) finite float64: translations, rotations of any length, scales.
        numbers: (n, 4) int64: file, occurrence and number of an embedded mesh, and material; -1 where there is none.
        objects: (k,) StringDType names of meshes of those nodes that have a file.
        flags: (n, 2) bool: hidden, unselectable.
    """

    names: np.ndarray
    child_counts: np.ndarray
    children: np.ndarray
    transforms: np.ndarray
    numbers: np.ndarray
    objects: np.ndarray
    flags: np.ndarray


def read_nodes(data: bytes, begin: int, end: int) -> ReadNodes | None:
    r"""Read nodes, a line each; None where anything is not as it is written, or no node is the child of one alone.

    Args:
        data: with at least one byte behind the nodes, which is a line feed.
        begin: of the line feed before the first node.
        end: of the line feed behind the last.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    count = int(_count_lines(text, begin, end))
    child_counts, children = np.zeros(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    transforms = np.zeros((count, 10))
    transforms[:, 6:] = 1.0
    numbers = np.full((count, 4), -1, dtype=np.int64)
    flags = np.zeros((count, 2), dtype=np.bool_)
    spans = np.zeros((count, 2, 2), dtype=np.int64)
    child_count = _read_nodes(text, begin, end, child_counts, children, transforms, numbers, flags, spans)
    if child_count < 0:
        return None
    try:
        names = _strings(text, spans[:, 0])
        objects = _strings(text, spans[numbers[:, FILE] >= 0, 1])
    except ValueError:  # no JSON, or no UTF-8, or half characters
        return None
    return ReadNodes(names, child_counts, children[:child_count], transforms, numbers, objects, flags)


def _strings(data: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return the strings of JSON at some positions, (k, 2), as StringDType; ValueError: they are none."""
    strings = np.empty(len(spans), dtype=np.dtypes.StringDType())
    for begin in range(0, len(spans), _STRINGS_AT_ONCE):
        some = np.ascontiguousarray(spans[begin : begin + _STRINGS_AT_ONCE])
        out = np.empty(int((some[:, 1] - some[:, 0]).sum()) + 3 * len(some), dtype=np.uint8)
        size = _gather(data, some, out)
        strings[begin : begin + len(some)] = json.loads(f"[{out[: size - 1].tobytes().decode()}]")
    return strings


@borrowing_kernel
def _gather(data: np.ndarray, spans: np.ndarray, out: np.ndarray) -> int:
    """Copy texts one behind the other, with a comma behind each; an empty string for those of length 0."""
    i = 0
    for k in range(len(spans)):
        if spans[k, 1] == spans[k, 0]:
            out[i] = out[i + 1] = QUOTE
            i += 2
        for place in range(spans[k, 0], spans[k, 1]):
            out[i] = data[place]
            i += 1
        out[i] = COMMA
        i += 1
    return i


@borrowing_kernel
def _count_lines(data: np.ndarray, begin: int, end: int) -> int:
    count = 0
    for i in range(begin, end):
        count += data[i] == LINE_FEED
    return count


@borrowing_kernel
def _read_nodes(
    data: np.ndarray,
    begin: int,
    end: int,
    child_counts: np.ndarray,
    children: np.ndarray,
    transforms: np.ndarray,
    numbers: np.ndarray,
    flags: np.ndarray,
    spans: np.ndarray,
) -> int:
    """Read all nodes into columns, which hold what a node without fields has; return the number of children, or -1."""
    i, last = np.uint64(begin), np.uint64(end)
    children_read = 0
    for node in range(len(child_counts)):
        if data[i] != LINE_FEED or data[i + _ONE] != OPENING:
            return -1
        first = i + _ONE
        if data[first + _ONE] == CLOSING:
            i = first + _ONE
        else:
            i = _read_string(data, first, first, NAME, spans[node, 0])
            i, count = _read_children(data, i, first, children, children_read)
            child_counts[node] = count
            children_read += count
            i = _read_vector(data, i, first, TRANSLATION, transforms[node], 0, 3)
            i = _read_vector(data, i, first, ROTATION, transforms[node], 3, 7)
            i = _read_vector(data, i, first, SCALE, transforms[node], 7, 10)
            i = _read_mesh(data, i, first, numbers[node], spans[node, 1])
            i = _read_number(data, i, first, MATERIAL, numbers[node], MATERIAL_NUMBER)
            for flag, key in enumerate((HIDDEN, UNSELECTABLE)):
                behind = _behind_key(data, i, first, key)
                if behind != _NONE:
                    flags[node, flag] = True
                    i = behind
        if i == _NONE or data[i] != CLOSING:
            return -1
        i += _ONE
        if i != last:
            if data[i] != COMMA:
                return -1
            i += _ONE
    return children_read if i == last else -1


# The following functions read a field, if it begins at i: with a comma, or with the bracket at `first`, where the node
# begins. They return the position behind it; i where another field begins; _NONE where it is not as it is written, or
# where i is _NONE.


@borrowing_kernel
def _behind_key(data: np.ndarray, i: np.uint64, first: np.uint64, key: np.ndarray) -> np.uint64:
    """Return the position behind a field's name; _NONE where another field begins."""
    if i == _NONE or (data[i] != COMMA and i != first):
        return _NONE
    i += _ONE
    for k in range(len(key)):
        if data[i] != key[k]:
            return _NONE
        i += _ONE
    return i


@borrowing_kernel
def _read_string(data: np.ndarray, i: np.uint64, first: np.uint64, key: np.ndarray, span: np.ndarray) -> np.uint64:
    begin = _behind_key(data, i, first, key)
    if begin == _NONE:
        return i
    behind = _behind_string(data, begin)
    span[0], span[1] = np.int64(begin), np.int64(behind)
    return behind


@borrowing_kernel
def _behind_string(data: np.ndarray, i: np.uint64) -> np.uint64:
    if data[i] != QUOTE:
        return _NONE
    i += _ONE
    while data[i] != QUOTE:
        if data[i] == BACKSLASH:
            i += _ONE
        if data[i] < _BLANK:  # every line ends with one of these
            return _NONE
        i += _ONE
    return i + _ONE


@borrowing_kernel
def _read_children(
    data: np.ndarray, i: np.uint64, first: np.uint64, children: np.ndarray, begin: int
) -> tuple[np.uint64, int]:
    """Read the children of a node; returns also their number."""
    behind = _behind_key(data, i, first, CHILDREN)
    if behind == _NONE:
        return i, 0
    if data[behind] != LIST_OPENING:
        return _NONE, 0
    count = 0
    while count == 0 or data[behind] == COMMA:
        behind, number = _read_whole(data, behind + _ONE)
        if behind == _NONE or begin + count == len(children):
            return _NONE, 0
        children[begin + count] = number
        count += 1
    return (behind + _ONE if data[behind] == LIST_CLOSING else _NONE), count


@borrowing_kernel
def _read_vector(
    data: np.ndarray, i: np.uint64, first: np.uint64, key: np.ndarray, out: np.ndarray, column: int, end: int
) -> np.uint64:
    """Read a list of numbers into columns `column` to `end` - 1."""
    behind = _behind_key(data, i, first, key)
    if behind == _NONE:
        return i
    for k in range(column, end):
        if data[behind] != (LIST_OPENING if k == column else COMMA):
            return _NONE
        behind = _read_double(data, behind + _ONE, out, k)
        if behind == _NONE:
            return _NONE
    return behind + _ONE if data[behind] == LIST_CLOSING else _NONE


@borrowing_kernel
def _read_mesh(data: np.ndarray, i: np.uint64, first: np.uint64, numbers: np.ndarray, span: np.ndarray) -> np.uint64:
    behind = _behind_key(data, i, first, EMBEDDED)
    if behind != _NONE:
        behind, numbers[EMBEDDED_NUMBER] = _read_whole(data, behind)
    else:
        behind = _behind_key(data, i, first, MESH_OF_FILE)
        if behind == _NONE:
            return i
        behind, numbers[FILE] = _read_whole(data, behind)
        numbers[OCCURRENCE_NUMBER] = 0
        begin = _behind_key(data, behind, _NONE, OBJECT[1:])
        if begin == _NONE:
            return _NONE
        behind = _behind_string(data, begin)
        span[0], span[1] = np.int64(begin), np.int64(behind)
        behind = _read_number(data, behind, _NONE, OCCURRENCE[1:], numbers, OCCURRENCE_NUMBER)
    return behind + _ONE if behind != _NONE and data[behind] == CLOSING else _NONE


@borrowing_kernel
def _read_number(
    data: np.ndarray, i: np.uint64, first: np.uint64, key: np.ndarray, numbers: np.ndarray, column: int
) -> np.uint64:
    behind = _behind_key(data, i, first, key)
    if behind == _NONE:
        return i
    behind, numbers[column] = _read_whole(data, behind)
    return behind


@borrowing_kernel
def _read_whole(data: np.ndarray, i: np.uint64) -> tuple[np.uint64, int]:
    """Read a whole number of at least 0; returns the position behind it, or _NONE."""
    begin = i
    number = 0
    while data[i] - _ZERO <= _NINE:
        number = number * 10 + int(data[i] - _ZERO)
        i += _ONE
    digits = np.int64(i - begin)
    is_one = 0 < digits <= _MOST_DIGITS and (digits == 1 or data[begin] != _ZERO)
    return (i if is_one else _NONE), number


@borrowing_kernel
def _read_double(data: np.ndarray, i: np.uint64, out: np.ndarray, k: int) -> np.uint64:
    """Read a number of JSON into out[k]; returns the position behind it, or _NONE: it is none, or not read exactly."""
    begin = i
    if data[i] == _MINUS:
        i += _ONE
    whole = i
    i, significant = _behind_digits(data, i, 0)
    if i == whole or (data[whole] == _ZERO and i != whole + _ONE):
        return _NONE
    is_whole = True
    if data[i] == _POINT:
        is_whole = False
        point = i
        i, significant = _behind_digits(data, i + _ONE, significant)
        if i == point + _ONE:
            return _NONE
    if data[i] | _CASE == _E:
        is_whole = False
        i += _ONE
        if data[i] == _PLUS or data[i] == _MINUS:
            i += _ONE
        exponent = i
        i, _ = _behind_digits(data, i, 0)
        if i == exponent:
            return _NONE
    # -0 is a whole number to JSON, which knows no sign of it.
    if significant > _MOST_DIGITS + 1 or (is_whole and significant == 0 and whole != begin):
        return _NONE
    out[k], behind = read_float(data, begin)
    return i if behind == i and np.isfinite(out[k]) else _NONE


@borrowing_kernel
def _behind_digits(data: np.ndarray, i: np.uint64, significant: int) -> tuple[np.uint64, int]:
    """Return the position behind digits, and how many they and those before are, zeros at the front not counted."""
    while data[i] - _ZERO <= _NINE:
        if significant or data[i] != _ZERO:
            significant += 1
        i += _ONE
    return i, significant
