"""Point, normal and texture coordinates of a ray's hits; and one hit where triangles share an edge or a corner."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import HitBuffer, MeshArrays, NodeArrays
from octoscope.scene.geometry.bounded import unit_of

_MIX = -0x61C8864680B583EB  # odd, and its bits are as good as random: the golden ratio's


@borrowing_kernel
def describe(
    nodes: NodeArrays,
    meshes: MeshArrays,
    origin: np.ndarray,
    direction: np.ndarray,
    found: HitBuffer,
    hit: int,
    facts: np.ndarray,
) -> None:
    """Write row `hit` of `facts`, (k, 12) float64: t, point (3), unit normal (3), barycentric (3), uv (2)."""
    values, row = found.values[hit], facts[hit]
    node, triangle = found.ids[hit, 0], found.ids[hit, 1]
    mesh = nodes.mesh[node]
    matrix = nodes.world_from_local[node]
    corners = meshes.corners[meshes.first_triangle[mesh] + triangle]
    first = meshes.first_vertex[mesh]
    a, b, c = first + corners[0], first + corners[1], first + corners[2]
    t = values[0]
    row[0] = t
    total = values[1] + values[2] + values[3]
    # Adding 0 turns -0 into 0, here and below.
    row[7], row[8], row[9] = values[1] / total + 0.0, values[2] / total + 0.0, values[3] / total + 0.0
    for axis in range(3):
        row[1 + axis] = origin[axis] + t * direction[axis]
    for axis in range(2):
        row[10 + axis] = row[7] * meshes.uvs[a, axis] + row[8] * meshes.uvs[b, axis] + row[9] * meshes.uvs[c, axis]
    # Two sides of the triangle in the world, each brought near 1 twice, so that no product vanishes or overflows.
    positions = meshes.positions
    far = stretch = 0.0
    for axis in range(3):
        far = max(far, max(abs(positions[a, axis]), max(abs(positions[b, axis]), abs(positions[c, axis]))))
        for other in range(3):
            stretch = max(stretch, abs(matrix[axis, other]))
    unit, matrix_unit = unit_of(far), unit_of(stretch)
    ux, uy, uz = _side(positions, a, b, unit, matrix, matrix_unit)
    vx, vy, vz = _side(positions, a, c, unit, matrix, matrix_unit)
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = np.sqrt(x * x + y * y + z * z)
    if not length > 0.0:  # too thin to have a normal: it faces the ray
        row[4], row[5], row[6] = -direction[0], -direction[1], -direction[2]
        return
    m = matrix_unit
    determinant = (
        matrix[0, 0] * m * (matrix[1, 1] * m * matrix[2, 2] * m - matrix[1, 2] * m * matrix[2, 1] * m)
        - matrix[0, 1] * m * (matrix[1, 0] * m * matrix[2, 2] * m - matrix[1, 2] * m * matrix[2, 0] * m)
        + matrix[0, 2] * m * (matrix[1, 0] * m * matrix[2, 1] * m - matrix[1, 1] * m * matrix[2, 0] * m)
    )
    if determinant < 0.0:  # a mirrored node turns the winding around; the normal stays on the side where it was
        length = -length
    row[4], row[5], row[6] = x / length + 0.0, y / length + 0.0, z / length + 0.0


@borrowing_kernel
def _side(
    positions: np.ndarray, a: int, b: int, unit: float, matrix: np.ndarray, matrix_unit: float
) -> tuple[float, float, float]:
    """Compute the vector from corner a to corner b in the world, its largest component scaled to 1; 0 stays 0."""
    x = y = z = 0.0
    for axis in range(3):
        along = positions[b, axis] * unit - positions[a, axis] * unit
        x += matrix[0, axis] * matrix_unit * along
        y += matrix[1, axis] * matrix_unit * along
        z += matrix[2, axis] * matrix_unit * along
    largest = max(abs(x), max(abs(y), abs(z)))
    return (x / largest, y / largest, z / largest) if largest > 0.0 else (0.0, 0.0, 0.0)


@kernel
def describe_all(
    nodes: NodeArrays, meshes: MeshArrays, origin: np.ndarray, direction: np.ndarray, found: HitBuffer
) -> np.ndarray:
    """Return the facts of all hits, (k, 12) float64, as `describe` writes them."""
    facts = np.empty((len(found.ids), 12))
    for hit in range(len(found.ids)):
        describe(nodes, meshes, origin, direction, found, hit, facts)
    return facts


@kernel
def keep_once(nodes: NodeArrays, meshes: MeshArrays, found: HitBuffer, origin_size: float) -> np.ndarray:
    """Drop repeated hits: where triangles of a mesh share an edge or a corner, a ray meets it once.

    Args:
        found: the hits, sorted by node, and by t within a node.
        origin_size: largest coordinate of the ray's origin, which bounds the rounding.

    Returns:
        (k,) int64 rows of `found`.
    """
    kept = np.empty(len(found.ids), np.int64)
    count = 0
    size = 8
    while size < 6 * len(found.ids):
        size *= 2
    # A hash table by node and position: the last row kept that has a corner there, times 3, plus which corner it is.
    holders = np.full(size, -1, np.int64)
    for row in range(len(found.ids)):
        t = found.values[row, 0]
        rounding = 1e-9 * t + 1e-12 * origin_size
        known = False
        for corner in range(3):
            holder = holders[_slot_of(nodes, meshes, found, holders, row, corner)]
            known |= holder >= 0 and t - found.values[holder // 3, 0] <= rounding
        if known:
            continue
        for corner in range(3):
            holders[_slot_of(nodes, meshes, found, holders, row, corner)] = 3 * row + corner
        kept[count] = row
        count += 1
    return kept[:count]


@borrowing_kernel
def _slot_of(
    nodes: NodeArrays, meshes: MeshArrays, found: HitBuffer, holders: np.ndarray, row: int, corner: int
) -> int:
    """Find the slot of the table that holds a corner's position, or an empty one for it."""
    node = found.ids[row, 0]
    x, y, z = _corner(nodes, meshes, found, row, corner)
    mixed = np.int64(node)
    for value in (x, y, z):
        mixed = (mixed ^ (mixed >> 29) ^ np.float64(value + 0.0).view(np.int64)) * _MIX  # -0 is 0
    slot = (mixed ^ (mixed >> 32)) & (len(holders) - 1)
    while holders[slot] >= 0:
        other = holders[slot] // 3
        x2, y2, z2 = _corner(nodes, meshes, found, other, holders[slot] % 3)
        if found.ids[other, 0] == node and x2 == x and y2 == y and z2 == z:
            break
        slot = (slot + 1) & (len(holders) - 1)
    return slot


@borrowing_kernel
def _corner(
    nodes: NodeArrays, meshes: MeshArrays, found: HitBuffer, row: int, corner: int
) -> tuple[float, float, float]:
    """Return the position of a corner of a hit's triangle, in its mesh's frame."""
    mesh = nodes.mesh[found.ids[row, 0]]
    vertex = meshes.first_vertex[mesh] + meshes.corners[meshes.first_triangle[mesh] + found.ids[row, 1], corner]
    return meshes.positions[vertex, 0], meshes.positions[vertex, 1], meshes.positions[vertex, 2]
