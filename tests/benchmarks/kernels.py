"""Kernels of the benchmarks: grids, a flat test of spheres, rays one by one, rows of OBJ files."""

from __future__ import annotations

import math

import numpy as np

from octoscope.octree.jit import fused_kernel, kernel, pasted
from octoscope.octree.queries.raycast import nearest_sphere

_ROUNDING = 2.0**-21  # of float32, relative to a distance; the octree grows its spheres likewise


@kernel
def fill_grid(centers, radii, ids, lower, size, shape, begins, columns, out_ids):
    """Sort spheres by cell, a counting sort; x is the slowest axis, z the fastest."""
    cells = np.empty(len(radii), np.int32)
    for i in range(len(radii)):
        cell = 0
        for axis in range(3):
            cell = cell * shape[axis] + min(np.int64((centers[i, axis] - lower[axis]) / size), shape[axis] - 1)
        cells[i] = cell
        begins[cell + 2] += 1
    for cell in range(2, len(begins)):
        begins[cell] += begins[cell - 1]
    for i in range(len(radii)):
        cell = cells[i]
        cells[i] = begins[cell + 1]
        begins[cell + 1] += 1
    for axis in range(3):
        for i in range(len(radii)):
            columns[axis, cells[i]] = centers[i, axis] - lower[axis]
    for i in range(len(radii)):
        distance = centers[i, 0] - lower[0] + centers[i, 1] - lower[1] + centers[i, 2] - lower[2]
        columns[3, cells[i]] = radii[i] + distance * _ROUNDING
    for i in range(len(radii)):
        out_ids[cells[i]] = ids[i]


@pasted
def _write_touching(box, begin, end, columns, ids, count, out):
    """Write the ids of those spheres from `begin` to `end` that touch a box behind `count` ids; return their number."""
    zero = np.float32(0.0)
    for slot in range(begin, end):
        squared = zero
        for axis in range(3):
            at = columns[axis, slot]
            off = max(max(box[0, axis] - at, at - box[1, axis]), zero)
            squared += off * off
        out[count] = ids[slot]
        count += int(squared <= columns[3, slot] * columns[3, slot])
    return count


@fused_kernel
def grid_in_box(box, cells, shape, begins, columns, ids, out):
    """Write the ids of the spheres that touch a box to `out`; return the number."""
    count = 0
    for i in range(cells[0, 0], cells[1, 0] + 1):
        for j in range(cells[0, 1], cells[1, 1] + 1):
            row = (i * shape[1] + j) * shape[2]
            begin, end = begins[row + cells[0, 2]], begins[row + cells[1, 2] + 1]
            count = _write_touching(box, begin, end, columns, ids, count, out)
    return count


@fused_kernel
def grid_in_frustum(planes, largest, size, shape, begins, columns, ids, out):
    """Judge whole rows of cells first, then the cells of the rows that a plane crosses, then their spheres."""
    count = 0
    length = size * shape[2]
    for i in range(shape[0]):
        for j in range(shape[1]):
            row = (i * shape[1] + j) * shape[2]
            x, y = (i + 0.5) * size, (j + 0.5) * size
            relation = _box_and_planes(planes, x, y, 0.5 * length, 0.5 * size, 0.5 * length, largest)
            if relation < 0 or begins[row] == begins[row + shape[2]]:
                continue
            if relation == 0:
                for slot in range(begins[row], begins[row + shape[2]]):
                    out[count] = ids[slot]
                    count += 1
                continue
            for k in range(shape[2]):
                begin, end = begins[row + k], begins[row + k + 1]
                if begin == end:
                    continue
                relation = _box_and_planes(planes, x, y, (k + 0.5) * size, 0.5 * size, 0.5 * size, largest)
                if relation < 0:
                    continue
                for slot in range(begin, end):
                    touches = True
                    if relation > 0:
                        for plane in range(6):
                            distance = planes[plane, 3]
                            for axis in range(3):
                                distance += planes[plane, axis] * columns[axis, slot]
                            touches &= distance >= -columns[3, slot]
                    out[count] = ids[slot]
                    count += int(touches)
    return count


@fused_kernel
def recursive_grid_in_box(box, grids, begins, children, reaches, columns, ids, out):
    """Write the ids of the spheres that touch a box to `out`; return the number. Cells that it misses are left out."""
    count, side = 0, 8
    waiting = [0]
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    while len(waiting) > 0:
        grid = waiting.pop()
        edge = grids[grid, 3] / side
        reach = reaches[grid].max()
        for axis in range(3):
            first[axis] = max(math.floor((box[0, axis] - reach - grids[grid, axis]) / edge), 0)
            last[axis] = min(math.floor((box[1, axis] + reach - grids[grid, axis]) / edge), side - 1)
        for i in range(first[0], last[0] + 1):
            for j in range(first[1], last[1] + 1):
                for k in range(first[2], last[2] + 1):
                    cell = (i * side + j) * side + k
                    if children[grid, cell] >= 0:
                        waiting.append(children[grid, cell])
                        continue
                    begin, end = begins[grid, cell], begins[grid, cell + 1]
                    count = _write_touching(box, begin, end, columns, ids, count, out)
    return count


