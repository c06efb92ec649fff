"""From a crossing to what a caller is told of it; and which crossings of a shared edge are one."""

from __future__ import annotations

import numpy as np

from octree.jit import borrowing_kernel, kernel


@borrowing_kernel
def describe(nodes, meshes, origin, direction, found, number, facts):
    """Write row `number` of `facts`, (k, 12) float64: t, point (3), unit normal (3), barycentric (3), uv (2)."""
    values, row = found.values[number], facts[number]
    node, triangle = found.ids[number, 0], found.ids[number, 1]
    mesh = nodes.mesh[node]
    matrix = nodes.world_from_local[node]
    corners = meshes.corners[meshes.first_triangle[mesh] + triangle]
    first = meshes.first_vertex[mesh]
    a, b, c = first + corners[0], first + corners[1], first + corners[2]
    t = values[0]
    row[0] = t
    total = values[1] + values[2] + values[3]
    row[7], row[8], row[9] = values[1] / total, values[2] / total, values[3] / total
    for axis in range(3):
        row[1 + axis] = origin[axis] + t * direction[axis]
    for axis in range(2):
        row[10 + axis] = row[7] * meshes.uvs[a, axis] + row[8] * meshes.uvs[b, axis] + row[9] * meshes.uvs[c, axis]
    # Two sides of the triangle in the world; in units of their largest part, so that no square vanishes.
    positions = meshes.positions
    ux = uy = uz = vx = vy = vz = 0.0
    for axis in range(3):
        u = positions[b, axis] - positions[a, axis]
        v = positions[c, axis] - positions[a, axis]
        ux += matrix[0, axis] * u
        uy += matrix[1, axis] * u
        uz += matrix[2, axis] * u
        vx += matrix[0, axis] * v
        vy += matrix[1, axis] * v
        vz += matrix[2, axis] * v
    u = max(abs(ux), max(abs(uy), abs(uz)))
    v = max(abs(vx), max(abs(vy), abs(vz)))
    ux, uy, uz, vx, vy, vz = ux / u, uy / u, uz / u, vx / v, vy / v, vz / v
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = np.sqrt(x * x + y * y + z * z)
    determinant = (
        matrix[0, 0] * (matrix[1, 1] * matrix[2, 2] - matrix[1, 2] * matrix[2, 1])
        - matrix[0, 1] * (matrix[1, 0] * matrix[2, 2] - matrix[1, 2] * matrix[2, 0])
        + matrix[0, 2] * (matrix[1, 0] * matrix[2, 1] - matrix[1, 1] * matrix[2, 0])
    )
    if determinant < 0.0:  # a mirrored node turns the winding around; the normal stays on the side where it was
        length = -length
    # Adding 0 turns -0 into 0.
    row[4], row[5], row[6] = x / length + 0.0, y / length + 0.0, z / length + 0.0


@kernel
def describe_all(nodes, meshes, origin, direction, found):
    """All rows of `describe`."""
    facts = np.empty((len(found.ids), 12))
    for number in range(len(found.ids)):
        describe(nodes, meshes, origin, direction, found, number, facts)
    return facts


@kernel
def keep_once(nodes, meshes, found, origin_size):
    """Which crossings stand for themselves: where triangles of a mesh share an edge or a corner, a ray meets it once.

    Args:
        found: by node, and by t within a node. origin_size: how large the numbers were, for rounding.

    Returns:
        (k,) int64 rows of `found`.
    """
    kept = np.empty(len(found.ids), np.int64)
    count = 0
    for row in range(len(found.ids)):
        node, t = found.ids[row, 0], found.values[row, 0]
        rounding = 1e-9 * t + 1e-12 * origin_size
        known = False
        for back in range(count - 1, -1, -1):
            other = kept[back]
            if found.ids[other, 0] != node or t - found.values[other, 0] > rounding:
                break
            if _share_a_corner(nodes.mesh[node], meshes, found.ids[row, 1], found.ids[other, 1]):
                known = True
                break
        if not known:
            kept[count] = row
            count += 1
    return kept[:count]


@borrowing_kernel
def _share_a_corner(mesh, meshes, triangle, other):
    """Whether two triangles of a mesh have a corner in one place: a thin wall's two sides do not."""
    positions, first, row = meshes.positions, meshes.first_vertex[mesh], meshes.first_triangle[mesh]
    for i in range(3):
        for j in range(3):
            a = first + meshes.corners[row + triangle, i]
            b = first + meshes.corners[row + other, j]
            if (
                positions[a, 0] == positions[b, 0]
                and positions[a, 1] == positions[b, 1]
                and positions[a, 2] == positions[b, 2]
            ):
                return True
    return False
