"""Find the triangles of an object that reach into a region, in the frame in which two objects are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel, kernel
from octoscope.scene.bvh.arrays import BvhArrays
from octoscope.scene.bvh.build import COUNT, FIRST, WIDTH, cube_of
from octoscope.scene.bvh.traverse import DEEPEST
from octoscope.scene.overlap.broad_phase import ROUNDING, find_boxes

if TYPE_CHECKING:
    from octoscope.scene.scene import Scene


class Objects(NamedTuple):
    """n objects and their meshes, as kernels take them.

    Attributes:
        world_from_local: (n, 4, 4) float64.
        boxes: (n, 2, 3) float64 world boxes, grown by ROUNDING.
        sizes: (n,) float64: the largest sum of the absolute values of a world coordinate's terms; rounding is relative
            to it.
        facing: (n,) int8: -1 where the matrix mirrors, 0 where it flattens, else 1.
        mesh: (n,) int32 ids.
        lower, upper: (n, 3) float64 corners of the mesh's local box.
        first_vertex, vertex_count, first_triangle, triangle_count: (n,) int64, of each object's mesh.
        positions: (v, 3) float64 local.
        corners: (t, 3) int32, counted from the mesh's first vertex.
    """

    world_from_local: np.ndarray
    boxes: np.ndarray
    sizes: np.ndarray
    facing: np.ndarray
    mesh: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    first_vertex: np.ndarray
    vertex_count: np.ndarray
    first_triangle: np.ndarray
    triangle_count: np.ndarray
    positions: np.ndarray
    corners: np.ndarray


def objects_of(scene: Scene, ids: np.ndarray) -> Objects:
    """Collect nodes that have a mesh, (n,) ids, as they are now."""
    mesh, rows = scene.mesh_ids[ids], scene.meshes.rows
    boxes, sizes, facing = np.empty((len(ids), 2, 3)), np.empty(len(ids)), np.empty(len(ids), dtype=np.int8)
    world_from_local = scene.world_from_local[ids]
    lower, upper = rows["lower"][mesh], rows["upper"][mesh]
    find_boxes(world_from_local, lower, upper, boxes, sizes, facing)
    return Objects(
        world_from_local,
        boxes,
        sizes,
        facing,
        mesh,
        lower,
        upper,
        rows["first_vertex"][mesh],
        rows["vertex_count"][mesh],
        rows["first_triangle"][mesh],
        rows["triangle_count"][mesh],
        # Not copied: a pool only grows, and the arrays that it had before stay as they are.
        scene.meshes.vertices["position"],
        scene.meshes.triangles["corners"],
    )


@kernel
def triangles_in_box(
    objects: Objects,
    trees: BvhArrays,
    object_row: int,
    middle: np.ndarray,
    unit: float,
    region: np.ndarray,
    margin: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Find the triangles of an object that reach into a region, by their boxes.

    Args:
        middle: (3,) world, the frame's origin.
        unit: frame units in a world unit.
        region: (2, 3), frame.
        margin: frame units, by which triangles' boxes are grown.

    Returns:
        corners (k, 3, 3) float64 in the frame, and boxes (k, 6): lower and upper.
    """
    tree = trees.first_node[objects.mesh[object_row]]
    if tree >= 0:
        return _from_tree(objects, trees, object_row, middle, unit, region, margin)
    first_vertex, first_triangle = objects.first_vertex[object_row], objects.first_triangle[object_row]
    matrix = objects.world_from_local[object_row]
    points = np.empty((objects.vertex_count[object_row], 3))
    for vertex in range(len(points)):
        _to_frame(matrix, objects.positions, first_vertex + vertex, middle, unit, points, vertex)
    triangles = objects.corners[first_triangle : first_triangle + objects.triangle_count[object_row]]
    chosen = np.empty(len(triangles), np.int32)
    count = 0
    for triangle in range(len(triangles)):
        i, j, k = triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
        reaches = True
        for axis in range(3):
            x, y, z = points[i, axis], points[j, axis], points[k, axis]
            reaches &= (min(x, y, z) <= region[1, axis]) & (max(x, y, z) >= region[0, axis])
        chosen[count] = triangle
        count += int(reaches)
    corners = np.empty((count, 3, 3))
    bounds = np.empty((count, 6))
    for index in range(count):
        triangle = chosen[index]
        for corner in range(3):
            vertex = triangles[triangle, corner]
            for axis in range(3):
                corners[index, corner, axis] = points[vertex, axis]
        _enclose(corners, index, margin, bounds)
    return corners, bounds


