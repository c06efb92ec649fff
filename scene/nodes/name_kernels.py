"""Kernels on names as UTF-8 in one block of bytes: split off their numbers, find numbers that are free."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

_POINT, _ZERO, _NINE = 46, 48, 57
_MOST_DIGITS = 9  # more are no number: an int32 holds these


@kernel
def split_names(text: np.ndarray, hashes: np.ndarray, numbers: np.ndarray, lengths: np.ndarray) -> None:
    """Split names into a stem and a number: "tower.001" is "tower" and 1.

    Args:
        text: (b,) uint8, names that are each ended by a zero byte.
        hashes: (n,) uint64, written: FNV-1a of the stem; 0 for an empty name and no other.
        numbers: (n,) int32, written: the digits behind the last point; 0 for a name that does not end in such.
        lengths: (n,) int32, written: length of the point and the digits, in bytes, which are characters.
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
            for position in range(first_digit, end):
                numbers[name] = 10 * numbers[name] + (text[position] - _ZERO)
        hashed = np.uint64(0xCBF29CE484222325)
        for position in range(begin, end - lengths[name]):
            hashed = (hashed ^ np.uint64(text[position])) * np.uint64(0x100000001B3)
        hashes[name] = 0 if end == begin else max(hashed, np.uint64(1))
        begin = end + 1


@kernel
def free_numbers(
    wanted: np.ndarray, taken_hashes: np.ndarray, taken_numbers: np.ndarray, is_taken: np.ndarray
) -> np.ndarray:
    """Find the lowest free numbers for new names, in their order.

    Args:
        wanted: (k,) uint64 hashes of the new names' stems.
        taken_hashes: (n,) uint64 hashes of the stems of the names that there are.
        taken_numbers: (n,) int32 their numbers.
        is_taken: (n,) bool: which of them count.

    Returns:
        (k,) int32, 1 or more. Different stems of one hash count as one: then numbers are left out.
    """
    # Group the wanted stems in a hash table with open addressing.
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
        slot = _slot_of(wanted[i], table, group_hashes, mask)
        if table[slot] < 0:
            table[slot] = count
            group_hashes[count] = wanted[i]
            count += 1
        groups[i] = table[slot]
        sizes[groups[i] + 1] += 1
    of_taken = np.empty(len(taken_hashes), dtype=np.int32)
    for i in range(len(taken_hashes)):
        of_taken[i] = -1
        if is_taken[i] and taken_numbers[i] > 0:
            of_taken[i] = table[_slot_of(taken_hashes[i], table, group_hashes, mask)]
            if of_taken[i] >= 0:
                sizes[of_taken[i] + 1] += 1
    # For each group, mark which of the numbers from 1 on are used. As many numbers as the group has wanted and taken
    # names are enough: at least the wanted ones are free among them.
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
def _slot_of(hashed: int, table: np.ndarray, group_hashes: np.ndarray, mask: int) -> int:
    """Find the slot of the table that holds a hash, or an empty one for it."""
    slot = (hashed ^ (hashed >> np.uint64(32))) & mask
    while table[slot] >= 0 and group_hashes[table[slot]] != hashed:
        slot = (slot + np.uint64(1)) & mask
    return slot
