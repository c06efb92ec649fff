"""Make coarser triangles of meshes over the same vertices, by vertex clustering.

Vertices are gathered in the cells of a grid over the mesh's box, and all of a cell and a material are drawn as the one
that lies farthest out (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering complex scenes", 1993).
A level is nothing but other indices. Its vertices keep normals, colours and materials, and the longest way that a
vertex goes is how far anything is off.

Libraries on PyPI were tried. meshoptimizer's binding, whose indices would do as well, has no wheels.
fast-simplification moves vertices, knows no materials, and makes two triangles of a house, off by more than its radius.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.mesh.manifold import table_size

_MIX_A, _MIX_B, _MIX_C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)


class _Groups(NamedTuple):
    """Vertices of a mesh by cell and material; scratch, with room for the largest mesh."""

    outward: np.ndarray  # (v,) float64 squared distances of the vertices from the middle of the box
    cell_of: np.ndarray  # (v,) int32 by vertex; cells are numbered in the order of their first vertices
    cell_keys: np.ndarray  # (v,) int64 by cell (_cell_key)
    table: np.ndarray  # (table_size(v),) int32 a hash table of the cells, with linear probing
    first: np.ndarray  # (v,) int32 by cell: a group in it
    following: np.ndarray  # (v,) int32 by group: another group of the same cell, or -1
    group_of: np.ndarray  # (v,) int32 by vertex
    farthest: np.ndarray  # (v,) int32 by group: the vertex that all of it are drawn as
    is_used: np.ndarray  # (v,) bool by cell: a triangle ends in it


@kernel
def cluster_vertices(
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    triangle_counts: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    positions: np.ndarray,
    materials: np.ndarray,
    corners: np.ndarray,
    cells: np.ndarray,
    most_triangles: float,
    keeps_lines: bool,
    counts: np.ndarray,
    errors: np.ndarray,
    clustered: np.ndarray,
) -> int:
    """Make levels of meshes, one for each number of cells; return the number of triangles written.

    A level is not worth it, and is left out, where it has no triangles or more than a share of the finer one's, or,
    with `keeps_lines`, where a triangle has become a line that no triangle ends at: a thin beam or a wire would vanish.

    Args:
        first_vertices: (m,) int64 of the meshes, in `positions`.
        triangle_counts: (m,) int64; `corners` holds the meshes' triangles one after the other.
        lower, upper: (m, 3) float64 corners of the boxes, local.
        positions: (v, 3) float64, local.
        corners: (t, 3) int32, counted from the mesh's first vertex.
        cells: (l,) int64 of the grid along each axis, from the finest level to the coarsest; at most 2**20.
        counts: (m, l) int64, written: triangles of each level; 0 for one that is left out.
        errors: (m, l) float64, written: the longest way that a vertex goes, local units.
        clustered: written: (c, 3) int32 triangles, mesh by mesh and level by level, as `corners`. Enough rows are
            t / (1 - most_triangles).
    """
    most_vertices = most_triangles_of_one = 0
    for mesh in range(len(vertex_counts)):
        most_vertices = max(most_vertices, vertex_counts[mesh])
        most_triangles_of_one = max(most_triangles_of_one, triangle_counts[mesh])
    groups = _Groups(
        np.empty(most_vertices),
        np.empty(most_vertices, dtype=np.int32),
        np.empty(most_vertices, dtype=np.int64),
        np.empty(table_size(most_vertices), dtype=np.int32),
        np.empty(most_vertices, dtype=np.int32),
        np.empty(most_vertices, dtype=np.int32),
        np.empty(most_vertices, dtype=np.int32),
        np.empty(most_vertices, dtype=np.int32),
        np.empty(most_vertices, dtype=np.bool_),
    )
    made = np.empty((most_triangles_of_one, 3), dtype=np.int32)
    triangle_table = np.empty(table_size(most_triangles_of_one), dtype=np.int32)
    first_triangle = written = 0
    for mesh in range(len(vertex_counts)):
        vertices = slice(first_vertices[mesh], first_vertices[mesh] + vertex_counts[mesh])
        own_positions, own_materials = positions[vertices], materials[vertices]
        own_corners = corners[first_triangle : first_triangle + triangle_counts[mesh]]
        first_triangle += triangle_counts[mesh]
        _measure_outward(own_positions, lower[mesh], upper[mesh], groups.outward)
        finer = len(own_corners)
        for level in range(len(cells)):
            errors[mesh, level] = _group_vertices(
                own_positions, own_materials, lower[mesh], upper[mesh], cells[level], groups
            )
            count = _gather_triangles(own_corners, groups, triangle_table, made)
            if not 0 < count <= most_triangles * finer or (keeps_lines and _loses_a_line(own_corners, groups)):
                count = 0
            else:
                finer = count
                clustered[written : written + count] = made[:count]
                written += count
            counts[mesh, level] = count
    return written


@kernel
def _measure_outward(positions: np.ndarray, lower: np.ndarray, upper: np.ndarray, outward: np.ndarray) -> None:
    """Write to `outward` the squared distance of (v, 3) positions from the middle of their box."""
    for i in range(len(positions)):
        x = positions[i, 0] - (lower[0] + upper[0]) / 2.0
        y = positions[i, 1] - (lower[1] + upper[1]) / 2.0
        z = positions[i, 2] - (lower[2] + upper[2]) / 2.0
        outward[i] = x * x + y * y + z * z


@kernel
def _group_vertices(
    positions: np.ndarray, materials: np.ndarray, lower: np.ndarray, upper: np.ndarray, cells: int, groups: _Groups
) -> float:
    """Find the groups of a mesh's vertices in a grid of so many cells along each axis.

    Args:
        positions: (v, 3) float64, local.
        materials: (v,) int32.
        lower, upper: (3,) corners of their box.
        groups: whose `outward` is there; all else is written.

    Returns:
        the longest way of a vertex to the one that its group is drawn as.
    """
    table = groups.table[: table_size(len(positions))]
    table[:] = -1
    cell_count = group_count = 0
    for i in range(len(positions)):
        key = _cell_key(positions[i], lower, upper, cells)
        slot = _slot_of(key, table, groups.cell_keys)
        if table[slot] < 0:
            table[slot] = cell_count
            groups.cell_keys[cell_count] = key
            groups.first[cell_count] = -1
            groups.is_used[cell_count] = False
            cell_count += 1
        cell = groups.cell_of[i] = table[slot]
        group = groups.first[cell]
        while group >= 0 and materials[groups.farthest[group]] != materials[i]:
            group = groups.following[group]
        if group < 0:
            group = group_count
            groups.following[group] = groups.first[cell]
            groups.first[cell] = group
            groups.farthest[group] = i
            group_count += 1
        elif groups.outward[i] > groups.outward[groups.farthest[group]]:
            groups.farthest[group] = i
        groups.group_of[i] = group
    error = 0.0
    for i in range(len(positions)):
        other = groups.farthest[groups.group_of[i]]
        x = positions[i, 0] - positions[other, 0]
        y = positions[i, 1] - positions[other, 1]
        z = positions[i, 2] - positions[other, 2]
        error = max(error, np.sqrt(x * x + y * y + z * z))
    return error


@kernel
def _cell_key(point: np.ndarray, lower: np.ndarray, upper: np.ndarray, cells: int) -> int:
    """Return the number of the cell in which a point of the box lies."""
    key = 0
    for axis in range(3):
        extent = upper[axis] - lower[axis] if upper[axis] > lower[axis] else 1.0
        key = key * cells + min(max(int((point[axis] - lower[axis]) / extent * cells), 0), cells - 1)
    return key


@kernel
def _slot_of(key: int, table: np.ndarray, keys: np.ndarray) -> int:
    """Find the place of a key in a hash table with linear probing: where it is, or the free one that it belongs to."""
    mixed = np.uint64(key) * _MIX_A
    slot = np.int64((mixed ^ (mixed >> _HALF)) & np.uint64(len(table) - 1))
    while table[slot] >= 0 and keys[table[slot]] != key:
        slot = slot + 1 if slot + 1 < len(table) else 0
    return int(slot)


@kernel
def _gather_triangles(corners: np.ndarray, groups: _Groups, triangle_table: np.ndarray, made: np.ndarray) -> int:
    """Write the triangles between three different cells to `made`, each once, and return their number.

    Of the cells that a triangle ends in, `is_used` is set.
    """
    cell_of, group_of, farthest, is_used = groups.cell_of, groups.group_of, groups.farthest, groups.is_used
    table = triangle_table[: table_size(len(corners))]
    table[:] = -1
    count = 0
    for triangle in range(len(corners)):
        a, b, c = corners[triangle, 0], corners[triangle, 1], corners[triangle, 2]
        if cell_of[a] == cell_of[b] or cell_of[b] == cell_of[c] or cell_of[c] == cell_of[a]:
            continue
        x, y, z = farthest[group_of[a]], farthest[group_of[b]], farthest[group_of[c]]
        low, middle, high = _sorted(x, y, z)
        mixed = np.uint64(low) * _MIX_A
        mixed = (mixed ^ (mixed >> _HALF) ^ np.uint64(middle)) * _MIX_B
        mixed = (mixed ^ (mixed >> _HALF) ^ np.uint64(high)) * _MIX_C
        slot = np.int64((mixed ^ (mixed >> _HALF)) & np.uint64(len(table) - 1))
        while table[slot] >= 0:
            there = table[slot]
            if _sorted(made[there, 0], made[there, 1], made[there, 2]) == (low, middle, high):
                break
            slot = slot + 1 if slot + 1 < len(table) else 0
        if table[slot] < 0:
            table[slot] = count
            made[count, 0], made[count, 1], made[count, 2] = x, y, z
            is_used[cell_of[a]] = is_used[cell_of[b]] = is_used[cell_of[c]] = True
            count += 1
    return count


@kernel
def _loses_a_line(corners: np.ndarray, groups: _Groups) -> bool:
    """Return whether a triangle has become a line between two cells, in one of which no triangle ends."""
    cell_of, is_used = groups.cell_of, groups.is_used
    for triangle in range(len(corners)):
        a, b, c = cell_of[corners[triangle, 0]], cell_of[corners[triangle, 1]], cell_of[corners[triangle, 2]]
        if (a != b) + (b != c) + (c != a) == 2 and not (is_used[a] and is_used[b] and is_used[c]):
            return True
    return False


@kernel
def _sorted(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return three numbers from the lowest to the highest."""
    low, high = min(a, b, c), max(a, b, c)
    return low, a + b + c - low - high, high
