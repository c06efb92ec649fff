"""Kernels over the rows of a PLY file: numbers of a text, and where the lists lie in rows of different lengths."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.formats.obj.numbers import read_float
from octoscope.scene.formats.obj.words import HASH, ONE, is_blank, is_line_end

_C, _O = 99, 111  # the first letters of the lines "comment" and "obj_info"
_MOST_ITEMS = 2**31


@borrowing_kernel
def read_numbers(data: np.ndarray, numbers: np.ndarray, begins_line: np.ndarray) -> tuple[int, np.int64]:
    """Read all numbers of a text, up to as many as there is room for.

    What follows a # on its line is no number, nor is a line that begins with a c or o, as comments do.

    Returns:
        how many were read, and the position of the first word that is no number; -1 if all are.
    """
    i, end = np.uint64(0), np.uint64(len(data))
    count = 0
    at_begin = True  # of a line
    while i < end and count < len(numbers):
        c = data[i]
        if is_line_end(c):
            at_begin = True
            i += ONE
        elif is_blank(c):
            i += ONE
        elif c == HASH or (at_begin and c in (_C, _O)):
            while not is_line_end(data[i]):
                i += ONE
        else:
            value, behind = read_float(data, i)
            c = data[behind]
            if behind == i or not (is_blank(c) or is_line_end(c) or c == HASH):
                return count, np.int64(i)
            numbers[count] = value
            begins_line[count] = at_begin
            count += 1
            i = behind
            at_begin = False
    return count, np.int64(-1)


@borrowing_kernel
def keep_rows(
    numbers: np.ndarray, begins_line: np.ndarray, is_list: np.ndarray, row_count: int, at: int, kept: int, by_line: bool
) -> tuple[int, int]:
    """Go through the rows of an element in a text; by lines, remove what follows each row on its line.

    Args:
        numbers: (n,) float64 of the text; by lines, the rows are moved towards its begin.
        by_line: each row begins on a line of its own.

    Returns:
        the positions behind the last row, as it was and as it is moved; -1 and 0 where a row is not whole.
    """
    end = len(numbers)
    for _ in range(row_count):
        for k in range(len(is_list)):
            items = 1
            if is_list[k]:
                if at >= end or not 0.0 <= numbers[at] < _MOST_ITEMS:
                    return -1, 0
                items += int(numbers[at])
            if items > end - at:
                return -1, 0
            if by_line:
                for j in range(items):
                    numbers[kept + j] = numbers[at + j]
            at += items
            kept += items
        while by_line and at < end and not begins_line[at]:
            at += 1
    return at, kept


@borrowing_kernel
def find_lists(
    data: np.ndarray,
    count_sizes: np.ndarray,
    item_sizes: np.ndarray,
    kept: np.ndarray,
    is_big_endian: bool,
    row_count: int,
    begins: np.ndarray,
    lengths: np.ndarray,
) -> tuple[int, int]:
    """Go through the rows of an element that has lists.

    Args:
        data: (n,) uint8 bytes, beginning at the first row; or float64 numbers of a text, of which each has size 1.
        count_sizes: (p,) size of the number before each property's list; 0 for a single value.
        item_sizes: (p,) size of a value of each property.
        kept: (p,) which row of `begins` and `lengths` a property gets; -1: none.
        begins: (k, r) filled with the position of the first value.
        lengths: (k, r) filled with the number of values.

    Returns:
        the position behind the last row, and the number of the first row that is not whole; -1 if all are.
    """
    end = len(data)
    at = 0
    for row in range(row_count):
        for k in range(len(count_sizes)):
            items = 1
            size = count_sizes[k]
            if at + size > end:
                return at, row
            if size > 0:
                items = 0
                for j in range(size):
                    value = data[at + (j if is_big_endian else size - 1 - j)]
                    if not (0 <= value < _MOST_ITEMS and items < _MOST_ITEMS):
                        return at, row
                    items = items * 256 + np.int64(value)
                at += size
            if kept[k] >= 0:
                begins[kept[k], row] = at
                lengths[kept[k], row] = items
            if items > (end - at) // item_sizes[k]:
                return at, row
            at += items * item_sizes[k]
    return at, -1


@borrowing_kernel
def copy_pieces(data: np.ndarray, begins: np.ndarray, sizes: np.ndarray, out: np.ndarray) -> None:
    """Copy pieces of an array, (k,) begins and sizes, one behind the other."""
    at = 0
    for k in range(len(begins)):
        for j in range(begins[k], begins[k] + sizes[k]):
            out[at] = data[j]
            at += 1
