"""The entries of a LeafOctree: one for a sphere in every leaf that it touches, as in the split-level octree.

They are made anew from the root down: a cell hands its spheres to each child that they touch. A sphere that touches
more than MOST_LEAVES leaves goes into larger cells, where it touches fewer; one that is not wholly inside the root,
into the root.
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
        the entries, in the order of their keys.
        how many they are.
    """
    levels = np.empty(count, dtype=np.int8)
    deepest_levels(count, spheres, half_size, split_level, levels)
    room, cell_room = 8 * count + 64, len(division.keys) + 64
    while True:
        keys, slots = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int32)
        out = np.empty((3, cell_room), dtype=np.int64)
        entries, cells = assign_to_leaves(
            count, spheres, levels, half_size, split_level, division.capacity,
            division.keys, division.quiet, division.lifespan, *out, keys, slots,
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
    """Write the level whose cells each of the first `count` spheres is assigned to; 0 keeps it in the root."""
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
    """Whether a sphere touches a cube, its faces included."""
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
    quiet: np.ndarray,
    lifespan: np.ndarray,
    out_divided: np.ndarray,
    out_quiet: np.ndarray,
    out_lifespan: np.ndarray,
    out_key: np.ndarray,
    out_slot: np.ndarray,
) -> tuple[int, int]:
    """Write an entry, key and slot, for every cell that a sphere of the first `count` slots is stored in.

    Entries come in the order of their keys. With a capacity, cells divide as divide.py says, by the spheres that
    touch them; without one, wherever there are spheres.

    Returns:
        number of entries; where `out_key` is too short for them, the surplus is only counted.
        number of divided cells, 0 without a capacity; the same holds of `out_divided`.
    """
    # One list of slots for each level: what touches the cell that the walk is in on that level.
    lists = np.empty((split_level + 1, count), np.int32)
    lengths = np.zeros(split_level + 1, np.int64)
    next_child = np.zeros(split_level + 1, np.int64)
    centers = np.zeros((split_level + 1, 3), np.float64)
    leaves_of = np.zeros(split_level + 1, np.int64)
    entries = 0
    cells = 0
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
                place = first_slot_from(divided, 0, len(divided), key)
                lived = place < len(divided) and divided[place] == key
                divides, now_quiet, now_lifespan = stays_divided(
                    lengths[level],
                    capacity,
                    useful,
                    lived,
                    quiet[place] if lived else 0,
                    lifespan[place] if lived else 0,
                )
                if divides:
                    if cells < len(out_divided):
                        out_divided[cells] = key
                        out_quiet[cells] = now_quiet
                        out_lifespan[cells] = now_lifespan
                    cells += 1
            for i in range(lengths[level]):
                slot = lists[level, i]
                if not divides or levels[slot] == level:
                    if entries < len(out_key):
                        out_key[entries] = key
                        out_slot[entries] = slot
                    entries += 1
            next_child[level] = 0 if divides else 8
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
    """Copy every live sphere once to `target`, whichever of its entries slot_of leads to."""
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
def deduplicate(count: int, ids: np.ndarray, t: np.ndarray, query: int, asked_by: np.ndarray) -> int:
    """Drop ids that stand in `ids` more than once, in place, with their t; the first stays.

    Args:
        t: (count,), or of length 0.
        query: a number never used before. asked_by: by id, the last query that saw it.
    """
    kept = 0
    for i in range(count):
        if asked_by[ids[i]] != query:
            asked_by[ids[i]] = query
            ids[kept] = ids[i]
            if len(t):
                t[kept] = t[i]
            kept += 1
    return kept
