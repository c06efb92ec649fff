"""Find vertices that lie within a distance of each other."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.mesh.manifold import table_size

_MIX_X, _MIX_Y, _MIX_Z = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_FINEST = 2.0**-50  # of the largest coordinate: cells that are smaller are lost in rounding


@kernel
def welded(vertex_counts: np.ndarray, positions: np.ndarray, distance: float) -> np.ndarray:
    """Return (v,) int64 for each vertex the one of its mesh that stands for it, itself or an earlier one.

    That is the nearest of those that stand for themselves, if it lies within the distance: so no vertex goes farther,
    however many lie in a row.

    Args:
        vertex_counts: (m,) int64 of meshes whose vertices stand one behind the other.
        positions: (v, 3) float64.
        distance: above 0.
    """
    stands_for = np.empty(len(positions), np.int64)
    following = np.empty(len(positions), np.int64)  # another one that stands for itself in the same cell, or -1
    table = np.empty(table_size(vertex_counts.max()), np.int64)  # one of each cell, with linear probing
    cells = np.empty((len(positions), 3), np.int64)
    first = 0
    for count in vertex_counts:
        slots = table[: table_size(count)]
        slots[:] = -1
        largest = 0.0
        for vertex in range(first, first + count):
            for axis in range(3):
                largest = max(largest, abs(positions[vertex, axis]))
        size = max(distance, largest * _FINEST)
        for vertex in range(first, first + count):
            x, y, z = positions[vertex]
            for axis in range(3):
                cells[vertex, axis] = np.int64(np.floor(positions[vertex, axis] / size))
            i, j, k = cells[vertex]
            nearest = np.int64(-1)
            least = distance * distance
            for near in range(27):
                there = _find(slots, cells, i + near % 3 - 1, j + near // 3 % 3 - 1, k + near // 9 - 1)
                other = slots[there]
                while other >= 0:
                    dx, dy, dz = positions[other, 0] - x, positions[other, 1] - y, positions[other, 2] - z
                    square = dx * dx + dy * dy + dz * dz
                    if square < least or (square == least and (nearest < 0 or other < nearest)):
                        nearest, least = other, square
                    other = following[other]
            stands_for[vertex] = nearest if nearest >= 0 else vertex
            if nearest < 0:
                there = _find(slots, cells, i, j, k)
                following[vertex] = slots[there]
                slots[there] = vertex
        first += count
    return stands_for


@kernel
def _find(slots: np.ndarray, cells: np.ndarray, i: int, j: int, k: int) -> int:
    """Return the slot of a cell, which is empty if there is nothing in the cell."""
    mask = np.uint64(len(slots) - 1)
    mixed = np.uint64(i) * _MIX_X
    mixed = (mixed ^ (mixed >> _HALF) ^ np.uint64(j)) * _MIX_Y
    mixed = (mixed ^ (mixed >> _HALF) ^ np.uint64(k)) * _MIX_Z
    slot = int(np.int64((mixed ^ (mixed >> _HALF)) & mask))
    while slots[slot] >= 0:
        there = cells[slots[slot]]
        if there[0] == i and there[1] == j and there[2] == k:
            break
        slot = slot + 1 if slot + 1 < len(slots) else 0
    return slot
