"""The objects of a file in the world that a scene makes of it."""

from __future__ import annotations

import numpy as np

from octoscope.scene import FileContent, Scene
from octoscope.scene.bake import baked


def world_bounds(content: FileContent, *, up_axis: str = "y") -> dict[str, tuple[list[float], list[float]]]:
    """Return the lower and upper corner of each object, by the names of the nodes above it and its own."""
    scene = Scene(up_axis=up_axis)
    scene.add_content(content, None)
    scene.update_world()
    bounds = {}
    for number in np.flatnonzero(scene.mesh_ids >= 0).tolist():
        names, above = [], number
        while above > 0:  # the first node is the file's
            names.insert(0, str(scene.names[above]))
            above = int(scene.parents[above])
        corners = baked(scene, np.array([number])).positions
        path = "/".join(names)
        assert path not in bounds
        bounds[path] = tuple((corner.round(5) + 0.0).tolist() for corner in (corners.min(axis=0), corners.max(axis=0)))
    return bounds
