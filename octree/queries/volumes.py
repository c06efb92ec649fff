"""Queries by volume: which spheres touch a frustum, a box or a ball.

A walk from the root gives each subtree one of three answers. OUTSIDE: skip it. INSIDE: copy its whole run of ids
untested. INTERSECTS: walk on; and a plane of the frustum that the subtree lies inside of is not tested again below
(plane mask: Assarsson and Moller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000). Outside is
judged by a cell's loose bounds, which hold its spheres; inside by the cell itself, which holds their centres. A short
run is tested one by one, in loops that the compiler turns into SIMD: cheaper than walking further. Runs of siblings
that follow each other are taken together, since each run costs a call.

A volume is a (6, 4) float32 array about the tree's origin, grown by the caller for rounding. FRUSTUM: inward unit
planes. BOX: lower corner in the first row, upper in the second. BALL: centre and radius in the first row.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import fused_kernel
from octoscope.octree.layout.slots import Grid, Slots
from octoscope.octree.layout.walk import (
    BEGIN,
    END,
    LEAF,
    LEVEL,
    OWN,
    TABLE_INDEX,
    child_center,
    child_sizes,
    find_children,
    new_stack,
    push_child,
)

FRUSTUM, BOX, BALL = 0, 1, 2

FLAT_LIMIT = 512  # spheres; measured on a million of them
CHUNK = 1024  # spheres tested flat at a time; also the size of the mask that the tests write

_ALL_PLANES = 63
_OUTSIDE = -1  # else a mask of what is still to be tested: 0 means inside


@fused_kernel
def _mask_in_frustum(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, r: np.ndarray, planes: np.ndarray, plane_mask: int, mask: np.ndarray
) -> None:
    """Write to `mask` which spheres touch the inner side of every plane in `plane_mask`.

    Plane by plane: at a frustum's side only one plane is left to test, and its four numbers stay in registers.
    """
    first = True
    for plane in range(6):
        if plane_mask >> plane & 1:
            nx, ny, nz, d = planes[plane, 0], planes[plane, 1], planes[plane, 2], planes[plane, 3]
            if first:
                for i in range(len(x)):
                    mask[i] = nx * x[i] + ny * y[i] + nz * z[i] + d >= -r[i]
                first = False
            else:
                for i in range(len(x)):
                    mask[i] &= nx * x[i] + ny * y[i] + nz * z[i] + d >= -r[i]


@fused_kernel
def _mask_in_box(x: np.ndarray, y: np.ndarray, z: np.ndarray, r: np.ndarray, box: np.ndarray, mask: np.ndarray) -> None:
    """Write to `mask` which spheres touch a box."""
    zero = np.float32(0.0)
    lower_x, lower_y, lower_z = box[0, 0], box[0, 1], box[0, 2]
    upper_x, upper_y, upper_z = box[1, 0], box[1, 1], box[1, 2]
    for i in range(len(x)):
        off_x = max(max(lower_x - x[i], x[i] - upper_x), zero)
        off_y = max(max(lower_y - y[i], y[i] - upper_y), zero)
        off_z = max(max(lower_z - z[i], z[i] - upper_z), zero)
        mask[i] = (r[i] >= zero) & (off_x * off_x + off_y * off_y + off_z * off_z <= r[i] * r[i])


@fused_kernel
def _mask_in_ball(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, r: np.ndarray, ball: np.ndarray, mask: np.ndarray
) -> None:
    """Write to `mask` which spheres touch a ball."""
    zero = np.float32(0.0)
    center_x, center_y, center_z, radius = ball[0, 0], ball[0, 1], ball[0, 2], ball[0, 3]
    for i in range(len(x)):
        off_x = x[i] - center_x
        off_y = y[i] - center_y
        off_z = z[i] - center_z
        reach = r[i] + radius
        mask[i] = (r[i] >= zero) & (off_x * off_x + off_y * off_y + off_z * off_z <= reach * reach)


@fused_kernel
def _test_run(
    begin: int,
    end: int,
    slots: Slots,
    kind: int,
    volume: np.ndarray,
    plane_mask: int,
    mask: np.ndarray,
    out: np.ndarray,
    count: int,
) -> int:
    """Append the ids of the slots begin..end that touch the volume; of a frustum, only the planes in plane_mask count.

    Test and compaction are apart on purpose: the test vectorises, a branch-free append inside it would not.
    """
    while begin < end:
        stop = min(end, begin + CHUNK)
        x = slots.x[begin:stop]
        y = slots.y[begin:stop]
        z = slots.z[begin:stop]
        r = slots.r[begin:stop]
        ids = slots.id_at[begin:stop]
        if kind == FRUSTUM:
            _mask_in_frustum(x, y, z, r, volume, plane_mask, mask)
        elif kind == BOX:
            _mask_in_box(x, y, z, r, volume, mask)
        else:
            _mask_in_ball(x, y, z, r, volume, mask)
        for i in range(len(ids)):
            out[count] = ids[i]
            count += int(mask[i])
        begin = stop
    return count


@fused_kernel
def _copy_run(begin: int, end: int, id_at: np.ndarray, has_dead: bool, out: np.ndarray, count: int) -> int:
    """Append the ids of the live slots among begin..end, untested."""
    if has_dead:
        for slot in range(begin, end):
            out[count] = id_at[slot]
            count += int(id_at[slot] >= 0)
    else:
        source = id_at[begin:end]
        target = out[count : count + len(source)]
        for i in range(len(source)):  # from 0, so that the compiler turns it into SIMD
            target[i] = source[i]
        count += len(source)
    return count


@fused_kernel
def _frustum_and_cell(planes: np.ndarray, x: float, y: float, z: float, half: float, loose: float, mask: int) -> int:
    """Compare a frustum with a cell around (x, y, z), its loose bounds `loose` in half size.

    Return _OUTSIDE, or the mask of those planes of `mask` that pass through the cell; 0: it is all inside.
    """
    inner_mask = 0
    for plane in range(6):
        if mask >> plane & 1:
            nx = planes[plane, 0]
            ny = planes[plane, 1]
            nz = planes[plane, 2]
            distance = nx * x + ny * y + nz * z + planes[plane, 3]
            extent = abs(nx) + abs(ny) + abs(nz)
            if distance < -loose * extent:
                return _OUTSIDE
            if distance < half * extent:
                inner_mask |= 1 << plane
    return inner_mask


@fused_kernel
def _box_and_cell(box: np.ndarray, x: float, y: float, z: float, half: float, loose: float) -> int:
    """Compare a box with a cell; returns _OUTSIDE, 0 when the cell is all inside, else 1."""
    if x + loose < box[0, 0] or y + loose < box[0, 1] or z + loose < box[0, 2]:
        return _OUTSIDE
    if x - loose > box[1, 0] or y - loose > box[1, 1] or z - loose > box[1, 2]:
        return _OUTSIDE
    inside = (
        (x - half >= box[0, 0])
        & (y - half >= box[0, 1])
        & (z - half >= box[0, 2])
        & (x + half <= box[1, 0])
        & (y + half <= box[1, 1])
        & (z + half <= box[1, 2])
    )
    return 0 if inside else 1


@fused_kernel
def _ball_and_cell(ball: np.ndarray, x: float, y: float, z: float, half: float, loose: float) -> int:
    """Compare a ball with a cell; returns _OUTSIDE, 0 when the cell is all inside, else 1."""
    off_x = abs(x - ball[0, 0])
    off_y = abs(y - ball[0, 1])
    off_z = abs(z - ball[0, 2])
    squared = np.float64(ball[0, 3]) ** 2
    if max(off_x - loose, 0.0) ** 2 + max(off_y - loose, 0.0) ** 2 + max(off_z - loose, 0.0) ** 2 > squared:
        return _OUTSIDE
    inside = (off_x + half) ** 2 + (off_y + half) ** 2 + (off_z + half) ** 2 <= squared
    return 0 if inside else 1


@fused_kernel
def _volume_and_cell(
    kind: int, volume: np.ndarray, x: float, y: float, z: float, half: float, loose: float, mask: int
) -> int:
    """Compare a volume with a cell: _OUTSIDE, 0 when the cell is all inside, else what is still to be tested."""
    if kind == FRUSTUM:
        return _frustum_and_cell(volume, x, y, z, half, loose, mask)
    if kind == BOX:
        return _box_and_cell(volume, x, y, z, half, loose)
    return _ball_and_cell(volume, x, y, z, half, loose)


@fused_kernel
def collect(
    sorted_count: int,
    slot_count: int,
    has_dead: bool,
    flat_limit: int,
    slots: Slots,
    grid: Grid,
    kind: int,
    volume: np.ndarray,
    mask: np.ndarray,
    out: np.ndarray,
    counters: np.ndarray,
) -> int:
    """Write to `out` the ids of all live spheres that touch the volume; false positives only by rounding.

    Args:
        flat_limit: runs of up to so many spheres are tested one by one; SORTED_ABOVE or more.
        out: (live slots + 1,) int32; the extra element is because the compaction writes one element ahead.
        counters: (3,) int64: cells visited, spheres tested, ids copied untested; added to.
    """
    # The overflow is in no order: test all of it.
    count = _test_run(sorted_count, slot_count, slots, kind, volume, _ALL_PLANES, mask, out, 0)
    counters[1] += slot_count - sorted_count
    if sorted_count <= flat_limit or grid.split_level == 0:  # a small tree: test everything, walk nowhere
        counters[0] += int(sorted_count > 0)
        counters[1] += sorted_count
        return _test_run(0, sorted_count, slots, kind, volume, _ALL_PLANES, mask, out, count)
    bounds = np.empty(9, np.int64)
    stack, centers = new_stack(grid, OWN + 1, sorted_count)
    stack[0, OWN] = _ALL_PLANES
    visited, tested, copied, top = 1, 0, 0, 1
    while top > 0:
        top -= 1
        level, table_index, leaf = stack[top, LEVEL], stack[top, TABLE_INDEX], stack[top, LEAF]
        begin, end, outer_mask = stack[top, BEGIN], stack[top, END], stack[top, OWN]
        px, py, pz = centers[top, 0], centers[top, 1], centers[top, 2]
        find_children(slots.key, grid, level, table_index, leaf, begin, end, bounds)
        half, loose = child_sizes(grid, level)
        # Two runs grow while siblings follow each other: one to be tested, which begins with the cell's own slots, and
        # one to be copied. A run is handled when a sibling does not continue it, and at the end.
        flat_begin, flat_end, flat_mask = begin, bounds[0], outer_mask
        copy_begin, copy_end = 0, 0
        for child in range(8):
            begin, end = bounds[child], bounds[child + 1]
            if begin == end:
                continue
            visited += 1
            x, y, z = child_center(px, py, pz, half, child)
            inner_mask = _volume_and_cell(kind, volume, x, y, z, half, loose, outer_mask)
            if inner_mask == 0:  # all inside
                if begin != copy_end:
                    copied += copy_end - copy_begin
                    count = _copy_run(copy_begin, copy_end, slots.id_at, has_dead, out, count)
                    copy_begin = begin
                copy_end = end
            elif inner_mask > 0 and (end - begin <= flat_limit or level + 1 == grid.split_level):
                if begin != flat_end:
                    tested += flat_end - flat_begin
                    count = _test_run(flat_begin, flat_end, slots, kind, volume, flat_mask, mask, out, count)
                    flat_begin, flat_mask = begin, 0
                flat_end = end
                flat_mask |= inner_mask
            elif inner_mask > 0:  # the volume's surface passes through: look into it
                push_child(stack, centers, top, grid, level, table_index, leaf, child, begin, end, x, y, z)
                stack[top, OWN] = inner_mask
                top += 1
        tested += flat_end - flat_begin
        copied += copy_end - copy_begin
        count = _test_run(flat_begin, flat_end, slots, kind, volume, flat_mask, mask, out, count)
        count = _copy_run(copy_begin, copy_end, slots.id_at, has_dead, out, count)
    counters[0] += visited
    counters[1] += tested
    counters[2] += copied
    return count
