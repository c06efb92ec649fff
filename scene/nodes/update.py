"""World matrices and world bounding spheres, recomputed below what changed and nowhere else."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.geometry.matrix_kernels import max_singular_value, set_local, world_box
from octoscope.scene.nodes.layers import HIDDEN, SELECTABLE, UNSELECTABLE

_ROUNDING = 2.0**-50  # of a sum of four products in any order, twice over


@kernel
def update_world(
    order: np.ndarray,
    parent: np.ndarray,
    translation: np.ndarray,
    rotation: np.ndarray,
    scale: np.ndarray,
    mesh: np.ndarray,
    mesh_sphere: np.ndarray,
    hidden: np.ndarray,
    unselectable: np.ndarray,
    changed: np.ndarray,
    revision: int,
    world_from_local: np.ndarray,
    world_sphere: np.ndarray,
    layer: np.ndarray,
    revisions: np.ndarray,
    out: np.ndarray,
) -> int:
    """Recompute matrices, spheres and layers of the changed nodes and their descendants.

    Args:
        order: (n,) node ids, parents before children.
        translation: (n, 3) float64.
        rotation: (n, 4) float64.
        scale: (n, 3) float64.
        mesh: (n,) int32, -1 for none.
        mesh_sphere: (meshes, 4) float64, local bounding spheres.
        world_from_local: (n, 4, 4) float64, written.
        world_sphere: (n, 4) float64, written.
        layer: (n,) uint8, written.
        revisions: (n,) int64: `revision` is written for all recomputed nodes.
        out: (n,) int32: the ids of all recomputed nodes are written, in `order`.

    Returns:
        how many were recomputed.
    """
    count = 0
    local = np.empty((4, 4))
    for node in order:
        above = parent[node]
        if not (changed[node] or (above >= 0 and changed[above])):
            continue
        changed[node] = True
        own = HIDDEN if hidden[node] else UNSELECTABLE if unselectable[node] else SELECTABLE
        # Layers ascend from what is free to what is hidden: the stronger of a node's own and its parent's counts.
        layer[node] = own if above < 0 else max(own, layer[above])
        matrix = world_from_local[node]
        if above < 0:
            set_local(matrix, translation[node], rotation[node], scale[node])
        else:
            set_local(local, translation[node], rotation[node], scale[node])
            outer = world_from_local[above]
            for row in range(4):
                for column in range(4):
                    total = 0.0
                    for k in range(4):
                        total += outer[row, k] * local[k, column]
                    matrix[row, column] = total
        if mesh[node] >= 0:
            sphere = mesh_sphere[mesh[node]]
            size = 0.0
            for row in range(3):
                x = matrix[row, 0] * sphere[0]
                y = matrix[row, 1] * sphere[1]
                z = matrix[row, 2] * sphere[2]
                world_sphere[node, row] = x + y + z + matrix[row, 3]
                size += abs(x) + abs(y) + abs(z) + abs(matrix[row, 3])
            # Grown by the rounding of its centre, so that it still contains the mesh.
            world_sphere[node, 3] = sphere[3] * max_singular_value(matrix) + size * _ROUNDING
        revisions[node] = revision
        out[count] = node
        count += 1
    for i in range(count):
        changed[out[i]] = False
    return count


@kernel
def merge_boxes(
    ids: np.ndarray,
    mesh: np.ndarray,
    world_from_local: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    box: np.ndarray,
    holders: np.ndarray,
) -> None:
    """Extend `box`, (2, 3) lower and upper, by the world boxes of the nodes that have a mesh.

    For each side that is extended, the node that reaches it is written to `holders`, (2, 3) int.
    """
    node_box = np.empty((2, 3))
    for node in ids:
        if mesh[node] < 0:
            continue
        world_box(world_from_local[node], lower[mesh[node]], upper[mesh[node]], node_box)
        if np.isfinite(node_box).all():
            for row in range(3):
                if node_box[0, row] < box[0, row]:
                    box[0, row] = node_box[0, row]
                    holders[0, row] = node
                if node_box[1, row] > box[1, row]:
                    box[1, row] = node_box[1, row]
                    holders[1, row] = node


@kernel
def merge_vertices(
    nodes: np.ndarray,
    owner_of: np.ndarray,
    mesh: np.ndarray,
    world_from_local: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    first_vertex: np.ndarray,
    vertex_count: np.ndarray,
    positions: np.ndarray,
    boxes: np.ndarray,
) -> None:
    """Extend boxes[owner_of[node]] by the vertices of each node that has a mesh, unless its matrix overflowed.

    It looks at vertices only where the box around the transformed box of the mesh is not exact, and not inside already.
    """
    around = np.empty((2, 3))
    for node in nodes:
        if mesh[node] < 0:
            continue
        box = boxes[owner_of[node]]
        m = world_from_local[node]
        world_box(m, lower[mesh[node]], upper[mesh[node]], around)
        if not np.isfinite(around).all():
            continue
        is_inside, is_exact = True, True
        for row in range(3):
            is_inside = is_inside and box[0, row] <= around[0, row] and around[1, row] <= box[1, row]
            is_exact = is_exact and (m[row, 0] != 0.0) + (m[row, 1] != 0.0) + (m[row, 2] != 0.0) <= 1
        if is_inside:
            continue
        if is_exact:
            for row in range(3):
                box[0, row] = min(box[0, row], around[0, row])
                box[1, row] = max(box[1, row], around[1, row])
            continue
        first = first_vertex[mesh[node]]
        for vertex in range(first, first + vertex_count[mesh[node]]):
            for row in range(3):
                value = (
                    m[row, 0] * positions[vertex, 0]
                    + m[row, 1] * positions[vertex, 1]
                    + m[row, 2] * positions[vertex, 2]
                    + m[row, 3]
                )
                box[0, row] = min(box[0, row], value)
                box[1, row] = max(box[1, row], value)
