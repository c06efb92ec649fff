"""World matrices and world bounding spheres, recomputed below what changed and nowhere else."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.layers import HIDDEN, SELECTABLE, UNSELECTABLE

_STRETCH_ERROR = 1e-7
_ROUNDING = 2.0**-50  # of a sum of four products in any order, twice over


@kernel
def largest_stretch(matrix):
    """Largest singular value of the upper left 3x3: how far the matrix stretches any direction.

    The root of the largest eigenvalue of A^T A, in closed form (Smith, "Eigenvalues of a symmetric 3x3 matrix",
    1961). The diagonal and the longest column, which textbooks use, are both too small: the first under rotation,
    the second under shear, which a scaled parent with a turned child brings.

    Never smaller than the truth: where two stretches are equal the closed form loses half its digits, so the
    result is grown by _STRETCH_ERROR.
    """
    largest = 0.0
    for row in range(3):
        for column in range(3):
            largest = max(largest, abs(matrix[row, column]))
    if not 0.0 < largest < np.inf:
        return largest
    # Of A / largest, so that squares neither vanish nor overflow.
    xx = yy = zz = xy = xz = yz = 0.0
    for row in range(3):
        a = matrix[row, 0] / largest
        b = matrix[row, 1] / largest
        c = matrix[row, 2] / largest
        xx += a * a
        yy += b * b
        zz += c * c
        xy += a * b
        xz += a * c
        yz += b * c
    mean = (xx + yy + zz) / 3.0
    spread = (xx - mean) ** 2 + (yy - mean) ** 2 + (zz - mean) ** 2 + 2.0 * (xy * xy + xz * xz + yz * yz)
    p = np.sqrt(spread / 6.0)
    if p <= 1e-14 * mean:
        return largest * np.sqrt(mean) * (1.0 + _STRETCH_ERROR)
    ux, uy, uz = (xx - mean) / p, (yy - mean) / p, (zz - mean) / p
    vx, vy, vz = yz / p, xz / p, xy / p
    determinant = ux * (uy * uz - vx * vx) - vz * (vz * uz - vx * vy) + vy * (vz * vx - uy * vy)
    angle = np.arccos(min(1.0, max(-1.0, determinant / 2.0))) / 3.0
    return largest * np.sqrt(mean + 2.0 * p * np.cos(angle)) * (1.0 + _STRETCH_ERROR)


@kernel
def set_local(matrix, translation, rotation, scale):
    """Write T @ R @ S; `rotation` is a unit quaternion x, y, z, w."""
    x, y, z, w = rotation[0], rotation[1], rotation[2], rotation[3]
    matrix[0, 0] = (1.0 - 2.0 * (y * y + z * z)) * scale[0]
    matrix[1, 0] = 2.0 * (x * y + z * w) * scale[0]
    matrix[2, 0] = 2.0 * (x * z - y * w) * scale[0]
    matrix[0, 1] = 2.0 * (x * y - z * w) * scale[1]
    matrix[1, 1] = (1.0 - 2.0 * (x * x + z * z)) * scale[1]
    matrix[2, 1] = 2.0 * (y * z + x * w) * scale[1]
    matrix[0, 2] = 2.0 * (x * z + y * w) * scale[2]
    matrix[1, 2] = 2.0 * (y * z - x * w) * scale[2]
    matrix[2, 2] = (1.0 - 2.0 * (x * x + y * y)) * scale[2]
    matrix[0, 3] = translation[0]
    matrix[1, 3] = translation[1]
    matrix[2, 3] = translation[2]
    matrix[3, 0] = matrix[3, 1] = matrix[3, 2] = 0.0
    matrix[3, 3] = 1.0


@kernel
def update_world(
    order, parent, translation, rotation, scale, mesh, mesh_sphere, hidden, unselectable, changed, revision,
    world_from_local, world_sphere, layer, revisions, out,
):  # fmt: skip
    """Recompute what hangs below the changed nodes.

    Args:
        order: (n,) node ids, parents before children.
        changed: (n,) bool; on return everything below a changed node was marked too, used, and cleared.
        revision: the number of this update; `revisions`, (n,) int64, receives it for all recomputed nodes.
        out: (n,) int32: receives the ids of all recomputed nodes, in `order`.

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
            # It holds what is in it wherever it lies: it grows by what its centre may be off.
            world_sphere[node, 3] = sphere[3] * largest_stretch(matrix) + size * _ROUNDING
        revisions[node] = revision
        out[count] = node
        count += 1
    for i in range(count):
        changed[out[i]] = False
    return count


@kernel
def world_box(matrix, lower, upper, out):
    """Write the box, (2, 3) lower and upper, around a local box that goes through a matrix."""
    for row in range(3):
        low = high = matrix[row, 3]
        for column in range(3):
            # The smaller and the larger product, not middle and extent: exact for identities.
            a = matrix[row, column] * lower[column]
            b = matrix[row, column] * upper[column]
            low += min(a, b)
            high += max(a, b)
        out[0, row] = low
        out[1, row] = high


@kernel
def merge_boxes(ids, mesh, world_from_local, lower, upper, box, holders):
    """Grow `box`, (2, 3) lower and upper, by the world boxes of the nodes that have a mesh.

    `holders`, (2, 3) int, receives for each side that grew the node that reaches it.
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
def depths_of(parents):
    """(n,) int32 depth of every node, 0 at the top; linear, whatever the tree's shape and order."""
    depths = np.full(len(parents), -1, np.int32)
    for node in range(len(parents)):
        # Up to a node whose depth is known, and once more with what that gave.
        steps = 0
        above = node
        while above >= 0 and depths[above] < 0:
            above = parents[above]
            steps += 1
        depth = steps + (depths[above] if above >= 0 else -1)
        above = node
        while above >= 0 and depths[above] < 0:
            depths[above] = depth
            depth -= 1
            above = parents[above]
    return depths


@kernel
def in_circles(parents, ids):
    """(k,) int32: the nodes that stand above themselves, looked for upwards from `ids`; no node is passed twice."""
    walk_of = np.zeros(len(parents), np.int64)  # pages of it that no walk touches cost nothing
    found = np.empty(len(parents), np.int32)
    count = 0
    for walk in range(1, len(ids) + 1):
        node = ids[walk - 1]
        while node >= 0 and walk_of[node] == 0:
            walk_of[node] = walk
            node = parents[node]
        if node >= 0 and walk_of[node] == walk:
            first = node
            while True:
                found[count] = node
                count += 1
                node = parents[node]
                if node == first:
                    break
    return found[:count]
