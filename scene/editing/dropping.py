"""Letting objects fall: on the ground, or onto what lies below them; each with all that hangs below it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scene.drop.search import fall_distances
from scene.editing.chosen import title, topmost
from scene.editing.edits import Edit, EditError, combined
from scene.editing.placement import moved, quietly
from scene.nodes.bounds import world_boxes
from scene.nodes.hierarchy import owners
from scene.scene import Scene
from scene.spatial.index import indexable


@quietly
def drop_to_ground(scene: Scene, ids: ArrayLike, *, height: float = 0.0) -> Edit:
    """Let objects stand on the ground: the lowest point of each comes to that height (world y)."""
    ids = topmost(scene, ids)
    return _fallen(scene, ids, world_boxes(scene, ids)[:, 0, 1] - height)


@quietly
def drop(
    scene: Scene, ids: ArrayLike, *, as_one: bool = False, height: float = 0.0, among: np.ndarray | None = None
) -> Edit:
    """Let objects fall along -y until they touch what lies below them; the ground is there where nothing else is.

    What is chosen does not count, nor what hangs below it; the others do where they are shown and have triangles. How
    exact it is: as `scene.drop.search.fall_distances`. What reaches into something already stays, and a note says
    so. What lies lower than the ground with nothing below it comes up to it.

    Args:
        as_one: all fall as far as the first of them can, and keep their places to each other; else each by itself.
        height: of the ground (world y).
        among: (row_count,) bool: what may lie in the way; None: all that is shown.
    """
    ids = topmost(scene, ids)
    boxes = world_boxes(scene, ids)
    if not indexable(boxes.reshape(-1, 6)).all():
        raise EditError("too far away or too large to find what lies below")
    distances, held = fall_distances(scene, owners(scene, ids), boxes, among=among)
    to_ground = boxes[:, 0, 1] - height
    if as_one:
        distances = np.full(len(ids), distances.min() if np.isfinite(distances).any() else to_ground.min())
    distances = np.where(np.isfinite(distances), distances, to_ground)
    edit = _fallen(scene, ids, distances)
    if not held.any():
        return edit
    count = int(held.sum())
    which = "an object overlaps" if count == 1 else f"{count:,} objects overlap"
    stay = "all stay in place" if as_one and len(ids) > 1 else "stays in place" if count == 1 else "stay in place"
    return Edit(edit.label, edit.changes, edit.selects, (f"{which} what lies below, and {stay}",))


def _fallen(scene: Scene, ids: np.ndarray, distances: np.ndarray) -> Edit:
    offsets = np.zeros((len(ids), 3))
    offsets[:, 1] = -distances
    return combined(title(scene, "Drop", ids), moved(scene, ids, offsets))
