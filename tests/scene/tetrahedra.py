"""A small scene as a script makes it."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Scene

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def tetrahedra() -> Scene:
    """Return a scene: group > (first, second, which share a mesh); alone."""
    scene = Scene()
    group = scene.add_node("group", translation=(10, 0, 0))
    first = scene.add_mesh("first", CORNERS, FACES, parent=group)
    scene.add_node("second", mesh=first.mesh_id, parent=group, translation=(0, 5, 0))
    scene.add_mesh("alone", CORNERS, FACES, color="#ff8000")
    return scene
