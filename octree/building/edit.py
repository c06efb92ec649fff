"""Kernels that change what is in the tree: tying ids to slots, moving, removing.

`slot_of[id]` is the slot plus one; 0 means that the id is not here, so that a fresh table is untouched zero pages.
Where a sphere has more than one entry, `next_entry` leads from each slot to the next; else it has length 0.

Preconditions, checked by the class in front: ids known and each given once, enough room behind the last slot.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.octree.layout.slots import DEAD_ID, DEAD_RADIUS, Slots


@kernel
def commit_moves(
    sorted_count: int, slot_count: int, ids: np.ndarray, slots: Slots, slot_of: np.ndarray, next_entry: np.ndarray
) -> tuple[int, int]:
    """Copy moved spheres to their slots: the old one where the cell is the same, else a new one in the overflow.

    The new values stand ready, in the order of `ids`, from `slot_count` on (store_spheres, find_keys). Return the new
    slot count, and how many slots died.
    """
    first = slot_count
    died = 0
    for i in range(len(ids)):
        source = first + i
        slot = slot_of[ids[i]] - 1
        if slot < sorted_count:
            alone = len(next_entry) == 0 or (next_entry[slot] == 0 and slots.key[slot] != 0)
            if slots.key[source] != slots.key[slot] or not alone:
                died += _kill_entries(slot, slots, next_entry)
                slot = slot_count
                slot_count += 1
                slots.id_at[slot] = ids[i]
                slot_of[ids[i]] = slot + 1
        slots.x[slot] = slots.x[source]
        slots.y[slot] = slots.y[source]
        slots.z[slot] = slots.z[source]
        slots.r[slot] = slots.r[source]
        slots.key[slot] = slots.key[source]
    return slot_count, died


@kernel
def remove_spheres(
    sorted_count: int, slot_count: int, ids: np.ndarray, slots: Slots, slot_of: np.ndarray, next_entry: np.ndarray
) -> tuple[int, int]:
    """Remove spheres: sorted slots die, a gap in the overflow is filled from its end; return as `commit_moves`."""
    died = 0
    for i in range(len(ids)):
        slot = slot_of[ids[i]] - 1
        slot_of[ids[i]] = 0
        if slot < sorted_count:
            died += _kill_entries(slot, slots, next_entry)
        else:
            slot_count -= 1
            if slot < slot_count:
                slots.x[slot] = slots.x[slot_count]
                slots.y[slot] = slots.y[slot_count]
                slots.z[slot] = slots.z[slot_count]
                slots.r[slot] = slots.r[slot_count]
                slots.key[slot] = slots.key[slot_count]
                slots.id_at[slot] = slots.id_at[slot_count]
                slot_of[slots.id_at[slot]] = slot + 1
    return slot_count, died


@kernel
def _kill_entries(slot: int, slots: Slots, next_entry: np.ndarray) -> int:
    """Mark a sphere's sorted entries as dead; return how many there were."""
    slots.id_at[slot] = DEAD_ID
    slots.r[slot] = DEAD_RADIUS
    if len(next_entry) == 0:
        return 1
    died = 1
    following = next_entry[slot]
    while following > 0:
        slots.id_at[following - 1] = DEAD_ID
        slots.r[following - 1] = DEAD_RADIUS
        died += 1
        following = next_entry[following - 1]
    return died


@kernel
def link_appended(slot_count: int, ids: np.ndarray, id_at: np.ndarray, slot_of: np.ndarray) -> int:
    """Tie ids to the slots from `slot_count` on; or return the index of one that is in the tree or twice, else -1."""
    for i in range(len(ids)):
        if slot_of[ids[i]] != 0:
            for undone in range(i):
                slot_of[ids[undone]] = 0
            return i
        slot_of[ids[i]] = slot_count + i + 1
        id_at[slot_count + i] = ids[i]
    return -1


@kernel
def first_repeated(ids: np.ndarray, slot_of: np.ndarray) -> int:
    """Find the first id that occurs twice in `ids`, or -1; returns its index. Leaves `slot_of` as it was."""
    repeated = -1
    checked = 0
    while checked < len(ids) and repeated < 0:
        if slot_of[ids[checked]] < 0:
            repeated = checked
        else:
            slot_of[ids[checked]] = -slot_of[ids[checked]]
            checked += 1
    for i in range(checked):
        slot_of[ids[i]] = -slot_of[ids[i]]
    return repeated
