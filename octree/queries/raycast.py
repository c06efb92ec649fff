"""Queries by ray: every sphere that a ray enters, and the nearest.

Slab test of the loose cells (Kay and Kajiya, 1986), written with an explicit branch for directions parallel to a
slab: 0 * inf is NaN and would drop rays that run in a cell's face. All in float64, about the tree's origin.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.octree.layout.slots import Grid, Slots
from octoscope.octree.layout.walk import (
    BEGIN,
    END,
    LEAF,
    LEVEL,
    TABLE_INDEX,
    child_center,
    child_sizes,
    find_children,
    new_stack,
    push_child,
)

FLAT_LIMIT = 16  # spheres: a ray meets few cells, so a run is worth testing flat only when it is short

_MISSED = np.inf
_PARALLEL = 1e-300  # a direction's component whose inverse overflows


class RayTree(NamedTuple):
    """A tree as kernels take it."""

    sorted_count: int  # slots in the order of their keys; those behind them are in no order
    slot_count: int
    slots: Slots
    grid: Grid


@borrowing_kernel
def _enter_cube(
    origin: np.ndarray, direction: np.ndarray, x: float, y: float, z: float, half: float, t_min: float, t_max: float
) -> float:
    """Find the t, t_min to t_max, where a ray enters the cube around (x, y, z); _MISSED where it does not."""
    near = t_min
    far = t_max
    for axis in range(3):
        offset = (x if axis == 0 else (y if axis == 1 else z)) - origin[axis]
        if abs(direction[axis]) < _PARALLEL:
            if abs(offset) > half:
                return _MISSED
            continue
        inverse = 1.0 / direction[axis]
        t_a = (offset - half) * inverse
        t_b = (offset + half) * inverse
        near = max(near, min(t_a, t_b))
        far = min(far, max(t_a, t_b))
    return near if near <= far else _MISSED


@borrowing_kernel
def enter_sphere(slots: Slots, slot: int, origin: np.ndarray, direction: np.ndarray, t_max: float) -> float:
    """Find the t where a ray enters the sphere of a slot, 0 from inside it; _MISSED for none, or a dead slot."""
    radius = np.float64(slots.r[slot])
    if radius < 0.0:
        return _MISSED
    ox = slots.x[slot] - origin[0]
    oy = slots.y[slot] - origin[1]
    oz = slots.z[slot] - origin[2]
    along = ox * direction[0] + oy * direction[1] + oz * direction[2]
    # (fx, fy, fz) leads from the line's point that is nearest to the centre to the centre: the usual b * b - c would
    # cancel for far origins.
    fx = ox - along * direction[0]
    fy = oy - along * direction[1]
    fz = oz - along * direction[2]
    squared = radius * radius - (fx * fx + fy * fy + fz * fz)
    if not squared >= 0.0:  # nor NaN, which an origin at the end of all numbers gives
        return _MISSED
    half_chord = np.sqrt(squared)
    if along + half_chord < 0.0:
        return _MISSED
    t_enter = max(0.0, along - half_chord)
    return t_enter if t_enter <= t_max else _MISSED


@kernel
def _collect_run(
    begin: int,
    end: int,
    slots: Slots,
    origin: np.ndarray,
    direction: np.ndarray,
    t_min: float,
    t_max: float,
    out: np.ndarray,
    t_out: np.ndarray,
    count: int,
) -> int:
    """Append the spheres of slots begin..end that the ray enters between t_min and t_max; returns the new count."""
    for slot in range(begin, end):
        t_enter = enter_sphere(slots, slot, origin, direction, t_max)
        if t_enter >= t_min and t_enter < _MISSED:
            out[count] = slots.id_at[slot]
            t_out[count] = t_enter
            count += 1
    return count


@kernel
def spheres_on_ray(
    sorted_count: int,
    slot_count: int,
    slots: Slots,
    grid: Grid,
    origin: np.ndarray,
    direction: np.ndarray,
    t_min: float,
    t_max: float,
    out: np.ndarray,
    t_out: np.ndarray,
) -> int:
    """Write every sphere that the ray enters between t_min and t_max, in no order."""
    bounds = np.empty(9, np.int64)
    stack, centers = new_stack(grid, 5, sorted_count)
    count = _collect_run(sorted_count, slot_count, slots, origin, direction, t_min, t_max, out, t_out, 0)
    top = 1 if sorted_count > 0 else 0
    while top > 0:
        top -= 1
        level, table_index, leaf = stack[top, LEVEL], stack[top, TABLE_INDEX], stack[top, LEAF]
        begin, end = stack[top, BEGIN], stack[top, END]
        px, py, pz = centers[top, 0], centers[top, 1], centers[top, 2]
        if end - begin <= FLAT_LIMIT or level == grid.split_level:
            count = _collect_run(begin, end, slots, origin, direction, t_min, t_max, out, t_out, count)
            continue
        find_children(slots.key, grid, level, table_index, leaf, begin, end, bounds)
        count = _collect_run(begin, bounds[0], slots, origin, direction, t_min, t_max, out, t_out, count)
        half, loose = child_sizes(grid, level)
        for child in range(8):
            begin, end = bounds[child], bounds[child + 1]
            if begin == end:
                continue
            x, y, z = child_center(px, py, pz, half, child)
            if _enter_cube(origin, direction, x, y, z, loose, t_min, t_max) < _MISSED:
                push_child(stack, centers, top, grid, level, table_index, leaf, child, begin, end, x, y, z)
                top += 1
    return count


class RayWalk(NamedTuple):
    """The state of a walk along a ray; next_run continues it."""

    stack: np.ndarray  # the waiting cells, as in octree.layout.walk
    centers: np.ndarray  # their centres, as in octree.layout.walk
    entered: np.ndarray  # (rows,) float64: where the ray enters each
    bounds: np.ndarray  # (9,) int64 scratch
    top: np.ndarray  # (1,) int64: how many wait; _OVERFLOW or _DONE once none does


_OVERFLOW, _DONE = 0, -1


@kernel
def new_ray_walk(grid: Grid) -> RayWalk:
    """Allocate a walk; start_ray_walk starts it."""
    stack, centers = new_stack(grid, 5, 0)
    return RayWalk(stack, centers, np.zeros(len(stack)), np.empty(9, np.int64), np.full(1, _DONE))


@borrowing_kernel
def start_ray_walk(walk: RayWalk, sorted_count: int) -> None:
    """Start a walk: the root of a tree of so many sorted slots waits."""
    walk.stack[0, LEVEL] = 0
    walk.stack[0, TABLE_INDEX] = 0
    walk.stack[0, LEAF] = 0
    walk.stack[0, BEGIN] = 0
    walk.stack[0, END] = sorted_count
    walk.centers[0, :] = 0.0
    walk.entered[0] = 0.0
    walk.top[0] = 1 if sorted_count > 0 else _OVERFLOW


@borrowing_kernel
def next_run(walk: RayWalk, tree: RayTree, origin: np.ndarray, direction: np.ndarray, t_best: float) -> tuple[int, int]:
    """Find the next slots begin..end that a ray may meet before t_best, from front to back; (-1, -1) after the last.

    Slots that are not sorted in come last. The spheres of the slots are still to be tested, by enter_sphere.
    """
    slots, grid = tree.slots, tree.grid
    stack, centers, bounds = walk.stack, walk.centers, walk.bounds
    while walk.top[0] > 0:
        walk.top[0] -= 1
        top = walk.top[0]
        if walk.entered[top] > t_best:  # a nearer hit was found since the cell was pushed
            continue
        level, table_index, leaf = stack[top, LEVEL], stack[top, TABLE_INDEX], stack[top, LEAF]
        begin, end = stack[top, BEGIN], stack[top, END]
        if end - begin <= FLAT_LIMIT or level == grid.split_level:
            return begin, end
        px, py, pz = centers[top, 0], centers[top, 1], centers[top, 2]
        find_children(slots.key, grid, level, table_index, leaf, begin, end, bounds)
        half, loose = child_sizes(grid, level)
        # Children are pushed from back to front, so that the stack gives the nearest first: `away` is the child on the
        # far side of each middle plane, and flipping the same bits of 0..7 goes from it to the near one.
        away = (direction[0] > 0.0) | (direction[1] > 0.0) << 1 | (direction[2] > 0.0) << 2
        for order in range(8):
            child = order ^ away
            child_begin, child_end = bounds[child], bounds[child + 1]
            if child_begin == child_end:
                continue
            x, y, z = child_center(px, py, pz, half, child)
            t_enter = _enter_cube(origin, direction, x, y, z, loose, 0.0, t_best)
            if t_enter < _MISSED:
                push_child(stack, centers, top, grid, level, table_index, leaf, child, child_begin, child_end, x, y, z)
                walk.entered[top] = t_enter
                top += 1
        walk.top[0] = top
        if begin < bounds[0]:  # the cell's own spheres, which are too large for its children
            return begin, bounds[0]
    if walk.top[0] == _OVERFLOW:
        walk.top[0] = _DONE
        if tree.sorted_count < tree.slot_count:
            return tree.sorted_count, tree.slot_count
    return -1, -1


@kernel
def nearest_sphere(tree: RayTree, origin: np.ndarray, direction: np.ndarray, t_max: float) -> tuple[int, float]:
    """Find the sphere that a ray enters first, walking from front to back.

    Returns:
        the slot, or -1; and the t where the ray enters the sphere.
    """
    t_best, best = t_max, -1
    slots = tree.slots
    walk = new_ray_walk(tree.grid)
    start_ray_walk(walk, tree.sorted_count)
    while True:
        begin, end = next_run(walk, tree, origin, direction, t_best)
        if begin < 0:
            return best, t_best
        for slot in range(begin, end):
            t_enter = enter_sphere(slots, slot, origin, direction, t_best)
            if t_enter < t_best or (t_enter == t_best < _MISSED and best < 0):
                t_best = t_enter
                best = slot
