"""Find the triangles of meshes that nobody needs: those without an area, and those that are there twice."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.mesh.manifold import merge_equal_points, table_size

SOUND, POINTED, FLAT, REPEATED = range(4)  # what `triangle_defects` tells of a triangle
_ROUNDING = 1e-12  # of the square of its longest side: twice the area of a triangle whose corners lie in a line
_NO_CORNER = np.uint64(1 << 62)


@kernel
def triangle_defects(
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
) -> np.ndarray:
    """Return (t,) uint8 what is wrong with the triangles of meshes, one mesh behind the other.

    POINTED: two corners lie at one point. FLAT: the corners lie in a line. REPEATED: an earlier triangle has the same
    points, and the same front; vertices at equal points are one. SOUND: none of these.

    Args:
        first_vertices, vertex_counts, first_triangles, triangle_counts: (m,) int64, m above 0.
        positions: (v, 3) float64, of the pool.
        corners: (t, 3) int32, of the pool.
    """
    defects = np.zeros(triangle_counts.sum(), np.uint8)
    bits = positions.view(np.uint64)
    same = np.empty(vertex_counts.max(), np.int32)
    points = np.empty((triangle_counts.max(), 3), np.uint64)
    earlier = np.empty(triangle_counts.max(), np.int32)
    table = np.empty(table_size(max(vertex_counts.max(), triangle_counts.max())), np.int32)
    written = 0
    for mesh in range(len(first_vertices)):
        count = vertex_counts[mesh]
        vertices = slice(first_vertices[mesh], first_vertices[mesh] + count)
        own = corners[first_triangles[mesh] : first_triangles[mesh] + triangle_counts[mesh]]
        merge_equal_points(bits[vertices], table[: table_size(count)], same)
        for triangle in range(len(own)):
            a, b, c = same[own[triangle, 0]], same[own[triangle, 1]], same[own[triangle, 2]]
            defect = SOUND
            if a == b or b == c or c == a:
                defect = POINTED
            elif _is_flat(positions[vertices], a, b, c):
                defect = FLAT
            defects[written + triangle] = defect
            if defect == POINTED:  # equal to no other
                points[triangle, 0], points[triangle, 1], points[triangle, 2] = _NO_CORNER, triangle, 0
                continue
            while a > b or a > c:  # the least first, in the same direction
                a, b, c = b, c, a
            points[triangle, 0], points[triangle, 1], points[triangle, 2] = a, b, c
        merge_equal_points(points[: len(own)], table[: table_size(len(own))], earlier)
        for triangle in range(len(own)):
            if earlier[triangle] != triangle and defects[written + triangle] == SOUND:
                defects[written + triangle] = REPEATED
        written += len(own)
    return defects


@kernel
def _is_flat(positions: np.ndarray, i: int, j: int, k: int) -> bool:
    """Return whether three points lie in a line, but for rounding."""
    a, b, c = positions[i], positions[j], positions[k]
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    size = max(abs(ux), abs(uy), abs(uz), abs(vx), abs(vy), abs(vz))  # so that no square overflows, or vanishes
    ux, uy, uz, vx, vy, vz = ux / size, uy / size, uz / size, vx / size, vy / size, vz / size
    wx, wy, wz = vx - ux, vy - uy, vz - uz
    longest = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz)
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return bool(nx * nx + ny * ny + nz * nz <= (_ROUNDING * longest) * (_ROUNDING * longest))
