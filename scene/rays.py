"""Ray casts against a scene: the octree finds candidates front to back, the triangles decide.

A hit's t is in world units along the normalised world direction. Rays go to a mesh's local space with their
direction not renormalised, so that t means the same for every object, however it is scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octree.arguments import checked_ray
from octree.jit import kernel
from scene.index import SpatialIndex
from scene.node import Node
from scene.scene import Scene

_WORST_CONDITION = 1e13  # largest over smallest stretch; beyond, an inverse holds nothing but rounding


@dataclass(frozen=True, eq=False)
class Hit:
    """Where a ray meets a triangle.

    Attributes:
        node: whose mesh was hit.
        t: distance from the ray's origin, world units.
        point: (3,) world.
        normal: (3,) unit normal of the triangle, world; by its winding, whichever side was hit.
        triangle: index of the triangle within the node's mesh.
    """

    node: Node
    t: float
    point: np.ndarray
    normal: np.ndarray
    triangle: int


def raycast(
    index: SpatialIndex,
    origin: ArrayLike,
    direction: ArrayLike,
    *,
    t_max: float = np.inf,
    among: np.ndarray | None = None,
) -> Hit | None:
    """The nearest triangle on a ray, seen from either side, or None.

    Args:
        origin, direction: (3,), world; the direction of any length above 0.
        among: (nodes,) bool, by node id: the nodes that count; None for all.

    Raises:
        ValueError: a value is not finite, or the direction has no length.
    """
    origin, direction = checked_ray(origin, direction, t_max)
    nearest_t, triangle_of = t_max, {}

    def first_crossings(node_ids: np.ndarray) -> np.ndarray:
        nonlocal nearest_t
        t_hit = np.full(len(node_ids), np.inf)
        for place, node_id in enumerate(node_ids.tolist()):
            if among is None or among[node_id]:
                t, triangles = _crossings(index, node_id, origin, direction, nearest_t)
                if len(t):
                    first = int(t.argmin())
                    t_hit[place] = nearest_t = t[first]
                    triangle_of[node_id] = triangles[first]
        return t_hit

    hit = index.raycast_nearest(origin, direction, first_crossings, t_max=t_max)
    return None if hit is None else _hit(index, origin, direction, hit.id, hit.t, triangle_of[hit.id])


def raycast_all(index: SpatialIndex, origin: ArrayLike, direction: ArrayLike, *, t_max: float = np.inf) -> list[Hit]:
    """Every triangle on a ray, by ascending t; arguments as for `raycast`.

    Where a ray meets the edge or the corner that triangles of one mesh share, it meets that mesh once.
    """
    origin, direction = checked_ray(origin, direction, t_max)
    hits = []
    for node_id in index.raycast(origin, direction, t_max=t_max)[0]:
        t, triangles = _crossings(index, int(node_id), origin, direction, t_max)
        order = np.argsort(t, kind="stable")
        corners = _corners_of(index.scene, int(node_id), triangles[order])
        rounding = 1e-9 * t.max(initial=0.0) + 1e-12 * np.abs(origin).max()
        kept: list[int] = []
        for place, hit in enumerate(order):
            together = [k for k in kept if t[hit] - t[order[k]] <= rounding]
            if not any(_share_a_corner(corners[place], corners[k]) for k in together):
                kept.append(place)
                hits.append((int(node_id), t[hit], triangles[hit]))
    hits.sort(key=lambda hit: hit[1])
    return [_hit(index, origin, direction, *hit) for hit in hits]


def _share_a_corner(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two triangles, (3, 3) corners each, touch in a corner: a thin wall's two sides do not."""
    return bool((a[:, None] == b[None]).all(axis=2).any())


def _corners_of(scene: Scene, node_id: int, triangles: np.ndarray) -> np.ndarray:
    """(k, 3, 3) local corners of triangles of a node's mesh."""
    mesh_id = scene.mesh_ids[node_id]
    return scene.meshes.positions_of(mesh_id)[scene.meshes.triangles_of(mesh_id)[triangles]]


