"""The entries of a LeafOctree: a sphere has one in every leaf that it touches.

They are made anew from the root down: a cell hands its spheres to each child that they touch. A sphere that touches
more than MOST_LEAVES leaves is entered in larger cells, of which it touches fewer. A sphere that is not wholly inside
the root is entered in the root.
"""

from __future__ import annotations

import numpy as np

from octree.divide import CompleteDivision, stays_divided
from octree.jit import kernel
from octree.slots import Slots, cell_key, leaf_bits
from octree.walk import first_slot_from

MOST_LEAVES = 4096
_SLACK = 1.0 + 2.0**-18  # of a cell's half size, for rounding


def leaf_entries(
    spheres: Slots, count: int, half_size: float, split_level: int, division: CompleteDivision
) -> tuple[Slots, int]:
    """Make an entry for each leaf that one of `count` spheres touches.

    Args:
        spheres: each sphere once, without keys.
        count: how many of them.
        half_size: of the root cube, world units.
        split_level: level of the leaves.
        division: with a capacity, it is decided anew here.

    Returns:
        the entries, in the order of their keys; and how many they are.
    """
    levels = np.empty(count, dtype=np.int8)
    deepest_levels(count, spheres, half_size, split_level, levels)
    room, cell_room = 8 * count + 64, len(division.keys) + 64
    while True:
        keys, slots = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int32)
        out = np.empty((3, cell_room), dtype=np.int64)
        entries, cells = assign_to_leaves(
            count, spheres, levels, half_size, split_level, division.capacity,
            division.keys, division.idle_sorts, division.grace, out[0], out[1], out[2], keys, slots,
        )  # fmt: skip
        if entries <= room and cells <= cell_room:
            break
        room, cell_room = max(room, entries), max(cell_room, cells)
    division.become(*out[:, :cells].copy())
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
    divided: np.ndarray,
    idle_sorts: np.ndarray,
    grace: np.ndarray,
    out_divided: np.ndarray,
    out_idle_sorts: np.ndarray,
    out_grace: np.ndarray,
    out_key: np.ndarray,
    out_slot: np.ndarray,
) -> tuple[int, int]:
    """Write an entry, key and slot, for every cell that a sphere of the first `count` slots is stored in.

    Entries come in the order of their keys. With a capacity, cells divide as divide.py says, by the spheres that
    touch them; without one, wherever there are spheres.

    Args:
        count: spheres.
        slots: each sphere once; their keys are not read.
        levels: (count,) int8, from deepest_levels.
        half_size: of the root cube, world units.
        split_level: level of the leaves.
        capacity: of a cell; 0: none.
        divided: (d,) int64 keys of the cells divided until now, ascending; this and the next two as in divide_cells.
        idle_sorts: (d,) int64.
        grace: (d,) int64.
        out_divided: (room for cells,) int64, written, as are the next two.
        out_idle_sorts: as long as out_divided.
        out_grace: as long as out_divided.
        out_key: (room for entries,) int64, written.
        out_slot: (room for entries,) int32, written.

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
    entries = 0
    cells = 0
    # The root's list holds all spheres. From there the walk goes down, depth first: `entering` a cell it decides
    # whether that divides and writes entries for the spheres that stay; then it fills the next child's list and enters
    # that child.
    for slot in range(count):
        lists[0, slot] = slot
    lengths[0] = count
    level = 0
    entering = True
    while level >= 0:
        leaf = leaves_of[level]
        if entering:
            key = cell_key(leaf, level)
            useful = False
            for i in range(lengths[level]):
                if levels[lists[level, i]] > level:
                    useful = True
                    break
            divides = useful and level < split_level
            if capacity > 0 and level < split_level:
                index = first_slot_from(divided, 0, len(divided), key)
                lived = index < len(divided) and divided[index] == key
                divides, now_idle_sorts, now_grace = stays_divided(
                    lengths[level],
                    capacity,
                    useful,
                    lived,
                    idle_sorts[index] if lived else 0,
                    grace[index] if lived else 0,
                )
                if divides:
                    if cells < len(out_divided):
                        out_divided[cells] = key
                        out_idle_sorts[cells] = now_idle_sorts
                        out_grace[cells] = now_grace
                    cells += 1
            for i in range(lengths[level]):
                slot = lists[level, i]
                if not divides or levels[slot] == level:
                    if entries < len(out_key):
                        out_key[entries] = key
                        out_slot[entries] = slot
                    entries += 1
            next_child[level] = 0 if divides else 8  # 8: all children are done
        child = next_child[level]
        if child == 8:
            level -= 1
            entering = False
            continue
        next_child[level] = child + 1
        half = half_size / (1 << (level + 1))
        x = centers[level, 0] + (half if child & 1 else -half)
        y = centers[level, 1] + (half if child & 2 else -half)
        z = centers[level, 2] + (half if child & 4 else -half)
        length = 0
        for i in range(lengths[level]):
            slot = lists[level, i]
            if levels[slot] > level and touches_cell(
                slots.x[slot], slots.y[slot], slots.z[slot], slots.r[slot], x, y, z, half * _SLACK
            ):
                lists[level + 1, length] = slot
                length += 1
        entering = length > 0 or (capacity > 0 and len(divided) > 0)
        if entering:
            level += 1
            lengths[level] = length
            centers[level, 0] = x
            centers[level, 1] = y
            centers[level, 2] = z
            leaves_of[level] = leaf + (child << leaf_bits(level, split_level))
    return entries, cells


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
    """Drop repeated ids in place, with their t; the first of each stays.

    Args:
        count: how many ids there are.
        ids: (count,) int32, rewritten.
        t: (count,) float64, rewritten; or of length 0.
        query: a number that no query had before.
        last_query_of: (ids,) int64 by id: the last query that saw it.

    Returns:
        how many ids are left.
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
