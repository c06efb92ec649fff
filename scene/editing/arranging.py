"""Putting objects in order: in line, in rows, around a point, on the ground; each with all that hangs below it."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from scene.editing.boxes import world_boxes
from scene.editing.hierarchy import title, topmost
from scene.editing.placement import inverses, moved, parent_worlds
from scene.editing.structure import copied
from scene.edits import Edit, EditError, together
from scene.scene import Scene

_MOST_COPIES = 10**6


def align(
    scene: Scene,
    ids: ArrayLike,
    *,
    x: Literal["min", "centre", "max"] | None = None,
    y: Literal["min", "centre", "max"] | None = None,
    z: Literal["min", "centre", "max"] | None = None,
) -> Edit:
    """Bring the lower ends, the middles or the upper ends of objects' world boxes in line, along the axes given.

    They go to where that of the box about all of them is.
    """
    scene.refresh_world()
    ids = topmost(scene, ids)
    boxes = world_boxes(scene, ids)
    whole = np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    offsets = np.zeros((len(ids), 3))
    for axis, to in enumerate((x, y, z)):
        if to is not None:
            offsets[:, axis] = _along(whole[None], axis, to) - _along(boxes, axis, to)
    return together(title(scene, "Align", ids), moved(scene, ids, offsets))


def distribute(scene: Scene, ids: ArrayLike, axis: int, *, by: Literal["gaps", "centres"] = "gaps") -> Edit:
    """Space objects evenly along a world axis (0, 1 or 2); the first and the last stay where they are.

    Args:
        by: whether the gaps between their boxes become equal, or the distances of their boxes' middles. Gaps are
            negative, and equal, where there is not room for all.

    Raises:
        EditError: there are fewer than three.
    """
    scene.refresh_world()
    ids = topmost(scene, ids)
    if len(ids) < 3:
        raise EditError("three objects or more are needed to space them evenly")
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
    return together(title(scene, "Distribute", ids), moved(scene, ids, offsets))


def array(scene: Scene, ids: ArrayLike, count: int, offset: ArrayLike) -> Edit:
    """Add copies in a row, as instances: `count` in all with the originals, each a world offset (3,) from the last."""
    steps = np.arange(1, _copies(count))[:, None] * np.asarray(offset, dtype=np.float64)
    matrices = np.tile(np.eye(4), (count - 1, 1, 1))
    matrices[:, :3, 3] = steps
    return _in_world(scene, ids, matrices)


def radial_array(
    scene: Scene,
    ids: ArrayLike,
    count: int,
    *,
    center: ArrayLike = (0.0, 0.0, 0.0),
    axis: ArrayLike = (0.0, 1.0, 0.0),
    angle_rad: float = 2.0 * math.pi,
) -> Edit:
    """Add copies around a point, turned with it, as instances: `count` in all with the originals.

    Args:
        center, axis: (3,), world; the axis of any length above 0.
        angle_rad: from the originals to where one more copy would stand: a full turn closes the ring.
    """
    axis = np.asarray(axis, dtype=np.float64)
    center = np.asarray(center, dtype=np.float64)
    if not (np.isfinite(axis).all() and axis.any()):
        raise EditError("an axis needs a direction")
    if not (np.isfinite(center).all() and math.isfinite(angle_rad)):
        raise EditError("finite numbers needed")
    axis = axis / np.abs(axis).max()  # first, so that squares neither vanish nor overflow
    x, y, z = axis / np.linalg.norm(axis)
    across = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    angles = np.arange(1, _copies(count))[:, None, None] * (angle_rad / count)
    matrices = np.tile(np.eye(4), (count - 1, 1, 1))
    # Rodrigues' formula.
    matrices[:, :3, :3] += np.sin(angles) * across + (1.0 - np.cos(angles)) * (across @ across)
    matrices[:, :3, 3] = center - matrices[:, :3, :3] @ center
    return _in_world(scene, ids, matrices)


def drop_to_ground(scene: Scene, ids: ArrayLike, *, height: float = 0.0) -> Edit:
    """Let objects stand on the ground: the lowest point of each comes to that height (world y)."""
    scene.refresh_world()
    ids = topmost(scene, ids)
    offsets = np.zeros((len(ids), 3))
    offsets[:, 1] = height - world_boxes(scene, ids)[:, 0, 1]
    return together(title(scene, "Drop", ids), moved(scene, ids, offsets))


def _along(boxes: np.ndarray, axis: int, which: str) -> np.ndarray:
    lower, upper = boxes[:, 0, axis], boxes[:, 1, axis]
    return {"min": lower, "centre": lower / 2.0 + upper / 2.0, "max": upper}[which]


def _copies(count: int) -> int:
    if not 2 <= count <= _MOST_COPIES:
        raise EditError(f"a number of objects from 2 to {_MOST_COPIES:,} needed")
    return count


def _in_world(scene: Scene, ids: ArrayLike, matrices: np.ndarray) -> Edit:
    """Copies, one through each of (c, 4, 4) world matrices."""
    if not np.isfinite(matrices).all():
        raise EditError("finite numbers needed")
    scene.refresh_world()
    ids = topmost(scene, ids)
    worlds = parent_worlds(scene, scene.parents[ids])
    local = inverses(worlds)[None] @ matrices[:, None] @ worlds[None]
    still = (matrices[:, :3, :3] == np.eye(3)).all(axis=(1, 2))
    local[still, :, :3, :3] = np.eye(3)  # not even turned by rounding
    return together(title(scene, "Array of", ids), copied(scene, ids, local))
