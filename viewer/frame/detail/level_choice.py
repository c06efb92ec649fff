"""Choose the detail level of each object in a picture."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

LEVELS = 6
# Framebuffer pixels, in pictures that move: refined ones show all as it is. With a whole pixel the walls of houses two
# pixels high are seen in place of their roofs, and a city has another colour.
MOST_OFF_PX = 0.75


@kernel
def choose_levels(
    mesh_ids: np.ndarray, radii_px: np.ndarray, counts: np.ndarray, errors: np.ndarray, chosen: np.ndarray
) -> None:
    """Write each object's coarsest level that is off by MOST_OFF_PX at most; objects that have none are passed over.

    Args:
        mesh_ids: (k,) of the objects.
        radii_px: (k,) float32 how large the objects are drawn.
        counts: (m * LEVELS,) triangles of the meshes' levels, as DetailLevels.rows.
        errors: (m * LEVELS,) float32 of the levels, as DetailLevels.rows.
        chosen: (k,) int64, written: rows of the levels.
    """
    for i in range(len(mesh_ids)):
        first = mesh_ids[i] * LEVELS
        if first < len(counts):
            for row in range(first, first + LEVELS):
                if counts[row] > 0 and errors[row] * radii_px[i] <= MOST_OFF_PX:
                    chosen[i] = row
