"""Copies of objects along a path, and at random points of a surface."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import checked_numbers
from octoscope.guesses import advises
from octoscope.scene.bake import transformed
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.editing.arranging import copied_in_world
from octoscope.scene.editing.chosen import checked_nodes, title, topmost
from octoscope.scene.editing.edits import Edit, EditError, combined
from octoscope.scene.editing.local_transforms import ignore_overflow
from octoscope.scene.editing.structure import CopyCost, cost_of_copies, require_room
from octoscope.scene.geometry.affine import smallest_turns
from octoscope.scene.geometry.pyrr_transforms import normalized, rotation_about
from octoscope.scene.mending.welding import welded
from octoscope.scene.nodes.bounds import pivot_points, world_boxes
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.scene import Scene, all_or_nothing

_TRIES = 20  # random points for each copy, of which those are taken that keep their distance
_MOST_TRIES = 10**6


def path_through(scene: Scene, ids: ArrayLike) -> np.ndarray:
    """Return the points of a path, (p, 3) world: `pivot_points` of nodes in their order, or the lines of a single one.

    Of lines, those count that begin where the one before ends.
    """
    ids = checked_nodes(scene, ids)
    if len(ids) != 1 or scene.mesh_ids[ids[0]] < 0:
        return pivot_points(scene, ids)
    batch = transformed(scene.meshes, scene.mesh_ids[ids], scene.world_from_local[ids])
    ends = batch.rows_of("line")
    if len(ends) == 0:
        return pivot_points(scene, ids)
    starts, stops = batch.positions[ends[:, 0]], batch.positions[ends[:, 1]]
    breaks = np.flatnonzero((stops[:-1] != starts[1:]).any(axis=1))
    count = breaks[0] + 1 if len(breaks) else len(ends)
    return np.concatenate([starts[:1], stops[:count]])


@advises()
@ignore_overflow
def array_along(
    scene: Scene,
    ids: ArrayLike,
    points: ArrayLike,
    count: int,
    *,
    closed: bool = False,
    turned: bool = True,
    copy_meshes: bool = False,
) -> Edit:
    """Add copies at equal distances along a line through points, and select them; the originals stay where they are.

    The first node's origin comes to lie on the line, or the middle of its box if the origin lies outside of that.

    Args:
        points: (p, 3) world, two or more.
        count: of copies, 1 or more. The first stands at the first point, and the last one at the last.
        closed: whether the line leads back to the first point, where the last copy then does not stand.
        turned: whether copies are turned about the scene's up axis as the world's X axis would be to lead along the
            line.

    Raises:
        EditError: a count below 1, or points that are all in one place; more than there is room for.
    """
    points = checked_numbers(points, "points")
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"points must be (p, 3), not of shape {points.shape}")
    if count < 1:
        raise EditError("the number of copies must be 1 or more")
    ids = topmost(scene, ids)
    require_room(cost_of_copies(scene, ids, count, copy_meshes=copy_meshes))
    if closed:
        points = np.concatenate([points, points[:1]])
    ways = np.diff(points, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    starts, ways, lengths = (rows[lengths > 0.0] for rows in (points[:-1], ways, lengths))
    if len(lengths) == 0 or not np.isfinite(lengths).all():
        raise EditError("a path needs two points that are not in the same place")
    distances = np.linspace(0.0, lengths.sum(), count, endpoint=not closed)
    ends = np.cumsum(lengths)
    part = np.minimum(np.searchsorted(ends, distances, side="right"), len(ends) - 1)
    share = (distances - (ends - lengths)[part]) / lengths[part]
    places = starts[part] + share[:, None] * ways[part]
    matrices = np.tile(np.eye(4), (count, 1, 1, 1))
    if turned:
        matrices[:, 0, :3, :3] = rotation_about(up_vector(scene.up_axis), _headings(scene, ways[part]))
    anchor = pivot_points(scene, ids[:1])[0]
    matrices[:, 0, :3, 3] = places - matrices[:, 0, :3, :3] @ anchor
    edit = copied_in_world(scene, ids, matrices, copy_meshes=copy_meshes)
    return combined(scene, title(scene, "Array along path of", ids), edit)


@advises()
@all_or_nothing
@ignore_overflow
def scatter(
    scene: Scene,
    ids: ArrayLike,
    surface: ArrayLike,
    count: int,
    *,
    seed: int = 0,
    aligned: bool = False,
    turned: bool = True,
    least_distance: float = 0.0,
    copy_meshes: bool = False,
) -> Edit:
    """Add copies at random points of a surface, evenly spread over its area, and select them; each is of one node.

    A copy stands on the middle of the lower side of its box.

    Args:
        surface: a node or its id; faces of all below it count, too.
        count: of copies in all, 1 or more.
        seed: 0 or more; another one makes other points.
        aligned: whether the up axis of copies follows the surface's normal.
        turned: whether each is turned about that axis at random.
        least_distance: world units between two copies' points; where there is no room for all, there are fewer.

    Raises:
        EditError: no faces; a count below 1; more than there is room for.
    """
    ids, surface = topmost(scene, ids), checked_nodes(scene, np.atleast_1d(scene.checked_ids(surface)))
    if count < 1:
        raise EditError("the number of copies must be 1 or more")
    if seed < 0:
        raise EditError("the seed must be 0 or more")
    if not 0.0 <= least_distance < math.inf:
        raise EditError("the least distance must be 0 or more")
    random = np.random.default_rng(seed)
    tries = min(_TRIES * count, _MOST_TRIES + count) if least_distance > 0.0 else count
    points, normals = _random_points(scene, surface, tries, random)
    notes = []
    if least_distance > 0.0:
        # A point stays if no earlier one that stays lies nearer: those that stand for themselves in a weld.
        own = welded(np.array([tries]), points, least_distance) == np.arange(tries)
        points, normals = points[own][:count], normals[own][:count]
        if len(points) < count:
            notes = [f"at this distance there was room for {len(points):,} of {count:,}"]
            count = len(points)
    kinds = random.permutation(np.arange(count) % len(ids))
    counts = np.bincount(kinds, minlength=len(ids))
    costs = [cost_of_copies(scene, ids[[i]], int(n), copy_meshes=copy_meshes) for i, n in enumerate(counts)]
    require_room(CopyCost(*np.sum(costs, axis=0).tolist()))
    up = up_vector(scene.up_axis)
    turns = smallest_turns(up, normals) if aligned else np.tile(np.eye(3), (count, 1, 1))
    if turned:
        turns = turns @ rotation_about(up, random.uniform(0.0, math.tau, count))
    boxes = world_boxes(scene, ids)
    feet = np.where(up > 0.0, boxes[:, 0], boxes.mean(axis=1))[kinds]
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3, :3] = turns
    matrices[:, :3, 3] = points - (turns @ feet[:, :, None])[:, :, 0]
    edits = [
        copied_in_world(scene, ids[[kind]], matrices[kinds == kind][:, None], copy_meshes=copy_meshes)
        for kind in np.flatnonzero(counts)
    ]
    selects = np.concatenate([edit.selects for edit in edits if edit.selects is not None])
    return combined(scene, title(scene, "Scatter", ids), *edits, selects=selects, notes=notes)


def _random_points(
    scene: Scene, surface: np.ndarray, count: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return (count, 3) points on the faces of nodes and all below them, and the (count, 3) unit normals there."""
    nodes = with_all_below(scene, surface)
    nodes = nodes[scene.mesh_ids[nodes] >= 0]
    batch = transformed(scene.meshes, scene.mesh_ids[nodes], scene.world_from_local[nodes])
    corners = batch.positions[batch.rows_of("triangle")]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(first, second)
    areas = np.cumsum(np.linalg.norm(normals, axis=1))
    if len(areas) == 0 or not 0.0 < areas[-1] < np.inf:
        raise EditError("the active object has no faces to put copies on")
    chosen = np.searchsorted(areas, random.uniform(0.0, areas[-1], count), side="right")
    chosen = np.minimum(chosen, len(areas) - 1)
    across = random.uniform(size=(count, 2))
    # What lies in the parallelogram's other half is turned into the triangle.
    across = np.where(across.sum(axis=1, keepdims=True) > 1.0, 1.0 - across, across)
    points = corners[chosen, 0] + across[:, :1] * first[chosen] + across[:, 1:] * second[chosen]
    return points, normalized(normals[chosen])


def _headings(scene: Scene, ways: np.ndarray) -> np.ndarray:
    """Return the angles about the up axis, (k,) in radians, that turn the world's X axis along (k, 3) ways."""
    left = -ways[:, 2] if scene.up_axis == "y" else ways[:, 1]
    return np.arctan2(left, ways[:, 0])
