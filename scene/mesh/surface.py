"""Measure meshes, and nodes under any affine matrix: area, volume and length, over the pooled arrays of Meshes."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel


@kernel
def mesh_surfaces(
    first_vertices: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    centers: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
) -> np.ndarray:
    """Compute the area and the signed volume of meshes: (m, 2) float64, local units.

    The volume is positive where faces look outward. It is the sum of the tetrahedra between each triangle and the
    mesh's centre (Zhang, Chen, "Efficient feature extraction for 2D/3D objects in mesh representation", 2001); about
    the origin, the tetrahedra of a mesh far away would be large and cancel. The volume of an open surface depends on
    the centre and means nothing.

    Args:
        first_vertices, first_triangles, triangle_counts: (m,) int64.
        centers: (m, 3) float64, local.
    """
    out = np.zeros((len(first_vertices), 2))
    for mesh in range(len(first_vertices)):
        first = first_vertices[mesh]
        x, y, z = centers[mesh, 0], centers[mesh, 1], centers[mesh, 2]
        area = 0.0
        volume = 0.0
        for triangle in range(first_triangles[mesh], first_triangles[mesh] + triangle_counts[mesh]):
            a = positions[first + corners[triangle, 0]]
            b = positions[first + corners[triangle, 1]]
            c = positions[first + corners[triangle, 2]]
            ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
            nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            area += np.sqrt(nx * nx + ny * ny + nz * nz)
            volume += (a[0] - x) * nx + (a[1] - y) * ny + (a[2] - z) * nz
        out[mesh, 0] = area / 2.0
        out[mesh, 1] = volume / 6.0
    return out


@kernel
def node_lengths(
    matrices: np.ndarray,
    first_vertices: np.ndarray,
    first_lines: np.ndarray,
    line_counts: np.ndarray,
    positions: np.ndarray,
    ends: np.ndarray,
) -> np.ndarray:
    """Compute the world length of all lines of each node: (k,) float64.

    Args:
        matrices: (k, 4, 4) float64 world_from_local.
        first_vertices, first_lines, line_counts: (k,) int64, of each node's mesh.
    """
    lengths = np.zeros(len(matrices))
    for node in range(len(matrices)):
        m = matrices[node]
        first = first_vertices[node]
        for line in range(first_lines[node], first_lines[node] + line_counts[node]):
            a = positions[first + ends[line, 0]]
            b = positions[first + ends[line, 1]]
            x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            square = 0.0
            for axis in range(3):
                along = m[axis, 0] * x + m[axis, 1] * y + m[axis, 2] * z
                square += along * along
            lengths[node] += np.sqrt(square)
    return lengths


@kernel
def node_areas(
    matrices: np.ndarray,
    first_vertices: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
) -> np.ndarray:
    """Compute the world area of each node: (k,) float64, exact under any matrix.

    Args:
        matrices: (k, 4, 4) float64 world_from_local.
        first_vertices, first_triangles, triangle_counts: (k,) int64, of each node's mesh.
    """
    areas = np.zeros(len(matrices))
    for node in range(len(matrices)):
        m = matrices[node]
        first = first_vertices[node]
        area = 0.0
        for triangle in range(first_triangles[node], first_triangles[node] + triangle_counts[node]):
            a = positions[first + corners[triangle, 0]]
            b = positions[first + corners[triangle, 1]]
            c = positions[first + corners[triangle, 2]]
            ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
            px = m[0, 0] * ux + m[0, 1] * uy + m[0, 2] * uz
            py = m[1, 0] * ux + m[1, 1] * uy + m[1, 2] * uz
            pz = m[2, 0] * ux + m[2, 1] * uy + m[2, 2] * uz
            qx = m[0, 0] * vx + m[0, 1] * vy + m[0, 2] * vz
            qy = m[1, 0] * vx + m[1, 1] * vy + m[1, 2] * vz
            qz = m[2, 0] * vx + m[2, 1] * vy + m[2, 2] * vz
            nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
            area += np.sqrt(nx * nx + ny * ny + nz * nz)
        areas[node] = area / 2.0
    return areas
