"""Words and lines in bytes. Every block is followed by line ends, so that none of these functions reads past it.

A statement ends with its line, unless a backslash with nothing but blanks behind it continues it on the next.
Positions in the data are uint64 throughout: for those numba adds no check for negative ones, which count from the end.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel

ONE = np.uint64(1)
BLANK, TAB, LINE_FEED, RETURN, HASH, BACKSLASH, SLASH = 32, 9, 10, 13, 35, 92, 47


@borrowing_kernel
def is_blank(c: int) -> bool:
    """Tell whether a byte is a blank or a tab."""
    return c in (BLANK, TAB)


@borrowing_kernel
def is_line_end(c: int) -> bool:
    """Tell whether a byte ends a line."""
    return c in (LINE_FEED, RETURN)


@borrowing_kernel
def ends_word(c: int) -> bool:
    """Tell whether no word continues at a byte."""
    return c in (BLANK, LINE_FEED, TAB, RETURN, HASH, BACKSLASH)


@borrowing_kernel
def ends_statement(c: int) -> bool:
    """Tell whether no further word of a statement can begin at a byte; a continuation was passed before."""
    return c in (LINE_FEED, RETURN, HASH)


@borrowing_kernel
def next_word(data: np.ndarray, i: int, line: int) -> tuple[int, int]:
    """Find where the next word of a statement begins, or the statement ends, and on which line."""
    while True:
        c = data[i]
        if c in (BLANK, TAB):
            i += ONE
        elif c == BACKSLASH and continues(data, i):
            i = end_of_line(data, i)
            i = next_line(data, i)
            line += 1
        else:
            return i, line


@borrowing_kernel
def continues(data: np.ndarray, i: int) -> bool:
    """Tell whether a backslash is followed by nothing but blanks on its line."""
    i += ONE
    while is_blank(data[i]):
        i += ONE
    return is_line_end(data[i])


@borrowing_kernel
def next_line(data: np.ndarray, i: int) -> int:
    """Return the position behind the line end at data[i], which may have two bytes."""
    return i + ONE + np.uint64(data[i] == RETURN and data[i + ONE] == LINE_FEED)


@borrowing_kernel
def end_of_line(data: np.ndarray, i: int) -> int:
    """Find the end of a line."""
    while data[i] != LINE_FEED and data[i] != RETURN:
        i += ONE
    return i


@borrowing_kernel
def end_of_statement(data: np.ndarray, i: int, line: int) -> tuple[int, int]:
    """Find the end of a statement's last line, and that line."""
    while True:
        c = data[i]
        if c in (LINE_FEED, RETURN):
            return i, line
        if c == HASH:
            return end_of_line(data, i), line
        if c == BACKSLASH and continues(data, i):
            i, line = next_word(data, i, line)
        else:
            i += ONE


@borrowing_kernel
def read_name(data: np.ndarray, i: int, line: int, names: np.ndarray, count: int) -> tuple[int, int, int]:
    """Copy the rest of a statement to names[count:], without blanks around it; a continuation becomes a blank.

    Return the end of its last line, that line, and the end of the name.
    """
    begin = count
    while True:
        first = i
        i = end_of_line(data, i)
        last = _without_blanks(data, first, i)
        continued = last > first and data[last - ONE] == BACKSLASH
        if continued:
            last = _without_blanks(data, first, last - ONE)
        if last > first and count > begin:
            names[count] = BLANK
            count += 1
        for k in range(np.int64(first), np.int64(last)):
            names[count] = data[np.uint64(k)]
            count += 1
        if not continued:
            return i, line, count
        i = next_line(data, i)
        line += 1
        while is_blank(data[i]):
            i += ONE


@borrowing_kernel
def _without_blanks(data: np.ndarray, first: int, last: int) -> int:
    """Find the end of data[first:last] without trailing blanks."""
    while last > first and is_blank(data[last - ONE]):
        last -= ONE
    return last


@borrowing_kernel
def is_word(data: np.ndarray, begin: int, end: int, word: bytes) -> bool:
    """Tell whether data[begin:end] is a given word."""
    if np.int64(end - begin) != len(word):
        return False
    for k in range(len(word)):  # noqa: SIM110  (numba knows no generators)
        if data[begin + np.uint64(k)] != word[k]:
            return False
    return True


@kernel
def last_statement_end(data: np.ndarray) -> int:
    """Find where the last statement that surely ends within the data ends; 0 when none does."""
    for i in range(len(data) - 1, -1, -1):
        # A return at the very end may be the first half of a line end.
        if data[i] == LINE_FEED or (data[i] == RETURN and i + 1 < len(data)):
            k = i - 1
            if k >= 0 and data[i] == LINE_FEED and data[k] == RETURN:
                k -= 1
            while k >= 0 and is_blank(data[k]):
                k -= 1
            if k < 0 or data[k] != BACKSLASH:
                return i + 1
    return 0
