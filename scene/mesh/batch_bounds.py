"""Check the indices and positions of meshes, and find their boxes and spheres."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

FAULTS = (
    "",
    "a mesh needs at least one triangle, line or point",
    "a triangle's, line's or point's index is outside the mesh's positions",
    "a mesh's positions must be finite",
)


@kernel
def bounds_or_fault(
    vertex_counts: np.ndarray,
    triangle_counts: np.ndarray,
    line_counts: np.ndarray,
    point_counts: np.ndarray,
    positions: np.ndarray,
    triangles: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    bounds: np.ndarray,
) -> int:
    """Write each mesh's box and sphere (lower, upper, centre, radius) to `bounds`, (m, 10); return 0 or a fault.

    The sphere's centre is the box's. Offsets are divided by the largest one before they are squared, so that squares
    neither vanish nor overflow.
    """
    vertex = triangle = line = point = 0
    for mesh in range(len(vertex_counts)):
        last_vertex = vertex + vertex_counts[mesh]
        count = vertex_counts[mesh]
        if triangle_counts[mesh] + line_counts[mesh] + point_counts[mesh] == 0:
            return 1
        for i in range(triangle, triangle + triangle_counts[mesh]):
            for k in range(3):
                if not 0 <= triangles[i, k] < count:
                    return 2
        for i in range(line, line + line_counts[mesh]):
            for k in range(2):
                if not 0 <= lines[i, k] < count:
                    return 2
        for i in range(point, point + point_counts[mesh]):
            if not 0 <= points[i] < count:
                return 2
        for axis in range(3):
            lower = np.inf
            upper = -np.inf
            for i in range(vertex, last_vertex):
                value = positions[i, axis]
                if not -np.inf < value < np.inf:
                    return 3
                lower = min(lower, value)
                upper = max(upper, value)
            bounds[mesh, axis] = lower
            bounds[mesh, 3 + axis] = upper
            bounds[mesh, 6 + axis] = lower / 2.0 + upper / 2.0
        largest = 0.0
        for i in range(vertex, last_vertex):
            for axis in range(3):
                largest = max(largest, abs(positions[i, axis] - bounds[mesh, 6 + axis]))
        square = 0.0
        if largest > 0.0:
            for i in range(vertex, last_vertex):
                x = (positions[i, 0] - bounds[mesh, 6]) / largest
                y = (positions[i, 1] - bounds[mesh, 7]) / largest
                z = (positions[i, 2] - bounds[mesh, 8]) / largest
                square = max(square, x * x + y * y + z * z)
        bounds[mesh, 9] = largest * np.sqrt(square) * (1.0 + 1e-15)
        vertex = last_vertex
        triangle += triangle_counts[mesh]
        line += line_counts[mesh]
        point += point_counts[mesh]
    return 0
