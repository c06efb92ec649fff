"""Find how far objects can fall: a tree of boxes finds candidates below, their triangles decide."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.drop.box_tree import box_tree_of
from octoscope.scene.drop.fall import FallingObjects, find_drops
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.nodes.hierarchy import marks_of_nodes
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.overlap.region_query import objects_of
from octoscope.scene.scene import Scene
from octoscope.scene.spatial.fitting import indexable
from octoscope.scene.system.processes import processor_count

_TOLERANCE = 1e-6  # of an object's size
_ROUNDING = 1e-12  # of its coordinates
# A tree pays for itself for a mesh of so many triangles below so many objects.
_TREE_TRIANGLES = 2000
_TREE_FALLS = 32
_PORTION = 64  # groups that a thread takes at a time


class DropDistances(NamedTuple):
    """The distances that k groups can fall."""

    distances: np.ndarray  # (k,) float64 world, 0 or more; inf where nothing lies below
    blocked: np.ndarray  # (k,) bool: those that reach into what they would fall onto; their distance is 0


def drop_distances(
    scene: Scene, groups: np.ndarray, boxes: np.ndarray, *, among: ArrayLike | None = None
) -> DropDistances:
    """Compute how far groups of nodes fall, against the up axis, until a triangle of theirs touches one of others.

    Exact within rounding, for any triangles: a peak under the middle of a face and edges that cross are found as
    corners are. Everything that is shown and has triangles is in the way. Lines and points hold nothing up, but land
    themselves, a line by its edge. Some room is left for rounding: a group counts as thinner by a millionth of its size
    as seen from above, so that neighbours side against side do not hold each other, and heights of a millionth of its
    size count as zero. An edge that comes down exactly on a parallel edge slips past it.

    Args:
        groups: (row_count,) int32: for each node the group that it falls with, or -1.
        boxes: (k, 2, 3) float64: exact world boxes of the groups.
        among: (row_count,) bool: what may lie in the way; None: all that is shown.
    """
    # The kernels know no other direction than -y: they get the world with its axes in another order. A cyclic one is a
    # rotation, and exact.
    order = {"y": (0, 1, 2), "z": (1, 2, 0)}[scene.up_axis]
    boxes = boxes.take(order, axis=2)
    count = len(boxes)
    falls = DropDistances(np.full(count, np.inf), np.zeros(count, dtype=np.bool_))
    parts = np.flatnonzero((groups >= 0) & (scene.mesh_ids >= 0))
    parts = parts[np.isfinite(scene.world_spheres[parts]).all(axis=1)]
    parts = parts[np.argsort(groups[parts], kind="stable")]
    others = _in_the_way(scene, groups, boxes, order, among)
    if len(others) == 0:
        return falls
    objects = objects_of(scene, np.concatenate([others, parts]))
    objects = objects._replace(
        world_from_local=objects.world_from_local.take((*order, 3), axis=1), boxes=objects.boxes.take(order, axis=2)
    )
    falling = FallingObjects(
        boxes,
        np.maximum(_TOLERANCE * np.ptp(boxes, axis=1).max(axis=1), _ROUNDING * np.abs(boxes).max(axis=(1, 2))),
        _firsts(groups[parts], count),
        np.arange(len(others), len(others) + len(parts)),
        *_loose_parts(scene, groups[parts], parts, boxes, order),
        box_tree_of(objects.boxes[: len(others)]),
    )
    trees = scene.rays.trees_of(_meshes_for_trees(scene, others, boxes, order))
    find_drops(objects, trees, falling, 0, 0, *falls)  # compiled before there are several threads
    with ThreadPoolExecutor(processor_count(), thread_name_prefix="falls") as pool:
        for finished in [
            pool.submit(find_drops, objects, trees, falling, first, min(first + _PORTION, count), *falls)
            for first in range(0, count, _PORTION)
        ]:
            finished.result()
    return falls


def _in_the_way(
    scene: Scene, groups: np.ndarray, boxes: np.ndarray, order: tuple[int, ...], among: ArrayLike | None
) -> np.ndarray:
    """Find the nodes with triangles that may lie below one of the groups: (n,) ids.

    `boxes` have the world's axes in this order, the up axis second; so in the functions below.
    """
    rows = scene.meshes.rows
    counts = (groups < 0) & (scene.mesh_ids >= 0) & (scene.layers & SHOWN != 0)
    if among is not None:
        counts &= marks_of_nodes(scene, among)
    ids = np.flatnonzero(counts)
    spheres = scene.world_spheres[ids].take((*order, 3), axis=1)
    radii = spheres[:, 3]
    lower, upper = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    near = indexable(spheres) & (rows["triangle_count"][scene.mesh_ids[ids]] > 0) & (spheres[:, 1] - radii <= upper[1])
    for axis in (0, 2):
        near &= (spheres[:, axis] + radii >= lower[axis]) & (spheres[:, axis] - radii <= upper[axis])
    return ids[near]


def _meshes_for_trees(scene: Scene, others: np.ndarray, boxes: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """Find large meshes that many groups may fall onto, by the box about all nodes that show one: (m,) int64 ids."""
    mesh = scene.mesh_ids[others]
    large = np.flatnonzero(scene.meshes.rows["triangle_count"][mesh] >= _TREE_TRIANGLES)
    meshes, which = np.unique(mesh[large], return_inverse=True)
    spheres = scene.world_spheres[others[large]].take((*order, 3), axis=1)
    lower, upper = np.full((len(meshes), 3), np.inf), np.full((len(meshes), 3), -np.inf)
    np.minimum.at(lower, which, spheres[:, :3] - spheres[:, 3:])
    np.maximum.at(upper, which, spheres[:, :3] + spheres[:, 3:])
    falls = [
        np.count_nonzero(((boxes[:, 1] >= low) & (boxes[:, 0] <= high))[:, (0, 2)].all(axis=1))
        for low, high in zip(lower, upper, strict=True)
    ]
    return meshes[np.array(falls, dtype=np.int64) >= _TREE_FALLS]


def _loose_parts(
    scene: Scene, group_of_part: np.ndarray, parts: np.ndarray, boxes: np.ndarray, order: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Return points and lines of groups, and a point for each group without a mesh, as in FallingObjects."""
    rows, mesh = scene.meshes.rows, scene.mesh_ids[parts]
    counts = rows["line_count"][mesh]
    lines = scene.meshes.lines["ends"][ranges(rows["first_line"][mesh], counts)]
    line_parts = np.repeat(np.arange(len(parts)), counts)
    counts = rows["point_count"][mesh]
    points = scene.meshes.points["vertex"][ranges(rows["first_point"][mesh], counts)]
    point_parts = np.repeat(np.arange(len(parts)), counts)
    of = np.concatenate([line_parts, point_parts])
    vertices = np.concatenate([lines[:, [0, 1, 1]], np.repeat(points[:, None], 3, axis=1)])
    vertices = vertices + rows["first_vertex"][mesh[of]][:, None]
    matrices = scene.world_from_local[parts[of]]
    corners = scene.meshes.vertices["position"][vertices] @ matrices[:, :3, :3].transpose(0, 2, 1)
    corners += matrices[:, None, :3, 3]
    corners = corners.take(order, axis=2)
    empty = np.setdiff1d(np.arange(len(boxes)), group_of_part)
    corners = np.concatenate([corners, np.repeat(boxes[empty, :1], 3, axis=1)])
    owners = np.concatenate([group_of_part[of], empty])
    return _firsts(np.sort(owners), len(boxes)), corners[np.argsort(owners, kind="stable")]


def _firsts(ascending: np.ndarray, count: int) -> np.ndarray:
    """Find where each of 0 to count - 1 begins among ascending integers: (count + 1,) int64."""
    return np.searchsorted(ascending, np.arange(count + 1)).astype(np.int64)
