"""Drop objects to the ground, or onto what lies below them; each with everything below it in the tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.conventions.up_axis import up_index
from octoscope.scene.drop.search import drop_distances
from octoscope.scene.editing.chosen import title, topmost
from octoscope.scene.editing.edits import Edit, EditError, combined
from octoscope.scene.editing.local_transforms import ignore_overflow, moved
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.scene import Scene
from octoscope.scene.spatial.fitting import indexable


@advises()
@ignore_overflow
def drop_to_ground(scene: Scene, ids: ArrayLike, *, height: float = 0.0) -> Edit:
    """Move objects along the up axis until the lowest point of each is at a height."""
    ids = topmost(scene, ids)
    return _fallen(scene, ids, world_boxes(scene, ids)[:, 0, up_index(scene.up_axis)] - height)


@advises()
@ignore_overflow
def drop(
    scene: Scene, ids: ArrayLike, *, as_one: bool = False, height: float = 0.0, among: ArrayLike | None = None
) -> Edit:
    """Drop objects against the up axis until they touch what lies below them, or else the ground.

    The chosen nodes and everything below them in the tree are not in each other's way; all others are where they are
    shown and have triangles. For exactness see `scene.drop.search.drop_distances`. An object that already reaches into
    another stays, and a note says so. An object below the ground with nothing below it comes up to the ground.

    Args:
        scene: with its world up to date.
        as_one: whether all fall as far as the first of them can, and keep their arrangement; else each by itself.
        height: of the ground, along the up axis.
        among: the nodes that may lie in the way, and everything below them, or (row_count,) bool by node id; None: all
            that is shown.

    Raises:
        EditError: an object is too far away or too large.
    """
    ids = topmost(scene, ids)
    boxes = world_boxes(scene, ids)
    if not indexable(boxes.reshape(-1, 6)).all():
        raise EditError("too far away or too large to find what lies below")
    distances, blocked = drop_distances(scene, owners(scene, ids), boxes, among=among)
    to_ground = boxes[:, 0, up_index(scene.up_axis)] - height
    if as_one:
        distances = np.full(len(ids), distances.min() if np.isfinite(distances).any() else to_ground.min())
    distances = np.where(np.isfinite(distances), distances, to_ground)
    edit = _fallen(scene, ids, distances)
    if not blocked.any():
        return edit
    count = int(blocked.sum())
    which = "an object overlaps" if count == 1 else f"{count:,} objects overlap"
    stay = "all stay in place" if as_one and len(ids) > 1 else "stays in place" if count == 1 else "stay in place"
    return replace(edit, notes=(f"{which} what lies below, and {stay}",))


def _fallen(scene: Scene, ids: np.ndarray, distances: np.ndarray) -> Edit:
    offsets = np.zeros((len(ids), 3))
    offsets[:, up_index(scene.up_axis)] = -distances
    return combined(scene, title(scene, "Drop", ids), moved(scene, ids, offsets))
