"""Back-face culling: which objects in view hide all of their back faces themselves, so that these need not be drawn.

They are those whose mesh is closed and faces outward, seen from outside: whatever pixel one of their back faces covers,
a front face covers it, too, and is nearer. Files disagree about winding, so all others are drawn from both
sides.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.mesh.facing import face_outward

if TYPE_CHECKING:
    from octoscope.scene import Scene

_AT_ONCE = 500_000  # triangles that are looked at for one list, of one mesh if it has more: about 90 ms
_MOST_TRIANGLES = 4_000_000  # of a mesh: larger ones, such as scans, are seldom closed, and would hold up a picture
# Times that meshes which face outward may follow others in the pool, and the other way round: draws are divided there,
# and without multi-draw indirect each is a call.
_MOST_CHANGES = 1_000


class OutwardMeshes:
    """The meshes of a scene that face outward; those of a large scene are found in the course of several pictures."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._meshes = weakref.ref(scene.meshes)  # one that tiles have left must not stay in memory
        self._known = np.empty(0, dtype=bool)  # by mesh id
        self._shown = self._known  # the same, of as many meshes as the pool has

    def update(self) -> None:
        """Look at more meshes, if there are some that have not been looked at."""
        meshes = self._scene.meshes
        if meshes is not self._meshes():  # the scene has another pool since
            self._meshes, self._known = weakref.ref(meshes), np.empty(0, dtype=bool)
        done, count = len(self._known), len(meshes)
        if done == count == len(self._shown):
            return
        rows = meshes.rows
        if done < count:
            counts = rows["triangle_count"][done:] * (rows["triangle_count"][done:] <= _MOST_TRIANGLES)
            counts = counts[: max(1, int(np.searchsorted(np.cumsum(counts), _AT_ONCE, side="right")))]
            new = slice(done, done + len(counts))
            found = face_outward(
                rows["first_vertex"][new],
                rows["vertex_count"][new] * (counts > 0),
                rows["first_triangle"][new],
                counts,
                rows["sphere"][new, :3],
                meshes.vertices["position"],
                meshes.triangles["corners"],
            )
            self._known = np.concatenate([self._known, found])
        self._shown = np.zeros(count, dtype=bool)
        if np.count_nonzero(np.diff(self._known)) <= _MOST_CHANGES:
            self._shown[: len(self._known)] = self._known

    def hide_backs(self, nodes: np.ndarray, position: np.ndarray, clip_from_relative: np.ndarray) -> np.ndarray:
        """Return (k,) bool: which nodes hide their back faces from a camera.

        Args:
            nodes: (k,) int32, with a mesh each.
            position: (3,) float64 of the camera, world.
            clip_from_relative: (4, 4), with reversed depth.
        """
        hides = np.zeros(len(nodes), dtype=bool)
        if self._shown.any():
            scene = self._scene
            plane = clip_from_relative[3].astype(np.float64) - clip_from_relative[2]  # the near one, facing away
            plane /= np.linalg.norm(plane[:3])
            _mark_hiding(
                nodes,
                scene.mesh_ids,
                self._shown,
                scene.world_from_local,
                scene.world_spheres,
                position,
                plane,
                hides,
            )
        return hides


@kernel
def _mark_hiding(
    nodes: np.ndarray,
    mesh_ids: np.ndarray,
    is_outward: np.ndarray,
    world_from_local: np.ndarray,
    spheres: np.ndarray,
    position: np.ndarray,
    plane: np.ndarray,
    hides: np.ndarray,
) -> None:
    """Mark the nodes whose back faces are hidden.

    Args:
        is_outward: (m,) bool by mesh.
        position: (3,) of the camera, world.
        plane: (4,) near plane relative to that, of unit length.
        hides: (k,) bool, all false.
    """
    for i in range(len(nodes)):
        node = nodes[i]
        if not is_outward[mesh_ids[node]]:
            continue
        distance = plane[3]
        for axis in range(3):
            distance += plane[axis] * (spheres[node, axis] - position[axis])
        m = world_from_local[node]
        volume = m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
        volume += m[0, 1] * (m[1, 2] * m[2, 0] - m[1, 0] * m[2, 2])
        volume += m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        hides[i] = volume > 0.0 and distance > spheres[node, 3]  # not mirrored
