"""The ray query: every sphere that a ray enters.

Slab test of the loose cells (Kay and Kajiya, 1986), written with an explicit branch for directions parallel to a
slab: 0 * inf is NaN and would drop rays that run in a cell's face. All in float64.
"""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from octree.numbering import STACK_SIZE

FLAT_LIMIT = 16  # spheres: a ray meets few cells, so a range is worth testing flat only when it is short


@kernel
def ray_meets_cube(origin, direction, center_x, center_y, center_z, half, t_max):
    """Whether origin + t * direction, 0 <= t <= t_max, meets the cube of half size `half`."""
    near = 0.0
    far = t_max
    for axis in range(3):
        center = center_x if axis == 0 else (center_y if axis == 1 else center_z)
        offset = center - origin[axis]
        if direction[axis] == 0.0:
            if abs(offset) > half:
                return False
            continue
        inverse = 1.0 / direction[axis]
        t_a = (offset - half) * inverse
        t_b = (offset + half) * inverse
        near = max(near, min(t_a, t_b))
        far = min(far, max(t_a, t_b))
    return near <= far


@kernel
def ray_range(begin, end, x, y, z, r, id_at, origin, direction, t_max, out, t_out, count):
    """Append the spheres of slots begin..end that the ray enters, with the t of entry (0 from inside)."""
    for slot in range(begin, end):
        radius = np.float64(r[slot])
        if radius < 0.0:
            continue
        ox = x[slot] - origin[0]
        oy = y[slot] - origin[1]
        oz = z[slot] - origin[2]
        along = ox * direction[0] + oy * direction[1] + oz * direction[2]
        # Distance of the ray's line by the vector of its foot: b * b - c would cancel for far origins.
        fx = ox - along * direction[0]
        fy = oy - along * direction[1]
        fz = oz - along * direction[2]
        squared = radius * radius - (fx * fx + fy * fy + fz * fz)
        if squared < 0.0:
            continue
        half_chord = np.sqrt(squared)
        t_enter = max(0.0, along - half_chord)
        if along + half_chord < 0.0 or t_enter > t_max:
            continue
        out[count] = id_at[slot]
        t_out[count] = t_enter
        count += 1
    return count


@kernel
def raycast_tree(
    sorted_count,
    slot_count,
    x,
    y,
    z,
    r,
    id_at,
    start,
    sizes,
    reach,
    half_size,
    origin,
    direction,
    t_max,
    out,
    t_out,
):
    """Write every sphere on the ray, in no order.

    Args:
        origin, direction: (3,) float64 about the tree's origin, the direction of unit length.
        out, t_out: (live,) int32 and float64.

    Returns:
        the number of spheres.
    """
    split_level = len(sizes) - 1
    stack_cell = np.empty(STACK_SIZE, np.int32)
    stack_level = np.empty(STACK_SIZE, np.int32)
    stack_center = np.empty((STACK_SIZE, 3), np.float64)
    count = ray_range(sorted_count, slot_count, x, y, z, r, id_at, origin, direction, t_max, out, t_out, 0)
    top = 0
    if sorted_count > 0:
        stack_cell[0] = 0
        stack_level[0] = 0
        stack_center[0] = 0.0
        top = 1
    while top > 0:
        top -= 1
        cell = stack_cell[top]
        level = stack_level[top]
        px = stack_center[top, 0]
        py = stack_center[top, 1]
        pz = stack_center[top, 2]
        begin = start[cell]
        end = start[cell + sizes[level]]
        if end - begin <= FLAT_LIMIT or level == split_level:
            count = ray_range(begin, end, x, y, z, r, id_at, origin, direction, t_max, out, t_out, count)
            continue
        count = ray_range(begin, start[cell + 1], x, y, z, r, id_at, origin, direction, t_max, out, t_out, count)
        level += 1
        half = half_size / (1 << level)
        loose = half * (1.0 + 2.0**-18) + reach[level]
        for child in range(8):
            child_cell = cell + 1 + child * sizes[level]
            if start[child_cell] == start[child_cell + sizes[level]]:
                continue
            cx = px + (half if child & 1 else -half)
            cy = py + (half if child & 2 else -half)
            cz = pz + (half if child & 4 else -half)
            if ray_meets_cube(origin, direction, cx, cy, cz, loose, t_max):
                stack_cell[top] = child_cell
                stack_level[top] = level
                stack_center[top, 0] = cx
                stack_center[top, 1] = cy
                stack_center[top, 2] = cz
                top += 1
    return count
