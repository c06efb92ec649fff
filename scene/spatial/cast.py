"""Cast rays at a whole scene in one kernel: walk the octree's spheres front to back, test the mesh of each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.octree.layout.slots import Grid
from octoscope.octree.queries.raycast import (
    FLAT_LIMIT,
    RayTree,
    RayWalk,
    enter_sphere,
    new_ray_walk,
    next_run,
    start_ray_walk,
)
from octoscope.scene.bvh.arrays import BvhArrays, HitBuffer, MeshArrays, NodeArrays, RayHits, RayQuery
from octoscope.scene.bvh.traverse import MeshStack, enter_mesh, new_mesh_stack, test_all, test_all_in_world, walk_mesh
from octoscope.scene.bvh.triangle import sheared_ray
from octoscope.scene.spatial.hit_attributes import describe

BRUTE_BELOW = 16  # triangles: a mesh of fewer has no tree; with 11 it takes as long, with 16 a tenth longer

# Largest over smallest scale of a matrix; beyond, its determinant holds nothing but rounding, and nothing is hit. The
# same is true where two scales together are so small: such a needle is far thinner than any pixel.
_WORST_CONDITION = 1e13
_SQUEEZED = 1e5  # from here on, rounding in the node's frame, which grows with the square, could lose what is hit
NO_FRAME, FRAME, SQUEEZED, SQUEEZED_MIRROR = range(4)  # answers of to_local


class RayTargets(NamedTuple):
    """The nodes that rays are cast at."""

    tree: RayTree  # the octree over the nodes' spheres
    center: np.ndarray  # (3,) float64 its centre, world
    nodes: NodeArrays  # their columns
    meshes: MeshArrays  # the columns of their meshes
    wanted: np.ndarray  # (meshes,) bool, set for meshes that should get a tree


class _Scratch(NamedTuple):
    """Arrays that one ray writes and the next can use again."""

    walk: RayWalk  # through the octree
    origin: np.ndarray  # (3,) float64 the ray's, about the octree's centre
    local_origin: np.ndarray  # (3,) float64 the ray's in a node's frame
    local_direction: np.ndarray  # (3,) float64, likewise
    local: np.ndarray  # (12,) float64, as enter_mesh writes it
    corners: np.ndarray  # (3, 3) float64 of a triangle
    stack: MeshStack  # through a mesh's tree


@kernel
def _new_scratch(grid: Grid) -> _Scratch:
    return _Scratch(
        new_ray_walk(grid),
        np.empty(3),
        np.empty(3),
        np.empty(3),
        np.empty(12),
        np.empty((3, 3)),
        new_mesh_stack(),
    )


@borrowing_kernel
def to_local(
    matrix: np.ndarray, origin: np.ndarray, direction: np.ndarray, local_origin: np.ndarray, local_direction: np.ndarray
) -> int:
    """Transform a ray to the frame of a node. The direction is not normalised: t means the same in both frames.

    Args:
        matrix: (4, 4) world_from_local.
        origin: (3,) world.
        direction: (3,) world.
        local_origin: (3,), written.
        local_direction: (3,), written.

    Returns:
        FRAME; NO_FRAME where rounding is all that a determinant holds; SQUEEZED, or SQUEEZED_MIRROR for a matrix that
        mirrors, where the inverse is too inexact to test triangles in the node's frame.
    """
    largest = 0.0
    for row in range(3):
        for column in range(3):
            largest = max(largest, abs(matrix[row, column]))
    if not 0.0 < largest < np.inf:
        return NO_FRAME
    scale = 1.0 / largest  # first, so that products neither vanish nor overflow
    a, b, c = matrix[0, 0] * scale, matrix[0, 1] * scale, matrix[0, 2] * scale
    d, e, f = matrix[1, 0] * scale, matrix[1, 1] * scale, matrix[1, 2] * scale
    g, h, i = matrix[2, 0] * scale, matrix[2, 1] * scale, matrix[2, 2] * scale
    aa, ab, ac = e * i - f * h, c * h - b * i, b * f - c * e
    ba, bb, bc = f * g - d * i, a * i - c * g, c * d - a * f
    ca, cb, cc = d * h - e * g, b * g - a * h, a * e - b * d
    determinant = a * aa + b * ba + c * ca
    size = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i
    of_inverse = aa * aa + ab * ab + ac * ac + ba * ba + bb * bb + bc * bc + ca * ca + cb * cb + cc * cc
    squeezed = np.sqrt(size * of_inverse)
    if not squeezed < _WORST_CONDITION * abs(determinant):
        return NO_FRAME
    if not squeezed < _SQUEEZED * abs(determinant):
        return SQUEEZED if determinant > 0.0 else SQUEEZED_MIRROR
    factor = scale / determinant
    x, y, z = origin[0] - matrix[0, 3], origin[1] - matrix[1, 3], origin[2] - matrix[2, 3]
    local_origin[0] = (aa * x + ab * y + ac * z) * factor
    local_origin[1] = (ba * x + bb * y + bc * z) * factor
    local_origin[2] = (ca * x + cb * y + cc * z) * factor
    x, y, z = direction[0], direction[1], direction[2]
    local_direction[0] = (aa * x + ab * y + ac * z) * factor
    local_direction[1] = (ba * x + bb * y + bc * z) * factor
    local_direction[2] = (ca * x + cb * y + cc * z) * factor
    largest = max(abs(local_direction[0]), max(abs(local_direction[1]), abs(local_direction[2])))
    return FRAME if 0.0 < largest < np.inf else NO_FRAME


@borrowing_kernel
def _cast(
    targets: RayTargets,
    trees: BvhArrays,
    query: RayQuery,
    origin: np.ndarray,
    direction: np.ndarray,
    t_max: float,
    found: HitBuffer,
    scratch: _Scratch,
) -> tuple[int, bool, bool]:
    """Cast one ray; returns as cast_ray."""
    tree, center, nodes, meshes = targets.tree, targets.center, targets.nodes, targets.meshes
    for axis in range(3):
        scratch.origin[axis] = origin[axis] - center[axis]
    count, t_best, wants, incomplete = 0, t_max, False, False
    slots = tree.slots
    few = tree.slot_count <= FLAT_LIMIT  # one run: not worth a walk
    if not few:
        start_ray_walk(scratch.walk, tree.sorted_count)
    begin, end = 0, 0
    while True:
        if few:
            begin, end = (end, tree.slot_count) if end < tree.slot_count else (-1, -1)
        else:
            begin, end = next_run(scratch.walk, tree, scratch.origin, direction, t_best)
        if begin < 0:
            return count, wants, incomplete
        for slot in range(begin, end):
            if not enter_sphere(slots, slot, scratch.origin, direction, t_best) < np.inf:
                continue
            node = np.int64(slots.id_at[slot])
            if len(nodes.node_mask) and not nodes.node_mask[node]:
                continue
            if not nodes.layers[node] & query.layers:
                continue
            mesh = nodes.mesh[node]
            triangles = meshes.triangle_count[mesh]
            if triangles == 0:
                continue
            local_origin, local_direction = scratch.local_origin, scratch.local_direction
            frame = to_local(nodes.world_from_local[node], origin, direction, local_origin, local_direction)
            if frame == NO_FRAME:
                continue
            if frame != FRAME:
                count, t_best = test_all_in_world(
                    nodes.world_from_local[node], frame == SQUEEZED_MIRROR, origin, direction, meshes, mesh, node,
                    query, t_best, found, count, local_origin, scratch.corners,
                )  # fmt: skip
                continue
            ray = sheared_ray(local_origin, local_direction)
            if triangles < BRUTE_BELOW:
                count, t_best = test_all(ray, meshes, mesh, node, query, t_best, found, count)
                continue
            met = enter_mesh(local_origin, local_direction, meshes, mesh, t_best, scratch.local)
            if met == 0:
                continue
            has_tree = trees.first_node[mesh] >= 0
            if not has_tree:
                targets.wanted[mesh] = wants = True
                if triangles <= query.brute_above:
                    incomplete = True
                    continue
            if has_tree and met > 0:
                count, t_best = walk_mesh(
                    ray, scratch.local, meshes.positions, meshes.first_vertex[mesh], trees.nodes, trees.integers,
                    trees.first_node[mesh], trees.leaves, trees.first_leaf[mesh], node, query, t_best, found, count,
                    scratch.stack,
                )  # fmt: skip
            else:
                count, t_best = test_all(ray, meshes, mesh, node, query, t_best, found, count)


@kernel
def cast_ray(
    targets: RayTargets,
    trees: BvhArrays,
    query: RayQuery,
    origin: np.ndarray,
    direction: np.ndarray,
    t_max: float,
    found: HitBuffer,
    facts: np.ndarray,
) -> tuple[int, bool, bool]:
    """Cast one ray.

    Args:
        targets: what it is cast at; `wanted` is written.
        origin: (3,) float64 world.
        direction: (3,) float64 world, of unit length.
        t_max: the ray's length.
        found: written.
        facts: (1, 12) float64, written by describe unless all hits are wanted.

    Returns:
        how many hits there are, which may be more than `found` has room for when all are asked for; whether `wanted`
        was set anywhere; and whether the answer is incomplete: meshes up to query.brute_above triangles must get
        their trees first.
    """
    scratch = _new_scratch(targets.tree.grid)
    count, wants, incomplete = _cast(targets, trees, query, origin, direction, t_max, found, scratch)
    if count and not query.every:
        describe(targets.nodes, targets.meshes, origin, direction, found, 0, facts)
    return count, wants, incomplete


@kernel
def cast_rays(
    targets: RayTargets,
    trees: BvhArrays,
    query: RayQuery,
    origins: np.ndarray,
    directions: np.ndarray,
    t_max: float,
    rays: np.ndarray,
    hits: RayHits,
) -> int:
    """Find the nearest hit of some of n rays, and return how many of these are incomplete.

    `origins` and `directions` are (n, 3); `rays`, (k,) int64, says which rays to cast, and those that are incomplete
    are written to its front; `hits` is written where a ray hits. The other arguments are as for cast_ray.
    """
    scratch = _new_scratch(targets.tree.grid)
    found = HitBuffer(np.empty((1, 4)), np.empty((1, 2), np.int64))
    incomplete_count = 0
    for i in range(len(rays)):
        ray = rays[i]
        count, _, incomplete = _cast(targets, trees, query, origins[ray], directions[ray], t_max, found, scratch)
        if incomplete:
            rays[incomplete_count] = ray
            incomplete_count += 1
        elif count:
            values = found.values[0]
            hits.nodes[ray] = found.ids[0, 0]
            hits.triangles[ray] = found.ids[0, 1]
            hits.t[ray] = values[0]
            total = values[1] + values[2] + values[3]
            for corner in range(3):
                hits.barycentric[ray, corner] = values[1 + corner] / total + 0.0  # turns -0 into 0
    return incomplete_count
