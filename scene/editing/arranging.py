"""Arrange objects: in line, in rows, around a point; each with everything below it."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import as_array, checked_numbers
from octoscope.guesses import advises
from octoscope.scene.editing.chosen import title, topmost
from octoscope.scene.editing.edits import Edit, EditError, combined
from octoscope.scene.editing.local_transforms import ignore_overflow, inverses, moved
from octoscope.scene.editing.structure import copied, cost_of_copies, require_room
from octoscope.scene.geometry.pyrr_transforms import rotation_about
from octoscope.scene.nodes.bounds import pivot_points, world_boxes, world_size
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.nodes.placing import parent_worlds
from octoscope.scene.scene import Scene

_GAP = 0.25  # in a grid, of the size of the largest object
_OF_TWO = 0.5  # of the box around two objects, that both their boxes fill
_MOST = 0.6  # of objects that count as all of them: parts of a kit for walls lie beside its origin


@advises()
@ignore_overflow
def align(
    scene: Scene,
    ids: ArrayLike,
    *,
    x: Literal["min", "centre", "max"] | None = None,
    y: Literal["min", "centre", "max"] | None = None,
    z: Literal["min", "centre", "max"] | None = None,
    to: ArrayLike | None = None,
) -> Edit:
    """Align the lower ends, the middles or the upper ends of objects' world boxes, along the axes given.

    Args:
        to: (2, 3) world box, to whose same end or middle they move; (3,) a world point; None: the box around all of
            them.
    """
    ids = topmost(scene, ids)
    boxes = world_boxes(scene, ids)
    if to is None:
        to = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    whole = checked_numbers(to, "to")
    if whole.shape not in ((3,), (2, 3)):
        raise ValueError(f"to must be of shape (3,) or (2, 3), not {whole.shape}")
    whole = np.broadcast_to(whole, (2, 3))
    offsets = np.zeros((len(ids), 3))
    for axis, side in enumerate((x, y, z)):
        if side is not None:
            offsets[:, axis] = _along(whole[None], axis, side) - _along(boxes, axis, side)
    return combined(scene, title(scene, "Align", ids), moved(scene, ids, offsets))


@advises()
@ignore_overflow
def distribute(
    scene: Scene, ids: ArrayLike, axis: Literal[0, 1, 2], *, by: Literal["gaps", "centres"] = "gaps"
) -> Edit:
    """Space objects evenly along a world axis; the first and the last stay where they are.

    Args:
        by: whether the gaps between their boxes become equal, or the distances of their boxes' middles. Gaps are
            negative, and equal, where there is not room for all.

    Raises:
        EditError: there are fewer than three.
    """
    ids = topmost(scene, ids)
    if len(ids) < 3:
        raise EditError("select three or more objects to space them evenly")
    boxes = world_boxes(scene, ids)
    centers = _along(boxes, axis, "centre")
    order = np.argsort(centers, kind="stable")
    lower, upper, centers = boxes[order, 0, axis], boxes[order, 1, axis], centers[order]
    if by == "centres":
        wanted = np.linspace(centers[0], centers[-1], len(ids))
        offset = wanted - centers
    else:
        sizes = upper - lower
        gap = (lower[-1] - upper[0] - sizes[1:-1].sum()) / (len(ids) - 1)
        begins = upper[0] + gap + np.concatenate([[0.0], np.cumsum(sizes[1:-1] + gap)])
        offset = np.concatenate([[0.0], begins - lower[1:]])
    offset[[0, -1]] = 0.0
    offsets = np.zeros((len(ids), 3))
    offsets[order, axis] = offset
    return combined(scene, title(scene, "Distribute", ids), moved(scene, ids, offsets))


@advises()
@ignore_overflow
def lay_out(scene: Scene, ids: ArrayLike) -> Edit:
    """Put objects side by side into a grid on the ground's plane, row by row in their order; heights stay.

    Each column is as wide, and each row as deep, as the largest of its objects, with gaps between them. The middle of
    the grid is that of the box around all of them, or it lies beside the box around the scene's other objects where it
    would reach into that.

    Raises:
        EditError: there are fewer than two.
    """
    ids = topmost(scene, ids)
    if len(ids) < 2:
        raise EditError("select two or more objects to lay them out")
    boxes = world_boxes(scene, ids)
    across, deep, backward = (0, 2, 1.0) if scene.up_axis == "y" else (0, 1, -1.0)  # rows follow towards the front
    sizes = boxes[:, 1] - boxes[:, 0]
    gap = _GAP * float(sizes[:, [across, deep]].max())
    count = math.ceil(math.sqrt(len(ids)))
    rows, columns = np.divmod(np.arange(len(ids)), count)
    offsets = np.zeros((len(ids), 3))
    for axis, lines, sign in ((across, columns, 1.0), (deep, rows, backward)):
        widths = np.zeros(lines.max() + 1)
        np.maximum.at(widths, lines, sizes[:, axis])
        ends = np.cumsum(widths + gap)
        middles = ends - gap - widths / 2.0 - (ends[-1] - gap) / 2.0
        whole = (boxes[:, 0, axis].min() + boxes[:, 1, axis].max()) / 2.0
        offsets[:, axis] = whole + sign * middles[lines] - _along(boxes, axis, "centre")
    others = scene.own_bounds(np.flatnonzero((owners(scene, ids) < 0) & scene.alive))
    if others is not None:
        after, plane = boxes + offsets[:, None], [across, deep]
        lower, upper = after[:, 0].min(axis=0), after[:, 1].max(axis=0)
        if ((lower - gap < others[1]) & (others[0] < upper + gap))[plane].all():
            offsets[:, across] += others[1][across] + gap - lower[across]
    return combined(scene, title(scene, "Lay out", ids), moved(scene, ids, offsets))


def lie_over_one_another(scene: Scene, ids: ArrayLike) -> bool:
    """Return whether most of several objects have one place on the ground, as the files of a kit have.

    Two have if their boxes have most in common.
    """
    boxes = world_boxes(scene, scene.checked_ids(ids))
    if len(boxes) < 2:
        return False
    if len(boxes) == 2:
        common = boxes[:, 1].min(axis=0) - boxes[:, 0].max(axis=0)
        around = boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
        shares = np.divide(common, around, out=np.ones(3), where=around > 0.0)
        return float(np.maximum(shares, 0.0).prod()) >= _OF_TWO
    plane = [axis for axis in range(3) if axis != "xyz".index(scene.up_axis)]
    flat = boxes[:, :, plane]
    middle = np.median(flat.mean(axis=1), axis=0)
    holds = ((flat[:, 0] <= middle) & (middle <= flat[:, 1])).all(axis=1)
    return float(holds.mean()) >= _MOST


@advises()
@ignore_overflow
def array(
    scene: Scene,
    ids: ArrayLike,
    counts: ArrayLike,
    offsets: ArrayLike,
    *,
    relative: bool = False,
    staggered: bool = False,
    copy_meshes: bool = False,
) -> Edit:
    """Add copies in a row or grid, and select them with the originals. Spacing counts the box around all originals.

    Args:
        counts: (m,), of objects along each direction with the originals, 1 or more; or one, for a row.
        offsets: (m, 3) world, from one object to the next along each direction; or (3,), for a row.
        relative: whether offsets are in sizes of the world box about all originals: 1 puts side against side.
        staggered: whether every second row is moved by half an offset along itself, as bricks and hexagons lie.

    Raises:
        EditError: a count below 1, or nothing to add; more than there is room for.
    """
    counts = np.atleast_1d(as_array(counts, "counts"))
    if counts.ndim != 1 or counts.dtype.kind not in "iu":
        raise ValueError("counts must be whole numbers, one for each direction")
    counts = counts.tolist()
    offsets = np.atleast_2d(checked_numbers(offsets, "offsets"))
    if offsets.shape != (len(counts), 3):
        raise ValueError(f"{len(counts)} offsets of 3 numbers needed, not an array {offsets.shape}")
    if min(counts) < 1:
        raise EditError("the number of objects must be 1 or more")
    count = math.prod(counts)
    if count < 2:
        raise EditError("the count includes the original: use 2 or more")
    ids = topmost(scene, ids)
    require_room(cost_of_copies(scene, ids, count - 1, copy_meshes=copy_meshes))
    if relative:
        offsets = offsets * world_size(scene, ids)
    steps = np.stack(np.unravel_index(np.arange(1, count), counts), axis=1).astype(np.float64)
    if staggered:
        row = next(axis for axis, length in enumerate(counts) if length > 1)
        steps[:, row] += 0.5 * (np.delete(steps, row, axis=1).sum(axis=1) % 2.0)
    matrices = np.tile(np.eye(4), (count - 1, 1, 1))
    matrices[:, :3, 3] = steps @ offsets
    return copied_in_world(scene, ids, matrices[:, None], copy_meshes=copy_meshes, selects_originals=True)


@advises()
@ignore_overflow
def radial_array(
    scene: Scene,
    ids: ArrayLike,
    count: int,
    *,
    center: ArrayLike = (0.0, 0.0, 0.0),
    axis: ArrayLike = (0.0, 1.0, 0.0),
    angle_rad: float = 2.0 * math.pi,
    turned: bool = True,
    copy_meshes: bool = False,
) -> Edit:
    """Add copies around a point, and select all with the originals: `count` for each of these.

    Args:
        count: how many, 2 or more.
        axis: (3,), world, of any length above 0.
        angle_rad: from the originals to where one more copy would stand: a full turn closes the ring.
        turned: whether copies are rotated too; else each keeps its rotation, and only its origin goes around.

    Raises:
        EditError: a count below 2, an axis without direction; more than there is room for.
    """
    axis, center = checked_numbers(axis, "axis"), checked_numbers(center, "center")
    if axis.shape != (3,) or center.shape != (3,):
        raise ValueError(f"axis and center must be three numbers each, not of shape {axis.shape} and {center.shape}")
    if not (np.isfinite(axis).all() and axis.any()):
        raise EditError("the axis needs a direction")
    if not (np.isfinite(center).all() and math.isfinite(angle_rad)):
        raise EditError("the center and the angle must be finite numbers")
    axis = axis / np.abs(axis).max()  # first, so that squares neither vanish nor overflow
    if count < 2:
        raise EditError("the number of objects must be 2 or more")
    ids = topmost(scene, ids)
    require_room(cost_of_copies(scene, ids, count - 1, copy_meshes=copy_meshes))
    turns = rotation_about(axis, np.arange(1, count) * (angle_rad / count))
    if turned:
        matrices = np.tile(np.eye(4), (count - 1, 1, 1, 1))
        matrices[:, 0, :3, :3] = turns
        matrices[:, 0, :3, 3] = center - turns @ center
    else:
        points = pivot_points(scene, ids)
        matrices = np.tile(np.eye(4), (count - 1, len(ids), 1, 1))
        matrices[:, :, :3, 3] = (points - center) @ turns.transpose(0, 2, 1) + center - points
    return copied_in_world(scene, ids, matrices, copy_meshes=copy_meshes, selects_originals=True)


def _along(boxes: np.ndarray, axis: int, which: str) -> np.ndarray:
    """Return the lower ends, middles or upper ends of boxes along an axis."""
    lower, upper = boxes[:, 0, axis], boxes[:, 1, axis]
    return {"min": lower, "centre": lower / 2.0 + upper / 2.0, "max": upper}[which]


def copied_in_world(
    scene: Scene, ids: np.ndarray, matrices: np.ndarray, *, copy_meshes: bool, selects_originals: bool = False
) -> Edit:
    """Copy topmost nodes, through each of (c, k, 4, 4) world matrices, or (c, 1, 4, 4) for all nodes; select copies."""
    if not np.isfinite(matrices).all():
        raise EditError("finite numbers needed")
    worlds = parent_worlds(scene, scene.parents[ids])
    local = inverses(worlds) @ matrices @ worlds
    still = (matrices[..., :3, :3] == np.eye(3)).all(axis=(2, 3))
    local[np.broadcast_to(still, local.shape[:2]), :3, :3] = np.eye(3)  # exactly: rounding must not rotate them
    edit = copied(scene, ids, local, copy_meshes=copy_meshes)
    assert edit.selects is not None
    selects = [*ids, *edit.selects] if selects_originals else edit.selects
    return combined(scene, title(scene, "Array of", ids), edit, selects=selects)
