"""Rays at the spheres of a SpatialIndex, as its octree finds them for kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.octree.arguments import checked_ray
from octoscope.octree.queries.raycast import spheres_on_ray
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.spatial.index import SpatialIndex


def shown_on_ray(
    index: SpatialIndex, origin: ArrayLike, direction: ArrayLike, t_max: float = np.inf
) -> tuple[np.ndarray, np.ndarray]:
    """Return the shown nodes whose spheres a ray enters, nearest first, and where it does."""
    origin, direction = checked_ray(origin, direction, t_max)
    tree, center = index.ray_tree()
    ids, t = np.empty(tree.slot_count, dtype=np.int32), np.empty(tree.slot_count)
    count = spheres_on_ray(*tree, origin - center, direction, 0.0, float(t_max), ids, t)
    order = np.argsort(t[:count], kind="stable")
    order = order[index.nodes.layers[ids[order]] & SHOWN != 0]
    return ids[order], t[order]
