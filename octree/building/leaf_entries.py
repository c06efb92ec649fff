"""The entries of a LeafOctree: a sphere has one in every leaf that it touches.

They are made anew from the root down: a cell hands its spheres to each child that they touch. A sphere that touches
more than MOST_LEAVES leaves is entered in larger cells, of which it touches fewer. A sphere that is not wholly inside
the root is entered in the root.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.building.divide import CompleteDivision, DividedCells, decide_division
from octoscope.octree.jit import kernel
from octoscope.octree.layout.slots import Slots, cell_key, leaf_bits
from octoscope.octree.layout.walk import child_center

MOST_LEAVES = 4096
_SLACK = 1.0 + 2.0**-18  # of a cell's half size, for rounding


def leaf_entries(
    spheres: Slots, count: int, half_size: float, split_level: int, division: CompleteDivision
) -> tuple[Slots, int]:
    """Return an entry for each leaf that one of `count` spheres touches, in the order of their keys; and how many."""
    levels = np.empty(count, dtype=np.int8)
    deepest_levels(count, spheres, half_size, split_level, levels)
    room, cell_room = 8 * count + 64, len(division.cells.keys) + 64
    while True:
        keys, slots = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int32)
        divided = DividedCells.empty(cell_room)
        entries, cells = assign_to_leaves(
            count, spheres, levels, half_size, split_level, division.capacity, division.cells, divided, keys, slots
        )
        if entries <= room and cells <= cell_room:
            break
        room, cell_room = max(room, entries), max(cell_room, cells)
    division.become(divided.first(cells))
    filled = Slots.empty(entries)
    place_entries(entries, keys, slots, spheres, filled)
    return filled, entries


@kernel
def deepest_levels(count: int, slots: Slots, half_size: float, split_level: int, levels: np.ndarray) -> None:
    """Write for each of the first `count` spheres the level of the cells that it is entered in; 0 is the root."""
    for slot in range(count):
        radius = np.float64(slots.r[slot])
        farthest = max(abs(slots.x[slot]), abs(slots.y[slot]), abs(slots.z[slot])) + radius
        levels[slot] = 0
        if farthest <= half_size:
            level = split_level
            while level > 0:
                across = np.ceil(radius * (1 << level) / half_size) + 1.0  # cells of that level, at most
                if across**3 <= MOST_LEAVES:
                    break
                level -= 1
            levels[slot] = level


@kernel
def touches_cell(
    x: float, y: float, z: float, r: float, center_x: float, center_y: float, center_z: float, half: float
) -> bool:
    """Tell whether a sphere touches a cube, its faces included."""
    off_x = max(abs(x - center_x) - half, 0.0)
    off_y = max(abs(y - center_y) - half, 0.0)
    off_z = max(abs(z - center_z) - half, 0.0)
    return off_x * off_x + off_y * off_y + off_z * off_z <= r * r


@kernel
def assign_to_leaves(
    count: int,
    slots: Slots,
    levels: np.ndarray,
    half_size: float,
    split_level: int,
    capacity: int,
    before: DividedCells,
    after: DividedCells,
    out_key: np.ndarray,
    out_slot: np.ndarray,
) -> tuple[int, int]:
    """Write an entry, key and slot, for every cell that a sphere of the first `count` slots is stored in.

    Entries come in the order of their keys. With a capacity, cells divide as divide.py says, by the spheres that
    touch them; without one, wherever there are spheres.

    Args:
        levels: (count,) int8, from deepest_levels.

    Returns:
        how many entries there are, and how many divided cells, 0 without a capacity. What has no room in the arrays
        is counted and not written.
    """
    # One list of slots for each level: what touches the cell that the walk is in on that level.
    lists = np.empty((split_level + 1, count), np.int32)
    lengths = np.zeros(split_level + 1, np.int64)
    next_child = np.zeros(split_level + 1, np.int64)
    centers = np.zeros((split_level + 1, 3), np.float64)
    leaves_of = np.zeros(split_level + 1, np.int64)
    for slot in range(count):
        lists[0, slot] = slot
    lengths[0] = count
    entries, cells = 0, 0
    level, entering = 0, True  # from the root the walk goes down, depth first
    while level >= 0:
        if entering:  # decide whether the cell divides, and write entries for the spheres that stay in it
            key = cell_key(leaves_of[level], level)
            useful = _any_below(lists[level], lengths[level], levels, level)
            divides = useful and level < split_level
            if capacity > 0 and level < split_level:
                divides, _, cells = decide_division(key, lengths[level], useful, capacity, before, after, cells)
            stored = lists[level, : lengths[level]]
            entries = _store(stored, levels, level, divides, key, entries, out_key, out_slot)
            next_child[level] = 0 if divides else 8  # 8: all children are done
        child = next_child[level]
        if child == 8:
            level -= 1
            entering = False
            continue
        next_child[level] = child + 1
        half = half_size / (1 << (level + 1))
        x, y, z = child_center(centers[level, 0], centers[level, 1], centers[level, 2], half, child)
        length = 0  # of the child's list
        for i in range(lengths[level]):
            slot = lists[level, i]
            if levels[slot] > level and touches_cell(
                slots.x[slot], slots.y[slot], slots.z[slot], slots.r[slot], x, y, z, half * _SLACK
            ):
                lists[level + 1, length] = slot
                length += 1
        entering = length > 0 or (capacity > 0 and len(before.keys) > 0)  # an empty cell may be in its grace
        if entering:
            leaf = leaves_of[level] + (child << leaf_bits(level + 1, split_level))
            level += 1
            lengths[level], leaves_of[level] = length, leaf
            centers[level, 0], centers[level, 1], centers[level, 2] = x, y, z
    return entries, cells


@kernel
def _store(
    slots: np.ndarray,
    levels: np.ndarray,
    level: int,
    divides: bool,
    key: int,
    entries: int,
    out_key: np.ndarray,
    out_slot: np.ndarray,
) -> int:
    """Write an entry for each slot of a list that stays in a cell; return the number of entries until then.

    Args:
        divides: the cell has children, which take all slots with a deeper level.
    """
    for slot in slots:
        if not divides or levels[slot] == level:
            if entries < len(out_key):
                out_key[entries], out_slot[entries] = key, slot
            entries += 1
    return entries


@kernel
def _any_below(slots: np.ndarray, count: int, levels: np.ndarray, level: int) -> bool:
    """Tell whether any of the first `count` slots is to be entered below a level."""
    found = False
    i = 0
    while i < count and not found:
        found = levels[slots[i]] > level
        i += 1
    return found


@kernel
def place_entries(entries: int, key: np.ndarray, slot: np.ndarray, source: Slots, target: Slots) -> None:
    """Copy the spheres of `source` to their entries in `target`."""
    for entry in range(entries):
        target.x[entry] = source.x[slot[entry]]
        target.y[entry] = source.y[slot[entry]]
        target.z[entry] = source.z[slot[entry]]
        target.r[entry] = source.r[slot[entry]]
        target.id_at[entry] = source.id_at[slot[entry]]
        target.key[entry] = key[entry]


@kernel
def link_entries(count: int, id_at: np.ndarray, slot_of: np.ndarray, next_entry: np.ndarray) -> None:
    """Chain the entries of each id: slot_of leads to one, next_entry from each to the next, as slot plus one or 0."""
    for slot in range(count):
        if id_at[slot] >= 0:
            slot_of[id_at[slot]] = 0
    for slot in range(count):
        if id_at[slot] >= 0:
            next_entry[slot] = slot_of[id_at[slot]]
            slot_of[id_at[slot]] = slot + 1


@kernel
def gather_spheres(slot_count: int, slots: Slots, slot_of: np.ndarray, target: Slots) -> None:
    """Copy every live sphere once to `target`: from the entry that slot_of leads to."""
    count = 0
    for slot in range(slot_count):
        identifier = slots.id_at[slot]
        if identifier >= 0 and slot_of[identifier] == slot + 1:
            target.x[count] = slots.x[slot]
            target.y[count] = slots.y[slot]
            target.z[count] = slots.z[slot]
            target.r[count] = slots.r[slot]
            target.id_at[count] = identifier
            count += 1


@kernel
def deduplicate(count: int, ids: np.ndarray, t: np.ndarray, query: int, last_query_of: np.ndarray) -> int:
    """Drop repeated ids in place, with their t; the first of each stays; return how many are left.

    Args:
        query: a number that no query had before.
        last_query_of: (ids,) int64 by id: the last query that saw it.
    """
    kept = 0
    for i in range(count):
        if last_query_of[ids[i]] != query:
            last_query_of[ids[i]] = query
            ids[kept] = ids[i]
            if len(t):
                t[kept] = t[i]
            kept += 1
    return kept
