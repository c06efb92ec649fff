"""Kernels that change the tree: which cell a sphere belongs to, inserting, moving, removing, sorting by cell.

Slots are places in the columns x, y, z, radius, cell, id. The first `sorted_count` slots are in cell order and may
hold dead ones (id -1, radius -inf); behind them stands the overflow: spheres that arrived or changed their cell
since the last sort, in any order, never dead. `slot_of[id]` is the slot plus one; 0 means that the id is not here,
so that a fresh table is untouched zero pages.

Preconditions, checked by the class in front: finite values, ids in range, enough room behind the last slot.
"""

from __future__ import annotations

import numpy as np

from octree.jit import kernel

DEAD_ID = -1
DEAD_RADIUS = np.float32(-np.inf)
# Rounding of a float32 plane test (three products, three sums) relative to |x| + |y| + |z|, with room to spare.
_ROUNDING = 2.0**-21


@kernel
def store_spheres(first_slot, centers, radii, x, y, z, r, cell, origin, half_size, level_limits, offsets, reach):
    """Write spheres to the slots from `first_slot` on, as float32 about the origin, and find their cells.

    Radii grow by the rounding of their centres, so that float32 never loses a sphere. The level is the deepest one
    whose loose cells hold a sphere of this radius wherever its centre lies in the cell. A centre outside the root,
    and a sphere too large for any loose cell, belong to cell 0: the root's own spheres are tested one by one in
    every query, so nothing is lost and nothing is assumed of where they are.

    Args:
        reach: by level, the largest radius in cells of that level or deeper, that is how far a subtree sticks out
            of its cell; grows to cover the new spheres, never beyond `level_limits`.
    """
    count = len(radii)
    xs = x[first_slot : first_slot + count]
    ys = y[first_slot : first_slot + count]
    zs = z[first_slot : first_slot + count]
    rs = r[first_slot : first_slot + count]
    cells = cell[first_slot : first_slot + count]
    origin_x, origin_y, origin_z = origin[0], origin[1], origin[2]
    for i in range(count):
        dx = centers[i, 0] - origin_x
        dy = centers[i, 1] - origin_y
        dz = centers[i, 2] - origin_z
        xs[i] = np.float32(dx)
        ys[i] = np.float32(dy)
        zs[i] = np.float32(dz)
        error = np.sqrt((dx - xs[i]) ** 2 + (dy - ys[i]) ** 2 + (dz - zs[i]) ** 2)
        distance = abs(dx) + abs(dy) + abs(dz)
        rs[i] = np.float32((radii[i] + error + distance * _ROUNDING) * (1.0 + 2.0**-22))
    split_level = len(level_limits) - 1
    width = 1 << split_level
    scale = 0.5 * width / half_size
    for i in range(count):
        radius = rs[i]
        level = split_level
        while level > 0 and radius > level_limits[level]:
            level -= 1
        # Compared as numbers before they become integers: far outside, the conversion would be undefined.
        gx = (xs[i] + half_size) * scale
        gy = (ys[i] + half_size) * scale
        gz = (zs[i] + half_size) * scale
        if level == 0 or not (0.0 <= gx <= width and 0.0 <= gy <= width and 0.0 <= gz <= width):
            cells[i] = 0
            continue
        shift = split_level - level
        ix = min(int(gx), width - 1) >> shift << shift
        iy = min(int(gy), width - 1) >> shift << shift
        iz = min(int(gz), width - 1) >> shift << shift
        cells[i] = level + offsets[ix] + 2 * offsets[iy] + 4 * offsets[iz]
        while level >= 0 and reach[level] < radius:
            reach[level] = radius
            level -= 1


@kernel
def link_appended(slot_count, ids, id_at, slot_of):
    """Tie ids to the slots from `slot_count` on."""
    for i in range(len(ids)):
        id_at[slot_count + i] = ids[i]
        slot_of[ids[i]] = slot_count + i + 1


