"""Names as UTF-8 in one block of bytes: where their numbers begin, and which numbers are free."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel

_POINT, _ZERO, _NINE = 46, 48, 57
_MOST_DIGITS = 9  # more are no number: an int32 holds these


@kernel
def split_names(text: np.ndarray, hashes: np.ndarray, numbers: np.ndarray, lengths: np.ndarray) -> None:
    """Find what names are without their numbers.

    Args:
        text: (b,) uint8, names that are each ended by a zero byte.
        hashes: (n,) uint64, written: FNV-1a of the name up to its number; 0 of an empty name alone.
        numbers: (n,) int32, written: what stands behind the last point, or 0: nothing but digits does not.
        lengths: (n,) int32, written: of the point and the digits, in bytes, which are characters.
    """
    begin = 0
    for name in range(len(hashes)):
        end = begin
        while text[end] != 0:
            end += 1
        first_digit = end
        while first_digit > begin and _ZERO <= text[first_digit - 1] <= _NINE:
            first_digit -= 1
        digits = end - first_digit
        has_number = 0 < digits <= _MOST_DIGITS and first_digit - 1 > begin and text[first_digit - 1] == _POINT
        numbers[name], lengths[name] = 0, 0
        if has_number:
            lengths[name] = digits + 1
            for place in range(first_digit, end):
                numbers[name] = 10 * numbers[name] + (text[place] - _ZERO)
        hashed = np.uint64(0xCBF29CE484222325)
        for place in range(begin, end - lengths[name]):
            hashed = (hashed ^ np.uint64(text[place])) * np.uint64(0x100000001B3)
        hashes[name] = 0 if end == begin else max(hashed, np.uint64(1))
        begin = end + 1


@kernel
def free_numbers(
    wanted: np.ndarray, taken_hashes: np.ndarray, taken_numbers: np.ndarray, is_taken: np.ndarray
) -> np.ndarray:
    """The first numbers that are free, for names that are to be told apart, in their order.

    Args:
        wanted: (k,) uint64 hashes of names without their numbers.
        taken_hashes (n,) uint64, taken_numbers (n,) int32: of the names that there are.
        is_taken: (n,) bool: which of these count.

    Returns:
        (k,) int32, 1 or more. Names of equal hashes that differ are taken for one, and leave numbers out.
    """
    # Open addressing: which different names are wanted.
    room = 16
    while room < 2 * len(wanted):
        room *= 2
    mask = np.uint64(room - 1)
    table = np.full(room, -1, dtype=np.int32)
    groups = np.empty(len(wanted), dtype=np.int32)
    group_hashes = np.empty(len(wanted), dtype=np.uint64)
    sizes = np.zeros(len(wanted) + 1, dtype=np.int64)
    count = 0
    for i in range(len(wanted)):
        place = _place(wanted[i], table, group_hashes, mask)
        if table[place] < 0:
            table[place] = count
            group_hashes[count] = wanted[i]
            count += 1
        groups[i] = table[place]
        sizes[groups[i] + 1] += 1
    of_taken = np.empty(len(taken_hashes), dtype=np.int32)
    for i in range(len(taken_hashes)):
        of_taken[i] = -1
        if is_taken[i] and taken_numbers[i] > 0:
            of_taken[i] = table[_place(taken_hashes[i], table, group_hashes, mask)]
            if of_taken[i] >= 0:
                sizes[of_taken[i] + 1] += 1
    # As many numbers as are wanted and taken together, from 1 on: enough of those are free.
    begins = np.cumsum(sizes)
    used = np.zeros(begins[count], dtype=np.bool_)
    for i in range(len(taken_hashes)):
        group = of_taken[i]
        if group >= 0 and taken_numbers[i] <= sizes[group + 1]:
            used[begins[group] + taken_numbers[i] - 1] = True
    following = begins[:count].copy()
    numbers = np.empty(len(wanted), dtype=np.int32)
    for i in range(len(wanted)):
        group = groups[i]
        while used[following[group]]:
            following[group] += 1
        following[group] += 1
        numbers[i] = following[group] - begins[group]
    return numbers


@kernel
def _place(hashed: int, table: np.ndarray, group_hashes: np.ndarray, mask: int) -> int:
    """Where a hash is in the table, or is to be."""
    place = (hashed ^ (hashed >> np.uint64(32))) & mask
    while table[place] >= 0 and group_hashes[table[place]] != hashed:
        place = (place + np.uint64(1)) & mask
    return place
