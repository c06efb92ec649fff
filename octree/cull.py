"""The frustum query: which spheres may be seen.

A walk from the root gives each subtree one of three answers. OUTSIDE: skip it. INSIDE: copy its whole range of ids
untested. INTERSECTS: walk on, and a plane that the subtree lies inside of is not tested again below (plane mask:
Assarsson and Moller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000). A range of fewer than
FLAT_LIMIT spheres is tested one by one, in a loop that the compiler turns into SIMD: cheaper than walking further.
"""

from __future__ import annotations

import numpy as np

from octree.jit import fused_kernel
from octree.numbering import STACK_SIZE

FLAT_LIMIT = 128  # spheres; measured on a million of them
CHUNK = 1024  # spheres tested flat at a time; also the size of the mask that the test writes


@fused_kernel
def cull_range(begin, end, x, y, z, r, id_at, planes, mask, out, count):
    """Append the ids of the slots begin..end that touch the frustum.

    Test and compaction are apart on purpose: the test vectorises, a branch-free append inside it would not.
    """
    ax, ay, az, ad = planes[0, 0], planes[0, 1], planes[0, 2], planes[0, 3]
    bx, by, bz, bd = planes[1, 0], planes[1, 1], planes[1, 2], planes[1, 3]
    cx, cy, cz, cd = planes[2, 0], planes[2, 1], planes[2, 2], planes[2, 3]
    dx, dy, dz, dd = planes[3, 0], planes[3, 1], planes[3, 2], planes[3, 3]
    ex, ey, ez, ed = planes[4, 0], planes[4, 1], planes[4, 2], planes[4, 3]
    fx, fy, fz, fd = planes[5, 0], planes[5, 1], planes[5, 2], planes[5, 3]
    while begin < end:
        length = min(end - begin, CHUNK)
        xs = x[begin : begin + length]
        ys = y[begin : begin + length]
        zs = z[begin : begin + length]
        rs = r[begin : begin + length]
        ids = id_at[begin : begin + length]
        for i in range(length):
            px = xs[i]
            py = ys[i]
            pz = zs[i]
            reach = -rs[i]
            mask[i] = (
                (ax * px + ay * py + az * pz + ad >= reach)
                & (bx * px + by * py + bz * pz + bd >= reach)
                & (cx * px + cy * py + cz * pz + cd >= reach)
                & (dx * px + dy * py + dz * pz + dd >= reach)
                & (ex * px + ey * py + ez * pz + ed >= reach)
                & (fx * px + fy * py + fz * pz + fd >= reach)
            )
        for i in range(length):
            out[count] = ids[i]
            count += mask[i]
        begin += length
    return count


@fused_kernel
def cull_tree(
    sorted_count,
    slot_count,
    has_dead,
    flat_limit,
    x,
    y,
    z,
    r,
    id_at,
    start,
    sizes,
    reach,
    half_size,
    planes,
    mask,
    out,
    counters,
):
    """Write to `out` the ids of all live spheres that touch the frustum; false positives only by rounding.

    Args:
        flat_limit: ranges of up to so many spheres are tested one by one.
        planes: (6, 4) float32 inward unit planes about the tree's origin, their d already grown for rounding.
        out: (live + 1,) int32: the compaction writes one place ahead.
        counters: (3,) int64: nodes visited, spheres tested, ids copied untested; added to.

    Returns:
        the number of ids.
    """
    split_level = len(sizes) - 1
    stack_cell = np.empty(STACK_SIZE, np.int32)
    stack_level = np.empty(STACK_SIZE, np.int32)
    stack_mask = np.empty(STACK_SIZE, np.int32)
    stack_center = np.empty((STACK_SIZE, 3), np.float64)
    count = cull_range(sorted_count, slot_count, x, y, z, r, id_at, planes, mask, out, 0)
    visited = 0
    tested = slot_count - sorted_count
    copied = 0
    top = 0
    if sorted_count > 0:
        stack_cell[0] = 0
        stack_level[0] = 0
        stack_mask[0] = 63
        stack_center[0] = 0.0
        top = 1
        visited = 1
    while top > 0:
        top -= 1
        cell = stack_cell[top]
        level = stack_level[top]
        outer_mask = stack_mask[top]
        px = stack_center[top, 0]
        py = stack_center[top, 1]
        pz = stack_center[top, 2]
        begin = start[cell]
        end = start[cell + sizes[level]]
        if end - begin <= flat_limit or level == split_level:
            tested += end - begin
            count = cull_range(begin, end, x, y, z, r, id_at, planes, mask, out, count)
            continue
        own_end = start[cell + 1]
        tested += own_end - begin
        count = cull_range(begin, own_end, x, y, z, r, id_at, planes, mask, out, count)
        level += 1
        half = half_size / (1 << level)
        loose = half * (1.0 + 2.0**-18) + reach[level]
        for child in range(8):
            child_cell = cell + 1 + child * sizes[level]
            begin = start[child_cell]
            end = start[child_cell + sizes[level]]
            if begin == end:
                continue
            visited += 1
            cx = px + (half if child & 1 else -half)
            cy = py + (half if child & 2 else -half)
            cz = pz + (half if child & 4 else -half)
            inner_mask = 0
            outside = False
            for plane in range(6):
                if outer_mask >> plane & 1:
                    nx = planes[plane, 0]
                    ny = planes[plane, 1]
                    nz = planes[plane, 2]
                    distance = nx * cx + ny * cy + nz * cz + planes[plane, 3]
                    extent = loose * (abs(nx) + abs(ny) + abs(nz))
                    if distance < -extent:
                        outside = True
                        break
                    if distance < extent:
                        inner_mask |= 1 << plane
            if outside:
                continue
            if inner_mask != 0:
                stack_cell[top] = child_cell
                stack_level[top] = level
                stack_mask[top] = inner_mask
                stack_center[top, 0] = cx
                stack_center[top, 1] = cy
                stack_center[top, 2] = cz
                top += 1
                continue
            copied += end - begin
            if has_dead:
                for slot in range(begin, end):
                    out[count] = id_at[slot]
                    count += id_at[slot] >= 0
            else:
                out[count : count + end - begin] = id_at[begin:end]
                count += end - begin
    counters[0] += visited
    counters[1] += tested
    counters[2] += copied
    return count