def _crossings(
    index: SpatialIndex, node_id: int, origin: np.ndarray, direction: np.ndarray, t_max: float
) -> tuple[np.ndarray, np.ndarray]:
    """t and triangle of every crossing of one node's mesh with t in [0, t_max], in no order."""
    scene = index.scene
    linear, translation = np.hsplit(scene.world_from_local[node_id][:3], [3])
    if not np.linalg.cond(linear) < _WORST_CONDITION:  # flat along some axis but for rounding: nothing to hit
        return np.empty(0), np.empty(0, dtype=np.int64)
    mesh_id = scene.mesh_ids[node_id]
    local_from_world = np.linalg.inv(linear)
    local_origin = local_from_world @ (origin - translation[:, 0])
    local_direction = local_from_world @ direction
    t, triangles = ray_triangles(
        local_origin, local_direction, scene.meshes.positions_of(mesh_id), scene.meshes.triangles_of(mesh_id), t_max
    )
    return t, triangles


def _hit(index: SpatialIndex, origin: np.ndarray, direction: np.ndarray, node_id: int, t: float, triangle: int) -> Hit:
    scene = index.scene
    a, b, c = _corners_of(scene, node_id, np.array([triangle]))[0] @ scene.world_from_local[node_id][:3, :3].T
    normal = np.cross(b - a, c - a)
    # A mirrored node turns the winding around; the normal stays on the side where it was.
    normal *= np.sign(np.linalg.det(scene.world_from_local[node_id][:3, :3])) / np.linalg.norm(normal)
    normal += 0.0  # turns -0 into 0
    return Hit(Node(scene, node_id), float(t), origin + t * direction, normal, int(triangle))


@kernel
def ray_triangles(origin, direction, positions, triangles, t_max):
    """All crossings of a ray with a mesh, both sides, 0 <= t <= t_max.

    Watertight: the ray is sheared onto the z axis and edges are judged by the sign of exact-order 2D determinants,
    so that a ray through a shared edge hits at least one of its triangles (Woop, Benthin, Wald, "Watertight
    Ray/Triangle Intersection", 2013). No epsilon: sizes do not matter.

    Returns:
        t (k,) float64 and triangle (k,) int64.
    """
    kz = 0
    for axis in range(1, 3):
        if abs(direction[axis]) > abs(direction[kz]):
            kz = axis
    kx = (kz + 1) % 3
    ky = (kx + 1) % 3
    shear_x = direction[kx] / direction[kz]
    shear_y = direction[ky] / direction[kz]
    found_t = np.empty(8)
    found_triangle = np.empty(8, np.int64)
    count = 0
    for triangle in range(len(triangles)):
        i = triangles[triangle, 0]
        j = triangles[triangle, 1]
        k = triangles[triangle, 2]
        az = positions[i, kz] - origin[kz]
        bz = positions[j, kz] - origin[kz]
        cz = positions[k, kz] - origin[kz]
        ax = positions[i, kx] - origin[kx] - shear_x * az
        ay = positions[i, ky] - origin[ky] - shear_y * az
        bx = positions[j, kx] - origin[kx] - shear_x * bz
        by = positions[j, ky] - origin[ky] - shear_y * bz
        cx = positions[k, kx] - origin[kx] - shear_x * cz
        cy = positions[k, ky] - origin[ky] - shear_y * cz
        u = cx * by - cy * bx
        v = ax * cy - ay * cx
        w = bx * ay - by * ax
        if (u < 0.0 or v < 0.0 or w < 0.0) and (u > 0.0 or v > 0.0 or w > 0.0):
            continue
        determinant = u + v + w
        if determinant == 0.0:
            continue
        t = (u * az + v * bz + w * cz) / determinant / direction[kz]
        if not 0.0 <= t <= t_max:
            continue
        if count == len(found_t):
            longer_t = np.empty(2 * count)
            longer_t[:count] = found_t
            found_t = longer_t
            longer_triangle = np.empty(2 * count, np.int64)
            longer_triangle[:count] = found_triangle
            found_triangle = longer_triangle
        found_t[count] = t
        found_triangle[count] = triangle
        count += 1
    return found_t[:count], found_triangle[:count]
