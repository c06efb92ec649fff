"""Find the connected components of meshes: what is connected by its vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.disjoint_sets import root_of, unite
from octoscope.scene.mesh.manifold import merge_equal_points, table_size

if TYPE_CHECKING:
    from octoscope.scene.mesh.data import MeshBatch


def connected_components(batch: MeshBatch) -> tuple[np.ndarray, np.ndarray]:
    """Find the component of its mesh that each vertex is in.

    Triangles and lines are connected where they have a vertex at the same point, to the bit, also where a file
    separates such vertices by normals or texture coordinates. A point belongs to the component that has a vertex where
    it is; the points of a mesh that belong to none are one component together.

    Returns:
        (v,) int32 the vertices' components, counted through all meshes, in each by its first triangle, line or point;
        -1 for a vertex that nothing uses. (m,) int64 how many components each mesh has.
    """
    parts = np.empty(len(batch.positions), dtype=np.int32)
    part_counts = np.empty(len(batch), dtype=np.int64)
    _find_parts(
        batch.vertex_counts,
        batch.triangle_counts,
        batch.line_counts,
        batch.point_counts,
        np.ascontiguousarray(batch.positions).view(np.uint64),
        batch.triangles,
        batch.lines,
        batch.points,
        parts,
        part_counts,
    )
    return parts, part_counts


@kernel
def _find_parts(
    vertex_counts: np.ndarray,
    triangle_counts: np.ndarray,
    line_counts: np.ndarray,
    point_counts: np.ndarray,
    bits: np.ndarray,
    triangles: np.ndarray,
    lines: np.ndarray,
    points: np.ndarray,
    parts: np.ndarray,
    part_counts: np.ndarray,
) -> None:
    """Write what `connected_components` returns; the arguments as there."""
    most = 0
    for count in vertex_counts:
        most = max(most, count)
    table = np.empty(table_size(most), np.int32)
    above = np.empty(most, np.int32)  # at first a vertex at the same point, then the parent in the tree of its set
    labels = np.empty(most, np.int32)
    first_vertex = first_triangle = first_line = first_point = 0
    done = 0
    for mesh in range(len(vertex_counts)):
        count = vertex_counts[mesh]
        of_mesh = parts[first_vertex : first_vertex + count]
        merge_equal_points(bits[first_vertex : first_vertex + count], table[: table_size(count)], above)
        own_triangles = triangles[first_triangle : first_triangle + triangle_counts[mesh]]
        own_lines = lines[first_line : first_line + line_counts[mesh]]
        own_points = points[first_point : first_point + point_counts[mesh]]
        of_mesh[:] = -1
        for a, b, c in own_triangles:
            unite(above, a, b)
            unite(above, a, c)
            of_mesh[a] = of_mesh[b] = of_mesh[c] = 0
        for a, b in own_lines:
            unite(above, a, b)
            of_mesh[a] = of_mesh[b] = 0
        # A point is alone if no triangle or line has a vertex of its set.
        labels[:count] = -1
        for vertex in range(count):
            if of_mesh[vertex] == 0:
                labels[root_of(above, vertex)] = 0
        alone = -1
        for point in own_points:
            of_mesh[point] = 0
            if labels[root_of(above, point)] < 0:
                if alone < 0:
                    alone = point
                else:
                    unite(above, alone, point)
        labels[:count] = -1
        before = done
        for corners in own_triangles:
            done = _label_set(labels, root_of(above, corners[0]), done)
        for ends in own_lines:
            done = _label_set(labels, root_of(above, ends[0]), done)
        for point in own_points:
            done = _label_set(labels, root_of(above, point), done)
        for vertex in range(count):
            if of_mesh[vertex] == 0:
                of_mesh[vertex] = labels[root_of(above, vertex)]
        part_counts[mesh] = done - before
        first_vertex += count
        first_triangle += triangle_counts[mesh]
        first_line += line_counts[mesh]
        first_point += point_counts[mesh]


@kernel
def _label_set(labels: np.ndarray, root: int, count: int) -> int:
    """Give a set the next label, if it has none; return the number for the next set."""
    if labels[root] >= 0:
        return count
    labels[root] = count
    return count + 1