@kernel
def sort_by_cell(slot_count, source, target, id_source, id_target, cell_source, cell_target, start, slot_of):
    """Counting sort of the live slots by cell. `source` and `target` are (4, n): x, y, z, radius.

    Afterwards the spheres of cells [a, b) are slots start[a] .. start[b]. `start` has one entry more than that
    needs: counting two places ahead leaves the finished table where it belongs when the scatter is done.

    Returns:
        the number of live spheres.
    """
    start[:] = 0
    for slot in range(slot_count):
        if id_source[slot] >= 0:
            start[cell_source[slot] + 2] += 1
    total = 0
    for cell in range(2, len(start)):
        total += start[cell]
        start[cell] = total
    for slot in range(slot_count):
        identifier = id_source[slot]
        if identifier >= 0:
            cell = cell_source[slot]
            place = start[cell + 1]
            start[cell + 1] = place + 1
            target[0, place] = source[0, slot]
            target[1, place] = source[1, slot]
            target[2, place] = source[2, slot]
            target[3, place] = source[3, slot]
            cell_target[place] = cell
            id_target[place] = identifier
            slot_of[identifier] = place + 1
    return total


@kernel
def settle_moved(sorted_count, slot_count, ids, x, y, z, r, cell, id_at, slot_of):
    """Give moved spheres their slots: in place inside the own cell, else in the overflow, leaving a dead slot.

    The new values stand ready, in the order of `ids`, from `slot_count` on (store_spheres).

    Returns:
        the new slot count; it grows by one for each dead slot.
    """
    first = slot_count
    for i in range(len(ids)):
        source = first + i
        slot = slot_of[ids[i]] - 1
        if slot < sorted_count and cell[source] != cell[slot]:
            id_at[slot] = DEAD_ID
            r[slot] = DEAD_RADIUS
            slot = slot_count
            slot_count += 1
            id_at[slot] = ids[i]
            slot_of[ids[i]] = slot + 1
        x[slot] = x[source]
        y[slot] = y[source]
        z[slot] = z[source]
        r[slot] = r[source]
        cell[slot] = cell[source]
    return slot_count


@kernel
def remove_spheres(sorted_count, slot_count, ids, x, y, z, r, cell, id_at, slot_of):
    """Remove spheres: a sorted slot dies, a gap in the overflow is filled from its end.

    Returns:
        the new slot count.
    """
    for i in range(len(ids)):
        slot = slot_of[ids[i]] - 1
        slot_of[ids[i]] = 0
        if slot < sorted_count:
            id_at[slot] = DEAD_ID
            r[slot] = DEAD_RADIUS
        else:
            slot_count -= 1
            if slot < slot_count:
                x[slot] = x[slot_count]
                y[slot] = y[slot_count]
                z[slot] = z[slot_count]
                r[slot] = r[slot_count]
                cell[slot] = cell[slot_count]
                id_at[slot] = id_at[slot_count]
                slot_of[id_at[slot]] = slot + 1
    return slot_count


@kernel
def first_unusable(centers, radii, origin, farthest):
    """Index of the first sphere that is not finite, too far away or of negative radius, or -1."""
    for i in range(len(radii)):
        fits = radii[i] >= 0.0 and radii[i] < farthest  # NaN fits nothing
        for axis in range(3):
            fits = fits and abs(centers[i, axis] - origin[axis]) < farthest
        if not fits:
            return i
    return -1


@kernel
def reserve_ids(ids, slot_of):
    """Mark ids as taken. Index of the first that is in the tree or stands twice, with all marks undone, or -1."""
    for i in range(len(ids)):
        if slot_of[ids[i]] != 0:
            for undone in range(i):
                slot_of[ids[undone]] = 0
            return i
        slot_of[ids[i]] = -1
    return -1


@kernel
def first_repeated(ids, slot_of):
    """Index of the first id that stands twice in `ids`, or -1. Leaves `slot_of` as it was."""
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
