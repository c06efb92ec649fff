"""Find the meshes that face outward: whose back faces cannot be seen from outside."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.disjoint_sets import root_of, unite
from octoscope.scene.mesh.manifold import merge_equal_points, sort_sides, table_size

_MIX_LOWER, _MIX_UPPER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_HALF = np.uint64(32)
# Seven axes of a cube, through its faces and corners, turned so that no usual shape is level across one.
_AXES = [
    *((0.9093, 0.3665, 0.1971), (-0.3978, 0.9007, 0.1745), (-0.1216, -0.2371, 0.9638)),
    *((0.2251, 0.5947, 0.7718), (0.6843, -0.4453, 0.5775), (0.3655, 0.8683, -0.3353), (0.8247, -0.1717, -0.5388)),
]
_DIRECTIONS = np.concatenate([_AXES, np.negative(_AXES)])


@kernel
def face_outward(
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    first_triangles: np.ndarray,
    triangle_counts: np.ndarray,
    centers: np.ndarray,
    positions: np.ndarray,
    corners: np.ndarray,
) -> np.ndarray:
    """Return (m,) bool: the meshes whose front faces look outward, all over.

    Such a mesh consists of one or several surfaces, each of them closed, of a positive volume, and facing outward where
    it ends in fourteen directions: a surface that passes through itself may have a part that is inside out. A surface
    is what is connected by edges of two triangles. Where surfaces touch along an edge, which then has more of them, the
    mesh's own vertices tell which triangles belong together, or it does not count.

    Args:
        first_vertices, vertex_counts, first_triangles, triangle_counts: (m,) int64, m above 0.
        centers: (m, 3) float64, local; volumes are measured about them.
        positions: (v, 3) float64, of the pool.
        corners: (t, 3) int32, of the pool.
    """
    outward = np.zeros(len(first_vertices), np.bool_)
    most, most_triangles = vertex_counts.max(), triangle_counts.max()
    bits = positions.view(np.uint64)
    table = np.empty(table_size(most), np.int32)
    same = np.empty(most, np.int32)
    stops = np.empty(most + 1, np.int64)
    others = np.empty(3 * most_triangles, np.int32)
    owners = np.empty(3 * most_triangles, np.int32)
    ends = np.zeros((most, 3), np.int32)
    numbers = np.arange(max(most, most_triangles)).astype(np.int32)
    above = np.empty(most_triangles, np.int32)
    balances = np.empty(most_triangles, np.uint64)
    volumes = np.empty(most_triangles)
    heights = np.empty(most)
    slopes = np.empty(most_triangles)
    for mesh in range(len(first_vertices)):
        count = vertex_counts[mesh]
        vertices = slice(first_vertices[mesh], first_vertices[mesh] + count)
        own = corners[first_triangles[mesh] : first_triangles[mesh] + triangle_counts[mesh]]
        merge_equal_points(bits[vertices], table[: table_size(count)], same)
        sort_sides(own, same[:count], stops, others, owners)
        if count == 0 or stops[count - 1] == 0:
            continue  # nothing but lines, points and triangles without area
        above[: len(own)] = numbers[: len(own)]
        crowded = _join_at_sides(stops[:count], others, owners, ends, above)
        if crowded < 0:
            continue
        if crowded > 0:
            sort_sides(own, numbers[:count], stops, others, owners)
            _join_at_sides(stops[:count], others, owners, ends, above)
            sort_sides(own, same[:count], stops, others, owners)
            _join_at_sides(stops[:count], others, owners, ends, above)
            if not _are_closed(stops[:count], others, owners, above, balances[: len(own)]):
                continue
        _add_volumes(positions[vertices], own, same, centers[mesh], above, volumes[: len(own)])
        if volumes[: len(own)].min() <= 0.0:
            continue
        faces_outward = True
        for direction in _DIRECTIONS:
            faces_outward = faces_outward and _face_out_at_ends(
                positions[vertices], own, same, above, direction, heights, volumes, slopes
            )
        outward[mesh] = faces_outward
    return outward


@kernel
def _join_at_sides(
    stops: np.ndarray, others: np.ndarray, owners: np.ndarray, ends: np.ndarray, above: np.ndarray
) -> int:
    """Unite the triangles, as disjoint sets, that share an edge with no third one.

    Args:
        stops, owners: as `sort_sides` writes them.
        others: the same; those of sides of edges with more than two triangles are written as -1 less the number.
        ends: (v, 3) int32 scratch, all 0 before and after: of the sides of one lower end by the upper one their number,
            how many more of them go up than down, and the first of them plus 1.
        above: (t,) int32, added to.

    Returns:
        the number of sides of edges with more than two triangles; -1 if there is an edge with more triangles in one
        direction than in the other.
    """
    crowded = start = 0
    is_balanced = True
    for stop in stops:
        for side in range(start, stop):
            upper = others[side] >> 1
            ends[upper, 0] += 1
            ends[upper, 1] += 1 - 2 * (others[side] & 1)
        for side in range(start, stop):
            upper = others[side] >> 1
            is_balanced = is_balanced and ends[upper, 1] == 0
            if ends[upper, 2] == 0:
                ends[upper, 2] = side + 1
            elif ends[upper, 0] == 2:
                unite(above, owners[ends[upper, 2] - 1], owners[side])
            if ends[upper, 0] > 2:
                others[side] = -1 - others[side]
                crowded += 1
        for side in range(start, stop):
            upper = (others[side] if others[side] >= 0 else -1 - others[side]) >> 1
            ends[upper, 0] = ends[upper, 1] = ends[upper, 2] = 0
        start = stop
    return crowded if is_balanced else -1


@kernel
def _are_closed(
    stops: np.ndarray, others: np.ndarray, owners: np.ndarray, above: np.ndarray, balances: np.ndarray
) -> bool:
    """Return whether each surface is closed by itself; the arguments are what `_join_at_sides` has written.

    A closed surface has as many triangles at each edge in one direction as in the other. So the numbers of the edges,
    added for one direction and subtracted for the other, come to 0; as they are mixed to 64 bits, others do not.

    Args:
        balances: (t,) uint64 scratch.
    """
    balances[:] = 0
    start = 0
    for lower in range(len(stops)):
        for side in range(start, stops[lower]):
            if others[side] < 0:  # at all others they are balanced
                other = -1 - others[side]
                mixed = np.uint64(lower + 1) * _MIX_LOWER
                mixed = (mixed ^ (mixed >> _HALF) ^ np.uint64(other >> 1)) * _MIX_UPPER
                mixed ^= mixed >> _HALF
                root = root_of(above, owners[side])
                balances[root] = balances[root] - mixed if other & 1 else balances[root] + mixed
        start = stops[lower]
    return not balances.any()


@kernel
def _add_volumes(
    positions: np.ndarray,
    corners: np.ndarray,
    same: np.ndarray,
    center: np.ndarray,
    above: np.ndarray,
    volumes: np.ndarray,
) -> None:
    """Write (t,) six times the volume of each closed surface, as `mesh_surfaces` has it, at its set's root.

    All others are infinite. Triangles that have a point twice belong to no surface.
    """
    volumes[:] = np.inf
    x, y, z = center
    for triangle in range(len(corners)):
        i, j, k = corners[triangle]
        if same[i] == same[j] or same[j] == same[k] or same[k] == same[i]:
            continue
        a, b, c = positions[i], positions[j], positions[k]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        volume = (a[0] - x) * (uy * vz - uz * vy) + (a[1] - y) * (uz * vx - ux * vz) + (a[2] - z) * (ux * vy - uy * vx)
        root = root_of(above, triangle)
        volumes[root] = volume if volumes[root] == np.inf else volumes[root] + volume


@kernel
def _face_out_at_ends(
    positions: np.ndarray,
    corners: np.ndarray,
    same: np.ndarray,
    above: np.ndarray,
    direction: np.ndarray,
    heights: np.ndarray,
    highest: np.ndarray,
    slopes: np.ndarray,
) -> bool:
    """Return whether each surface faces outward at its last vertex in a direction.

    Of the triangles there the one that is most nearly level has the outside above it.

    Args:
        direction: (3,).
        heights: (v or more,) scratch, along the direction.
        highest: (t or more,) scratch, the greatest height of a surface, at its root.
        slopes: (t or more,) scratch, at the root the cosine between the direction and that triangle's normal.
    """
    x, y, z = direction
    for vertex in range(len(positions)):
        heights[vertex] = positions[vertex, 0] * x + positions[vertex, 1] * y + positions[vertex, 2] * z
    highest[: len(corners)] = -np.inf
    slopes[: len(corners)] = 0.0
    for triangle in range(len(corners)):
        i, j, k = corners[triangle]
        root = root_of(above, triangle)
        highest[root] = max(highest[root], heights[i], heights[j], heights[k])
    for triangle in range(len(corners)):
        i, j, k = corners[triangle]
        root = root_of(above, triangle)
        if max(heights[i], heights[j], heights[k]) < highest[root]:
            continue
        if same[i] == same[j] or same[j] == same[k] or same[k] == same[i]:
            continue
        a, b, c = positions[i], positions[j], positions[k]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = np.sqrt(nx * nx + ny * ny + nz * nz)
        slope = (nx * x + ny * y + nz * z) / length if length > 0.0 else 0.0
        if abs(slope) > abs(slopes[root]):
            slopes[root] = slope
    return slopes[: len(corners)].min() >= 0.0