@kernel
def _from_tree(
    objects: Objects,
    trees: BvhArrays,
    object_row: int,
    middle: np.ndarray,
    unit: float,
    region: np.ndarray,
    margin: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Do what `triangles_in_box` does, for a mesh with a tree: nodes with boxes outside of the region are left out."""
    matrix = objects.world_from_local[object_row]
    mesh = objects.mesh[object_row]
    first_node, first_leaf = trees.first_node[mesh], trees.first_leaf[mesh]
    first_vertex = objects.first_vertex[object_row]
    x, y, z, scale = cube_of(objects.lower[object_row], objects.upper[object_row])
    # A box goes from the tree's cube to the frame: its centre by this matrix, its extent by the absolute values of it.
    frame_from_cube = np.empty((3, 4))
    slack = 4.0 * ROUNDING * objects.sizes[object_row] * unit + margin
    for row in range(3):
        linear = matrix[row, 0] * x + matrix[row, 1] * y + matrix[row, 2] * z
        frame_from_cube[row, 3] = (linear + (matrix[row, 3] - middle[row])) * unit
        for column in range(3):
            frame_from_cube[row, column] = matrix[row, column] / scale * unit
    stack = np.empty(DEEPEST, np.int32)
    stack[0] = 0
    waiting = 1
    corners = np.empty((64, 3, 3))
    bounds = np.empty((64, 6))
    count = 0
    while waiting > 0:
        waiting -= 1
        node = first_node + stack[waiting]
        boxes = trees.nodes[node]
        for child in range(WIDTH):
            if boxes[0, child] > boxes[3, child]:  # no such child
                continue
            reaches = True
            for row in range(3):
                along = frame_from_cube[row, 3]
                extent = slack
                for axis in range(3):
                    low, high = np.float64(boxes[axis, child]), np.float64(boxes[3 + axis, child])
                    along += frame_from_cube[row, axis] * (0.5 * (low + high))
                    extent += abs(frame_from_cube[row, axis]) * (0.5 * (high - low))
                reaches &= (along - extent <= region[1, row]) & (along + extent >= region[0, row])
            if not reaches:
                continue
            begin, length = trees.integers[node, FIRST, child], trees.integers[node, COUNT, child]
            if length == 0:
                stack[waiting] = begin
                waiting += 1
                continue
            for index in range(first_leaf + begin, first_leaf + begin + length):
                if count == len(corners):
                    corners = _longer(corners.reshape(-1, 9)).reshape(-1, 3, 3)
                    bounds = _longer(bounds)
                for corner in range(3):
                    vertex = first_vertex + trees.leaves[index, corner]
                    _to_frame(matrix, objects.positions, vertex, middle, unit, corners[count], corner)
                _enclose(corners, count, margin, bounds)
                count += 1
    return corners[:count], bounds[:count]


@borrowing_kernel
def _to_frame(
    matrix: np.ndarray, positions: np.ndarray, vertex: int, middle: np.ndarray, unit: float, out: np.ndarray, row: int
) -> None:
    """Bring a vertex to the frame.

    The offset to the middle is subtracted first, so that objects far from the origin lose no more digits.
    """
    x, y, z = positions[vertex, 0], positions[vertex, 1], positions[vertex, 2]
    for axis in range(3):
        linear = matrix[axis, 0] * x + matrix[axis, 1] * y + matrix[axis, 2] * z
        out[row, axis] = (linear + (matrix[axis, 3] - middle[axis])) * unit


@borrowing_kernel
def _enclose(corners: np.ndarray, index: int, margin: float, bounds: np.ndarray) -> None:
    """Write the box of a triangle, grown by a margin."""
    for axis in range(3):
        x, y, z = corners[index, 0, axis], corners[index, 1, axis], corners[index, 2, axis]
        bounds[index, axis], bounds[index, 3 + axis] = min(x, y, z) - margin, max(x, y, z) + margin


@kernel
def _longer(rows: np.ndarray) -> np.ndarray:
    """Copy rows to an array with twice as many."""
    longer = np.empty((2 * len(rows), rows.shape[1]))
    longer[: len(rows)] = rows
    return longer
