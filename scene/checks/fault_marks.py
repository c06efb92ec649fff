"""Edges and faces of one fault of a node, to be drawn."""

from __future__ import annotations

import numpy as np

from octoscope.scene.checks.mesh_check import EDGE_KINDS, FACE_KINDS
from octoscope.scene.checks.triangle_defects import triangle_defects
from octoscope.scene.mesh.manifold import edge_defects
from octoscope.scene.scene import Scene


def fault_segments(scene: Scene, node: int, kind: str, most: int) -> np.ndarray:
    """Return where a node has a fault: (k, 2, 3) float64 local, k at most `most`: edges, or the sides of faces.

    Faults that an object has as a whole have none.
    """
    mesh = scene.mesh_ids[node]
    if mesh < 0 or scene.meshes.rows["triangle_count"][mesh] == 0:
        return np.empty((0, 2, 3))
    data = scene.meshes.mesh(int(mesh))
    zero = np.zeros(1, dtype=np.int64)
    whole = zero, zero + len(data.positions), zero, zero + len(data.triangles)
    positions = np.ascontiguousarray(data.positions)
    ends = np.empty((0, 2), dtype=np.int64)
    if kind in EDGE_KINDS:
        bits, none = positions.view(np.uint64), np.empty((0, 4), dtype=np.int32)
        counts = edge_defects(*whole, bits, data.triangles, 0, none)[0, :3]
        listed = np.empty((int(np.minimum(counts, most).sum()), 4), dtype=np.int32)
        edge_defects(*whole, bits, data.triangles, most, listed)
        ends = listed[listed[:, 1] == EDGE_KINDS[kind], 2:]
    elif kind in FACE_KINDS:
        found = np.isin(triangle_defects(*whole, positions, data.triangles), FACE_KINDS[kind])
        triangles = data.triangles[found][: most // 3]
        ends = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    return positions[ends]