@fused_kernel
def recursive_grid_in_frustum(planes, grids, begins, children, reaches, columns, ids, out):
    """Write the ids of the spheres that touch a frustum to `out`; return the number."""
    count, side = 0, 8
    waiting = [0]
    while len(waiting) > 0:
        grid = waiting.pop()
        edge = grids[grid, 3] / side
        half = 0.5 * edge
        for cell in range(side * side * side):
            begin, end = begins[grid, cell], begins[grid, cell + 1]
            if begin == end:
                continue
            x = grids[grid, 0] + (cell // (side * side) + 0.5) * edge
            y = grids[grid, 1] + (cell // side % side + 0.5) * edge
            z = grids[grid, 2] + (cell % side + 0.5) * edge
            relation = _box_and_planes(planes, x, y, z, half, half, reaches[grid, cell])
            if relation < 0:
                continue
            if relation > 0 and children[grid, cell] >= 0:
                waiting.append(children[grid, cell])
                continue
            for slot in range(begin, end):
                touches = True
                if relation > 0:
                    for plane in range(6):
                        distance = planes[plane, 3]
                        for axis in range(3):
                            distance += planes[plane, axis] * columns[axis, slot]
                        touches &= distance >= -columns[3, slot]
                out[count] = ids[slot]
                count += int(touches)
    return count


@fused_kernel
def _box_and_planes(planes, x, y, z, half, half_z, largest):
    """Compare a box, grown by the largest radius, with a frustum: -1 outside, 0 inside, 1 neither."""
    relation = 0
    for plane in range(6):
        nx, ny, nz = planes[plane, 0], planes[plane, 1], planes[plane, 2]
        distance = nx * x + ny * y + nz * z + planes[plane, 3]
        extent = (abs(nx) + abs(ny)) * half + abs(nz) * half_z
        if distance < -extent - largest * 1.001:
            return -1
        if distance < extent:
            relation = 1
    return relation


@fused_kernel
def flat_mask(x, y, z, r, planes, mask):
    """Test all six planes at once, so that the loop is vectorised."""
    ax, ay, az, ad = planes[0, 0], planes[0, 1], planes[0, 2], planes[0, 3]
    bx, by, bz, bd = planes[1, 0], planes[1, 1], planes[1, 2], planes[1, 3]
    cx, cy, cz, cd = planes[2, 0], planes[2, 1], planes[2, 2], planes[2, 3]
    dx, dy, dz, dd = planes[3, 0], planes[3, 1], planes[3, 2], planes[3, 3]
    ex, ey, ez, ed = planes[4, 0], planes[4, 1], planes[4, 2], planes[4, 3]
    fx, fy, fz, fd = planes[5, 0], planes[5, 1], planes[5, 2], planes[5, 3]
    for i in range(len(x)):
        mask[i] = (
            (ax * x[i] + ay * y[i] + az * z[i] + ad >= -r[i])
            & (bx * x[i] + by * y[i] + bz * z[i] + bd >= -r[i])
            & (cx * x[i] + cy * y[i] + cz * z[i] + cd >= -r[i])
            & (dx * x[i] + dy * y[i] + dz * z[i] + dd >= -r[i])
            & (ex * x[i] + ey * y[i] + ez * z[i] + ed >= -r[i])
            & (fx * x[i] + fy * y[i] + fz * z[i] + fd >= -r[i])
        )


@kernel
def cast_all(tree, origins, directions):
    """Cast rays one by one, as a loop of a caller would."""
    for i in range(len(origins)):
        nearest_sphere(tree, origins[i], directions[i], np.inf)


@kernel
def write_rows(keyword, scaled, out):
    """Write rows of numbers in millionths as text behind a keyword; return the number of bytes."""
    i = 0
    for row in range(len(scaled)):
        for c in keyword:
            out[i] = c
            i += 1
        for k in range(scaled.shape[1]):
            value = scaled[row, k]
            out[i] = 32
            i += 1
            if value < 0:
                out[i] = 45
                i += 1
                value = -value
            i = _write_digits(value // 1_000_000, 1, out, i)
            out[i] = 46
            i = _write_digits(value % 1_000_000, 6, out, i + 1)
        out[i] = 10
        i += 1
    return i


@kernel
def write_faces(corners, without_uv, out):
    """Write faces as text, v//vn or v/vt/vn with equal indices; return the number of bytes."""
    i = 0
    for face in range(len(corners)):
        out[i] = 102
        i += 1
        for k in range(corners.shape[1]):
            out[i] = 32
            i = _write_digits(corners[face, k], 1, out, i + 1)
            out[i] = 47
            i += 1
            if not without_uv:
                i = _write_digits(corners[face, k], 1, out, i)
            out[i] = 47
            i = _write_digits(corners[face, k], 1, out, i + 1)
        out[i] = 10
        i += 1
    return i


@kernel
def _write_digits(value, at_least, out, i):
    """Write the digits of a number from out[i] on, and return the place behind them."""
    count = at_least
    while 10**count <= value:
        count += 1
    for k in range(count - 1, -1, -1):
        out[i + k] = 48 + value % 10
        value //= 10
    return i + count
