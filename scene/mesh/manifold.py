"""Find the defects of meshes that are not watertight.

In a watertight mesh every side of every triangle is also a side of exactly one other, which has it in the other
direction.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

OPEN, FLIPPED, NON_MANIFOLD, UNBALANCED = range(4)  # columns of `edge_defects`
_MINUS_ZERO = np.uint64(1 << 63)
_MIX_X, _MIX_Y, _MIX_Z = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)


@kernel
def edge_defects(
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    position_bits: np.ndarray,
    corners: np.ndarray,
    most: int,
    listed: np.ndarray,
) -> np.ndarray:
    """Count the defective edges of meshes, and list some: (m, 4) int64; all zero where a mesh is watertight.

    OPEN: one triangle has the edge. FLIPPED: two have it, in the same direction. NON_MANIFOLD: more than two have it.
    UNBALANCED, among all those: not as many have it in one direction as in the other. A mesh with no unbalanced edge
    bounds a volume, though its surface may touch itself.

    Vertices at equal points are one, also where a file separates them by normals or texture coordinates; triangles that
    have one twice have no sides.

    Args:
        first_vertices, vertex_counts, first_triangles, triangle_counts: (m,) int64, m above 0.
        position_bits: (v, 3) uint64, the pool's float64 positions, viewed as integers.
        corners: (t, 3) int32, of the pool.
        most: the edges of each mesh and kind, OPEN to NON_MANIFOLD, that are listed.
        listed: (r, 4) int32, written: row of the mesh, kind, and two vertices of it, in the direction that the triangle
            of an open edge has; with room for all of them.
    """
    written = 0
    faults = np.zeros((len(first_vertices), 4), np.int64)
    most_vertices = vertex_counts.max()
    table = np.empty(table_size(most_vertices), np.int32)
    same = np.empty(most_vertices, np.int32)
    stops = np.empty(most_vertices + 1, np.int64)
    others = np.empty(3 * triangle_counts.max(), np.int32)
    owners = np.empty(3 * triangle_counts.max(), np.int32)
    up = np.zeros(most_vertices, np.int32)
    down = np.zeros(most_vertices, np.int32)
    for mesh in range(len(first_vertices)):
        first = first_vertices[mesh]
        count = vertex_counts[mesh]
        merge_equal_points(position_bits[first : first + count], table[: table_size(count)], same)
        own = corners[first_triangles[mesh] : first_triangles[mesh] + triangle_counts[mesh]]
        sort_sides(own, same[:count], stops, others, owners)
        # For each lower end, count the sides to each upper end in both directions.
        start = 0
        for vertex in range(count):
            for i in range(start, stops[vertex]):
                if others[i] & 1:
                    down[others[i] >> 1] += 1
                else:
                    up[others[i] >> 1] += 1
            for i in range(start, stops[vertex]):
                other = others[i] >> 1
                ups, downs = up[other], down[other]
                if ups + downs == 0:  # counted already
                    continue
                up[other] = down[other] = 0
                if ups != downs:
                    faults[mesh, UNBALANCED] += 1
                elif ups == 1:
                    continue
                kind = OPEN if ups + downs == 1 else NON_MANIFOLD if ups + downs > 2 else FLIPPED
                faults[mesh, kind] += 1
                if faults[mesh, kind] <= most:
                    listed[written, 0], listed[written, 1] = mesh, kind
                    listed[written, 2 + downs % 2], listed[written, 3 - downs % 2] = vertex, other
                    written += 1
            start = stops[vertex]
    return faults


@kernel
def sort_sides(
    corners: np.ndarray, same: np.ndarray, stops: np.ndarray, others: np.ndarray, owners: np.ndarray
) -> None:
    """Sort the sides of a mesh's triangles by their lower end; triangles that have a point twice have no sides.

    Args:
        corners: (t, 3) int32, counted from the mesh's first vertex.
        same: (v,) int32, as `merge_equal_points` writes it.
        stops: (v + 1 or more,) int64, written, by lower end: where its sides stop; they begin where the last one's do.
        others: (3 t or more,) int32, written, by side: twice the upper end, plus 1 if the side goes down to the lower.
        owners: (3 t or more,) int32, written, by side: its triangle.
    """
    # A counting sort.
    count = len(same)
    stops[: count + 1] = 0
    for triangle in range(len(corners)):
        a, b, c = same[corners[triangle, 0]], same[corners[triangle, 1]], same[corners[triangle, 2]]
        if a != b and b != c and c != a:
            stops[min(a, b) + 1] += 1
            stops[min(b, c) + 1] += 1
            stops[min(c, a) + 1] += 1
    for vertex in range(count):
        stops[vertex + 1] += stops[vertex]
    for triangle in range(len(corners)):
        a, b, c = same[corners[triangle, 0]], same[corners[triangle, 1]], same[corners[triangle, 2]]
        if a != b and b != c and c != a:
            for _ in range(3):
                others[stops[min(a, b)]] = max(a, b) << 1 | (a > b)
                owners[stops[min(a, b)]] = triangle
                stops[min(a, b)] += 1
                a, b, c = b, c, a


@kernel
def table_size(count: int) -> int:
    """Return a power of two that leaves half of a hash table empty."""
    size = 1
    while size < 2 * count:
        size *= 2
    return size


@kernel
def merge_equal_points(bits: np.ndarray, table: np.ndarray, same: np.ndarray) -> None:
    """Write to `same`, (v,), the first vertex at each vertex's point; `table`: (table_size(v),), scratch."""
    table[:] = -1
    mask = np.uint64(len(table) - 1)
    for vertex in range(len(bits)):
        x, y, z = _without_sign(bits[vertex, 0]), _without_sign(bits[vertex, 1]), _without_sign(bits[vertex, 2])
        mixed = x * _MIX_X
        mixed = (mixed ^ (mixed >> _HALF) ^ y) * _MIX_Y
        mixed = (mixed ^ (mixed >> _HALF) ^ z) * _MIX_Z
        slot = np.int64((mixed ^ (mixed >> _HALF)) & mask)
        while True:
            there = table[slot]
            if there < 0:
                table[slot] = vertex
                same[vertex] = vertex
                break
            if (
                _without_sign(bits[there, 0]) == x
                and _without_sign(bits[there, 1]) == y
                and _without_sign(bits[there, 2]) == z
            ):
                same[vertex] = there
                break
            slot = slot + 1 if slot + 1 < len(table) else 0


@kernel
def _without_sign(bits: int) -> int:
    """Return the bits of 0 for those of -0, which is equal to it; others as they are."""
    return np.uint64(0) if bits == _MINUS_ZERO else bits
